"""The command `standings`, and what of it a run shows at its end."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.tournaments.league import ROOT, League, Outcome

Command = Callable[..., Outcome]

LOADED = """
import sys
sys.argv[0] = "spades-arena"
from tournaments.cli import main
try:
    main()
finally:
    print("numpy" in sys.modules, file=sys.stderr)
"""


def loads_numpy(league: League, *arguments: str) -> bool:
    """Whether a command, which must succeed, imports the library of the strengths."""
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        cwd=league.folder,
        env=league.environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stderr.splitlines()[-1] == "True"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("--help",),
        ("run", "--help"),
        ("run", "league.yaml", "--dry-run"),
        ("match", "--help"),
        ("match", "low.py", "low.py"),
        ("standings", "--help"),
        ("export", "runs/league", "--what", "matches"),
    ],
)
def test_only_standings_pay_for_their_library(arguments: tuple[str, ...], played: League) -> None:
    assert not loads_numpy(played, *arguments)


def test_standings_use_their_library(played: League) -> None:
    assert loads_numpy(played, "standings", "runs/league")


def test_below_the_ranking_stands_who_beat_whom(played: League, command: Command) -> None:
    shown = command("standings", played.run_folder)
    ranking, _, crosstable = shown.out.partition("\ncrosstable: ")
    assert ranking.startswith("league: 12 of 12 matches")
    assert crosstable.count("/4") == 6
    assert max(map(len, shown.out.splitlines())) <= 80
    assert "crosstable: " in command("standings", played.run_folder, "--format", "markdown").out


def test_a_run_ends_with_the_ranking_alone(league: League) -> None:
    league.write(league.three()[:2])
    ended = league.play()
    assert ended.stdout.startswith("league: 2 of 2 matches")
    assert "crosstable" not in ended.stdout


def test_numbers_for_programs_are_those_of_the_run(played: League, command: Command) -> None:
    found = json.loads(command("standings", played.run_folder, "--format", "json").out)
    assert found == played.standings()
    assert [met["played"] for met in found["crosstable"]] == [4, 4, 4]
    for bot in found["bots"]:
        rows = [met for met in found["crosstable"] if bot["name"] in (met["bot"], met["opponent"])]
        scores = [
            met["score"] if met["bot"] == bot["name"] else met["played"] - met["score"]
            for met in rows
        ]
        assert sum(scores) == bot["won"] + bot["drawn"] / 2
    assert sum(bot["elo"] for bot in found["bots"]) == pytest.approx(0, abs=1e-6)
