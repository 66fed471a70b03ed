"""From a state to what a seat may see: the only place that hides cards.

Nothing else may build a request. Each function takes only what is public, and the cards of the one
seat that is asked.
"""

from arena.events import DealEnded, Faulted, MatchEnded, MatchStarted
from arena.state import Bidding, Playing, State, hand
from protocol.cards import PARTNER, Seat
from protocol.messages import (
    Arena,
    Bid,
    DealEnd,
    Fault,
    Hello,
    MatchClock,
    MatchEnd,
    Play,
    Trick,
)


def hello(match: MatchStarted, seat: Seat) -> Hello:
    """The first request to a seat."""
    rules, clock = match.rules, match.clock
    return Hello(
        arena=Arena(match.arena.name, match.arena.version),
        match=match.match,
        seat=seat,
        partner=PARTNER[seat] if rules.players == "partners" else None,
        rules=rules,
        clock=MatchClock(clock.start_ms, clock.move_ms, clock.bank_ms),
        seed=match.players[seat].seed,
    )


def request(state: State) -> Bid | Play:
    """What the seat on turn is asked."""
    phase = state.phase
    assert phase is not None
    deal = phase.deal
    if isinstance(phase, Playing):
        return Play(
            deal=deal.number,
            seat=phase.turn,
            dealer=deal.dealer,
            hand=state.deck.names(hand(phase, phase.turn)),
            legal=state.deck.names(phase.legal),
            bids=deal.bids,
            blind=list(deal.blind),
            trick=Trick(phase.leader, phase.cards),
            tricks=phase.tricks,
            taken=phase.taken,
            broken=phase.broken,
            score=state.score,
            bags=state.bags,
        )
    return bid_request(state, phase)


def bid_request(state: State, phase: Bidding) -> Bid:
    """Asks for a bid."""
    deal = phase.deal
    return Bid(
        deal=deal.number,
        seat=phase.turn,
        dealer=deal.dealer,
        hand=state.deck.names(deal.hands[phase.turn]),
        legal=list(phase.legal),
        bids=deal.bids,
        blind=list(deal.blind),
        score=state.score,
        bags=state.bags,
    )


def fault(event: Faulted) -> Fault:
    """What the offender is told."""
    return Fault(kind=event.kind, detail=event.detail, ruling=event.ruling)


def deal_end(state: State, event: DealEnded) -> DealEnd:
    """What every seat is told after a deal: all cards may be seen. `state` is that before it."""
    phase = state.phase
    assert isinstance(phase, Playing)
    deal = phase.deal
    return DealEnd(
        deal=deal.number,
        dealer=deal.dealer,
        hands={seat: state.deck.names(held) for seat, held in deal.hands.items()},
        bids=deal.bids,
        blind=list(deal.blind),
        tricks=phase.tricks,
        taken=event.taken,
        delta=event.delta,
        score=event.score,
        bags=event.bags,
    )


def match_end(event: MatchEnded) -> MatchEnd:
    """What every seat is told last."""
    return MatchEnd(
        winner=event.winner, reason=event.reason, score=event.score, faults=event.faults
    )
