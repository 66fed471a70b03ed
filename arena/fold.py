"""The fold of events: `state = apply(state, event)`.

An event that the rules don't allow raises `IllegalEvent`, so whoever folds a record judges it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from arena import phases
from arena.deals import next_dealer
from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    DealEnded,
    Dealt,
    Faulted,
    Greeted,
    MatchEnded,
    RequestType,
)
from arena.phases import IllegalEvent
from arena.rules import (
    Outcome,
    SeatResult,
    SideScore,
    long_run_points,
    outcome,
    score_side,
    score_stopped,
    side_of,
    sides,
)
from arena.state import Asking, Bidding, Exchanging, Offering, Playing, State, Stopped
from protocol.cards import SEATS, Seat
from protocol.messages import FaultKind, Ruling, Side

__all__ = ["IllegalEvent", "apply", "asked", "deal_end", "match_end", "ruling"]

TRICKS: Final = 13

_STEPS: Final[Mapping[type[AnyEvent], Callable[[State, Any], Asking | Stopped]]] = {
    Dealt: phases.deal,
    BlindNilAnswered: phases.answer_blind_nil,
    BidMade: phases.bid,
    CardsPassed: phases.pass_cards,
    CardPlayed: phases.play,
}
"""What is nothing but a step of a deal."""


def apply(state: State, event: AnyEvent) -> State:
    """The state after `event`. Raises IllegalEvent."""
    if state.outcome is not None:
        return _end(state, event)
    step = _STEPS.get(type(event))
    if step is not None:
        return replace(state, phase=step(state, event))
    match event:
        case DealEnded():
            return _end_deal(state, event)
        case Faulted():
            return _fault(state, event)
        case Greeted():
            if not _before_first_deal(state):
                raise IllegalEvent("a greeting after the first deal")
            return state
        case MatchEnded():
            raise IllegalEvent("the match is not over")
        case _:
            raise IllegalEvent("the match has begun already")


def asked(state: State, seat: Seat) -> RequestType | None:
    """What a seat can be asked now, or None."""
    match state.phase:
        case None if _before_first_deal(state):
            return "hello"
        case Offering(turn=turn) if turn == seat:
            return "blind_nil"
        case Bidding(turn=turn) if turn == seat:
            return "bid"
        case Exchanging(turn=turn) if turn == seat:
            return "exchange"
        case Playing(turn=turn, legal=legal) if turn == seat and legal:
            return "play"
        case _:
            return None


def ruling(state: State, kind: FaultKind) -> Ruling:
    """What a fault of this kind costs now (R9)."""
    # Before all have bid there is nothing to set.
    settable = isinstance(state.phase, Exchanging | Playing)
    return state.policy.ruling(kind) if settable else "forfeit"


def deal_end(state: State) -> DealEnded:
    """The checkpoint that is due after the 13th trick, or after a renege."""
    return _checkpoint(state, *_scores(state))


def match_end(state: State) -> MatchEnded:
    """The result of a match that has an outcome."""
    if state.outcome is None:
        raise IllegalEvent("the match is not over")
    return MatchEnded(
        winner=state.outcome.winner,
        reason=state.outcome.reason,
        forfeited=state.outcome.forfeited,
        score=state.score,
        faults=state.faults,
        deals=state.deals,
    )


def _checkpoint(state: State, scores: dict[Side, SideScore], phase: Playing | Stopped) -> DealEnded:
    return DealEnded(
        deal=phase.deal.number,
        taken=phase.taken,
        delta={side: score.delta for side, score in scores.items()},
        score={side: state.score[side] + score.delta for side, score in scores.items()},
        bags={side: score.bags for side, score in scores.items()},
    )


def _scores(state: State) -> tuple[dict[Side, SideScore], Playing | Stopped]:
    phase, rules = state.phase, state.rules
    if isinstance(phase, Stopped) or (isinstance(phase, Playing) and len(phase.tricks) == TRICKS):
        deal = phase.deal
        scores = {}
        for side, seats in sides(rules.players).items():
            results = [SeatResult(deal.bids[s], phase.taken[s], s in deal.blind) for s in seats]
            if isinstance(phase, Stopped):
                offending = side == phase.offender
                scores[side] = score_stopped(rules, results, state.bags[side], offending=offending)
            else:
                scores[side] = score_side(rules, results, state.bags[side])
        return scores, phase
    raise IllegalEvent("the deal is not over")


def _end_deal(state: State, event: DealEnded) -> State:
    scores, phase = _scores(state)
    due = _checkpoint(state, scores, phase)
    if event != due:
        raise IllegalEvent(_difference(due, event))
    return replace(
        state,
        dealer=next_dealer(state.dealer),
        deals=event.deal,
        score=event.score,
        bags=event.bags,
        points={
            side: points + long_run_points(state.rules, scores[side])
            for side, points in state.points.items()
        },
        phase=None,
        outcome=outcome(state.rules, event.score, event.deal),
    )


def _before_first_deal(state: State) -> bool:
    return state.phase is None and state.deals == 0


def _fault(state: State, event: Faulted) -> State:
    if event.request != asked(state, event.seat):
        raise IllegalEvent(f"{event.seat} could not be asked for '{event.request}' here")
    if event.ruling != ruling(state, event.kind):
        raise IllegalEvent(f"the ruling is {ruling(state, event.kind)} by the fault policy (R9)")
    counts = state.faults.get(event.seat, {})
    counted = {**counts, event.kind: counts.get(event.kind, 0) + 1}
    state = replace(state, faults={**state.faults, event.seat: counted})
    offender = side_of(state.rules.players)[event.seat]
    phase = state.phase
    if event.ruling == "set" and isinstance(phase, Exchanging | Playing):
        return replace(state, phase=_stopped(phase, offender))
    others = [side for side in state.score if side != offender]
    winner = others[0] if len(others) == 1 else None
    return replace(state, outcome=Outcome(winner, "forfeit", offender))


def _stopped(phase: Exchanging | Playing, offender: Side) -> Stopped:
    if isinstance(phase, Playing):
        return Stopped(phase.deal, offender, phase.tricks, phase.taken)
    return Stopped(phase.deal, offender, (), dict.fromkeys(SEATS, 0))


def _end(state: State, event: AnyEvent) -> State:
    if state.ended:
        raise IllegalEvent("the match has ended")
    if not isinstance(event, MatchEnded):
        raise IllegalEvent("the match is decided: nothing but its end can follow")
    due = match_end(state)
    if event != due:
        raise IllegalEvent(_difference(due, event))
    return replace(state, ended=True)


def _difference(due: Struct, found: Struct) -> str:
    """Names the fields of a checkpoint that are not what the events before it come to."""
    return "; ".join(
        f"{name} is {getattr(found, name)}, recomputed {getattr(due, name)}"
        for name in due.__struct_fields__
        if getattr(due, name) != getattr(found, name)
    )
