"""Questions about the rules, whose mistakes are told in the words of a tournament file's."""

from itertools import islice
from typing import Annotated, Any, Final, get_args

from msgspec import Meta, Struct, defstruct

from arena.answers import reply
from arena.questions import KINDS, AnyQuestion
from tournaments.files.positions import Place
from tournaments.files.shape import Mistake, mistakes
from tournaments.files.vocabulary import Preset, RulesSection

TOLD: Final = 5
"""Mistakes of a question that its answer tells."""

_TYPE: Final[dict[Any, type]] = {
    tag: defstruct(
        kind.__name__,
        [("rules", Preset | RulesSection, "standard")],
        bases=(kind,),
        tag=tag,
        kw_only=True,
        frozen=True,
    )
    for kind in get_args(AnyQuestion)
    for tag in [kind.__struct_config__.tag]
}
"""The types of questions by their `kind`, with what `rules` may be."""


class _Kind(Struct, frozen=True):
    """What is known of a question whose `kind` is not."""

    kind: Annotated[str, Meta(extra_json_schema={"enum": list(KINDS)})]


def answered(line: bytes) -> bytes:
    """The answer to the question in `line`, or a refusal; both without a line's end."""
    return reply(line, _explained)


def _explained(question: dict[str, Any]) -> str | None:
    if "kind" not in question:
        return None
    kind = question["kind"]
    known = _TYPE.get(kind) if isinstance(kind, str) else None
    found = islice(mistakes(question, known or _Kind), TOLD)
    return "; ".join(dict.fromkeys(map(_worded, found))) or None


def _worded(mistake: Mistake) -> str:
    """The mistake, after the path that leads to it: `rules.floor`, `hand[1]`."""
    place = mistake.place[:-1] if mistake.on_key else mistake.place
    return f"`{_path(place)}`: {mistake.message}" if place else mistake.message


def _path(place: Place) -> str:
    steps = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)
    return "".join(steps).lstrip(".")
