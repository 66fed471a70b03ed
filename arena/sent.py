"""From a record back to what one seat was sent: each line, with its id and its clock."""

from collections.abc import Iterator

from msgspec import Struct

from arena import fold, view
from arena.deals import request_ids
from arena.events import (
    AnyEvent,
    DealEnded,
    Decision,
    Faulted,
    Greeted,
    MatchEnded,
    MatchStarted,
)
from arena.record import follow
from arena.state import State
from arena.thinking_time import ThinkingTime, nanoseconds
from arena.turns import Turn, Turns
from protocol.cards import Seat
from protocol.messages import Hello, Message, Request, TimedRequest


class Asked(Struct, frozen=True):
    """A request that the seat was sent, and what became of it."""

    turn: Turn
    request: Request
    """With the id and the clock that it had."""
    state: State
    """In which it was asked."""
    recorded: Greeted | Decision | Faulted

    @property
    def limit_ms(self) -> float:
        """How long the reply might take."""
        request = self.request
        if isinstance(request, Hello):
            return request.clock.start_ms
        assert isinstance(request, TimedRequest)
        clock = request.clock
        return clock.move_ms if clock.bank_ms is None else min(clock.move_ms, clock.bank_ms)


def sent(record: bytes, seat: Seat) -> Iterator[Asked | Message]:
    """What a seat was sent, in order: requests as `Asked`, and the messages that want no reply.

    Each `Hello` went to a new process. A seat that was not started before the match ended was sent
    nothing. Clocks are those of the match, as the record says what each reply was charged; where it
    was written without times none has cost any. Raises BadRecord as `follow` does, in the midst of
    it.
    """
    followed = follow(record)
    started, before = next(followed)
    assert isinstance(started, MatchStarted)
    lines = _Lines(started, seat)
    turns = Turns()
    for event, after in followed:
        turn = turns.take(event)
        yield from lines.of(event, before, turn)
        before = after


class _Lines:
    """Those of one seat, as its processes have seen them."""

    def __init__(self, started: MatchStarted, seat: Seat) -> None:
        self._started = started
        self._seat = seat
        self._time = ThinkingTime(started.clock)
        self._ids = request_ids(0)
        self._running = False

    def of(self, event: AnyEvent, before: State, turn: Turn | None) -> Iterator[Asked | Message]:
        """What an event says that the seat was sent. `before` is the state that it changed."""
        if isinstance(event, Greeted | Faulted | Decision):
            if event.seat != self._seat:
                return
            ended = self._seat in before.gone and fold.asked(before, self._seat) != "hello"
            if turn is not None and not ended:
                yield self._request(event, before, turn)
            if isinstance(event, Faulted):
                yield view.fault(event)
        elif self._running and isinstance(event, DealEnded):
            yield view.deal_end(before, event)
        elif self._running and isinstance(event, MatchEnded):
            yield view.match_end(event)

    def _request(self, event: Greeted | Faulted | Decision, before: State, turn: Turn) -> Asked:
        request: Request
        if fold.asked(before, self._seat) == "hello":
            request = view.hello(self._started, self._seat)
            self._ids = request_ids(request.seed)
            self._running = True
        else:
            request = view.request(before)
        request.id = next(self._ids)
        self._time.grant(request)
        if event.ms is not None:
            self._time.charge(request, nanoseconds(event.ms))
        return Asked(turn, request, before, event)
