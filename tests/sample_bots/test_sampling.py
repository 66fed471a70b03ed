"""The strong bot: its parts against simpler ones, choices that a player would know, matches."""

import json
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.events import CardsPassed
from arena.program import Program
from arena.record import read
from arena.rules import PRESETS
from arena.rules.scoring import SeatResult, score_side
from protocol.cards import DECKS, SEATS
from protocol.rules import Rules
from tests.made_once import alone
from tests.sample_bots.found import match, prepared
from tests.sample_bots.seated import FOLDER

SOURCE = FOLDER / "sampling"
DECK = DECKS["standard"]
STANDARD = Rules()

pytestmark = pytest.mark.skipif(
    not (shutil.which("make") and shutil.which("g++")), reason="no `make` or no `g++`"
)

COUNTING = Program("counting", "", (sys.executable, "bot.py"), str(FOLDER / "counting"))


@pytest.fixture(scope="module")
def folder(once: Path) -> Path:
    """The bot as its bot.yaml builds it, and its tests; in a folder of their own."""
    program = prepared("sampling", once)
    assert program.command == (f"{program.folder}/target/sampling",)
    with alone(once / "sampling"):
        subprocess.run(["make", "target/parts_test"], cwd=program.folder, check=True)
    return Path(program.folder)


def bot(folder: Path, steps: int) -> Program:
    """The bot with so many steps a move."""
    command = str(folder / "target" / "sampling")
    return Program("sampling", "", (command,), str(folder), env={"STEPS": str(steps)})


def replies(folder: Path, *messages: dict[str, Any], steps: int = 20_000) -> list[Any]:
    """What the bot replies, until it leaves at the end of its input."""
    done = subprocess.run(
        [folder / "target" / "sampling"],
        env={"STEPS": str(steps)},
        input="".join(json.dumps(message) + "\n" for message in messages),
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def hello(rules: Rules = STANDARD) -> dict[str, Any]:
    values = msgspec.to_builtins(rules)
    return {"type": "hello", "id": 1, "seat": "S", "partner": "N", "rules": values, "seed": 7}


# --- The parts ---------------------------------------------------------------------------------


def test_the_compiler_has_nothing_to_say_of_it() -> None:
    files = sorted(SOURCE.glob("*.cpp"))
    whole = "".join(f'#include "{file}"\n' for file in files if file.name != "parts_test.cpp")
    flags = ["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    done = subprocess.run(
        ["g++", *flags, "-x", "c++", "-"], input=whole, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_parts_do_what_simpler_ones_do(folder: Path) -> None:
    done = subprocess.run([folder / "target" / "parts_test"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "all tests passed\n")


def test_it_scores_deals_as_the_arena_does(folder: Path) -> None:
    random = Random(1)
    lines, expected = [], []
    for _ in range(1_000):
        rules = replace(random.choice(list(PRESETS.values())), blind_nil=200)
        bids = [max(0, random.randrange(8) - 2) for _ in SEATS]
        blind = [bid == 0 and random.random() < 0.3 for bid in bids]
        taken = [random.randrange(5) for _ in SEATS]
        bags = random.randrange(rules.bag_limit)
        deal = {
            "rules": msgspec.to_builtins(rules),
            "bids": bids,
            "blind": blind,
            "taken": taken,
            "bags": bags,
        }
        lines.append(json.dumps(deal) + "\n")
        side = (0,) if rules.players == "solo" else (0, 2)
        seats = [SeatResult(bids[i], taken[i], blind[i]) for i in side]
        score = score_side(rules, seats, bags)
        expected.append(f"{score.delta} {score.bags}")
    program = [str(folder / "target" / "parts_test"), "score"]
    done = subprocess.run(program, input="".join(lines), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == expected


# --- Choices -----------------------------------------------------------------------------------


def finished(groups: Sequence[str], winners: str, leader: str) -> list[dict[str, Any]]:
    """Tricks of these cards: each winner has the highest, the others the rest in order."""
    tricks = []
    for group, winner in zip(groups, winners, strict=True):
        *rest, highest = DECK.names(DECK.card_set(group.split()))
        order = [SEATS[(SEATS.index(leader) + i) % 4] for i in range(4)]
        rest.insert([str(seat) for seat in order].index(winner), highest)
        tricks.append({"leader": leader, "cards": rest, "winner": winner})
        leader = winner
    return tricks


def position(
    hand: str,
    table: str,
    bids: str,
    tricks: list[dict[str, Any]],
    bags: int = 0,
    clock: dict[str, float] | None = None,
) -> dict[str, Any]:
    """S is to play after these cards, E's the last of them; bids are N's E's S's W's."""
    cards = table.split()
    held = DECK.card_set(hand.split())
    led = DECK.suit_of[cards[0]] if cards else 0
    return {
        "type": "play",
        "id": 2,
        "deal": 1,
        "seat": "S",
        "dealer": "N",
        "hand": DECK.names(held),
        "legal": DECK.names(held & led or held),
        "bids": dict(zip(SEATS, map(int, bids.split()), strict=True)),
        "blind": [],
        "trick": {"leader": SEATS[(2 - len(cards)) % 4], "cards": cards},
        "tricks": tricks,
        "exchange": None,
        "score": {"NS": 0, "EW": 0},
        "bags": {"NS": bags, "EW": 0},
        "clock": clock or {"move_ms": 60_000.0, "bank_ms": None, "last_ms": 0.1},
    }


def chosen(folder: Path, request: dict[str, Any]) -> str:
    return str(replies(folder, hello(), request)[1]["card"])


FULL = "2C 7C JC 2D 6D 8D TD 4H 6H 9H 3S 4S 6S"
"""A hand without a trick but by chance, with one card left out where a test adds one."""


@pytest.mark.parametrize(
    ("more", "table", "bids", "expected"),
    [
        ("QC AC", "KC 5C 9C", "3 3 0 3", "JC QC"),
        ("QC AC", "5C TC 3C", "0 3 3 3", "JC QC AC"),
        ("AC", "9C 8C KC", "3 3 4 3", "AC"),
        ("QC AC", "9C 8C TC", "3 3 4 3", "JC"),
    ],
    ids=[
        "keeps its nil and rids itself of a high card",
        "covers the nil of its partner",
        "wins what its contract needs",
        "and no higher than it must",
    ],
)
def test_it_plays_in_the_first_trick_as_a_player_would(
    folder: Path, more: str, table: str, bids: str, expected: str
) -> None:
    hand = " ".join(FULL.split()[: 13 - len(more.split())]) + " " + more
    assert chosen(folder, position(hand, table, bids, [])) in expected.split()


CLUBS = ["2C 3C 4C 5C", "6C 7C 8C 9C", "TC JC QC KC"]
SPADES = ["2S 3S 4S 5S", "6S 7S 8S 9S", "TS JS QS KS"]
THREE_LEFT = [*CLUBS, *SPADES, "5H 6H 7H 8H", "9H TH JH QH", "6D 7D 8D 9D", "2D TD JD KD"]
"""What is left: 2H 3H 4H KH AH, 3D 4D 5D QD AD, AC, AS."""


@pytest.mark.parametrize(
    ("bids", "winners", "bags", "expected"),
    [
        ("2 5 2 4", "NSNSEWEWEW", 0, "AH"),
        ("2 3 2 3", "NSNSEWEWEW", 9, "4H"),
        ("2 3 3 3", "NSNSEWEWEW", 0, "AH"),
    ],
    ids=["takes the setting trick", "ducks the tenth bag", "makes its contract"],
)
def test_what_a_trick_is_worth_depends_on_the_contracts(
    folder: Path, bids: str, winners: str, bags: int, expected: str
) -> None:
    request = position("4H AH 3D", "KH 2H 3H", bids, finished(THREE_LEFT, winners, "N"), bags)
    assert chosen(folder, request) == expected


def test_it_finesses_where_it_can_count_who_has_the_king(folder: Path) -> None:
    """W has shown out of hearts and spades are gone, so E has the king, and has played before."""
    diamonds = ["3D 4D 5D 6D", "7D 8D 9D TD", "JD QD KD AD"]
    clubs = ["3C 4C 5C 6C", "7C 8C 9C TC", "JC QC KC AC"]
    spades = ["3S 4S 5S 6S", "7S 8S 9S TS", "JS QS KS AS"]
    hearts = ["5H 6H 7H 8H", "9H TH JH 2S"]
    tricks = finished([*hearts, *diamonds, *clubs, *spades], "NWEWEWEWSNN", "N")
    assert chosen(folder, position("QH AH", "2H 3H", "3 3 3 3", tricks)) == "QH"


SAFE = "2C 3C 4C 7C 2D 3D 6D 2H 4H 5H 8H 3S 5S"
STRONG = "AC KC 4C AD KD 4D AH 3H 2H AS KS QS JS"


def bid(hand: str, bids: dict[str, int], score: str = "0 0") -> dict[str, Any]:
    """S is to bid; `score` is that of NS and EW."""
    ours, theirs = map(int, score.split())
    return {
        "type": "bid",
        "id": 2,
        "deal": 3,
        "seat": "S",
        "dealer": "N",
        "hand": hand.split(),
        "legal": list(range(14)),
        "bids": bids,
        "blind": [],
        "score": {"NS": ours, "EW": theirs},
        "bags": {"NS": 0, "EW": 0},
        "clock": {"move_ms": 60_000.0, "bank_ms": None, "last_ms": 0.1},
    }


@pytest.mark.parametrize(
    ("hand", "bids", "score", "expected"),
    [
        (SAFE, {"E": 3}, "0 0", [0]),
        (SAFE.replace("5S", "AS"), {"E": 3}, "0 0", [1, 2]),
        (STRONG, {"E": 2}, "0 0", [7, 8, 9, 10]),
    ],
    ids=["a safe nil", "no nil with the ace of spades", "many tricks"],
)
def test_it_bids_as_a_player_would(
    folder: Path, hand: str, bids: dict[str, int], score: str, expected: list[int]
) -> None:
    assert replies(folder, hello(), bid(hand, bids, score))[1]["bid"] in expected


# --- Work and clock ----------------------------------------------------------------------------


def opening(clock: dict[str, float]) -> dict[str, Any]:
    """A card that takes thought."""
    hand = "KC 8C 3C QD JD 7D AH TH 9H 4H QS 8S 3S"
    return position(hand, "", "3 3 3 3", [], clock=clock)


def deals_imagined(reply: dict[str, Any]) -> int:
    found = re.search(r"in (\d+) deals", reply["note"])
    return int(found[1]) if found else 0


def test_a_reply_depends_on_nothing_but_the_position_and_the_seed(folder: Path) -> None:
    clocks = [
        {"move_ms": 60_000.0, "bank_ms": 900_000.0, "last_ms": 0.1},
        {"move_ms": 60_000.0, "bank_ms": 800_000.0, "last_ms": 70.0},
    ]
    requests = [{**opening(clock), "id": 2 + i} for i, clock in enumerate(clocks)]
    _, first, second = replies(folder, hello(), *requests)
    assert first["note"] == second["note"]
    other = replies(folder, {**hello(), "seed": 8}, requests[0])[1]
    assert other["note"] != first["note"]


def test_work_is_cut_to_what_the_clock_leaves(folder: Path) -> None:
    clocks = [
        {"move_ms": 60_000.0, "bank_ms": 0.0},
        {"move_ms": 10.0, "bank_ms": 60_000.0},
        {"move_ms": 50.0, "bank_ms": 60_000.0},
        {"move_ms": 60_000.0, "bank_ms": 5_000.0},
    ]
    asked = [{**opening(clock), "id": 2 + i} for i, clock in enumerate(clocks)]
    _, *answers = replies(folder, hello(), *asked, steps=10**12)
    deals = [deals_imagined(answer) for answer in answers]
    assert deals[0] == 0
    assert deals == sorted(deals)
    # A quarter of 50 ms, with cards played as slowly as on a core three times slower than usual.
    assert deals[2] < 12.5 * 2_000 / 52 * 2


# --- Matches -----------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_without_a_fault_under_all_rules(folder: Path, preset: str) -> None:
    rules = replace(PRESETS[preset], max_deals=3)
    result = match([bot(folder, 1_000)] * 4, rules)
    assert result.faults == {}
    assert result.deals == 3 or result.reason in ("target", "floor")


@pytest.mark.parametrize("deck", DECKS)
def test_it_bids_blind_and_exchanges_cards(folder: Path, deck: Any) -> None:
    rules = Rules(deck=deck, blind_nil=200, blind_nil_exchange=2, target=5_000, max_deals=6)
    result = match([bot(folder, 1_000)] * 4, rules)
    assert result.faults == {}
    events = [event for _, event in read(zlib.decompress(result.record))]
    assert any(isinstance(event, CardsPassed) for event in events)


def test_the_same_match_again_is_the_same(folder: Path) -> None:
    rules = replace(STANDARD, max_deals=2)
    first, second = (match([bot(folder, 5_000)] * 4, rules) for _ in range(2))
    choices = [
        [getattr(event, "note", None) for _, event in read(zlib.decompress(result.record))]
        for result in (first, second)
    ]
    assert first.score == second.score
    assert choices[0] == choices[1]


def test_it_is_clearly_stronger_than_counting(folder: Path) -> None:
    won = 0
    for seed in range(3):
        for leg, side in enumerate(("NS", "EW")):
            pair = [bot(folder, 10_000), COUNTING]
            seats = (pair if leg == 0 else pair[::-1]) * 2
            won += match(seats, STANDARD, seed).winner == side
    assert won >= 5


def test_it_answers_what_it_does_not_know_and_what_cannot_be(folder: Path) -> None:
    asked: list[dict[str, Any]] = [
        {"type": "claim", "id": 3, "count": 2},
        {"type": "weather"},
        {"type": "play", "id": 4},
        {"type": "play", "id": 5, "legal": ["AS"], "hand": ["AS"]},
        {"type": "bid", "id": 6, "legal": [5], "later": [[{"hand": ["LJ"]}], '"id":3']},
    ]
    answers = replies(folder, hello(), *asked)[1:]
    assert [answer["id"] for answer in answers] == [3, 4, 5, 6]
    assert [answer.get("card") for answer in answers[:3]] == [None, None, "AS"]
    assert answers[3]["bid"] == 5
