"""Whole runs with real processes: played, resumed, killed, interrupted, and with mean bots."""

import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tournaments.league import (
    SLOW,
    SOUND,
    League,
    Outcome,
    finish,
    records,
    until,
)
from tournaments.storage.store import Store

Command = Callable[..., Outcome]

# What is played, and what is not played again


def test_a_run_ends_with_the_standings_in_its_default_folder(
    played: League, command: Command
) -> None:
    before = records(played.run_folder, times=True)
    again = played.play()
    assert "12 of 12 matches" in again.stdout
    assert all(bot in again.stdout for bot in ("low", "high", "mid"))
    assert "12 matches, 12 of them played before" in again.stderr
    assert records(played.run_folder, times=True) == before
    written = played.standings()
    assert written == json.loads(command("standings", played.run_folder, "--format", "json").out)
    assert written["complete"]
    assert written["matches"] == {"scheduled": 12, "finished": 12, "void": 0, "retired": 0}
    assert {bot["name"]: bot["faults"] for bot in written["bots"]} == {
        "low": {},
        "high": {},
        "mid": {},
    }


def test_more_rounds_and_more_bots_play_only_what_is_new(league: League) -> None:
    bots = league.three()
    league.write(bots[:2])
    league.play()
    first = records(league.run_folder, times=True)
    league.write(bots[:2], schedule={"rounds": 2})
    league.play()
    second = records(league.run_folder, times=True)
    league.write([bots[2], *bots[:2]], schedule={"rounds": 2})
    league.play()
    third = records(league.run_folder, times=True)
    assert [len(each) for each in (first, second, third)] == [2, 4, 12]
    assert first.items() < second.items() < third.items()


def test_changed_rules_are_refused_and_named(played: League, league: League) -> None:
    league.write(league.three(), rules={"max_deals": 2}, schedule={"rounds": 2})
    refused = league.play("-o", str(played.run_folder), status=2)
    assert "max_deals" in refused.stderr
    assert "not be comparable" in refused.stderr
    assert refused.stdout == ""
    assert played.finished() == 12


def test_a_changed_bot_plays_under_a_new_name_and_the_old_one_can_come_back(league: League) -> None:
    bots = [league.bot("a"), league.bot("b")]
    league.write(bots)
    league.play()
    first = records(league.run_folder, times=True)
    league.bot("b", SOUND + "\n# changed")
    assert "changed since the last run, so new versions play: b@2\n" in league.play().stderr
    standings = league.standings()
    assert {bot["name"]: (bot["status"], bot["played"]) for bot in standings["bots"]} == {
        "a": ("playing", 4),
        "b": ("superseded", 2),
        "b@2": ("playing", 2),
    }
    assert standings["matches"] == {"scheduled": 2, "finished": 2, "void": 0, "retired": 2}
    assert first.items() < records(league.run_folder, times=True).items()
    assert league.call("verify", str(league.run_folder)).stdout.startswith("4 records agree ")
    league.bot("b")
    back = league.play().stderr
    assert "2 matches, 2 of them played before" in back
    assert "changed" not in back
    assert first.items() < records(league.run_folder, times=True).items()


def test_a_changed_record_of_an_earlier_version_is_found_as_well(league: League) -> None:
    bots = [league.bot("a"), league.bot("b")]
    league.write(bots)
    league.play()
    old = next(iter(records(league.run_folder)))
    league.bot("b", SOUND + "\n# changed")
    league.play()
    with sqlite3.connect(league.run_folder / "arena.db") as database:
        database.execute("UPDATE matches SET deals = deals + 1 WHERE match = ?", (old,))
    found = league.call("verify", str(league.run_folder), status=1).stdout
    assert f"match {old}: deals is stored as" in found


def test_what_is_refused_leaves_nothing_in_the_run_folder(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")])
    league.play()
    before = sorted(league.run_folder.rglob("*"))
    league.write([league.bot("a"), league.bot("c")], rules={"target": 77})
    assert "rules.target" in league.play(status=2).stderr
    assert sorted(league.run_folder.rglob("*")) == before


def test_a_folder_of_something_else_is_no_run_folder(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")])
    refused = league.play("-o", str(league.folder), status=2)
    assert "has files and no run in it: choose a new or an empty folder (-o)" in refused.stderr
    assert not (league.folder / "arena.db").exists()


def test_the_seed_of_the_command_line_stands_for_that_of_the_file(
    played: League, league: League
) -> None:
    league.write(league.three(), seed=None, schedule={"rounds": 2})
    league.play("--seed", "7", "--jobs", "2")
    assert records(league.run_folder) == records(played.run_folder)
    refused = league.play("--seed", "8", status=2)
    assert "seed" in refused.stderr


def test_without_a_seed_there_is_a_secret_that_is_told_to_nobody(
    league: League, command: Command
) -> None:
    spy = SOUND.replace("    if '\"id\":'", "    open('seen', 'a').write(line)\n    if '\"id\":'")
    assert spy != SOUND
    league.write([league.bot("a"), league.bot("spy", spy)], seed=None)
    first = league.play()
    with Store.read(league.run_folder) as store:
        root, commitment = store.root, store.tournament().commitment
    assert root is not None
    assert commitment is not None
    kind, secret = root.split()
    assert (kind, len(secret)) == ("secret", 32)
    assert hashlib.sha256(secret.encode()).hexdigest() == commitment
    assert f"prove it later: {commitment}" in first.stderr
    assert commitment in league.play("--quiet").stderr  # it stays the same, and is always told
    told = [
        first.stdout,
        first.stderr,
        (league.folder / "seen").read_text(),
        (league.run_folder / "standings.json").read_text(),
        *(record.decode() for record in records(league.run_folder, times=True).values()),
        command("export", league.run_folder, "--what", "matches").out,
        command("export", league.run_folder, "--what", "decisions").out,
    ]
    assert not any(secret in text for text in told)
    assert all(commitment in record.decode() for record in records(league.run_folder).values())
    assert command("verify", league.run_folder).status == 0

    elsewhere = league.folder / "elsewhere"
    league.play("-o", str(elsewhere))
    ours, theirs = (
        [line for r in records(run).values() for line in r.splitlines() if b'"hands"' in line]
        for run in (league.run_folder, elsewhere)
    )
    assert len(ours) == len(theirs) == 2
    assert not set(ours) & set(theirs)


# However it is played


def check_same(league: League, played: League, command: Command) -> None:
    """The two runs have the same results, as a user would compare them."""
    one, other = league.run_folder, played.run_folder
    assert records(one) == records(other)
    compared = [command("standings", run, "--format", "json") for run in (one, other)]
    assert compared[0] == compared[1]
    assert compared[0].status == 0
    assert command("verify", one) == (0, "12 records agree with the rules\n", "")


def test_two_tables_give_what_one_gives(played: League, league: League, command: Command) -> None:
    league.write(league.three(), schedule={"rounds": 2})
    league.play("--jobs", "2")
    check_same(league, played, command)


@pytest.mark.parametrize("moment", ["at its start", "in the first match", 1, 8])
def test_a_killed_run_goes_on_and_comes_to_the_same(
    moment: str | int, played: League, league: League, command: Command
) -> None:
    league.write(league.three(), schedule={"rounds": 2})
    process = league.start("run", "league.yaml", "--jobs", "2")
    if moment == "at its start":
        until(lambda: len(league.processes()) > 1)
    elif moment == "in the first match":
        until(lambda: any(command_of(pid, "low.py") for pid in league.processes()))
    else:
        assert isinstance(moment, int)
        until(lambda: league.finished() >= moment)
    finish_killed(process, quiet=moment != "at its start")
    league.check_nothing_is_left()
    kept = records(league.run_folder, times=True)
    assert isinstance(moment, str) or len(kept) >= moment
    league.play("--jobs", "2")
    assert kept.items() <= records(league.run_folder, times=True).items()
    check_same(league, played, command)


def command_of(pid: int, text: str) -> bool:
    """The process still lives and has the text in its command line."""
    try:
        return text.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def finish_killed(process: "subprocess.Popen[str]", *, quiet: bool) -> None:
    """Kills it. A worker that multiprocessing has only just begun to start says so in its way."""
    process.kill()
    _, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, "it was over before it was killed"
    assert not quiet or "Traceback" not in err


# Interrupted

STUBBORN = SLOW.replace("import sys, time", "import signal, sys, time; signal.signal(15, 1)") + (
    "\nwhile True:\n    time.sleep(9)\n"
)


@pytest.mark.parametrize(
    ("signum", "whom"),
    [
        (signal.SIGINT, "the whole group"),  # as a terminal does it
        (signal.SIGTERM, "the whole group"),
        (signal.SIGHUP, "the whole group"),  # as a terminal that is closed does it
        (signal.SIGTERM, "the coordinator"),
    ],
)
def test_an_interruption_keeps_what_is_finished_and_leaves_nothing_running(
    signum: signal.Signals, whom: str, league: League
) -> None:
    bots = [league.bot("a", SLOW), league.bot("stubborn", STUBBORN)]
    league.write(bots, schedule={"rounds": 50})
    process = league.start("run", "league.yaml", "--jobs", "2")
    until(lambda: league.finished() >= 1)
    began = time.monotonic()
    (os.killpg if whom == "the whole group" else os.kill)(process.pid, signum)
    time.sleep(0.02)
    process.send_signal(signum)  # somebody is impatient; of two kinds either may be seen first
    stopped = finish(process, 128 + signum)
    assert time.monotonic() - began < 20
    assert not league.processes()
    kept = records(league.run_folder, times=True)
    assert f"interrupted by {signum.name}; {len(kept)} finished matches are kept" in stopped.stderr
    assert "void" not in stopped.stderr
    league.write(bots)
    league.play()
    assert all(
        kept[match] == record
        for match, record in records(league.run_folder, times=True).items()
        if match in kept
    )
    assert league.standings()["complete"]


def test_an_interruption_while_the_workers_start_is_as_quiet(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")], schedule={"rounds": 50})
    process = league.start("run", "league.yaml", "--jobs", "2")
    until(lambda: any(command_of(pid, "spawn_main") for pid in league.processes()))
    os.killpg(process.pid, signal.SIGINT)
    stopped = finish(process, 130)
    assert stopped.stderr.splitlines()[-1].startswith("interrupted by SIGINT; ")


# The arena's own failures


def test_a_worker_that_is_killed_costs_its_match_which_is_played_again(league: League) -> None:
    league.write([league.bot("a", SLOW), league.bot("b", SLOW)], schedule={"rounds": 3})
    process = league.start("run", "league.yaml", "--jobs", "2")
    until(lambda: league.finished() >= 1)
    workers = [pid for pid in league.processes() if command_of(pid, "spawn_main")]
    os.kill(workers[0], signal.SIGKILL)
    result = finish(process, 0)
    assert result.stderr.count("is void, it is played again: WorkerDied") == 1
    standings = league.standings()
    assert standings["matches"] == {"scheduled": 6, "finished": 6, "void": 0, "retired": 0}
    assert all(bot["faults"] == {} for bot in standings["bots"])
    undisturbed = league.folder / "undisturbed"
    league.play("-o", str(undisturbed))
    assert records(league.run_folder) == records(undisturbed)


def test_a_match_that_kills_its_worker_each_time_is_given_up_and_the_rest_is_played(
    league: League,
) -> None:
    killer = SOUND.replace(
        "    reply =",
        "    import os\n    os.path.exists('peace') or os.kill(os.getppid(), 9)\n    reply =",
    )
    assert killer != SOUND
    league.write(
        [league.bot("a"), league.bot("killer", killer), league.bot("b")],
        schedule={"mirror": False},
    )
    first = league.play(status=3)
    assert first.stderr.count("is void, it is played again") == 4
    assert first.stderr.count("is void, given up: WorkerDied: the worker process ended") == 2
    assert "2 matches could not be played; run again to try them again" in first.stderr
    assert "1 of 3 matches, 2 void" in first.stdout
    standings = league.standings()
    assert standings["matches"] == {"scheduled": 3, "finished": 1, "void": 2, "retired": 0}
    assert not standings["complete"]
    assert all(bot["faults"] == {} for bot in standings["bots"])
    (league.folder / "peace").touch()
    league.play()
    assert league.standings()["complete"]


def test_a_second_run_on_a_held_folder_is_refused_until_the_first_has_died(
    league: League, command: Command
) -> None:
    bots = [league.bot("a", SLOW), league.bot("b", SLOW)]
    league.write(bots, schedule={"rounds": 50})
    process = league.start("run", "league.yaml")
    until(lambda: league.finished() >= 1)
    refused = league.play(status=3)
    assert "is held by another run: wait for its end, or use another folder (-o)" in refused.stderr
    assert command("standings", league.run_folder).status == 0  # readers are not kept out
    finish_killed(process, quiet=True)
    league.write(bots)
    league.play()


# Bots that misbehave

SILENT = "import time\ntime.sleep(600)\n"
EXITS = "raise SystemExit(3)\n"
FLOODS = """
import os, threading
threading.Thread(target=lambda: [os.write(2, b"e" * 65536) for _ in iter(int, 1)]).start()
while True:
    os.write(1, b"o" * 65536)
"""
FLOODS_LINES = FLOODS.replace('b"o" * 65536', 'b"o\\n" * 32768')
TRICKLES = """
import sys, time
sys.stdin.readline()
print('{"id": 1}', flush=True)
while True:
    print("x", end="", flush=True)
    time.sleep(0.01)
"""
FORKS = "import os, time\nif os.fork() == 0:\n    time.sleep(600)\n" + SOUND


def test_mean_bots_get_their_faults_and_cost_nobody_else_anything(
    league: League, command: Command
) -> None:
    expected = {
        "silent": (SILENT, {"start": 1}),
        "exits": (EXITS, {"exit": 1}),
        "floods": (FLOODS, {"output": 1}),
        "floods-lines": (FLOODS_LINES, {"malformed": 1}),
        "trickles": (TRICKLES, {"timeout": 1}),
        "forks": (FORKS, {}),
        "better": (SOUND, {}),
    }
    league.write(
        [league.bot("good"), *(league.bot(name, expected[name][0]) for name in expected)],
        schedule={"type": "gauntlet", "of": "good", "mirror": False},
        clock={"start": "4s", "move": "4s", "exit": "200ms"},
    )
    result = league.play()
    league.check_nothing_is_left()
    standings = league.standings()
    assert {bot["name"]: bot["faults"] for bot in standings["bots"]} == {
        "good": {},
        **{name: faults for name, (_, faults) in expected.items()},
    }
    assert standings["matches"] == {"scheduled": 7, "finished": 7, "void": 0, "retired": 0}
    ends = {
        row["E"] if row["N"] == "good" else row["N"]: row["reason"]
        for row in json.loads(command("export", league.run_folder, "--what", "matches").out)
    }
    assert ends == {
        name: "forfeit" if faults else "max_deals" for name, (_, faults) in expected.items()
    }
    for name, (_, faults) in expected.items():
        assert (f"{name}: {''.join(faults)} in match" in result.stderr) == bool(faults)
    assert command("verify", league.run_folder).out == "7 records agree with the rules\n"


# What it needs


def resident_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def test_the_coordinator_does_not_grow_with_the_matches(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")], schedule={"rounds": 30})
    process = league.start("run", "league.yaml")
    until(lambda: league.finished() >= 20)
    early = resident_kb(process.pid)
    until(lambda: league.finished() >= 50)
    late = resident_kb(process.pid)
    finish(process, 0)
    assert late - early < 4000
