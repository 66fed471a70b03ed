"""The examples load, and play what they promise."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tournaments.league import ROOT, League, Outcome
from tournaments.config import load_tournament
from tournaments.schedules.schedule import total

FOLDER = ROOT / "tournaments" / "examples"
EXAMPLES = sorted(FOLDER.glob("*.yaml"))

Command = Callable[..., Outcome]


def test_there_are_examples() -> None:
    names = {path.stem for path in EXAMPLES}
    assert names >= {"quickstart", "rotating", "solo", "swiss", "adaptive"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_loads_and_has_its_name_a_caption_and_the_right_total(path: Path) -> None:
    text, found = path.read_text(), load_tournament(path)
    assert found.name == path.stem
    assert text.startswith("# ")
    assert f"\n#     spades-arena run tournaments/examples/{path.name}\n" in text
    assert f"= {total(found.schedule, len(found.bots), found.format)} matches\n" in text


@pytest.mark.parametrize(
    ("name", "rounds", "matches", "seated"),
    [("solo", 10, 4, 4), ("rotating", 5, 6, 4), ("swiss", 4, 4, 2), ("adaptive", 16, 12, 2)],
)
def test_an_example_plays_its_first_cycle(
    name: str, rounds: int, matches: int, seated: int, league: League, command: Command
) -> None:
    text = (FOLDER / f"{name}.yaml").read_text()
    assert f"rounds: {rounds} " in text
    (league.folder / f"{name}.yaml").write_text(
        text.replace(f"rounds: {rounds} ", "rounds: 1 ").replace("../../", f"{ROOT}/")
    )
    told = league.call("run", f"{name}.yaml", "-o", "run").stdout
    assert told.startswith(f"{name}: {matches} of {matches} matches")
    found = json.loads((league.folder / "run" / "standings.json").read_text())
    assert found["complete"]
    assert sum(bot["played"] for bot in found["bots"]) == matches * seated
    assert [bot["faults"] for bot in found["bots"]] == [{}] * len(found["bots"])
    assert command("verify", league.folder / "run").out == (
        f"{matches} records agree with the rules\n"
    )
