"""How long a bot may think: for one decision, and for all of its match."""

from typing import Final

from arena.events import Clocks
from protocol.messages import Clock, Hello, Request, TimedRequest

NS_PER_MS: Final = 1_000_000


class ThinkingTime:
    """What is left to one bot. Time is in nanoseconds unless a name says otherwise."""

    def __init__(self, clock: Clocks) -> None:
        self._clock = clock
        self.start = int(clock.start_ms * NS_PER_MS)
        """The limit of a start until `hello` is answered."""
        self._move = int(clock.move_ms * NS_PER_MS)
        self._bank = None if clock.bank_ms is None else int(clock.bank_ms * NS_PER_MS)
        self._last_ms: float | None = None

    def grant(self, request: Request) -> int:
        """Tells the request what is left, and returns the smaller limit."""
        bank, left, limit = self._bank, None, self._move
        if bank is not None:
            left, limit = milliseconds(bank), min(bank, limit)
        if isinstance(request, TimedRequest):
            request.clock = Clock(self._clock.move_ms, left, self._last_ms)
        return limit

    def charge(self, request: Request, spent: int) -> float:
        """Takes what was spent from the bank, and returns it in milliseconds.

        In whole microseconds: a record has no more digits, and says all that was charged.
        """
        charged = spent // 1000
        if self._bank is not None and not isinstance(request, Hello):
            self._bank -= charged * 1000
        self._last_ms = ms = charged / 1000
        return ms

    def in_words(self, request: Request, limit: int) -> str:
        """Within what a reply was due."""
        if isinstance(request, Hello):
            return f"within {self._clock.start_ms:.15g} ms of its start"
        if limit == self._move:
            return f"within {self._clock.move_ms:.15g} ms"
        return f"before its {self._clock.bank_ms:.15g} ms for the whole match were used up"


def nanoseconds(ms: float) -> int:
    """What was charged, from what was recorded, to the microsecond."""
    return round(ms * NS_PER_MS)


def milliseconds(ns: int) -> float:
    """Milliseconds to the microsecond, as finer digits are noise."""
    return ns // 1000 / 1000
