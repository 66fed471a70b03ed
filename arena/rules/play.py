"""Which card may be played, and who takes the trick (R4)."""

from typing import Final

from protocol.cards import Deck
from protocol.rules import Rules

_SUITS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def legal_cards(rules: Rules, deck: Deck, hand: int, led: int, broken: bool) -> int:
    """The card set that may be played from `hand`, empty only for an empty hand.

    `led` is the set of all cards of the suit led, 0 for the leader of a trick.
    """
    if led:
        return hand & led or hand  # R4.2
    if broken or rules.lead_spades == "any_time":  # R4.5
        return hand
    return hand & ~deck.spades or hand  # R4.3


def breaks_spades(rules: Rules, deck: Deck, card: int, led: int) -> bool:
    """Whether `card`, a set of one, breaks spades; `led` as in `legal_cards` (R4.4)."""
    if not card & deck.spades:
        return False
    return rules.spades_broken_by == "any_spade" or bool(led & ~deck.spades)


def trick_winner(deck: Deck, cards: tuple[str, ...]) -> int:
    """The index of the card that takes a trick (R4.6)."""
    first, second, third, fourth = cards
    bit = deck.bit
    table = bit[first] | bit[second] | bit[third] | bit[fourth]
    # A deck's spades are its highest bits, and a suit's high cards are higher bits than its low.
    winner = table & deck.spades or table & deck.suit_of[first]
    return cards.index(deck.cards[winner.bit_length() - 1])


def why_illegal(rules: Rules, deck: Deck, card: str, hand: int, led: int) -> str:
    """Why `card`, which `legal_cards` does not hold, may not be played: half a sentence."""
    if card not in deck.bit:
        return "this deck has no such card; a card is rank then suit, as in 'TD' (R1.1)"
    if not deck.bit[card] & hand:
        return "it is not in the hand"
    if led:
        lowest, *_ = deck.names(led)  # of any deck's spades it is the three, which is no joker
        held = " ".join(deck.names(hand & led))
        return f"{_SUITS[lowest[-1]]} were led, and the hand has {held} to follow (R4.2)"
    return "spades are not broken and may not be led yet (R4.3)"
