"""Adaptive tournaments as they are run: the same however they are played, and gone on with."""

import json
import signal
import zlib
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from arena.match import MatchResult, MatchSpec
from tests.tournaments.here import HereExecutor
from tests.tournaments.league import League, Outcome, records, until
from tests.tournaments.small_run import RECORD
from tournaments.storage.store import Store

Command = Callable[..., Outcome]
Play = Callable[..., Any]

STRENGTH = {"high": 0.75, "mid": 0.6, "low": 0.4, "same": 0.4, "new": 0.5}


def adaptive(rounds: int, **settings: Any) -> dict[str, Any]:
    return {"schedule": {"type": "adaptive", "rounds": rounds, **settings}}


def drawn(spec: MatchSpec) -> MatchResult:
    """What a match comes to that nobody plays: by its id, the stronger more often."""
    north, east = (spec.seats[seat].program.name.partition("@")[0] for seat in ("N", "E"))
    chance = 0.5 + STRENGTH[north] - STRENGTH[east]
    won = int(spec.match, 16) / 16**16 < chance
    return MatchResult(
        match=spec.match,
        winner="NS" if won else "EW",
        reason="target",
        forfeited=None,
        offender=None,
        score={"NS": 500 * won, "EW": 500 - 500 * won},
        points={"NS": 500.0 * won, "EW": 500.0 - 500 * won},
        deals=8,
        faults={},
        logs={},
        record=zlib.compress(RECORD),
    )


@pytest.fixture
def play(league: League, command: Command, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs a tournament of bots with these names, results drawn; gives the standings."""
    monkeypatch.setattr("tournaments.cli.run.LocalExecutor", HereExecutor)
    monkeypatch.setattr("tournaments.runs.runner.play", drawn)
    monkeypatch.chdir(league.folder)

    def run(bots: str, run: str = "runs/league", **settings: Any) -> Any:
        league.write([{"name": name, "command": ["true"]} for name in bots.split()], **settings)
        ended = command("run", "league.yaml", "-o", run)
        assert ended.status == 0, ended.err
        return json.loads(Path(run, "standings.json").read_text())

    return run


def kept(run: str = "runs/league") -> list[str]:
    """The matches that count, in schedule order."""
    with Store.read(Path(run)) as store:
        return [match.match for match in store.finished()]


def test_any_number_of_jobs_and_any_kill_come_to_the_same(league: League) -> None:
    league.write(league.three(), **adaptive(4))
    league.play("--jobs", "1", "-o", "one")
    league.play("--jobs", "3", "-o", "many")
    for stood in (3, 15):
        process = league.start("run", "league.yaml", "--jobs", "2")
        until(lambda stood=stood: league.finished() >= stood)  # type: ignore[misc]
        process.send_signal(signal.SIGKILL)
        process.communicate()
        until(lambda: not league.processes())
    league.play()
    runs = [league.folder / "one", league.folder / "many", league.run_folder]
    one, many, killed = ([*records(run).items()] for run in runs)
    assert len(one) == 24
    assert one == many == killed
    assert len({(run / "standings.json").read_text() for run in runs}) == 1


def test_what_has_stopped_plays_nothing_more_until_more_is_asked_for(
    play: Play, command: Command
) -> None:
    found = play("high mid low", **adaptive(400, confidence=0.9))
    matches, reached = found["matches"]["finished"], found["adaptive"]["reached"]
    assert found["complete"]
    assert 60 <= matches < 2400
    assert 0.9 <= reached < 0.9999
    assert found["adaptive"] == {
        "goal": "order",
        "confidence": 0.9,
        "reached": reached,
        "stopped": "confidence",
        "most": 2400,
    }
    before = kept()
    again = command("run", "league.yaml", "-o", "runs/league").err.splitlines()
    assert again[-1].startswith("stopped: the order is right with 9")
    assert again[-1].endswith(f"% confidence after {matches} of at most 2,400 matches")
    dry = command("run", "league.yaml", "--dry-run").out
    assert dry.startswith(f"{matches} matches: {matches} played before, 0 to be played\n")
    less = play("high mid low", **adaptive(1, confidence=0.6))
    assert (less["matches"], less["bots"]) == (found["matches"], found["bots"])
    assert less["complete"]
    more = play("high mid low", **adaptive(400, confidence=0.9999))
    assert more["matches"]["finished"] > matches
    assert kept()[:matches] == before
    assert more == play("high mid low", "runs/at-once", **adaptive(400, confidence=0.9999))
    assert kept() == kept("runs/at-once")


def test_a_budget_that_is_used_up_is_told_and_a_larger_one_gone_on_with(
    league: League, play: Play, command: Command
) -> None:
    bots, top = "high mid low same", {"top": 3}
    play(bots, "runs/other", **adaptive(2, goal=top))
    dry = command("run", "league.yaml", "--dry-run").out
    assert dry.startswith("at most 24 matches: 0 played before, at most 24 to be played\n")
    found = play(bots, **adaptive(2, goal=top))
    assert found["matches"] == {"scheduled": 24, "finished": 24, "void": 0, "retired": 0}
    assert (found["adaptive"]["goal"], found["adaptive"]["stopped"]) == (top, "budget")
    told = command("run", "league.yaml", "-o", "runs/league").err.splitlines()[-1]
    assert told.startswith("the budget is used up: after 24 matches the first 3 are right with ")
    assert told.endswith(" % confidence, 95 % were wanted")
    before = kept()
    assert play(bots, **adaptive(3, goal=top))["matches"]["finished"] == 36
    assert kept()[:24] == before
    caption = " ".join(command("standings", "runs/league").out.split())
    assert "league: 36 of 36 matches, adaptive: the first 3 are right with " in caption


def test_results_are_shared_with_a_round_robin_in_the_same_folder(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []

    def noted(spec: MatchSpec) -> MatchResult:
        played.append(spec.match)
        return drawn(spec)

    monkeypatch.setattr("tournaments.runs.runner.play", noted)
    play("high mid low same", schedule={"rounds": 4})
    around = kept()
    found = play("high mid low same", **adaptive(4))
    assert found == play("high mid low same", "runs/at-once", **adaptive(4))
    in_both = {*around} & {*kept()}
    assert len(in_both) > 24
    assert len(played) == 48 + (48 - len(in_both)) + 48


def test_who_comes_plays_from_the_next_batch_on_and_who_leaves_and_comes_back_moves_nothing(
    play: Play,
) -> None:
    bots = "high low same new"
    three = play("high low same", **adaptive(4))
    before = kept()
    whole = play(bots, **adaptive(4))
    assert (three["matches"]["finished"], whole["matches"]["finished"]) == (24, 48)
    assert kept()[:24] == before
    played = next(bot["played"] for bot in whole["bots"] if bot["name"] == "new")
    assert played > 12
    for way, finished in (("withdrawn", 48), ("disqualified", 48 - played)):
        left = play(bots, **adaptive(4), **{way: "new"})
        assert (left["complete"], left["matches"]["finished"]) == (True, finished)
        assert play(bots, **adaptive(4)) == whole


def test_a_match_that_was_given_up_is_played_before_anything_is_drawn(
    league: League, play: Play, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(HereExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            failed: Future[Any] = Future()
            failed.set_exception(RuntimeError("void"))
            return failed

    league.write([{"name": name, "command": ["true"]} for name in ("low", "same")], **adaptive(20))
    with monkeypatch.context() as patched:
        patched.setattr("tournaments.cli.run.LocalExecutor", Failing)
        assert command("run", "league.yaml").status == 3
    with Store.read(Path("runs/league")) as store:
        assert store.counts() == (40, 0, 8, 0)
    assert play("low same", **adaptive(20))["complete"]
