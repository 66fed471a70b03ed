"""What results draw of a schedule: its next encounters, by the finished matches of a store.

Nothing is drawn while a match of an earlier draw is not finished, so that a draw depends on nothing
but whole rounds and batches, taken in in schedule order.
"""

from collections.abc import Sequence
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec
from msgspec import Struct

from tournaments.files.vocabulary import Format
from tournaments.ratings.meetings import Meeting, met
from tournaments.schedules import swiss
from tournaments.schedules.encounters import Encounters
from tournaments.schedules.schedule import Encounter, least_bots, legs, total
from tournaments.storage.reader import Reader
from tournaments.tournament import ScheduleSettings

if TYPE_CHECKING:
    from tournaments.schedules.adaptive import History


Stop = Literal["confidence", "budget"]
"""Why an adaptive schedule has come to its end: it is sure enough, or has no more matches."""


class Adaptive(Struct, frozen=True):
    """How far an adaptive schedule is."""

    goal: Literal["order"] | dict[str, int]
    """As in a tournament file: `order`, or `{"top": K}`."""
    confidence: float
    """That was asked for, 0 to 1."""
    reached: float
    """How likely the goal is reached, at least, by all results so far."""
    stopped: Stop | None
    """Why no more matches are drawn; null while some may be, or are played."""
    most: int
    """Matches that the budget allows."""

    def __str__(self) -> str:
        """As in `the order is right with 96.1 % confidence`."""
        match self.goal:
            case "order":
                what = "the order is"
            case {"top": 1}:
                what = "the first is"
            case {"top": first}:
                what = f"the first {first} are"
        return f"{what} right with {percent(self.reached)} confidence"


def percent(share: float) -> str:
    """Rounded down, so that no confidence is told that was not reached."""
    return f"{floor(1000 * share) / 10:g} %"


class Drawing(Protocol):
    """Draws one schedule bit by bit. Each draw is to be stored before the next."""

    rounds: int | None
    """How many draws count, of those stored; None: all."""

    def draw(self) -> list[Encounter]:
        """The next encounters; none where there are no more, or their time has not come."""
        ...

    def left(self) -> int:
        """How many matches are still to be drawn, at most."""
        ...


def drawing(
    settings: ScheduleSettings, form: Format, bots: Sequence[str], store: Reader
) -> Drawing | None:
    """What draws a schedule between bots that play; None where all is known beforehand.

    `bots`: labels in the order of the file.
    """
    if settings.type == "swiss":
        return _Rounds(settings, form, bots, store)
    if settings.type == "adaptive":
        return _Batches(settings, bots, store)
    return None


def adaptive_so_far(store: Reader, meetings: Sequence[Meeting]) -> Adaptive | None:
    """How far the adaptive schedule of a store is, after the meetings of all that is finished.

    None where its schedule is another.
    """
    settings = store.tournament().changing.schedule
    if settings.type != "adaptive":
        return None
    from tournaments.ratings.strength import strengths
    from tournaments.schedules.adaptive import Order

    bots = [bot.label for bot in store.bots() if bot.status == "playing"]
    found = strengths(list(dict.fromkeys([*bots, *met(meetings)])), meetings)
    reached = Order(bots, found, settings.top).confidence
    counts = store.counts()
    why: Stop = "confidence" if reached >= settings.confidence else "budget"
    return Adaptive(
        goal="order" if settings.top is None else {"top": settings.top},
        confidence=settings.confidence,
        reached=reached,
        stopped=why if counts.finished == counts.scheduled else None,
        most=max(counts.scheduled, total(settings, len(bots))),
    )


class _Rounds:
    """Of a Swiss tournament."""

    def __init__(
        self, settings: ScheduleSettings, form: Format, bots: Sequence[str], store: Reader
    ) -> None:
        self.rounds: int | None = settings.rounds
        self._settings, self._form = settings, form
        self._bots, self._store = bots, store
        self._history = swiss.History()
        self._taken_in = -1
        """The last match of the history."""

    def draw(self) -> list[Encounter]:
        """Its time comes with bots for a table: a round of nobody would stay so when they are
        back."""
        drawn = self._store.tournament().drawn
        if drawn >= self._settings.rounds:
            return []
        if len(self._bots) < least_bots(self._settings, self._form):
            return []
        if next(self._store.unfinished(self._taken_in), None) is not None:
            return []
        for row in self._store.finished_rows(self._taken_in):
            self._history.add(self._store.finished_match(row))
            self._taken_in = row[0]
        return swiss.draw(drawn, self._bots, self._history, self._form)

    def left(self) -> int:
        rest = max(0, self._settings.rounds - self._store.tournament().drawn)
        settings = msgspec.structs.replace(self._settings, rounds=rest)
        return total(settings, len(self._bots), self._form)


class _Batches:
    """Of an adaptive tournament. What was drawn counts, also where less is wanted later."""

    def __init__(self, settings: ScheduleSettings, bots: Sequence[str], store: Reader) -> None:
        from tournaments.schedules import adaptive  # slow to import, and only this needs it

        self.rounds: int | None = None
        self._settings = settings
        self._bots, self._store = bots, store
        self._adaptive = adaptive
        self._taken_in = -1
        """The last match of the history."""

    def draw(self) -> list[Encounter]:
        if not self._take_in():
            return []
        return self._adaptive.draw(self._bots, self._history, self._settings)

    def left(self) -> int:
        if self._take_in() and self._adaptive.settled(self._bots, self._history, self._settings):
            return 0
        encounters = self._adaptive.budget(self._bots, self._history, self._settings)
        return encounters * legs("pairs", mirror=self._settings.mirror)

    def _take_in(self) -> bool:
        """Whether all that was drawn is finished, and part of the history."""
        if next(self._store.unfinished(self._taken_in), None) is not None:
            return False
        if (last := self._store.drawn_matches() - 1) > self._taken_in:
            for row in self._store.finished_rows(self._taken_in):
                self._encounters.add(row)
            self._history.take_in(self._encounters.meetings())
            self._taken_in = last
        return True

    @cached_property
    def _encounters(self) -> Encounters:
        return Encounters(self._store)

    @cached_property
    def _history(self) -> "History":
        """Not before the store has what is kept of earlier runs."""
        history = self._adaptive.History()
        for one, other, encounters in self._store.drawn_encounters():
            history.draw(one, other, encounters)
        return history
