"""Walks through a replay by keyboard: which key leads where, and the loop that shows it."""

import sys
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct
from rich.console import Console
from rich.text import Text

from arena.replay import Moment, Replay
from protocol.cards import SEATS
from tournaments.replays.keyboard import keyboard
from tournaments.replays.screen import help_screen, screen
from tournaments.replays.words import View

LOOK_SECONDS: Final = 0.2
"""How long a key is waited for before it is looked whether the window has another size."""

_VIEWS: Final[tuple[View, ...]] = (None, *SEATS)
_HOME, _CLEAR_LINE, _CLEAR_REST = "\x1b[H", "\x1b[K", "\x1b[J"


class Place(Struct, frozen=True):
    """Where the walk is, and how it looks."""

    at: int
    """The number of the moment."""
    view: View = None
    helping: bool = False


_Test = Callable[[Moment], bool]


def _any(moment: Moment) -> bool:
    return True


def _trick_end(moment: Moment) -> bool:
    return moment.decision is None or (moment.position.trick > 0 and moment.position.card == 4)


def _deal_begin(moment: Moment) -> bool:
    return moment.kind in ("start", "deal")


def _deal_or_result(moment: Moment) -> bool:
    return moment.kind == "deal" or moment.match_end is not None


def _faulty(moment: Moment) -> bool:
    return bool(moment.faults)


_LEADS: Final[dict[str, tuple[int, _Test]]] = {
    "right": (1, _any),
    "space": (1, _any),
    "left": (-1, _any),
    "down": (1, _trick_end),
    "up": (-1, _trick_end),
    "page down": (1, _deal_or_result),
    "page up": (-1, _deal_begin),
    "x": (1, _faulty),
    "X": (-1, _faulty),
}
"""Key -> the direction, and what the next moment there must be."""


def after_key(replay: Replay, place: Place, key: str) -> Place | None:
    """Where a key leads; None: it ends the walk. From help any key leads back."""
    at, last = place.at, len(replay.moments) - 1
    if key == "q":
        return None
    if place.helping:
        return Place(at, place.view)
    match key:
        case "home":
            at = 0
        case "end":
            at = last
        case "h":
            return Place(at, _VIEWS[(_VIEWS.index(place.view) + 1) % len(_VIEWS)])
        case "?":
            return Place(at, place.view, helping=True)
        case _ if key in _LEADS:
            by, wanted = _LEADS[key]
            ahead = range(at + by, last + 1 if by > 0 else -1, by)
            at = next((i for i in ahead if wanted(replay.moments[i])), at)
    return Place(at, place.view)


def walk(replay: Replay, deal: int | None = None) -> None:
    """Shows a match in the terminal until it is quit; it begins at a deal, or at the start."""
    console = Console(highlight=False)
    starts = (i for i, moment in enumerate(replay.moments) if moment.position.deal == deal)
    place: Place | None = Place(next(starts, 0))
    with keyboard() as keys:
        shown = None
        while place is not None:
            size = console.size
            if (place, size) != shown:
                _draw(console, replay, place, size.width, size.height)
                shown = (place, size)
            try:
                key = keys.key(LOOK_SECONDS)
            except EOFError:
                return
            if key is not None:
                place = after_key(replay, place, key)


def _draw(console: Console, replay: Replay, place: Place, width: int, height: int) -> None:
    """Over what is shown, line by line, so that nothing flickers."""
    if place.helping:
        lines = help_screen(width, height)
    else:
        lines = screen(replay, place.at, place.view, width, height)
    sys.stdout.write(_HOME + "\r\n".join(_as_written(console, lines)) + _CLEAR_REST)
    sys.stdout.flush()


def _as_written(console: Console, lines: list[Text]) -> Iterator[str]:
    for line in lines:
        with console.capture() as written:
            console.print(line, end="", no_wrap=True, overflow="crop", crop=True, soft_wrap=True)
        yield written.get() + _CLEAR_LINE
