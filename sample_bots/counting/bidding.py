"""What to bid: the tricks that a hand is worth, whether it is a nil, and what the score asks for.

The tables are averages over some 20,000 hands that this bot played against itself, rounded: how
many tricks a hand took with such a card or holding, by the number of cards in the suit (0, 1, 2,
...; the last entry stands for all longer ones). They add up to 13 for a table.
"""

from collections.abc import Sequence

from protocol.cards import SEATS, SUITS, Deck
from protocol.messages import Bid, BlindNil, Side
from protocol.rules import Rules

SIDE_SUIT_HONOURS = (
    (0.0, 0.98, 0.98, 0.98, 0.95, 0.9, 0.8),  # ace
    (0.0, 0.15, 0.72, 0.7, 0.63, 0.5, 0.28),  # king
    (0.0, 0.0, 0.0, 0.25),  # queen
)
SPADE_HONOURS = (
    (0.0, 0.79),
    (0.0, 0.38, 0.87),
    (0.0, 0.07, 0.5, 0.71),
    (0.0, 0.03, 0.25, 0.43, 0.52),
)
SPADES = (-0.2, 0.22, 0.46, 0.8, 1.42, 2.1, 2.9, 3.75, 4.7, 5.7)
"""What the number of spades is worth without their honours."""
RUFFS = (0.9, 0.38, 0.05, 0.0)
"""A short side suit of a hand with spades."""

BLIND_NIL_CHANCE = (0.26, 0.54, 0.75, 0.92, 0.96)
"""How likely a blind nil is made, by the number of cards exchanged, in some 1,000 of them."""

NIL_EDGE = 10.0
"""Points that a nil must promise over a plain bid: it also costs the partner freedom."""
DESPERATE_EDGE = -60.0
"""The same where the match is as good as lost without it."""
BAGS_TO_SPARE = 4
"""Bags that a bid lower than the hand may bring."""
USUAL_BID = 3
"""What a seat is taken to bid before it has."""


def choose_bid(request: Bid, rules: Rules, deck: Deck) -> int:
    """The legal bid nearest to the one that the hand and the score ask for."""
    hand = deck.card_set(request.hand)
    tricks = expected_tricks(hand, deck)
    if len(request.bids) == len(SEATS) - 1:  # the last bidder knows how much is left
        tricks -= (sum(request.bids.values()) - 8) / 8
    if 0 in request.legal and is_nil(request, rules, nil_chance(hand, deck), tricks):
        return 0
    wanted = enough_to_win(request, rules, max(1, int(tricks)))
    return min((bid for bid in request.legal if bid), key=lambda bid: abs(bid - wanted))


def expected_tricks(hand: int, deck: Deck) -> float:
    """How many tricks a hand takes on average."""
    spades = (hand & deck.spades).bit_count()
    tricks = _entry(SPADES, spades)
    for suit in SUITS:
        of_suit = deck.suit_of["A" + suit]
        held = hand & of_suit
        length = held.bit_count()
        honours = SPADE_HONOURS if suit == "S" else SIDE_SUIT_HONOURS
        tricks += sum(
            _entry(row, length)
            for row, card in zip(honours, reversed(deck.names(of_suit)), strict=False)
            if deck.bit[card] & held
        )
        if suit != "S" and spades:
            tricks += _entry(RUFFS, length)
    return tricks


def nil_chance(hand: int, deck: Deck) -> float:
    """How likely a nil is made, fitted to some 3,000 nils of this bot."""
    chance = 0.92
    for suit in SUITS:
        of_suit = deck.names(deck.suit_of["A" + suit])
        held = [of_suit[::-1].index(card) for card in deck.names(hand & deck.suit_of["A" + suit])]
        if suit == "S":
            chance -= 0.045 * len(held) + (0.13 if len(held) > 3 else 0.0)
            chance -= 0.05 * max((0, *(4 - above for above in held))) ** 2
        else:  # only the lowest cards of a suit are likely to be played on its lead
            for i, above in enumerate(held[:3]):
                chance -= 0.0123 * max(0, 7 - i - above) ** 2
    return max(0.0, chance)


def is_nil(request: Bid, rules: Rules, chance: float, tricks: float) -> bool:
    """Whether a nil is worth more than a plain bid."""
    us, others = _sides(request)
    if any(request.bids.get(seat) == 0 for seat in SEATS if seat in us):
        return False  # nobody would be left to cover
    ours = _outlook(request, rules, us)
    theirs = max(_outlook(request, rules, side) for side in others)
    lost = theirs >= rules.target and theirs > ours
    edge = DESPERATE_EDGE if lost else NIL_EDGE
    return rules.nil * (2 * chance - 1) > 10 * max(1, int(tricks)) + edge


def is_blind_nil(request: BlindNil, rules: Rules) -> bool:
    """Whether a blind nil is worth more than a usual bid, or the match as good as lost without.

    One partner's is enough, as somebody must be left to cover it.
    """
    us, others = _sides(request)
    if any(request.bids.get(seat) == 0 for seat in SEATS if seat in us):
        return False
    theirs = max(_outlook(request, rules, side) for side in others)
    ours = _outlook(request, rules, us)
    chance = _entry(BLIND_NIL_CHANCE, rules.blind_nil_exchange)
    worth = rules.blind_nil * (2 * chance - 1) > 10 * USUAL_BID + NIL_EDGE
    return worth or theirs >= rules.target > ours


def enough_to_win(request: Bid, rules: Rules, wanted: int) -> int:
    """`wanted`, or less where less brings the side to the target and nobody else gets there."""
    us, others = _sides(request)
    if any(_outlook(request, rules, side) >= rules.target for side in others):
        return wanted
    if rules.bag_penalty and request.bags[us] + BAGS_TO_SPARE > rules.bag_limit:
        return wanted
    if any(seat in us and seat != request.seat and seat not in request.bids for seat in SEATS):
        return wanted  # the partner is still to bid
    promised = sum(10 * bid for seat, bid in request.bids.items() if seat in us)
    missing = rules.target - request.score[us] - promised
    return max(1, min(wanted, -(-missing // 10)))


def _sides(request: Bid | BlindNil) -> tuple[Side, list[Side]]:
    """The name of this seat's side, and those of the others. A side's name holds its seats'."""
    us = next(side for side in request.score if request.seat in side)
    return us, [side for side in request.score if side != us]


def _outlook(request: Bid | BlindNil, rules: Rules, side: Side) -> int:
    """The side's score after this deal if it makes what it bid, or is likely to."""
    bids = [request.bids.get(seat, USUAL_BID) for seat in SEATS if seat in side]
    return request.score[side] + sum(10 * bid if bid else rules.nil for bid in bids)


def _entry(row: Sequence[float], length: int) -> float:
    return row[min(length, len(row) - 1)]
