"""The sample bot in C: built as its bot.yaml says, and played as a process under every preset."""

import json
import shutil
import subprocess
import sys
import zlib
from typing import Any

import pytest
import yaml

from arena.events import CardsPassed
from arena.program import Program
from arena.record import read
from arena.rules import PRESETS
from protocol.cards import DECKS, SEATS, DeckName
from protocol.rules import Rules
from tests.sample_bots.found import match
from tests.sample_bots.seated import FOLDER

SOURCE = FOLDER / "c_counting"

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler `cc`")

HIGH_CARD = Program("high_card", "", (sys.executable, "bot.py"), str(FOLDER / "high_card"))
RANDOM = Program("random_legal", "", (sys.executable, "bot.py"), str(FOLDER / "random_legal"))


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The bot, without a warning; in a folder of its own, as a run has it."""
    folder = tmp_path_factory.mktemp("build") / "c_counting"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("bot"))
    described = yaml.safe_load((folder / "bot.yaml").read_text())
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run([*described["build"], *warnings], cwd=folder, check=True)
    assert described["command"] == ["./bot"]
    return Program("c_counting", "", (str(folder / "bot"),), str(folder))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_match_without_a_fault(bot: Program, preset: str) -> None:
    result = match([bot] * 4, PRESETS[preset])
    assert result.faults == {}
    assert result.reason in ("target", "floor", "max_deals")
    assert result.deals > 1


@pytest.mark.parametrize("deck", DECKS)
def test_it_exchanges_cards_with_a_partner_that_bids_blind(bot: Program, deck: DeckName) -> None:
    rules = Rules(deck=deck, blind_nil=100, blind_nil_exchange=2, target=5_000, max_deals=20)
    result = match([bot, bot, RANDOM, RANDOM], rules)
    assert result.faults == {}
    events = [event for _, event in read(zlib.decompress(result.record))]
    assert {e.seat for e in events if isinstance(e, CardsPassed)} == set(SEATS)


def test_it_is_clearly_stronger_than_high_card(bot: Program) -> None:
    seats = [bot, HIGH_CARD] * 2
    won = [match(seats, PRESETS["standard"], seed).winner for seed in range(4)]
    assert won.count("NS") >= 3


def test_it_ignores_what_it_does_not_know(bot: Program) -> None:
    hello, bid = answers(
        bot,
        {"type": "hello", "id": 1, "later": {"legal": [0], "id": 7}, "rules": {"deck": "jokers"}},
        {"type": "deal_end", "hands": {"N": ["AS"]}},
        {"type": "weather"},
        {"why": [[{"hand": ["LJ"]}], '"id":3'], "legal": [5], "id": 2, "type": "bid"},
    )
    assert (hello, bid) == ({"id": 1}, {"id": 2, "bid": 5})


def test_it_answers_what_a_later_version_may_ask(bot: Program) -> None:
    assert answers(bot, {"type": "claim", "id": 12, "count": 2}) == [{"id": 12}]


def answers(bot: Program, *messages: dict[str, Any]) -> list[Any]:
    """What the bot replies, until it leaves at the end of its input."""
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(bot.command, input=lines, capture_output=True, text=True, check=True)
    assert not done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
