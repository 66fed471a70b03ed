"""Deals: pinned for ever by fixed vectors, even, and independent of everything but their key."""

import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterator

import pytest

from arena import deals
from arena.deals import (
    bot_seed,
    commitment,
    deal_hands,
    deal_key,
    encounter,
    first_dealer,
    secret_root,
    seed_of,
    seed_root,
)
from arena.events import Origin
from protocol.cards import DECKS, SEATS, DeckName, Seat
from protocol.rules import Players

KEY = "097b885440c0a5e697aba53406c3583b77beeffa6c7145a9fd8a50458eb56165"
"""Of seed 2026 and the bots a and b, cycle 0."""

VECTORS: list[tuple[int, Seat, dict[Seat, str]]] = [
    (
        1,
        "S",
        {
            "N": "JC 3D 5D 6D 9D 3H 6H QH KH AH 4S 9S KS",
            "E": "5C KC AC 2D 8D JD QD KD 4H 5H TH 2S 3S",
            "S": "7C 4D 7D 7H 8H 9H JH 5S 7S TS JS QS AS",
            "W": "2C 3C 4C 6C 8C 9C TC QC TD AD 2H 6S 8S",
        },
    ),
    (
        2,
        "W",
        {
            "N": "3C 5C 6C JC 2D 3D QD KD AD 5H 3S 5S 8S",
            "E": "4C 7C 9C TC QC 9D 2H 7H 9H TH 2S QS KS",
            "S": "2C 8C KC AC 5D 7D 4H QH KH 6S TS JS AS",
            "W": "4D 6D 8D TD JD 3H 6H 8H JH AH 4S 7S 9S",
        },
    ),
    (
        3,
        "N",
        {
            "N": "8C 3D 5D 7D KD 2H 7H 8H 9H TH 5S 6S 9S",
            "E": "3C 4C JC 2D 6D 8D QD 5H 6H KH 2S 3S JS",
            "S": "7C TC QC TD JD AD 4H JH QH 8S TS QS KS",
            "W": "2C 5C 6C 9C KC AC 4D 9D 3H AH 4S 7S AS",
        },
    ),
]
"""Number of the deal, dealer, hands. A change here is a change of the algorithm's version."""


def test_the_algorithm_is_version_1() -> None:
    assert deals.VERSION == 1
    assert Origin(seed=7, commitment=None, bots=[], cycle=0, leg=0).algorithm == 1


def test_the_first_dealer_and_the_key_of_the_vectors() -> None:
    assert deal_key("seed 2026", ["a", "b"], 0) == KEY
    assert first_dealer(KEY) == "S"


@pytest.mark.parametrize(("number", "dealer", "hands"), VECTORS)
def test_a_deal_of_the_vectors(number: int, dealer: Seat, hands: dict[Seat, str]) -> None:
    dealt = deal_hands(KEY, number, dealer, DECKS["standard"])
    assert {seat: " ".join(cards) for seat, cards in dealt.items()} == hands


@pytest.mark.parametrize(
    ("leg", "seat", "seed"),
    [(0, "N", 2102685526143819), (0, "W", 5916383936955005), (1, "N", 8576551581698456)],
)
def test_a_bot_seed_of_the_vectors(leg: int, seat: Seat, seed: int) -> None:
    assert bot_seed("seed 2026", ["a", "b"], 0, leg, seat) == seed


def test_the_check_by_hand_in_the_docstring_prints_what_it_says() -> None:
    text = deals.__doc__
    assert text
    script = "\n".join(re.findall("^    (.*)$", text, re.MULTILINE))
    printed = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    word = re.search(r"prints ([0-9a-f]{8})\.\.\., which is (\d) mod 4: (.) is", text)
    assert word
    assert printed.stdout.startswith(word[1])
    assert (int(word[1], 16) % 4, word[3]) == (int(word[2]), SEATS[int(word[2])])
    assert word[3] == first_dealer(KEY)


def plainly(key: str, label: str) -> Iterator[int]:
    """The words of a label, by the text of the algorithm and another way of hashing."""
    block = 0
    while True:
        digest = hashlib.new("sha256")
        for part in (key, "\n", label, "\n", str(block)):
            digest.update(part.encode())
        number = int(digest.hexdigest(), 16)
        yield from (number >> shift & 0xFFFFFFFF for shift in range(224, -1, -32))
        block += 1


def draw(words: Iterator[int], n: int) -> int:
    while True:
        word = next(words)
        if word < 2**32 - 2**32 % n:
            return word % n


@pytest.mark.parametrize("deck", ["standard", "jokers", "jokers_nyc"])
def test_deals_are_those_of_the_algorithm_s_text(deck: DeckName) -> None:
    order = list(DECKS[deck].cards)
    for cycle in range(20):
        lines = ["spades-arena deals 1", "secret 00ff", "a@2", "z", f"cycle {cycle}"]
        key = hashlib.new("sha256", "\n".join(lines).encode()).hexdigest()
        assert deal_key("secret 00ff", ["z", "a@2"], cycle) == key
        dealer = draw(plainly(key, "dealer"), 4)
        assert first_dealer(key) == SEATS[dealer]

        words, cards = plainly(key, f"deal {cycle + 1}"), list(order)
        for i in range(51, 0, -1):
            j = draw(words, i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        hands: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
        for i, card in enumerate(cards):
            hands[SEATS[(dealer + 1 + i) % 4]].append(card)
        dealt = deal_hands(key, cycle + 1, SEATS[dealer], DECKS[deck])
        assert dealt == {seat: sorted(held, key=order.index) for seat, held in hands.items()}


def test_a_word_that_would_favour_some_numbers_is_drawn_again() -> None:
    # 2**32 is 1 mod 3: of all words, only the last would make a 0 too many.
    assert deals._draw(iter([2**32 - 1, 5]), 3) == 2
    assert deals._draw(iter([2**32 - 2, 5]), 3) == 2
    assert deals._draw(iter([2**32 - 2, 4]), 3) == (2**32 - 2) % 3


def test_every_card_goes_to_every_seat_equally_often() -> None:
    # 4,000 deals; chi-square with 3 degrees of freedom a card. Fixed seeds: it can't flake.
    deck, many = DECKS["standard"], 4_000
    places: Counter[tuple[str, Seat]] = Counter()
    dealers: Counter[Seat] = Counter()
    for seed in range(many // 4):
        key = deal_key(f"seed {seed}", ["a", "b"], 0)
        dealers[first_dealer(key)] += 1
        for number, dealer in enumerate(SEATS, 1):
            for seat, hand in deal_hands(key, number, dealer, deck).items():
                places.update((card, seat) for card in hand)

    def chi_square(counts: list[int], expected: float) -> float:
        return sum((count - expected) ** 2 / expected for count in counts)

    assert chi_square([dealers[seat] for seat in SEATS], many / 16) < 20
    deviations = {
        card: chi_square([places[card, seat] for seat in SEATS], many / 4) for card in deck.cards
    }
    assert max(deviations.values()) < 25
    assert 2 < sum(deviations.values()) / 52 < 4  # 3 is expected; 0 would be no chance at all


def test_the_key_depends_on_the_root_the_names_and_the_cycle_and_on_nothing_else() -> None:
    key = deal_key("seed 1", ["a", "b"], 0)
    assert deal_key("seed 1", iter(["b", "a"]), 0) == key
    others = [
        deal_key("seed 2", ["a", "b"], 0),
        deal_key("secret 1", ["a", "b"], 0),
        deal_key("seed 1", ["a", "b"], 1),
        deal_key("seed 1", ["a", "b@2"], 0),
        deal_key("seed 1", ["a", "c"], 0),
        deal_key("seed 1", ["a", "b", "c"], 0),
        deal_key("seed 1", ["ab"], 0),
    ]
    assert len({key, *others}) == 1 + len(others)


@pytest.mark.parametrize(
    ("around", "players", "sides"),
    [
        ("baba", "partners", ["a", "b"]),
        ("abab", "partners", ["a", "b"]),
        ("aaaa", "partners", ["a"]),
        ("dbca", "partners", ["a+b", "c+d"]),
        ("adbc", "partners", ["a+b", "c+d"]),
        ("abcd", "partners", ["a+c", "b+d"]),
        ("abac", "partners", ["a", "b+c"]),
        ("dbca", "solo", ["a", "b", "c", "d"]),
        ("abab", "solo", ["a", "b"]),
    ],
)
def test_an_encounter_is_the_sides_that_meet_whoever_sits_where(
    around: str, players: Players, sides: list[str]
) -> None:
    assert encounter(dict(zip(SEATS, around, strict=True)), players) == sides
    turned = encounter(dict(zip(SEATS, around[1:] + around[:1], strict=True)), players)
    assert turned == sides


def test_a_root_shows_its_seed_and_of_its_secret_only_the_digest() -> None:
    secret = "00112233445566778899aabbccddeeff"
    assert (seed_root(2026), seed_of("seed 2026"), commitment("seed 2026")) == (
        "seed 2026",
        2026,
        None,
    )
    assert seed_of(secret_root(secret)) is None
    assert commitment(secret_root(secret)) == hashlib.sha256(secret.encode()).hexdigest()
    assert seed_of(seed_root(-1)) == -1


def test_the_deals_of_a_match_are_different_deals() -> None:
    hands = [deal_hands(KEY, number, "N", DECKS["standard"]) for number in range(1, 101)]
    assert len({str(hand) for hand in hands}) == 100


def test_no_two_bots_of_a_tournament_get_the_same_seed() -> None:
    seeds = [
        bot_seed("seed 2026", bots, cycle, leg, seat)
        for bots in (["a", "b"], ["a", "c"], ["b", "c"])
        for cycle in range(50)
        for leg in (0, 1)
        for seat in SEATS
    ]
    assert len(set(seeds)) == len(seeds) == 1_200
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**52  # and the 53 bits are used
