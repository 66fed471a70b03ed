"""The fold of events: `state = apply(state, event)`.

An event that the rules don't allow raises `IllegalEvent`, so whoever folds a record judges it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from arena import faults, phases
from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    DealEnded,
    Dealt,
    Decision,
    Faulted,
    Greeted,
    MatchEnded,
)
from arena.faults import asked, ruling
from arena.phases import IllegalEvent
from arena.rules import (
    SeatResult,
    SideScore,
    long_run_points,
    outcome,
    score_side,
    score_stopped,
    sides,
)
from arena.state import Asking, Playing, State, Stopped, Substituting
from protocol.cards import NEXT_SEAT
from protocol.messages import Side

__all__ = ["IllegalEvent", "apply", "asked", "deal_end", "match_end", "ruling"]

TRICKS: Final = 13

_DECIDE: Final[Mapping[type[AnyEvent], Callable[[State, Any], Asking]]] = {
    BlindNilAnswered: phases.answer_blind_nil,
    BidMade: phases.bid,
    CardsPassed: phases.pass_cards,
    CardPlayed: phases.play,
}
"""What a decision makes of the phase."""


def apply(state: State, event: AnyEvent) -> State:
    """The state after `event`. Raises IllegalEvent."""
    if state.outcome is not None:
        return _end(state, event)
    if state.gone:
        faults.refuse_gone(state, event)
    decide = _DECIDE.get(type(event))
    if decide is not None:
        decision: Any = event
        if decision.substituted:
            return _substitute(state, decision)
        return replace(state, phase=decide(state, decision))
    match event:
        case Dealt():
            return replace(state, phase=phases.deal(state, event))
        case DealEnded():
            return _end_deal(state, event)
        case Faulted():
            return faults.fault(state, event)
        case Greeted():
            return faults.greet(state, event)
        case MatchEnded():
            raise IllegalEvent("the match is not over")
        case _:
            raise IllegalEvent("the match has begun already")


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
        dealer=NEXT_SEAT[state.dealer],  # R1.3
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


def _substitute(state: State, event: Decision) -> State:
    """The arena decides for a seat that was at fault (R9)."""
    phase = state.phase
    if not isinstance(phase, Substituting):
        raise IllegalEvent(f"there is nothing to be decided for {event.seat} (R9)")
    if event != phase.due:
        raise IllegalEvent(f"{phase.due} is due (R9)")
    return replace(state, phase=_DECIDE[type(event)](replace(state, phase=phase.asking), event))


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
