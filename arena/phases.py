"""What a deal and each decision make of the phase of a deal. `arena.fold` calls these."""

from typing import Final

from msgspec.structs import replace

from arena.events import BidMade, BlindNilAnswered, CardPlayed, CardsPassed, Dealt
from arena.rules import (
    breaks_spades,
    exchanges,
    legal_bids,
    legal_cards,
    offers_blind_nil,
    side_of,
    trick_winner,
    why_illegal,
    why_not_passed,
)
from arena.state import Bidding, Deal, Exchanging, Offering, Playing, State
from protocol.cards import CLOCKWISE_FROM, NEXT_SEAT, PARTNER, SEATS, Seat
from protocol.messages import FinishedTrick
from protocol.rules import Rules

_ALL_CARDS: Final = (1 << 52) - 1
_FULL_TRICK: Final = len(SEATS)


class IllegalEvent(ValueError):
    """An event that can't follow; the text says why, with the rule."""


def deal(state: State, event: Dealt) -> Offering | Bidding:
    """The cards are dealt; the dealer's left bids first (R2.1)."""
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
    if whole != _ALL_CARDS or any(len(event.hands[seat]) != 13 for seat in SEATS):
        raise IllegalEvent("a deal gives each seat 13 of the 52 cards (R1.4)")
    begun = Deal(event.deal, event.dealer, hands, hands, {}, (), {})
    return _before_cards(state, begun, NEXT_SEAT[event.dealer])


def answer_blind_nil(
    state: State, event: BlindNilAnswered
) -> Offering | Bidding | Exchanging | Playing:
    """A seat has declined blind nil and sees its cards, or has bid it (R3.1)."""
    phase = state.phase
    if not isinstance(phase, Offering) or phase.turn != event.seat:
        raise IllegalEvent(f"{event.seat} was not offered blind nil (R3.1)")
    if not event.blind_nil:
        partner_bid = _partner_bid(state.rules, phase.deal, event.seat)
        return Bidding(phase.deal, event.seat, legal_bids(state.rules, partner_bid))
    blind = (*phase.deal.blind, event.seat)
    return _after_bid(state, replace(phase.deal, blind=blind), event.seat, 0)


def bid(state: State, event: BidMade) -> Offering | Bidding | Exchanging | Playing:
    """A seat has bid (R2)."""
    phase = state.phase
    if not isinstance(phase, Bidding) or phase.turn != event.seat:
        raise IllegalEvent(f"a bid of {event.seat}, whose turn it is not (R2.1)")
    if event.bid not in phase.legal:
        raise IllegalEvent(f"{event.seat} may not bid {event.bid} (R2)")
    return _after_bid(state, phase.deal, event.seat, event.bid)


def pass_cards(state: State, event: CardsPassed) -> Exchanging | Playing:
    """A seat has passed cards to its partner (R3.3)."""
    phase = state.phase
    if not isinstance(phase, Exchanging) or phase.turn != event.seat:
        raise IllegalEvent(f"{event.seat} passes cards, whose turn it is not (R3.3)")
    before, deck = phase.deal, state.deck
    reason = why_not_passed(state.rules, deck, before.hands[phase.turn], event.cards)
    if reason is not None:
        raise IllegalEvent(f"{event.seat} may not pass these cards: {reason} (R3.3)")
    cards = deck.card_set(event.cards)
    hands = {
        **before.hands,
        phase.turn: before.hands[phase.turn] & ~cards,
        phase.to: before.hands[phase.to] | cards,
    }
    passed = {**before.passed, phase.turn: cards}
    return _exchange_or_play(state, replace(before, hands=hands, passed=passed), phase.later)


def play(state: State, event: CardPlayed) -> Playing:
    """A seat has played a card (R4)."""
    phase, deck, card = state.phase, state.deck, event.card
    if not isinstance(phase, Playing) or phase.turn != event.seat:
        raise IllegalEvent(f"a card of {event.seat}, whose turn it is not (R4.1)")
    bit = deck.bit.get(card, 0)
    if not bit & phase.legal:
        raise IllegalEvent(_why_not_played(state, phase, event))

    rules, deal = state.rules, phase.deal
    unplayed = phase.unplayed ^ bit
    led = phase.led or deck.suit_of[card]
    broken = phase.broken or breaks_spades(rules, deck, bit, led)
    # Adding a tuple takes half the time of unpacking one.
    cards = phase.cards + (card,)  # noqa: RUF005
    leader, tricks, taken = phase.leader, phase.tricks, phase.taken
    if len(cards) == _FULL_TRICK:
        turn = CLOCKWISE_FROM[leader][trick_winner(deck, cards)]
        tricks = tricks + (FinishedTrick(leader, cards, turn),)  # noqa: RUF005
        taken = taken.copy()
        taken[turn] += 1
        leader, led, cards = turn, 0, ()  # R4.1
    else:
        turn = NEXT_SEAT[phase.turn]
    held = deal.hands[turn] & unplayed
    legal = legal_cards(rules, deck, held, led, broken)
    return Playing(deal, turn, held, legal, unplayed, leader, led, cards, tricks, taken, broken)


def _why_not_played(state: State, phase: Playing, event: CardPlayed) -> str:
    if not phase.legal:
        return f"a card of {event.seat} after the 13th trick (R4.1)"
    reason = why_illegal(state.rules, state.deck, event.card, phase.held, phase.led)
    return f"{event.seat} may not play {event.card}: {reason}"


def _before_cards(state: State, deal: Deal, seat: Seat) -> Offering | Bidding:
    """It is a seat's turn to bid, and it may not have seen its cards."""
    rules = state.rules
    side = side_of(rules.players)[seat]
    partner_bid = _partner_bid(rules, deal, seat)
    if offers_blind_nil(rules, state.score, side, partner_bid):
        return Offering(deal, seat)
    return Bidding(deal, seat, legal_bids(rules, partner_bid))


def _partner_bid(rules: Rules, deal: Deal, seat: Seat) -> int | None:
    return deal.bids.get(PARTNER[seat]) if rules.players == "partners" else None


def _after_bid(
    state: State, before: Deal, seat: Seat, bid: int
) -> Offering | Bidding | Exchanging | Playing:
    deal = replace(before, bids={**before.bids, seat: bid})
    if len(deal.bids) < len(SEATS):
        return _before_cards(state, deal, NEXT_SEAT[seat])
    return _exchange_or_play(state, deal, exchanges(state.rules, deal.bids, deal.blind))


def _exchange_or_play(
    state: State, deal: Deal, steps: tuple[tuple[Seat, Seat], ...]
) -> Exchanging | Playing:
    if steps:
        (giver, to), *later = steps
        return Exchanging(deal, giver, to, tuple(later))
    leader = NEXT_SEAT[deal.dealer]  # R4.1
    held = deal.hands[leader]
    return Playing(
        deal=deal,
        turn=leader,
        held=held,
        legal=legal_cards(state.rules, state.deck, held, 0, False),
        unplayed=_ALL_CARDS,
        leader=leader,
        led=0,
        cards=(),
        tricks=(),
        taken=dict.fromkeys(SEATS, 0),
        broken=False,
    )
