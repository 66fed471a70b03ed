"""What is drawn on a terminal while matches are played, and the terminal itself."""

import sys
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.control import Control
from rich.progress_bar import ProgressBar
from rich.screen import Screen
from rich.table import Table
from rich.text import Text

from arena.news import News
from arena.rules import sides
from protocol.codec import printable
from protocol.rules import Players
from tournaments.standings.standings import BotStanding
from tournaments.storage.results import ScheduledRow

WIDEST_BAR: Final = 80
"""Columns, however wide the terminal is."""
ID_SHOWN: Final = 8
"""Characters of a match's id: enough for `record RUN MATCH`."""


Picture = Iterable[RenderableType]
"""What is drawn, one below the other."""


class Display:
    """The whole terminal, drawn over again and again, and given back as it was.

    It is the terminal's other screen: what stood there before is there again in the end, and after
    a change of its size nothing is left of what was drawn for another.
    """

    def __init__(self, console: Console) -> None:
        self._console = console

    @property
    def lines(self) -> int:
        """How many there are at this moment."""
        return self._console.size.height

    def __enter__(self) -> "Display":
        try:
            self._console.set_alt_screen(True)
            self._console.show_cursor(False)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *failure: object) -> None:
        # A console of its own, as the other may have been interrupted in the middle of a line.
        console = Console(file=self._console.file, force_terminal=True)
        console.show_cursor(True)
        console.set_alt_screen(False)

    def draw(self, picture: Picture) -> None:
        """Draws it in place of the one before, but for what does not fit."""
        with self._console:
            self._console.control(Control.home())
            self._console.print(Screen(*picture), end="")


def terminal() -> Display | None:
    """Standard error, if it is a terminal that can be drawn on."""
    # Whatever the environment says of colours: escapes have no place in a file.
    console = Console(stderr=True, highlight=False)
    if sys.stderr.isatty() and console.is_terminal and not console.is_dumb_terminal:
        return Display(console)
    return None


def line(text: str, style: str = "") -> Text:
    """Text on one line, cut where the terminal ends."""
    return Text(printable(text), style, no_wrap=True, overflow="ellipsis")


def bar(done: float, total: float, before: str = "", after: str = "") -> RenderableType:
    """How much is done, between words."""
    grid = Table.grid(padding=(0, 1))
    width = WIDEST_BAR - len(before) - len(after)
    drawn = ProgressBar(total=total, completed=done, width=width)
    grid.add_row(*([before] if before else []), drawn, after)
    return grid


def field(leaders: Sequence[BotStanding]) -> RenderableType:
    """The top of the standings."""
    table = _table("#", "bot", "rating", "played", "w-d-l", "points/deal", "faults")
    for bot in leaders:
        points = bot.points_per_deal
        table.add_row(
            str(bot.rank),
            line(bot.name),
            f"{bot.rating:.1f}",
            str(bot.played),
            f"{bot.won}-{bot.drawn}-{bot.lost}",
            "" if points is None else f"{points:+.1f}",
            str(sum(bot.faults.values()) or ""),
        )
    return table


class InPlay:
    """The tables in play, each in a place of its own from match to match."""

    def __init__(self, players: Players) -> None:
        self._sides = sides(players)
        self._places: list[ScheduledRow | None] = []
        self._news: dict[str, News] = {}
        """By match."""

    @property
    def places(self) -> int:
        """How many tables there have been at once."""
        return len(self._places)

    def update(self, playing: Collection[ScheduledRow], news: Iterable[News]) -> None:
        """Takes what is being played now, and what its tables have told."""
        waiting = {row.match: row for row in playing}
        told = self._news | {each.match: each for each in news}
        self._news = {match: told[match] for match in waiting if match in told}
        stay = [row and waiting.pop(row.match, None) for row in self._places]
        come = iter(waiting.values())
        self._places = [row or next(come, None) for row in stay] + list(come)

    def forget(self, match: str) -> None:
        """A match ends, and may begin again."""
        self._news.pop(match, None)

    def drawn(self, most: int) -> RenderableType:
        """A line a table, of the first so many."""
        table = _table("match", "deal", "score", "bids", "at the table")
        for row in self._places[:most]:
            table.add_row(*map(line, self._cells(row) if row else ()))
        return table

    def _cells(self, row: ScheduledRow) -> list[str]:
        """Sides are parted by colons, in each column alike."""
        names = [dict.fromkeys(row.seats[seat] for seat in seats) for seats in self._sides.values()]
        match, table, news = row.match[:ID_SHOWN], _parted(names), self._news.get(row.match)
        if news is None:
            return [match, "", "", "starting", table]
        bids = [
            [str(news.bids.get(seat) or "nil") for seat in seats] for seats in self._sides.values()
        ]
        score = [[str(news.score.get(side))] for side in self._sides]
        said = _parted(bids) if news.bids else "bidding"
        return [match, str(news.deal), _parted(score), said, table]


def _parted(sides: Iterable[Iterable[str]]) -> str:
    """What is of each seat or bot of a side, as in `a+b : c+d`."""
    return " : ".join("+".join(side) for side in sides)


_NAMES: Final = ("bot", "at the table")
"""Columns that are cut where the terminal is narrow."""
_LEFT: Final = (*_NAMES, "match", "bids")
_LEAST: Final = {"rating": 6, "played": 6, "w-d-l": 9, "deal": 4, "score": 11, "bids": 15}
"""Widths of columns, so that they stay where they are as numbers grow."""


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(
            column,
            justify="left" if column in _LEFT else "right",
            no_wrap=column not in _NAMES,  # what may be wrapped gives way first
            min_width=_LEAST.get(column),
        )
    return table
