"""What the documented vocabulary names and this version can't play yet: a list to be shortened."""

from typing import Final, NamedTuple

from tournaments.positions import Place, Source


class Unavailable(NamedTuple):
    """Words that are refused at a place."""

    what: str
    words: tuple[str, ...]
    instead: str


_NOT_YET: Final[dict[Place, Unavailable]] = {
    ("rating", "beta"): Unavailable("beta", ("auto",), "write a number or a fraction"),
}

UNOFFERED: Final = {place: unavailable.words for place, unavailable in _NOT_YET.items()}
"""Place -> the words there that are not to be offered."""


def refuse_unavailable(source: Source) -> None:
    """Adds to the source of a tournament file what this version lacks of it."""
    for place, unavailable in _NOT_YET.items():
        word = source.at(place)
        if isinstance(word, str) and word in unavailable.words:
            source.add(
                place,
                f"the {unavailable.what} {word!r} is not available in this version;"
                f" {unavailable.instead}",
            )
