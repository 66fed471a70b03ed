"""The pictures of a live view, as they come out of a terminal that is none."""

import io
import re
import zlib
from typing import Any

from rich.console import Console

from arena.match import MatchResult
from tournaments.results import FinishedMatch
from tournaments.screen import Display

ENTER, LEAVE = "\x1b[?1049h\x1b[H", "\x1b[?1049l"
"""To the top of the terminal's other screen, and back."""
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
"""The cursor."""


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
    return MatchResult(**whole, logs={}, record=zlib.compress(b""))
