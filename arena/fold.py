"""The fold of events: `state = apply(state, event)`.

An event that the rules don't allow raises `IllegalEvent`, so whoever folds a record judges it.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from arena.deals import next_dealer
from arena.events import (
    AnyEvent,
    BidMade,
    CardPlayed,
    DealEnded,
    Dealt,
    Faulted,
    Greeted,
    MatchEnded,
    MatchStarted,
    RequestType,
)
from arena.rules import (
    Outcome,
    SeatResult,
    SideScore,
    breaks_spades,
    legal_bids,
    legal_cards,
    long_run_points,
    outcome,
    score_side,
    side_of,
    sides,
    trick_winner,
    why_illegal,
)
from arena.state import Bidding, Deal, Playing, State, hand
from protocol.cards import PARTNER, SEATS, Seat
from protocol.messages import FinishedTrick, Side

NEXT_SEAT: Final[dict[Seat, Seat]] = {seat: SEATS[(i + 1) % 4] for i, seat in enumerate(SEATS)}
TRICKS: Final = 13


class IllegalEvent(ValueError):
    """An event that can't follow; the text says why, with the rule."""


def apply(state: State, event: AnyEvent) -> State:
    """The state after `event`. Raises IllegalEvent."""
    if state.ended:
        raise IllegalEvent("the match has ended")
    if state.outcome is not None and not isinstance(event, MatchEnded):
        raise IllegalEvent("the match is decided: nothing but its end can follow")
    match event:
        case CardPlayed():
            return replace(state, phase=_play(state, event))
        case BidMade():
            return replace(state, phase=_bid(state, event))
        case Dealt():
            return replace(state, phase=_deal(state, event))
        case DealEnded():
            return _end_deal(state, event)
        case Faulted():
            return _fault(state, event)
        case MatchEnded():
            return _end(state, event)
        case Greeted():
            if not _before_first_deal(state):
                raise IllegalEvent("a greeting after the first deal")
            return state
        case MatchStarted():
            raise IllegalEvent("the match has begun already")


def deal_end(state: State) -> DealEnded:
    """The checkpoint that is due after the 13th trick."""
    scores, phase = _scores(state)
    return DealEnded(
        deal=phase.deal.number,
        taken=phase.taken,
        delta={side: score.delta for side, score in scores.items()},
        score={side: state.score[side] + score.delta for side, score in scores.items()},
        bags={side: score.bags for side, score in scores.items()},
    )


def match_end(state: State) -> MatchEnded:
    """The result of a match that has an outcome."""
    if state.outcome is None:
        raise IllegalEvent("the match is not over")
    return MatchEnded(
        winner=state.outcome.winner,
        reason=state.outcome.reason,
        score=state.score,
        faults=state.faults,
        deals=state.deals,
    )


def _deal(state: State, event: Dealt) -> Bidding:
    if state.phase is not None:
        raise IllegalEvent("a deal where none is due")
    if event.deal != state.deals + 1 or event.dealer != state.dealer:
        raise IllegalEvent(f"deal {state.deals + 1}, dealt by {state.dealer}, is due (R1.3)")
    try:
        hands = {seat: state.deck.card_set(event.hands[seat]) for seat in SEATS}
    except KeyError as error:
        raise IllegalEvent(f"the deal has no {error} (R1)") from None
    whole = 0
    for held in hands.values():
        whole |= held
    if whole.bit_count() != 52 or any(len(event.hands[seat]) != 13 for seat in SEATS):
        raise IllegalEvent("a deal gives each seat 13 of the 52 cards (R1.4)")
    first = NEXT_SEAT[event.dealer]  # R2.1
    deal = Deal(event.deal, event.dealer, hands, {}, ())
    return Bidding(deal, first, tuple(legal_bids(state.rules, None)))


def _bid(state: State, event: BidMade) -> Bidding | Playing:
    phase = state.phase
    if not isinstance(phase, Bidding) or phase.turn != event.seat:
        raise IllegalEvent(f"a bid of {event.seat}, whose turn it is not (R2.1)")
    if event.bid not in phase.legal:
        raise IllegalEvent(f"{event.seat} may not bid {event.bid} (R2)")
    bids = {**phase.deal.bids, event.seat: event.bid}
    deal = replace(phase.deal, bids=bids)
    turn = NEXT_SEAT[event.seat]
    if len(bids) < len(SEATS):
        partner = PARTNER[turn] if state.rules.players == "partners" else None
        partner_bid = bids.get(partner) if partner else None
        return Bidding(deal, turn, tuple(legal_bids(state.rules, partner_bid)))
    return Playing(
        deal=deal,
        turn=turn,  # R4.1
        legal=legal_cards(state.rules, state.deck, deal.hands[turn], 0, False),
        unplayed=(1 << 52) - 1,
        leader=turn,
        led=0,
        cards=(),
        tricks=(),
        taken=dict.fromkeys(SEATS, 0),
        broken=False,
    )


def _play(state: State, event: CardPlayed) -> Playing:
    phase, deck, card = state.phase, state.deck, event.card
    if not isinstance(phase, Playing) or phase.turn != event.seat or not phase.legal:
        raise IllegalEvent(f"a card of {event.seat}, whose turn it is not (R4.1)")
    bit = deck.bit.get(card, 0)
    if not bit & phase.legal:
        held = hand(phase, event.seat)
        reason = why_illegal(state.rules, deck, card, held, phase.led)
        raise IllegalEvent(f"{event.seat} may not play {card}: {reason}")

    rules, deal = state.rules, phase.deal
    unplayed = phase.unplayed ^ bit
    led = phase.led or deck.suit_of[card]
    broken = phase.broken or breaks_spades(rules, deck, bit, led)
    cards = (*phase.cards, card)
    leader, tricks, taken = phase.leader, phase.tricks, phase.taken
    if len(cards) < len(SEATS):
        turn = NEXT_SEAT[event.seat]
    else:
        turn = SEATS[(SEATS.index(leader) + trick_winner(deck, cards)) % 4]
        tricks = (*tricks, FinishedTrick(leader, cards, turn))
        taken = {**taken, turn: taken[turn] + 1}
        leader, led, cards = turn, 0, ()  # R4.1
    legal = legal_cards(rules, deck, deal.hands[turn] & unplayed, led, broken)
    return Playing(deal, turn, legal, unplayed, leader, led, cards, tricks, taken, broken)


def _scores(state: State) -> tuple[dict[Side, SideScore], Playing]:
    phase = state.phase
    if not isinstance(phase, Playing) or len(phase.tricks) != TRICKS:
        raise IllegalEvent("the deal is not over")
    deal = phase.deal
    return {
        side: score_side(
            state.rules,
            [SeatResult(deal.bids[s], phase.taken[s], s in deal.blind) for s in seats],
            state.bags[side],
        )
        for side, seats in sides(state.rules.players).items()
    }, phase


def _end_deal(state: State, event: DealEnded) -> State:
    due = deal_end(state)
    if event != due:
        raise IllegalEvent(_difference(due, event))
    scores, _ = _scores(state)
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


def _may_ask(state: State, seat: Seat) -> RequestType | None:
    """What a seat can be asked now, or None."""
    match state.phase:
        case Bidding(turn=turn) if turn == seat:
            return "bid"
        case Playing(turn=turn, legal=legal) if turn == seat and legal:
            return "play"
        case None if _before_first_deal(state):
            return "hello"
        case _:
            return None


def _fault(state: State, event: Faulted) -> State:
    if event.request != _may_ask(state, event.seat):
        raise IllegalEvent(f"{event.seat} could not be asked for '{event.request}' here")
    counts = state.faults.get(event.seat, {})
    counted = {**counts, event.kind: counts.get(event.kind, 0) + 1}
    offender = side_of(state.rules.players)[event.seat]
    others = [side for side in state.score if side != offender]
    return replace(
        state,
        faults={**state.faults, event.seat: counted},
        outcome=Outcome(others[0] if len(others) == 1 else None, "forfeit"),
    )


def _end(state: State, event: MatchEnded) -> State:
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
