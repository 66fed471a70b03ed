"""Gates that go on: with other jobs, after a kill, with another question, a changed bot."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

from tests.tournaments.gates.gated import (
    LOSES,
    QUICK,
    WILD,
    bot,
    finished_in,
    only_run,
    played_now,
    reported,
    timeless,
)
from tests.tournaments.league import SLOW, SOUND, League, Outcome, finish, records, until

Command = Callable[..., Outcome]


def test_jobs_and_a_kill_change_nothing_and_nothing_is_played_twice(league: League) -> None:
    league.bot("cand", WILD)
    league.bot("base", WILD)
    pair = (bot("cand"), "--against", bot("base", "-1", "4"))
    typed = ("gate", *pair, *QUICK, "--max-pairs", "8", "--quiet", "--format", "json")
    one, two = (league.folder / name for name in ("one", "two"))
    first = league.start(*typed, "--jobs", "2", "-o", "one")
    first.communicate(timeout=120)
    status = first.returncode
    assert status in (0, 1, 3)
    killed = league.start(*typed, "--jobs", "1", "-o", "two")
    until(lambda: finished_in(two) >= 3)
    killed.kill()
    killed.communicate()
    assert not (two / "gate.json").exists()
    league.call(*typed, "--jobs", "1", "-o", "two", status=status)
    assert timeless(one) == timeless(two)
    assert sum(count > 0 for count in reported(one)["pairs"]["by_quarters"]) > 1
    assert 0 < reported(two)["matches_played"] < reported(two)["matches"]
    assert records(one) == records(two)
    before = records(one, times=True)
    league.call(*typed, "-o", "one", status=status)
    assert reported(one)["matches_played"] == 0
    assert records(one, times=True) == before
    stale = league.start(*typed, "-o", "one", "--seed", "1")
    assert finish(stale, 2).stdout == ""
    assert not (one / "gate.json").exists()  # nobody takes it for the verdict of that


def test_another_question_about_the_same_bots_plays_no_match_again(
    gate_here: Command, gated: League
) -> None:
    loser = bot("cand", *LOSES)
    ended = gate_here(loser, "--max-pairs", "8")
    assert ended.status == 3
    assert ended.out.startswith("undecided: 8 pairs don't tell whether cand is better than base\n")
    run = only_run(gated)
    assert played_now(run) == 16
    assert gate_here(loser, "--elo1", "200").status == 1
    assert played_now(run) == 0
    assert gate_here(loser).status == 1
    assert (only_run(gated), played_now(run)) == (run, 2)
    assert gate_here(loser, "--elo1", "200").status == 1
    assert reported(run)["matches"] == 16


def test_a_changed_candidate_plays_its_matches_alone_and_an_old_one_comes_back(
    gate_here: Command, gated: League
) -> None:
    typed = (bot("cand", *LOSES), "--elo1", "200")
    assert gate_here(*typed).status == 1
    first = only_run(gated)
    gated.bot("cand", f"{SOUND}# changed")
    assert gate_here(*typed).status == 1
    (second,) = set((gated.folder / "runs" / "gate").iterdir()) - {first}
    assert (played_now(second), finished_in(first)) == (16, 16)
    gated.bot("cand")
    assert gate_here(*typed).status == 1
    assert played_now(first) == 0


def test_in_a_folder_that_is_named_a_changed_candidate_is_its_next_version(
    gate_here: Command, gated: League, command: Command
) -> None:
    typed = (bot("cand", *LOSES), "--elo1", "200", "-o", "run")
    assert gate_here(*typed).status == 1
    gated.bot("cand", f"{SOUND}# changed")
    ended = gate_here(*typed)
    assert ended.out.startswith("failed: cand@2 is not better than base\n")
    assert "changed since the last run, so new versions play: cand@2\n" in ended.err
    assert played_now(Path("run")) == 16
    assert reported(Path("run"))["candidate"]["name"] == "cand@2"
    for changed in (("--rules", "standard"), ("--seed", "1")):
        refused = gate_here(*typed, *changed)
        assert (refused.status, refused.out) == (2, "")
        assert "would not be comparable" in refused.err
    assert "32 records agree" in command("verify", "run").out


def test_the_run_of_a_tournament_is_not_taken_over(league: League) -> None:
    league.write(league.three())
    league.play()
    for name in ("junit.xml", "summary.md"):
        (league.run_folder / name).write_text("of the league")
    before = {path.name: path.read_bytes() for path in league.run_folder.glob("[!ab]*")}
    pair = (bot("low"), "--against", bot("high", "-1", "4"))
    refused = league.call("gate", *pair, *QUICK, "-o", "runs/league", status=2)
    assert "runs/league is the run of 'league', not of this gate: choose another (-o)" in (
        refused.stderr
    )
    assert {path.name: path.read_bytes() for path in league.run_folder.glob("[!ab]*")} == before
    assert "6 of 6 matches" in league.call("standings", "runs/league").stdout


def test_standings_of_a_gate_that_a_fault_has_ended_are_the_same_with_more_jobs(
    league: League,
) -> None:
    league.bot("cand", "raise SystemExit")
    league.bot("base")
    typed = ("gate", bot("cand"), "--against", bot("base"), *QUICK)
    for jobs in ("1", "2"):
        league.call(*typed, "--jobs", jobs, "-o", jobs, status=4)
    one, two = (league.call("standings", jobs, "--format", "json").stdout for jobs in "12")
    assert one == two
    assert json.loads(one)["matches"]["finished"] == 1
    assert json.loads(one)["complete"]
    league.call(*typed, "-o", "2", status=4)
    assert played_now(league.folder / "2") == 0
    assert league.call("standings", "2", "--format", "json").stdout == one


def test_bots_of_one_name_can_meet(gate_here: Command, gated: League) -> None:
    (gated.folder / "old").mkdir()
    (gated.folder / "old" / "base.py").write_text(SOUND)
    ended = gate_here("{python} -S -E old/base.py 0 13", "--quiet")
    assert (ended.status, ended.err) == (1, "")
    assert ended.out.startswith("failed: base is not better than base.baseline\n")


def test_an_interrupted_gate_says_what_is_kept(league: League) -> None:
    for name in ("cand", "base"):
        league.bot(name, SLOW)
    process = league.start("gate", bot("cand"), "--against", bot("base"), *QUICK, "-o", "run")
    run = league.folder / "run"
    until(lambda: finished_in(run) >= 1)
    os.killpg(process.pid, signal.SIGINT)
    told = finish(process, 130)
    assert told.stdout == ""
    kept = f"interrupted by SIGINT; {finished_in(run)} finished matches are kept in run, "
    assert kept in told.stderr
