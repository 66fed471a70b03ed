"""A match as it is played: what each bot is asked and what it answers, a line each."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from arena import fold, view
from arena.bot import BotFault
from arena.events import (
    AnyEvent,
    CardPlayed,
    DealEnded,
    Dealt,
    Decision,
    Faulted,
    Greeted,
    MatchStarted,
)
from arena.lines import LogLines
from arena.state import Asking, Playing, State, begin
from arena.turns import Source, Turn, Turns
from protocol.cards import SEATS, Seat
from protocol.codec import printable
from protocol.messages import Request
from tournaments.debugging import conversation
from tournaments.debugging.refed import Line
from tournaments.replays.words import took

NAME_SHOWN: Final = 14
"""Characters of a bot's name."""


class Shown:
    """A listener that says what happens."""

    def __init__(self, say: Callable[[Line], None], sources: Mapping[Seat, Source]) -> None:
        """`sources` is what `debug` is told of each seat."""
        self._say = say
        self._sources = sources
        self._logs = {seat: LogLines() for seat in SEATS}
        self._turns = Turns()
        self._names: dict[Seat, str] = {}

    def happened(self, event: AnyEvent) -> None:
        """See `Listener.happened`."""
        self._say_logs()
        turn = self._turns.take(event)
        if isinstance(event, MatchStarted):
            self._started, self._state = event, begin(event)
            self._names = _names(event)
        else:
            self._state = fold.apply(self._state, event)
            for line in self._lines(event, turn):
                self._say(line)
        seat, request = _next(self._started, self._state)
        if seat is not None and request is not None:
            kind = str(request.__struct_config__.tag)
            self._say(Line(f"{self._names[seat]}  {kind:<9} {conversation.asked(request)}"))

    def logged(self, seat: Seat, data: bytes) -> None:
        """See `Listener.logged`. It is said before the next event, while no clock runs."""
        self._logs[seat].feed(data)

    def end(self) -> None:
        """Says what the bots have logged last."""
        self._say_logs(rest=True)

    def _say_logs(self, *, rest: bool = False) -> None:
        for seat, log in self._logs.items():
            for line in log.take(rest=rest):
                self._say(Line(f"{self._names.get(seat, seat)}  | {printable(line)}", "dim"))

    def _lines(self, event: AnyEvent, turn: Turn | None) -> Iterator[Line]:
        """What has happened."""
        if isinstance(event, Greeted | Decision):
            yield from self._answer(event)
        elif isinstance(event, Faulted):
            assert turn is not None
            name = self._names[event.seat]
            yield Line(f"{name}  fault: {event.kind}, ruling: {event.ruling}", "bold red")
            fault = BotFault(event.kind, event.detail, event.raw)
            for text in conversation.fault_lines(fault):
                yield Line(f"  {text}", "red")
            yield Line(f"  to reproduce: {self._sources[event.seat].debug(event.seat, turn)}")
        elif isinstance(event, Dealt):
            yield Line(f"deal {event.deal}, dealt by {event.dealer}", "bold")
        elif isinstance(event, DealEnded):
            yield Line(deal_result(event), "bold")

    def _answer(self, event: Greeted | Decision) -> Iterator[Line]:
        after = self._state.phase
        told = ["->", conversation.answered(event)]
        if isinstance(event, Decision) and event.substituted:
            told.append("(the arena's)")
        elif event.ms is not None:
            told.append(f"  {took(event.ms)}")
        if isinstance(event, CardPlayed) and isinstance(after, Playing) and not after.cards:
            told.append(f"  {after.tricks[-1].winner} takes trick {len(after.tricks)}")
        yield Line(f"{self._names[event.seat]}  {' '.join(told)}", "bold")
        if event.note is not None:
            yield Line(f"{self._names[event.seat]}  note: {printable(event.note)}")


def deal_result(end: DealEnded) -> str:
    """A finished deal on one line."""
    score = "  ".join(f"{side} {end.score[side]} ({end.delta[side]:+})" for side in end.score)
    return f"deal {end.deal}: {score}"


def _names(started: MatchStarted) -> dict[Seat, str]:
    """Seat and bot, all of one width."""
    shown = {seat: printable(started.players[seat].name)[:NAME_SHOWN] for seat in SEATS}
    width = max(map(len, shown.values()))
    return {seat: f"{seat} {name:<{width}}" for seat, name in shown.items()}


def _next(started: MatchStarted, state: State) -> tuple[Seat | None, Request | None]:
    """Who is asked next, and what; nobody between deals and where a process has ended."""
    if state.outcome is not None:
        return None, None
    seat = next((seat for seat in SEATS if fold.asked(state, seat)), None)
    if seat is None:
        return None, None
    if fold.asked(state, seat) == "hello":
        return seat, view.hello(started, seat)
    assert isinstance(state.phase, Asking)
    return seat, None if seat in state.gone else view.request(state)
