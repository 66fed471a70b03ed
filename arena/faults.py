"""What a fault costs, what the arena decides instead, and when a bot is started again (R9).

A process that has ended is started again when its seat is next asked, at most once a deal; after
`set` that is in the next one. Where it can't be, the seat is not asked: each decision that it owes
is a fault once more, of the kind that ended the process, so that who crashes again and again soon
has the `limit` of them.
"""

from typing import Final

from msgspec.structs import replace

from arena.bot import BotFault
from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    Decision,
    Faulted,
    Greeted,
    RequestType,
)
from arena.phases import IllegalEvent
from arena.rules import Outcome, side_of
from arena.state import (
    Asking,
    Bidding,
    Exchanging,
    Offering,
    Playing,
    State,
    Stopped,
    Substituting,
    hand,
)
from protocol.cards import SEATS, Seat
from protocol.messages import FaultKind, Ruling

ENDING: Final[frozenset[FaultKind]] = frozenset({"start", "exit", "output", "resource"})
"""The kinds of fault after which there is no process to be asked."""


def asked(state: State, seat: Seat) -> RequestType | None:
    """What a seat can be asked now, or None."""
    match state.phase:
        case None if state.deals == 0 and seat not in state.started:
            return "hello"
        case Offering(turn=turn) if turn == seat:
            return _first(state, seat) or "blind_nil"
        case Bidding(turn=turn) if turn == seat:
            return _first(state, seat) or "bid"
        case Exchanging(turn=turn) if turn == seat:
            return _first(state, seat) or "exchange"
        case Playing(turn=turn, legal=legal) if turn == seat and legal:
            return _first(state, seat) or "play"
        case _:
            return None


def _first(state: State, seat: Seat) -> RequestType | None:
    """A process that has ended is started again first, at most once a deal."""
    again = seat in state.gone and state.started.get(seat, 0) < _deal(state)
    return "hello" if again else None


def _deal(state: State) -> int:
    """The number of the deal in progress; 0 before the first."""
    return 0 if state.phase is None else state.deals + 1


def ruling(state: State, seat: Seat, kind: FaultKind) -> Ruling:
    """What a fault of this kind costs the seat now."""
    ruling = state.policy.ruling(kind)
    if ruling == "substitute":
        before = sum(state.faults.get(seat, {}).values())
        return "forfeit" if before + 1 >= state.policy.limit else "substitute"
    # Before all have bid there is nothing to set.
    settable = isinstance(state.phase, Exchanging | Playing)
    return ruling if settable else "forfeit"


def not_asked(state: State, seat: Seat) -> BotFault:
    """The fault of a seat whose process has ended and is not started again in this deal."""
    return BotFault(
        state.gone[seat],
        "it was not asked, as its process has ended and is started again only once in a deal - see"
        " the faults before for what ended it",
    )


def refuse_gone(state: State, event: AnyEvent) -> None:
    """Raises IllegalEvent for a decision of a seat that has no process."""
    if isinstance(event, Decision) and event.seat in state.gone and not event.substituted:
        raise IllegalEvent(f"{event.seat} has decided, whose process has ended")


def greet(state: State, event: Greeted) -> State:
    """A bot has started, or was started again. Raises IllegalEvent."""
    if asked(state, event.seat) != "hello":
        raise IllegalEvent(f"a greeting of {event.seat}, which was not to be started here")
    return replace(state, started=_started(state, event.seat), gone=_others(state, event.seat))


def fault(state: State, event: Faulted) -> State:
    """A bot was at fault, and the policy has ruled on it. Raises IllegalEvent."""
    seat, phase = event.seat, state.phase
    if event.request != asked(state, seat):
        raise IllegalEvent(f"{seat} could not be asked for '{event.request}' here")
    if event.request != "hello" and event.kind != state.gone.get(seat, event.kind):
        raise IllegalEvent(f"{seat} was not asked: the fault is '{state.gone[seat]}' once more")
    due = ruling(state, seat, event.kind)
    if event.ruling != due:
        raise IllegalEvent(f"the ruling is {due} by the fault policy (R9)")
    counts = state.faults.get(seat, {})
    counted = {**counts, event.kind: counts.get(event.kind, 0) + 1}
    state = replace(
        state,
        faults={**state.faults, seat: counted},
        started=_started(state, seat) if event.request == "hello" else state.started,
        gone={**_others(state, seat), **({seat: event.kind} if event.kind in ENDING else {})},
    )
    if due == "substitute":
        if isinstance(phase, Asking):
            return replace(state, phase=Substituting(phase, _lowest(state, phase)))
        return state  # before the first deal there is nothing to be decided
    offender = side_of(state.rules.players)[seat]
    if due == "set" and isinstance(phase, Exchanging | Playing):
        return replace(state, phase=_stopped(phase, offender))
    others = [side for side in state.score if side != offender]
    winner = others[0] if len(others) == 1 else None
    return replace(state, outcome=Outcome(winner, "forfeit", offender, seat))


def _started(state: State, seat: Seat) -> dict[Seat, int]:
    return {**state.started, seat: _deal(state)}


def _others(state: State, seat: Seat) -> dict[Seat, FaultKind]:
    """The other seats whose process has ended."""
    return {other: kind for other, kind in state.gone.items() if other != seat}


def _lowest(state: State, phase: Asking) -> Decision:
    """What the arena decides for the seat on turn: the least that is legal, and no nil."""
    seat, names = phase.turn, state.deck.names
    match phase:
        case Playing(legal=legal):
            return CardPlayed(seat=seat, card=names(legal)[0], substituted=True)
        case Bidding(legal=bids):
            bid = next((bid for bid in bids if bid > 0), 0)
            return BidMade(seat=seat, bid=bid, substituted=True)
        case Offering():
            return BlindNilAnswered(seat=seat, blind_nil=False, substituted=True)
        case Exchanging():
            cards = names(hand(phase, seat))[: state.rules.blind_nil_exchange]
            return CardsPassed(seat=seat, cards=cards, substituted=True)


def _stopped(phase: Exchanging | Playing, offender: str) -> Stopped:
    if isinstance(phase, Playing):
        return Stopped(phase.deal, offender, phase.tricks, phase.taken)
    return Stopped(phase.deal, offender, (), dict.fromkeys(SEATS, 0))
