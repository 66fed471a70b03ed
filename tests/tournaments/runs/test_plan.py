"""`run --dry-run`: what a run would do, with nothing done, and never otherwise than the run."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tournaments.league import SLOW, League, Outcome, finish, until
from tournaments.runs.notices import duration

Command = Callable[..., Outcome]


def everything(folder: Path) -> dict[str, str]:
    """Every file below a folder, with a digest of what is in it."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in folder.rglob("*")
    }


@pytest.fixture
def dry(league: League, command: Command, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """A dry run, which must leave every file as it was."""
    monkeypatch.chdir(league.folder)

    def run(*arguments: str, status: int = 0) -> str:
        before = everything(league.folder)
        ended = command("run", "league.yaml", "--dry-run", *arguments)
        assert ended.status == status, ended.err
        assert everything(league.folder) == before
        return ended.err if status else ended.out

    return run


def test_before_the_first_run_it_counts_and_says_what_the_clocks_allow(
    league: League, dry: Callable[..., str]
) -> None:
    built = league.folder / "built"
    built.mkdir()
    (built / "bot.yaml").write_text('command: [./bot]\nbuild: [sh, -c, "touch ../made"]\n')
    league.write(
        [*league.three(), "built"],
        rules="standard",
        clock={"start": "10s", "move": "1s", "exit": "0.5s"},
        schedule={"rounds": 3},
    )
    assert dry("--jobs", "1").splitlines() == [
        "36 matches: 0 played before, 36 to be played",
        "bots that play: 4",
        "tables at once: 1, with 4 processes of bots",
        # 36 x (4 x (10 s + 9 x 14 x 1 s) + 0.5 s)
        "time: at most about 5 hours by the clocks, in matches of 9 deals of 56 decisions; most"
        " bots take far less, and no match was measured here yet",
        "nothing was written, built or played",
    ]
    league.write(league.three(), clock={"start": "1s", "move": "1h", "bank": "9s", "exit": "1s"})
    # 6 x (4 x (1 s + 9 s) + 1 s)
    assert "time: at most about 4 minutes by the clocks" in dry("--jobs", "1")


def test_of_a_run_it_tells_what_the_next_one_plays_and_how_long_that_took_so_far(
    league: League, dry: Callable[..., str]
) -> None:
    low, high, mid = league.three()
    league.write([low, high, mid])
    league.play()
    assert dry().splitlines()[:2] == [
        "6 matches: 6 played before, 0 to be played",
        "bots that play: 3",
    ]
    assert "time:" not in dry()
    changed = {**high, "command": [*high["command"][:-1], "5"]}
    league.write([low, changed, league.bot("new")], schedule={"rounds": 2}, withdrawn="new")
    told = dry().splitlines()
    assert told[0] == "4 matches: 0 played before, 4 to be played"
    assert told[1:6] == [
        "bots that play: 2",
        "changed since the last run, so new versions play: high@2",
        "superseded by a new version, what it has played counts: high",
        "not in the file any more, what it has played counts for nobody: mid",
        "4 finished matches are not in the schedule any more: kept in the record, and left out of"
        " the ranking",
    ]
    assert re.fullmatch(
        r"time: (under|about) a minute, as 6 matches measured in runs/league took [\d.]+ s each",
        told[7],
    )
    played = league.play()
    for line in told[2:6]:
        assert line in played.stderr
    assert "4 matches, 0 of them played before" in played.stderr
    assert "  (as things are, 4)" in dry().splitlines()


def test_swiss_rounds_that_are_not_drawn_yet_are_counted(
    league: League, dry: Callable[..., str]
) -> None:
    bots = [league.bot("a"), league.bot("b")]
    league.write(bots, schedule={"type": "swiss", "rounds": 5})
    assert dry().startswith("10 matches: 0 played before, 10 to be played")
    league.write(bots, schedule={"type": "swiss", "rounds": 2})
    league.play()
    league.write(bots, schedule={"type": "swiss", "rounds": 5})
    assert dry().startswith("10 matches: 4 played before, 6 to be played")
    league.play()
    assert dry().startswith("10 matches: 10 played before, 0 to be played")


def test_it_works_while_the_run_goes_on(league: League, command: Command) -> None:
    league.write([league.bot("a", SLOW), league.bot("b", SLOW)], schedule={"rounds": 12})
    process = league.start("run", "league.yaml", "--jobs", "1")
    until(lambda: league.finished() >= 2)
    file, run = league.folder / "league.yaml", league.run_folder
    told = command("run", file, "-o", run, "--dry-run").out
    again = command("run", file, "-o", run, "--dry-run").out
    finish(process, 0)
    counts = [re.match(r"24 matches: (\d+) played before", each) for each in (told, again)]
    first, second = (int(found[1]) for found in counts if found)
    assert 2 <= first <= second


def test_what_the_run_would_refuse_is_refused_in_the_same_words(
    league: League, dry: Callable[..., str]
) -> None:
    bots = league.three()
    league.write(bots)
    league.play("--final")
    league.write([*bots, league.bot("late")])
    refused = dry(status=2)
    assert "is final since" in refused
    assert refused in league.play(status=2).stderr
    (league.folder / "other").mkdir()
    (league.folder / "other" / "file").touch()
    refused = dry("-o", "other", status=2)
    assert "has files and no run in it" in refused
    assert refused in league.play("-o", "other", status=2).stderr
    league.write([*bots, {"name": "late", "command": ["./missing"]}])
    refused = dry(status=2)
    assert "'./missing' does not exist" in refused
    assert refused in league.play(status=2).stderr


def test_what_is_planned_is_no_part_of_the_standings(
    league: League, dry: Callable[..., str], command: Command
) -> None:
    league.write(league.three())
    league.play()
    before = command("standings", league.run_folder, "--format", "json")
    league.write(league.three()[:2], name="renamed", disqualified="low")
    dry("-o", "runs/league")
    assert command("standings", league.run_folder, "--format", "json") == before
    assert json.loads(before.out)["tournament"] == "league"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "under a minute"),
        (44, "under a minute"),
        (60, "about a minute"),
        (120, "about 2 minutes"),
        (5400, "about 90 minutes"),
        (3 * 3600, "about 3 hours"),
        (47 * 3600, "about 47 hours"),
        (48 * 3600, "about 2 days"),
        (9e8, "about 10,417 days"),
    ],
)
def test_a_time_is_told_in_the_largest_unit_of_which_there_are_two(
    seconds: float, words: str
) -> None:
    assert duration(seconds) == words
