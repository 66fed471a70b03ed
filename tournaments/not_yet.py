"""What the documented vocabulary names and this version can't play yet: a list to be shortened."""

from typing import Any, Final, NamedTuple

from tournaments.positions import Place, Source


class Unavailable(NamedTuple):
    """Words that are refused at a place."""

    what: str
    words: tuple[str, ...]
    instead: str


ONLY_NONE: Final = (
    "only 'none' exists in this version: write sandbox: {backend: none} and run only bots you trust"
)
_NOT_YET: Final[dict[Place, Unavailable]] = {
    ("format",): Unavailable("format", ("rotating",), "available: pairs, solo"),
    ("schedule", "type"): Unavailable(
        "schedule", ("swiss", "adaptive"), "available: round_robin, gauntlet"
    ),
    ("sandbox", "backend"): Unavailable("sandbox backend", ("auto", "bubblewrap"), ONLY_NONE),
    ("rating", "beta"): Unavailable("beta", ("auto",), "write a number or a fraction"),
}

UNOFFERED: Final = {place: unavailable.words for place, unavailable in _NOT_YET.items()}
"""Place -> the words there that are not to be offered."""


def refuse_unavailable(source: Source) -> None:
    """Adds to the source of a tournament file what this version lacks of it."""
    for place, unavailable in _NOT_YET.items():
        word = _at(source.data, place)
        if isinstance(word, str) and word in unavailable.words:
            source.add(
                place,
                f"the {unavailable.what} {word!r} is not available in this version;"
                f" {unavailable.instead}",
            )
    sandbox = source.data.get("sandbox")
    if isinstance(sandbox, dict) and "backend" not in sandbox:
        source.add(("sandbox",), f"a sandbox without a backend is 'auto', and {ONLY_NONE}")


def _at(data: Any, place: Place) -> Any:
    for step in place:
        data = data.get(step) if isinstance(data, dict) else None
    return data
