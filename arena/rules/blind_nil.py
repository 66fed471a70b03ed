"""Blind nil: when it is offered, and the exchange of cards beside it (R3)."""

from collections.abc import Collection, Mapping, Sequence

from protocol.cards import PARTNER, Deck, Seat
from protocol.messages import Side
from protocol.rules import Rules


def offers_blind_nil(
    rules: Rules, score: Mapping[Side, int], side: Side, partner_bid: int | None
) -> bool:
    """Whether a seat of `side` is asked for blind nil before it sees its cards (R3.1).

    `partner_bid` is None while the partner has not bid, and in solo play.
    """
    if not rules.blind_nil:
        return False
    # R2.4: beside a low bid a nil is refused, also a blind one.
    if partner_bid is not None and rules.min_team_bid > 0 and partner_bid < rules.min_team_bid:
        return False
    behind = max(points for points in score.values()) - score[side]
    return behind >= rules.blind_nil_deficit  # R3.2


def exchanges(
    rules: Rules, bids: Collection[Seat], blind: Collection[Seat]
) -> tuple[tuple[Seat, Seat], ...]:
    """Who passes cards to whom, in order, once all have bid.

    `bids` are the seats in the order they bid. The blind-nil bidder passes to its partner, then
    the partner passes back (R3.3); of two in a side the earlier passes first (R3.4). Where both
    sides exchange, the side whose bidder bid first begins.
    """
    if not rules.blind_nil_exchange:
        return ()
    steps: list[tuple[Seat, Seat]] = []
    for seat in bids:
        partner = PARTNER[seat]
        if seat in blind and (partner, seat) not in steps:
            steps += [(seat, partner), (partner, seat)]
    return tuple(steps)


def why_not_passed(rules: Rules, deck: Deck, hand: int, cards: Sequence[str]) -> str | None:
    """Why these cards can't be passed from `hand`, half a sentence; None where they can (R3.3)."""
    count = rules.blind_nil_exchange
    if len(cards) != count:
        return f"{count} cards are to be passed, not {len(cards)}"
    if len(set(cards)) != count:
        return "a card stands twice"
    if any(not deck.bit.get(card, 0) & hand for card in cards):
        return "not all of them are in the hand"
    return None
