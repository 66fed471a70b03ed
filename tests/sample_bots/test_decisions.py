"""What the sample bots bid and play in positions where a player would know."""

import pytest
from msgspec.structs import replace

from arena.rules import legal_bids, legal_cards
from protocol.cards import DECKS, DeckName, Seat
from protocol.messages import Bid, BlindNil, Exchange, Play, Trick
from protocol.rules import Rules
from tests.sample_bots.seated import load

STANDARD = Rules()
DECK = DECKS["standard"]


def bid(
    name: str, hand: str, bids: dict[Seat, int] | None = None, score: str = "0 0", bags: int = 0
) -> int:
    """What S bids with these cards; `score` is that of NS and EW."""
    bids = bids or {}
    ours, theirs = map(int, score.split())
    request = Bid(
        deal=1,
        seat="S",
        dealer="N",
        hand=DECK.names(DECK.card_set(hand.split())),
        legal=legal_bids(STANDARD, bids.get("N")),
        bids=bids,
        blind=(),
        score={"NS": ours, "EW": theirs},
        bags={"NS": bags, "EW": 0},
    )
    module = load(name)
    if name == "high_card":
        return int(module.choose_bid(request, DECK))
    return int(module.choose_bid(request, STANDARD, DECK))


def play(
    name: str,
    hand: str,
    table: str = "",
    bids: str = "3 3 3 3",
    taken: str = "0 0 0 0",
    rules: Rules = STANDARD,
) -> str:
    """What S plays after these cards, E's the last of them; bids and tricks are N's E's S's W's."""
    cards = tuple(table.split())
    seats: tuple[Seat, ...] = ("N", "E", "S", "W")
    leader = seats[(2 - len(cards)) % 4]
    held = DECK.card_set(hand.split())
    led = DECK.suit_of[cards[0]] if cards else 0
    request = Play(
        deal=1,
        seat="S",
        dealer="N",
        hand=DECK.names(held),
        legal=DECK.names(legal_cards(rules, DECK, held, led, True)),
        bids=dict(zip(seats, map(int, bids.split()), strict=True)),
        blind=(),
        trick=Trick(leader, cards),
        tricks=(),
        taken=dict(zip(seats, map(int, taken.split()), strict=True)),
        broken=True,
        score={"NS": 0, "EW": 0},
        bags={"NS": 0, "EW": 0},
    )
    module = load(name)
    if name == "high_card":
        return str(module.choose_card(request, DECK))
    (card,) = DECK.names(module.choose_card(module.Table(request, rules, DECK)))
    return card


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 4H 5H 2S", 1),
        ("AC 3C 4C 5C AD 3D 4D 5D AH 3H 4H 5H 2S", 3),
        ("AC KC 4C 5C 2D 3D 4D 5D 2H 3H 4H 5H 2S", 2),
        ("KC 3C 4C 5C KD 2H 3H 4H 5H 6H 7H 8H 2S", 1),
        ("2C 3C 2D 3D 2H 3H 4H 5H 3S 4S 5S 6S 7S", 2),
        ("2C 3C 2D 3D 2H 3H 4H 5H 3S 4S 5S KS AS", 4),
    ],
    ids=["no trick", "aces", "ace and king", "a king alone", "long spades", "high spades"],
)
def test_high_card_bids_its_sure_tricks(hand: str, expected: int) -> None:
    assert bid("high_card", hand) == expected


@pytest.mark.parametrize(
    ("hand", "table", "expected"),
    [
        ("2C AC 3D 2H", "9C", "AC"),
        ("2C KC AD 2S", "", "2S"),
        ("2C KC AD 9H", "", "AD"),
        ("2C AC AD 2S 3S", "9H", "3S"),
        ("AC AD 2H", "9S", "AD"),
    ],
    ids=["follows", "leads a spade", "leads a rank", "ruffs", "throws a rank away"],
)
def test_high_card_plays_its_highest(hand: str, table: str, expected: str) -> None:
    assert play("high_card", hand, table) == expected


SAFE = "2C 3C 4C 7C 2D 3D 6D 2H 4H 5H 8H 3S 5S"
STRONG = "AC KC 4C AD KD 4D AH 3H 2H AS KS QS JS"


@pytest.mark.parametrize(
    ("hand", "bids", "score", "expected"),
    [
        (SAFE, {}, "0 0", 0),
        (SAFE, {"N": 0}, "0 0", 1),
        (SAFE.replace("5S", "AS"), {}, "0 0", 1),
        (SAFE.replace("3S 5S", "KS QS"), {}, "0 0", 1),
        (STRONG, {}, "0 0", 8),
        (STRONG, {"W": 1, "N": 3, "E": 1}, "440 100", 3),
        (STRONG, {"W": 1, "N": 3, "E": 1}, "440 480", 9),
    ],
    ids=[
        "a safe nil",
        "no nil beside a nil",
        "no nil with the ace of spades",
        "no nil with high spades",
        "many tricks",
        "no more than the match needs",
        "unless the others get there too",
    ],
)
def test_counting_bids(hand: str, bids: dict[Seat, int], score: str, expected: int) -> None:
    assert bid("counting", hand, bids, score) == expected


def test_counting_bids_what_it_has_where_bags_are_near_the_penalty() -> None:
    assert bid("counting", STRONG, {"W": 1, "N": 3, "E": 1}, "440 100", bags=8) == 9


@pytest.mark.parametrize(
    ("hand", "table", "bids", "taken", "expected"),
    [
        # takes, as its contract needs tricks
        ("2C QC AC 3D", "9C 8C 3C", "3 3 3 3", "0 0 0 0", "QC"),
        ("2C QC AC 3D", "5C 3C KC", "3 3 3 3", "0 0 0 0", "AC"),
        ("2C QC AC 3D", "5C KC 3C", "3 3 3 3", "0 0 0 0", "2C"),
        ("2C QC 3D", "5C 3C AC", "3 3 3 3", "0 0 0 0", "2C"),
        ("2C KC 3D", "AC 5C", "3 3 3 3", "0 0 0 0", "2C"),
        ("2C KC 3D", "9C QC", "3 3 3 3", "0 0 0 0", "KC"),
        ("4D 3S 9S", "5C 3C AC", "3 3 3 3", "0 0 0 0", "3S"),
        ("4D 3S 9S", "5C 3C 4S", "3 3 3 3", "0 0 0 0", "9S"),
        ("4D 3S 9S", "5C 3C TS", "3 3 3 3", "0 0 0 0", "4D"),
        ("4D 3S 9S", "5C AC 3C", "3 3 3 3", "0 0 0 0", "4D"),
        ("AC 5C 3D 2H", "", "3 3 3 3", "0 0 0 0", "AC"),
        # loses, as its contract is made and so is theirs
        ("2C QC AC 3D", "9C 8C 3C", "1 1 1 1", "1 1 1 1", "2C"),
        ("2C TC AC 3D", "9C 3C KC", "1 1 1 1", "1 1 1 1", "TC"),
        ("QC AC 3D", "9C 8C 3C", "1 1 1 1", "1 1 1 1", "AC"),
        ("2C TC AC 3D", "9C KC 3C", "1 1 1 1", "1 1 1 1", "AC"),
        ("4D AD 3S", "5C 3C AC", "1 1 1 1", "1 1 1 1", "AD"),
        # keeps its nil
        ("2C TC AC 3D", "9C KC 3C", "3 3 0 3", "0 0 0 0", "TC"),
        ("KD 4D 3S", "5C AC 3C", "3 3 0 3", "0 0 0 0", "KD"),
        ("4D 2S 9S", "5C TS 3C", "3 3 0 3", "0 0 0 0", "9S"),
        ("2C AC KD", "", "3 3 0 3", "0 0 0 0", "2C"),
        # covers its partner's nil
        ("2C QC AC 3D", "JC 8C", "0 3 3 3", "0 0 0 0", "QC"),
        ("2C 3D 5S", "JC 8C", "0 3 3 3", "0 0 0 0", "2C"),
        ("3D 5S 9S", "JC 8C", "0 3 3 3", "0 0 0 0", "5S"),
        ("2C AC 3D", "", "0 3 3 3", "0 0 0 0", "AC"),
        ("2C AC 3D", "9C", "0 3 3 3", "0 0 0 0", "AC"),
        # tries to break theirs
        ("2C AC 3D", "QC KC", "3 3 3 0", "0 0 0 0", "2C"),
        ("2C QC AC 3D", "9C 8C 3C", "3 3 3 0", "0 0 0 0", "2C"),
        ("2C QC AC 3D", "9C 8C JC", "3 3 3 0", "0 0 0 0", "QC"),
    ],
)
def test_counting_plays(hand: str, table: str, bids: str, taken: str, expected: str) -> None:
    assert play("counting", hand, table, bids, taken) == expected


BLIND = Rules(blind_nil=200)


@pytest.mark.parametrize(
    ("bids", "score", "exchange", "expected"),
    [
        # with two cards exchanged it is usually made
        ({}, "0 0", 2, True),
        ({"N": 3}, "0 300", 2, True),
        ({}, "0 0", 1, False),
        # one in a side is enough
        ({"N": 0}, "0 0", 2, False),
        ({"N": 0}, "0 480", 0, False),
        # without, only where the others win otherwise
        ({}, "0 0", 0, False),
        ({}, "0 400", 0, False),
        ({}, "0 440", 0, True),
        ({"E": 5, "N": 3}, "0 420", 0, True),
        ({"E": 2, "N": 3}, "0 440", 0, False),
        ({}, "440 440", 0, False),
        ({}, "400 440", 0, True),
    ],
)
def test_counting_bids_blind_nil(
    bids: dict[Seat, int], score: str, exchange: int, expected: bool
) -> None:
    ours, theirs = map(int, score.split())
    request = BlindNil(
        deal=1,
        seat="S",
        dealer="N",
        bids=bids,
        blind=(),
        score={"NS": ours, "EW": theirs},
        bags={"NS": 0, "EW": 0},
    )
    rules = replace(BLIND, blind_nil_exchange=exchange)
    assert load("counting").is_blind_nil(request, rules) == expected


@pytest.mark.parametrize(
    ("name", "deck", "bids", "hand", "expected"),
    [
        # the nil gives away what takes tricks, its partner what takes none
        ("counting", "standard", "3 3 0 3", "2C KC 3D AH 2S QS", "2S QS"),
        ("counting", "standard", "3 3 0 3", "2C KC 3D AH", "AH KC"),
        ("counting", "standard", "0 3 3 3", "2C KC 3D AH 2S QS", "2C 3D"),
        ("counting", "jokers", "3 3 0 3", "3C KC 3D AH 2S LJ BJ", "LJ BJ"),
        ("counting", "jokers_nyc", "0 3 3 3", "3C KC 3D AH 2D LJ", "3C 3D"),
        ("high_card", "standard", "3 3 0 3", "2C KC 3D AH 2S QS", "2S QS"),
        ("high_card", "standard", "0 3 3 3", "2C KC 3D AH 2S QS", "2C 3D"),
        ("high_card", "jokers", "3 3 0 3", "3C KC 3D AH 2S LJ BJ", "LJ BJ"),
        ("high_card", "jokers_nyc", "0 3 3 3", "TC KC JD AH 2D LJ BJ", "TC JD"),
    ],
)
def test_a_nil_is_helped_by_what_is_passed(
    name: str, deck: DeckName, bids: str, hand: str, expected: str
) -> None:
    numbers = dict(zip(("N", "E", "S", "W"), map(int, bids.split()), strict=True))
    request = Exchange(
        deal=1,
        seat="S",
        dealer="N",
        hand=DECKS[deck].names(DECKS[deck].card_set(hand.split())),
        bids=numbers,  # type: ignore[arg-type]
        blind=(),
        count=2,
        to="N",
        received=(),
        score={"NS": 0, "EW": 0},
        bags={"NS": 0, "EW": 0},
    )
    assert set(load(name).choose_passed(request, DECKS[deck])) == set(expected.split())
