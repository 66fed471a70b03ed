"""From a state to what a seat may see: the only place that hides cards.

Nothing else may build a request. What a seat is sent depends on what is public, on its own cards
once it may see them, and on the cards that it and its partner have passed to each other.
"""

from msgspec.structs import asdict

from arena.events import DealEnded, Faulted, MatchEnded, MatchStarted
from arena.state import Bidding, Deal, Exchanging, Offering, Playing, State, Stopped, hand
from protocol.cards import PARTNER, SEATS, Deck, Seat
from protocol.messages import (
    Bid,
    BlindNil,
    DealEnd,
    Exchange,
    Exchanged,
    Fault,
    Hello,
    MatchClock,
    MatchEnd,
    Play,
    Trick,
)
from protocol.rules import HelloRules


def hello(match: MatchStarted, seat: Seat) -> Hello:
    """The first request to a seat."""
    rules, clock = match.rules, match.clock
    return Hello(
        arena=match.arena,
        match=match.match,
        seat=seat,
        partner=PARTNER[seat] if rules.players == "partners" else None,
        rules=HelloRules(**asdict(rules)),
        clock=MatchClock(clock.start_ms, clock.move_ms, clock.bank_ms),
        seed=match.players[seat].seed,
    )


def request(state: State) -> BlindNil | Bid | Exchange | Play:
    """What the seat on turn is asked."""
    phase = state.phase
    if isinstance(phase, Playing):
        return _play(state, phase)
    if isinstance(phase, Bidding):
        return _bid(state, phase)
    if isinstance(phase, Offering):
        return _blind_nil(state, phase)
    assert isinstance(phase, Exchanging)
    return _exchange(state, phase)


def _play(state: State, phase: Playing) -> Play:
    deal, seat = phase.deal, phase.turn
    cards, legal = state.deck.hand_and_legal(phase.held, phase.legal, phase.led)
    return Play(
        deal=deal.number,
        seat=seat,
        dealer=deal.dealer,
        hand=cards,
        legal=legal,
        bids=deal.bids,
        blind=deal.blind,
        trick=Trick(phase.leader, phase.cards),
        tricks=phase.tricks,
        taken=phase.taken,
        broken=phase.broken,
        exchange=_exchanged(state.deck, deal, seat) if deal.passed else None,
        score=state.score,
        bags=state.bags,
    )


def _bid(state: State, phase: Bidding) -> Bid:
    deal = phase.deal
    return Bid(
        deal=deal.number,
        seat=phase.turn,
        dealer=deal.dealer,
        hand=state.deck.names(hand(phase, phase.turn)),
        legal=phase.legal,
        bids=deal.bids,
        blind=deal.blind,
        score=state.score,
        bags=state.bags,
    )


def _blind_nil(state: State, phase: Offering) -> BlindNil:
    deal = phase.deal
    return BlindNil(
        deal=deal.number,
        seat=phase.turn,
        dealer=deal.dealer,
        bids=deal.bids,
        blind=deal.blind,
        score=state.score,
        bags=state.bags,
    )


def _exchange(state: State, phase: Exchanging) -> Exchange:
    deal, deck = phase.deal, state.deck
    return Exchange(
        deal=deal.number,
        seat=phase.turn,
        dealer=deal.dealer,
        hand=deck.names(hand(phase, phase.turn)),
        bids=deal.bids,
        blind=deal.blind,
        count=state.rules.blind_nil_exchange,
        to=phase.to,
        received=deck.names(deal.passed.get(phase.to, 0)),
        score=state.score,
        bags=state.bags,
    )


def _exchanged(deck: Deck, deal: Deal, seat: Seat) -> Exchanged | None:
    """What a seat gave and got, sorted; None where it took part in no exchange."""
    gave, got = deal.passed.get(seat), deal.passed.get(PARTNER[seat])
    if gave is None or got is None:
        return None
    return Exchanged(deck.names(gave), deck.names(got))


def fault(event: Faulted) -> Fault:
    """What the offender is told."""
    return Fault(kind=event.kind, detail=event.detail, ruling=event.ruling)


def deal_end(state: State, event: DealEnded) -> DealEnd:
    """What every seat is told after a deal: all cards may be seen. `state` is that before it."""
    phase = state.phase
    assert isinstance(phase, Playing | Stopped)
    deal = phase.deal
    passes = {seat: _exchanged(state.deck, deal, seat) for seat in SEATS}
    exchanged = {seat: both for seat, both in passes.items() if both is not None}
    return DealEnd(
        deal=deal.number,
        dealer=deal.dealer,
        hands={seat: state.deck.names(held) for seat, held in deal.dealt.items()},
        bids=deal.bids,
        blind=deal.blind,
        exchanged=exchanged or None,
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


def void(state: State) -> MatchEnd:
    """The same where the arena failed: the score of the finished deals, and the faults so far."""
    return MatchEnd(winner=None, reason="void", score=state.score, faults=state.faults)
