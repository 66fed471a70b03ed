"""Cards, suits, decks, seats and sides, by the names that stand on the wire (R1, R7)."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, Final, Literal

Seat = Literal["N", "E", "S", "W"]
DeckName = Literal["standard", "jokers", "jokers_nyc"]

SEATS: Final[tuple[Seat, Seat, Seat, Seat]] = ("N", "E", "S", "W")
"""The seats, clockwise (R1.2)."""

CLOCKWISE_FROM: Final[dict[Seat, tuple[Seat, ...]]] = {
    seat: (*SEATS[i:], *SEATS[:i]) for i, seat in enumerate(SEATS)
}
"""A seat -> all four, clockwise from it: the order in which they play where it leads (R4.1)."""

NEXT_SEAT: Final[dict[Seat, Seat]] = {seat: CLOCKWISE_FROM[seat][1] for seat in SEATS}
"""The seat to the left of each seat: bids, cards and the deal pass to it."""

PARTNER: Final[dict[Seat, Seat]] = {"N": "S", "E": "W", "S": "N", "W": "E"}
"""The seat opposite each seat."""

PARTNERSHIPS: Final[tuple[str, str]] = ("NS", "EW")
"""The sides of a partnership match. In solo play each seat is a side of its own (R1.2)."""

SUITS: Final = ("C", "D", "H", "S")
"""Clubs, diamonds, hearts, spades: the order in which cards are sorted on the wire."""

RANKS: Final = "23456789TJQKA"
"""Low to high (R1.1)."""


Names = tuple[str, ...]


class Deck:
    """The 52 cards of a game in the order of the wire, and the same cards as bits.

    Card number i, counted in the order of the wire, is the bit `1 << i` of a *card set*, an
    integer. Spades stand last and each suit runs from low to high, so the highest bit of a set
    is its highest spade, or else the highest card of its highest suit. The jokers, and the 2D of
    `jokers_nyc`, are spades in every respect (R7.3).
    """

    __slots__ = (
        "bit",
        "cards",
        "hand_and_legal",
        "name",
        "names",
        "number",
        "spades",
        "suit_of",
        "suits",
    )

    def __init__(self, name: DeckName, suits: Iterable[Iterable[str]]) -> None:
        by_suit = dict(zip(SUITS, map(tuple, suits), strict=True))
        self.name: Final = name
        self.cards: Final = tuple(card for suit in SUITS for card in by_suit[suit])
        """All 52, sorted as on the wire."""
        self.number: Final = {card: i for i, card in enumerate(self.cards)}
        """Card -> its place in `cards`, 0 to 51."""
        self.bit: Final = {card: 1 << i for i, card in enumerate(self.cards)}
        """Card -> the card set that holds it alone."""
        self.suits: Final = tuple(map(self.card_set, by_suit.values()))
        """The sets of all cards of each suit, clubs first."""
        self.suit_of: Final = {
            card: suit
            for suit, cards in zip(self.suits, by_suit.values(), strict=True)
            for card in cards
        }
        """Card -> the set of all cards of its suit."""
        self.spades: Final = self.suits[-1]
        """The set of all trumps."""
        names, hand_and_legal = _names_of(list(by_suit.values()))
        self.names: Final = names
        """Gives the names of a card set, sorted as on the wire."""
        self.hand_and_legal: Final = hand_and_legal
        """Gives the names of a hand, and of those of its cards that may be played; the third
        argument is the set of all cards of the suit led, 0 for the leader of a trick (R4)."""

    def card_set(self, cards: Iterable[str]) -> int:
        """The card set of these cards. Raises KeyError for a card this deck does not have."""
        found, bit = 0, self.bit
        for card in cards:
            found |= bit[card]
        return found

    def __repr__(self) -> str:
        return f"Deck({self.name!r})"


def _names_of(
    suits: Sequence[Sequence[str]],
) -> tuple[Callable[[int], Names], Callable[[int, int, int], tuple[Names, Names]]]:
    """`Deck.names` and `Deck.hand_and_legal`: four look-ups, as every request needs them.

    Each table holds the sets of one suit, by their bits counted from its lowest card, and is filled
    as sets are seen; an entry that is None can't be added to names.
    """
    sizes = [len(cards) for cards in suits]
    tables: list[list[Any]] = [[None] * (1 << size) for size in sizes]
    clubs, diamonds, hearts, spades = tables
    diamonds_at, hearts_at, spades_at, _ = places = list(accumulate(sizes))
    all_clubs, _, all_hearts, _ = ((1 << size) - 1 for size in sizes)
    all_minors, above_hearts = (1 << hearts_at) - 1, spades_at - hearts_at

    def names(card_set: int) -> Names:
        # Halves first: an integer below 2**30 is one digit to CPython, and quicker.
        minors, majors = card_set & all_minors, card_set >> hearts_at
        try:
            return (  # type: ignore[no-any-return]
                clubs[minors & all_clubs]
                + diamonds[minors >> diamonds_at]
                + hearts[majors & all_hearts]
                + spades[majors >> above_hearts]
            )
        except TypeError:
            for table, cards, at in zip(tables, suits, (0, *places), strict=False):
                part = card_set >> at & (1 << len(cards)) - 1
                table[part] = tuple(card for i, card in enumerate(cards) if part >> i & 1)
            return names(card_set)

    of_one_suit = cache(names)  # at most 2**16 of each suit

    def hand_and_legal(hand: int, legal: int, led: int) -> tuple[Names, Names]:
        minors, majors = hand & all_minors, hand >> hearts_at
        try:  # as in `names`: a call more would take as long as two of the look-ups
            cards = (
                clubs[minors & all_clubs]
                + diamonds[minors >> diamonds_at]
                + hearts[majors & all_hearts]
                + spades[majors >> above_hearts]
            )
        except TypeError:
            cards = names(hand)
        if legal == hand:
            return cards, cards
        if led:
            return cards, of_one_suit(legal)
        return cards, cards[: legal.bit_count()]  # spades, which may not be led, are sorted last

    return names, hand_and_legal


def _suit(suit: str, ranks: str = RANKS) -> list[str]:
    return [rank + suit for rank in ranks]


_NO_TWO = RANKS[1:]

DECKS: Final[dict[DeckName, Deck]] = {
    "standard": Deck("standard", map(_suit, SUITS)),
    # R7.1: 2C and 2H leave; trumps from high: BJ LJ 2S AS KS ... 3S.
    "jokers": Deck(
        "jokers",
        (
            _suit("C", _NO_TWO),
            _suit("D"),
            _suit("H", _NO_TWO),
            [*_suit("S", _NO_TWO), "2S", "LJ", "BJ"],
        ),
    ),
    # R7.2: the same, and 2D is a trump between LJ and 2S.
    "jokers_nyc": Deck(
        "jokers_nyc",
        (
            _suit("C", _NO_TWO),
            _suit("D", _NO_TWO),
            _suit("H", _NO_TWO),
            [*_suit("S", _NO_TWO), "2S", "2D", "LJ", "BJ"],
        ),
    ),
}
"""Every deck, by its name in the rules."""
