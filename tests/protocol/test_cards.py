"""Cards and decks: the names on the wire, their order, and the same cards as bits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards import CLOCKWISE_FROM, DECKS, NEXT_SEAT, PARTNER, SEATS, DeckName

ORDERS: dict[DeckName, str] = {
    "standard": (
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC "
        "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD "
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH "
        "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    ),
    "jokers": (
        "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC "
        "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD "
        "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH "
        "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S LJ BJ"
    ),
    "jokers_nyc": (
        "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC "
        "3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD "
        "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH "
        "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S 2D LJ BJ"
    ),
}


def test_seats_follow_each_other_clockwise() -> None:
    assert [NEXT_SEAT[seat] for seat in ("N", "E", "S", "W")] == ["E", "S", "W", "N"]
    assert {seat: "".join(order) for seat, order in CLOCKWISE_FROM.items()} == {
        "N": "NESW",
        "E": "ESWN",
        "S": "SWNE",
        "W": "WNES",
    }


deck_names = st.sampled_from(list(ORDERS))


@pytest.mark.parametrize("name", ORDERS)
def test_a_deck_has_its_52_cards_in_the_order_of_the_wire(name: DeckName) -> None:
    assert list(DECKS[name].cards) == ORDERS[name].split()
    assert len(set(DECKS[name].cards)) == 52


@pytest.mark.parametrize("name", ORDERS)
def test_every_card_belongs_to_the_one_suit_whose_row_it_stands_in(name: DeckName) -> None:
    deck = DECKS[name]
    assert len(deck.suits) == 4
    assert sum(suit.bit_count() for suit in deck.suits) == 52
    assert list(dict.fromkeys(deck.suit_of[card] for card in deck.cards)) == list(deck.suits)
    for card in deck.cards:
        trump = card in deck.names(deck.spades)
        assert deck.bit[card] & deck.suit_of[card]
        assert trump == (deck.suit_of[card] == deck.spades)
        assert trump or card[1] in {other[1] for other in deck.names(deck.suit_of[card])}


@given(name=deck_names, data=st.data())
def test_a_card_set_has_the_names_it_was_made_of(name: DeckName, data: st.DataObject) -> None:
    deck = DECKS[name]
    cards = data.draw(st.lists(st.sampled_from(deck.cards), unique=True))
    in_order = tuple(sorted(cards, key=ORDERS[name].split().index))
    for _ in range(2):  # the second time they may be remembered
        assert deck.names(deck.card_set(cards)) == in_order


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("standard", "BJ"),
        ("standard", "10C"),
        ("standard", "as"),
        ("standard", "SA"),
        ("standard", ""),
        ("jokers", "2C"),
        ("jokers", "2H"),
        ("jokers_nyc", "2C"),
    ],
)
def test_a_card_that_the_deck_lacks_is_no_card(name: DeckName, card: str) -> None:
    with pytest.raises(KeyError, match=f"^'{card}'$"):
        DECKS[name].card_set([card])


def test_seats_go_clockwise_and_partners_sit_opposite() -> None:
    assert SEATS == ("N", "E", "S", "W")
    for i, seat in enumerate(SEATS):
        assert PARTNER[seat] == SEATS[(i + 2) % 4]
