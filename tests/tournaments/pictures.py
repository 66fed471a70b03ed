"""The pictures of a live view, as they come out of a terminal that is none."""

import io
import re
import zlib
from typing import Any

import msgspec
from msgspec.structs import replace
from rich.console import Console

from arena.events import Faulted
from arena.match import MatchResult
from arena.news import News
from protocol.cards import SEATS
from protocol.rules import Players
from tests.arena.tables import started
from tests.tournaments import small_run
from tests.tournaments.finished import RATING
from tests.tournaments.small_run import row
from tournaments.ratings.tally import Tally
from tournaments.runs.progress import LiveRun
from tournaments.runs.screen import Display
from tournaments.standings.provisional import Provisional
from tournaments.storage.results import FinishedMatch, ScheduledRow

ENTER, LEAVE = "\x1b[?1049h\x1b[H", "\x1b[?1049l"
"""To the top of the terminal's other screen, and back."""
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
"""The cursor."""
BEGUN = msgspec.json.encode(started()) + b"\n"
"""The first line of a record."""


class Terminal(io.StringIO):
    """Of a fixed size, which can be changed."""

    def __init__(self, width: int = 80, height: int = 24) -> None:
        super().__init__()
        self.console = Console(
            file=self, force_terminal=True, width=width, height=height, color_system=None
        )
        self.display = Display(self.console)

    def pictures(self) -> list[list[str]]:
        """All that was drawn, as lines."""
        return pictures(self.getvalue())


def pictures(text: str) -> list[list[str]]:
    """The lines of every whole picture in what a terminal was sent, all as they stand there."""
    _, *drawn = text.partition(LEAVE)[0].replace(ENTER, "").split("\x1b[H")
    return [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", each).splitlines() for each in drawn]


def as_result(match: FinishedMatch) -> MatchResult:
    """A match that was made by hand, as it comes from a table."""
    whole: dict[str, Any] = {
        field: getattr(match, field)
        for field in MatchResult.__struct_fields__
        if field in FinishedMatch.__struct_fields__
    }
    return MatchResult(**whole, logs={}, record=zlib.compress(BEGUN))


def view(terminal: Terminal, bots: int = 2, players: Players = "partners") -> LiveRun:
    """Of bots that are letters and, from the 27th on, names of two."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    labels = [(letters[i // 26 - 1] if i > 25 else "") + letters[i % 26] for i in range(bots)]
    field = Provisional(Tally(RATING), dict.fromkeys(labels, "playing"))
    return LiveRun(terminal.display, players, field)


def result(number: int) -> MatchResult:
    """A match in which the bot at E was late, as small as can be."""
    late = Faulted(
        seat="E", kind="timeout", request="bid", detail="no \x1b reply", raw=None, ruling="forfeit"
    )
    return small_run.result(number, record=BEGUN + msgspec.json.encode(late))


def seated(number: int, around: str) -> ScheduledRow:
    return replace(row(number), seats=dict(zip(SEATS, around.split(), strict=True)))


def news(number: int, deal: int, score: dict[str, int], *bids: int) -> News:
    return News(row(number).match, deal, score, dict(zip(SEATS, bids, strict=False)))
