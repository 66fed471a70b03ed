"""Walks through a replay by keyboard: which key leads where, and the loop that shows it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec import Struct
from rich.text import Text

from arena.replay import Moment, Replay
from protocol.cards import SEATS
from tournaments.replays.canvas import LOOK_SECONDS, Canvas
from tournaments.replays.keyboard import Keyboard, keyboard
from tournaments.replays.screen import help_screen, screen
from tournaments.replays.words import View

_VIEWS: Final[tuple[View, ...]] = (None, *SEATS)


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
    with keyboard() as keys, suppress(EOFError):
        walk_with(keys, Canvas(), replay, deal)


def walk_with(keys: Keyboard, canvas: Canvas, replay: Replay, deal: int | None = None) -> None:
    """The same in a terminal that is in use. Raises EOFError where there are no more keys."""
    starts = (i for i, moment in enumerate(replay.moments) if moment.position.deal == deal)
    place: Place | None = Place(next(starts, 0))
    shown = None
    while place is not None:
        size = canvas.size
        if (place, size) != shown:
            canvas.draw(_lines(replay, place, *size))
            shown = (place, size)
        key = keys.key(LOOK_SECONDS)
        if key is not None:
            place = after_key(replay, place, key)


def _lines(replay: Replay, place: Place, width: int, height: int) -> list[Text]:
    if place.helping:
        return help_screen(width, height)
    return screen(replay, place.at, place.view, width, height)
