"""Which cards to exchange beside a blind nil: it needs low cards, and who covers it high ones."""

from protocol.cards import RANKS, Deck
from protocol.messages import Exchange


def choose_passed(request: Exchange, deck: Deck) -> list[str]:
    """The cards to pass, `request.count` of the hand.

    Who has bid nil gives away what is likeliest to take a trick, high spades before all; the
    partner gives back what is least likely to.
    """
    by_danger = sorted(request.hand, key=lambda card: _danger(card, deck))
    if request.bids[request.seat] == 0:
        return by_danger[-request.count :]
    return by_danger[: request.count]


def _danger(card: str, deck: Deck) -> int:
    """Its height in its suit, and any spade above all others."""
    height = deck.names(deck.suit_of[card]).index(card)
    return height + len(RANKS) if deck.bit[card] & deck.spades else height
