"""The examples load, and play what they promise."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tournaments.league import ROOT, League, Outcome
from tournaments.config import load_tournament
from tournaments.schedule import total

FOLDER = ROOT / "tournaments" / "examples"
EXAMPLES = sorted(FOLDER.glob("*.yaml"))

Command = Callable[..., Outcome]


def test_there_are_examples() -> None:
    assert {path.name for path in EXAMPLES} >= {"quickstart.yaml", "solo.yaml"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_loads_and_has_its_name_a_caption_and_the_right_total(path: Path) -> None:
    text, found = path.read_text(), load_tournament(path)
    assert found.name == path.stem
    assert text.startswith("# ")
    assert f"\n#     spades-arena run tournaments/examples/{path.name}\n" in text
    assert f"= {total(found.schedule, len(found.bots), found.format)} matches\n" in text


def test_the_solo_example_plays_its_first_cycle(league: League, command: Command) -> None:
    text = (FOLDER / "solo.yaml").read_text()
    assert "rounds: 10" in text
    (league.folder / "solo.yaml").write_text(
        text.replace("rounds: 10", "rounds: 1").replace("../../", f"{ROOT}/")
    )
    told = league.call("run", "solo.yaml", "-o", "run").stdout
    assert told.startswith("solo: 4 of 4 matches")
    found = json.loads((league.folder / "run" / "standings.json").read_text())
    assert found["complete"]
    assert {bot["name"]: (bot["played"], bot["faults"]) for bot in found["bots"]} == {
        name: (4, {}) for name in ("random_legal", "high_card", "counting", "high_card_again")
    }
    assert command("verify", league.folder / "run").out == "4 records agree with the rules\n"
