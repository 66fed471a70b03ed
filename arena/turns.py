"""Where in its match a seat was asked: the deal, and the how-manieth request it was there."""

from collections.abc import Iterator
from typing import NamedTuple

from arena.events import AnyEvent, Dealt, Decision, Faulted, Greeted, Sealed
from arena.faults import ENDING
from arena.record import read
from protocol.cards import Seat


class Turn(NamedTuple):
    """A request to one seat. Written `deal:number`, as in `2:5`."""

    deal: int
    """1, 2, ...; 0 before the first."""
    number: int
    """1, 2, ...: of the seat's own requests in the deal. Its bid is 1, unless it was offered blind
    nil first, or was started again. `0:1` is its `hello`."""

    def __str__(self) -> str:
        return f"{self.deal}:{self.number}"


class Source(NamedTuple):
    """How `debug` is told where a match is recorded; words of a shell."""

    record: str = "FILE"
    """`FILE`, or `RUN MATCH`."""
    bot: str = "BOT"
    """The program to debug; empty where the record's run folder knows it."""
    sandbox: str = ""
    """The backend that it is to be boxed in; empty where `debug` takes the right one unasked."""

    def debug(self, seat: Seat, turn: Turn) -> str:
        """The one line that reproduces what happened at this turn."""
        named = f" -- {self.bot}" if self.bot else ""
        boxed = f" --sandbox {self.sandbox}" if self.sandbox else ""
        return f"spades-arena debug {self.record} --seat {seat} --until {turn}{boxed}{named}"


def faults_in(record: bytes) -> Iterator[tuple[Faulted, Turn]]:
    """The faults of a record, each with its turn. Raises BadRecord for lines that are no events."""
    turns = Turns()
    for _, event in read(record):
        if isinstance(event, Sealed):
            return
        turn = turns.take(event)
        if isinstance(event, Faulted):
            assert turn is not None
            yield event, turn


class Turns:
    """Counts the turns of all seats, by the events of a match, in order from the first."""

    def __init__(self) -> None:
        self._deal = 0
        self._last: dict[Seat, Turn] = {}
        self._gone: set[Seat] = set()
        """Those whose process has ended (`State.gone`)."""

    def take(self, event: AnyEvent) -> Turn | None:
        """The turn that a greeting, a decision or a fault belongs to; None for all else.

        What the arena decides for a seat is no turn. The fault of a seat that was not asked, as its
        process has ended, belongs to the turn before: that is where the cause is.
        """
        if isinstance(event, Dealt):
            self._deal = event.deal
            return None
        if isinstance(event, Faulted):
            if event.request != "hello" and event.seat in self._gone:
                return self._last[event.seat]
            self._gone.discard(event.seat)
            if event.kind in ENDING:
                self._gone.add(event.seat)
        elif isinstance(event, Greeted):
            self._gone.discard(event.seat)
        elif not isinstance(event, Decision) or event.substituted:
            return None
        return self._next(event.seat)

    def _next(self, seat: Seat) -> Turn:
        before = self._last.get(seat)
        number = before.number + 1 if before is not None and before.deal == self._deal else 1
        self._last[seat] = turn = Turn(self._deal, number)
        return turn
