"""The page of the lines of a record."""

from typing import Final, get_args

from arena.events import TIMES, AnyEvent, Sealed
from tournaments.reference.fields import with_inner
from tournaments.reference.markdown import MADE, code, page
from tournaments.reference.sections import sections

_INTRODUCTION: Final = """\
# The lines of a record

`spades-arena record RUN MATCH` and `match -o FILE` write all of a match, an event a line, each a
JSON object whose `type` is a heading below. Where a table has defaults, a field at its default is
left out. `spades-arena schema record` prints the same as a JSON Schema. Seats, sides and cards are
those of [the protocol](../../protocol/README.md#cards-seats-sides).
"""
_TIMES: Final = f"""\
These fields may differ between two runs of a match, and `--no-times` leaves them out:
{", ".join(map(code, sorted(TIMES)))}.
"""


def record_page() -> str:
    """The page: a table for each event and each part of one."""
    kinds = with_inner([*get_args(AnyEvent), Sealed])
    parts = sections(kinds, "field", defaults=lambda kind: kind.__struct_config__.omit_defaults)
    return page(_INTRODUCTION, _TIMES, MADE, *parts)
