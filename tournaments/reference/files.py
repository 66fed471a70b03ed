"""The page of what is written for the arena: `bot.yaml` and tournament files."""

from typing import Final

from tournaments.files.vocabulary import BotFile, TournamentFile
from tournaments.reference.fields import with_inner
from tournaments.reference.markdown import MADE, page
from tournaments.reference.sections import sections

_INTRODUCTION: Final = """\
# Files

Every key of a `bot.yaml` and of a tournament file. What they are for, with examples:
[bots](../bots.md), [the tournament file](../tournament.md). A key that is not here is a mistake,
told with its line and column. `spades-arena schema bot` and `spades-arena schema tournament` print
the same for [editors](../tournament.md#in-an-editor).
"""
_QUANTITIES: Final = """\
A **time** is a number with its unit, `ms`, `s`, `m` or `h`: `500ms`, `1.5s`, `2m`; above 0 and up
to `24h`. A **size** has `KB`, `MB` (1,000,000 bytes) or `GB`. A section is a mapping:
`schedule: {rounds: 4}`.
"""


def files_page() -> str:
    """The page: a table for each file and each section of one."""
    kinds = with_inner([BotFile, TournamentFile])
    parts = sections(kinds, "key", defaults=lambda _: True)
    return page(_INTRODUCTION, MADE, _QUANTITIES, *parts)
