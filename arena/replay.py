"""A record as what can be looked at one after the other: the moments of a match.

A moment is a decision with what led to it, or a beginning or an end. It has the states before and
after it, so that whoever shows it needs no rules.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from arena.events import (
    AnyEvent,
    DealEnded,
    Dealt,
    Decision,
    Faulted,
    Greeted,
    MatchEnded,
    MatchStarted,
)
from arena.record import follow
from arena.state import Asking, Deal, Playing, State, Stopped, Substituting
from arena.turns import Source, Turns
from protocol.cards import SEATS, Seat
from protocol.messages import FinishedTrick, Trick

_FULL_TRICK: Final = len(SEATS)

MomentKind = Literal["start", "deal", "decision", "end"]


class Position(NamedTuple):
    """Where a moment stands in its match. Written `deal/trick/card`, or `deal/end`."""

    deal: int
    """1, 2, ...; 0 for the start of the match."""
    trick: int
    """1 to 13; 0 before the play."""
    card: int
    """Cards of the trick that lie on the table; before the play, decisions of the deal so far."""
    end: bool = False
    """After the last decision of the deal."""

    def __str__(self) -> str:
        if self.deal == 0:
            return "0"
        return f"{self.deal}/end" if self.end else f"{self.deal}/{self.trick}/{self.card}"


class Moment(Struct, frozen=True, kw_only=True):
    """One step of a replay."""

    kind: MomentKind
    """`start`: the bots were started. `deal`: 13 cards each. `decision`: a seat's, or the arena's
    for it. `end`: of a deal, whether it was scored or a forfeit has ended the match in it."""
    position: Position
    before: State
    """Its phase is what a decision answers, with what was legal."""
    after: State
    decision: Decision | None = None
    greetings: tuple[Greeted, ...] = ()
    """Of bots that were started before the decision."""
    faults: tuple[Faulted, ...] = ()
    """What went wrong before the decision; at an end, what brought it about."""
    debug: tuple[str, ...] = ()
    """Of each fault, the line that reproduces it."""
    deal_end: DealEnded | None = None
    match_end: MatchEnded | None = None
    """The result, in the last moment."""

    @property
    def phase(self) -> Asking | Substituting | Stopped | None:
        """That of the deal it belongs to, also at its end; None at the start of the match."""
        return self.before.phase if self.kind == "end" else self.after.phase

    @property
    def dealt(self) -> Deal | None:
        """What is known of the deal before its play; None at the start of the match."""
        phase = self.phase
        assert not isinstance(phase, Substituting)  # a decision follows, and that is the moment
        return None if phase is None else phase.deal

    @property
    def hands(self) -> dict[Seat, int]:
        """What each seat holds, as card sets."""
        phase, deal = self.phase, self.dealt
        if deal is None:
            return dict.fromkeys(SEATS, 0)
        unplayed = phase.unplayed if isinstance(phase, Playing) else ~0
        return {seat: held & unplayed for seat, held in deal.hands.items()}

    @property
    def tricks(self) -> tuple[FinishedTrick, ...]:
        """The finished tricks of the deal."""
        return self.phase.tricks if isinstance(self.phase, Playing | Stopped) else ()

    @property
    def taken(self) -> dict[Seat, int]:
        """Tricks taken in the deal."""
        if isinstance(self.phase, Playing | Stopped):
            return self.phase.taken
        return dict.fromkeys(SEATS, 0)

    @property
    def table(self) -> FinishedTrick | Trick | None:
        """The cards on the table, also when the fourth was just played; None where there is none.

        Nothing lies there at the end of a deal.
        """
        phase = self.phase
        if not isinstance(phase, Playing) or self.kind == "end":
            return None
        if phase.cards:
            return Trick(phase.leader, phase.cards)
        return phase.tricks[-1] if phase.tricks else None


class Replay(Struct, frozen=True):
    """A whole match."""

    started: MatchStarted
    moments: tuple[Moment, ...]
    """The start; then of each deal its beginning, its decisions, its end."""

    @property
    def result(self) -> MatchEnded:
        """How the match ended."""
        result = self.moments[-1].match_end
        assert result is not None
        return result

    @property
    def deals(self) -> int:
        """How many were dealt; the last may not have been finished."""
        return self.moments[-1].position.deal

    def by_deal(self) -> Iterator[Sequence[Moment]]:
        """The start of the match alone, then the moments of each deal."""
        for _, moments in groupby(self.moments, lambda moment: moment.position.deal):
            yield list(moments)


def replay(record: bytes, source: Source = Source()) -> Replay:  # noqa: B008 - frozen
    """Reads a record. Raises BadRecord for one that is not whole or not what was played.

    `source` is what `debug` is told of it.
    """
    return so_far(list(follow(record)), source)


def so_far(
    events: Sequence[tuple[AnyEvent, State]],
    source: Source = Source(),  # noqa: B008 - frozen
) -> Replay:
    """The replay of a match that may still be going on.

    `events` begin with the match's first; each has the state after it. What a moment is not yet
    complete of is left out: a fault whose decision has not followed, say.
    """
    started, _ = events[0]
    assert isinstance(started, MatchStarted)
    return Replay(started, tuple(_moments(events, source)))


class _Gathered:
    """What has happened since the last moment."""

    def __init__(self, before: State) -> None:
        self.before = before
        """The state in which the next decision is asked for."""
        self.greetings: list[Greeted] = []
        self.faults: list[Faulted] = []
        self.debug: list[str] = []
        self.deal_end: DealEnded | None = None
        self.match_end: MatchEnded | None = None

    def moment(
        self, kind: MomentKind, position: Position, after: State, decision: Decision | None = None
    ) -> Moment:
        """Makes a moment of it."""
        return Moment(
            kind=kind,
            position=position,
            before=self.before,
            after=after,
            decision=decision,
            greetings=tuple(self.greetings),
            faults=tuple(self.faults),
            debug=tuple(self.debug),
            deal_end=self.deal_end,
            match_end=self.match_end,
        )


def _moments(events: Sequence[tuple[AnyEvent, State]], source: Source) -> Iterator[Moment]:
    """A moment is given when the event comes that can't belong to it any more."""
    (_, state), *rest = events
    gathered, number, decided = _Gathered(state), 0, 0
    turns = Turns()
    for event, after in rest:
        turn = turns.take(event)
        match event:
            case Greeted():
                gathered.greetings.append(event)
            case Faulted():
                assert turn is not None
                gathered.faults.append(event)
                gathered.debug.append(source.debug(event.seat, turn))
            case DealEnded():
                gathered.deal_end = event
            case MatchEnded():
                gathered.match_end = event
            case Dealt():
                yield _boundary(gathered, number, state)
                number, decided = event.deal, 0
                gathered = _Gathered(after)
                yield gathered.moment("deal", Position(number, 0, 0), after)
            case _:
                assert isinstance(event, Decision)
                decided += 1
                yield gathered.moment("decision", _position(after, number, decided), after, event)
                gathered = _Gathered(after)
        state = after
    if number == 0 or gathered.deal_end or gathered.match_end:
        yield _boundary(gathered, number, state)


def _boundary(gathered: _Gathered, number: int, after: State) -> Moment:
    """The start of the match, or the end of a deal."""
    if number == 0:
        return gathered.moment("start", Position(0, 0, 0), after)
    return gathered.moment("end", Position(number, 0, 0, end=True), after)


def _position(after: State, number: int, decided: int) -> Position:
    phase = after.phase
    if not isinstance(phase, Playing) or not (phase.tricks or phase.cards):
        return Position(number, 0, decided)
    if phase.cards:
        return Position(number, len(phase.tricks) + 1, len(phase.cards))
    return Position(number, len(phase.tricks), _FULL_TRICK)
