"""A run on a machine that fails it: lag, lost files, closed outputs, no room, nothing left to open.

What was finished is kept, no bot is charged, and a sentence says what to do.
"""

import multiprocessing.popen_spawn_posix  # noqa: F401  while it may be read
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tournaments.league import SLOW, SOUND, League, finish, records, until
from tests.tournaments.runs.test_runner import command_of
from tests.tournaments.small_run import numbers, result, row, start
from tournaments.errors import ArenaError, machine_trouble
from tournaments.runs.executors import LocalExecutor
from tournaments.runs.runner import STOP_AFTER
from tournaments.storage.store import Store

NOBODY = 65534


def long_run(league: League, jobs: int = 2) -> "subprocess.Popen[str]":
    """A run of many matches, of which some are finished."""
    league.write([league.bot("a", SLOW), league.bot("b", SLOW)], schedule={"rounds": 100})
    process = league.start("run", "league.yaml", "--jobs", str(jobs))
    until(lambda: league.finished() >= 2)
    return process


def workers(league: League) -> list[int]:
    return [pid for pid in league.processes() if command_of(pid, "spawn_main")]


def check_goes_on(league: League, kept: dict[str, bytes]) -> None:
    """The same command goes on, and all that was kept is still there."""
    league.write([league.bot("a", SLOW), league.bot("b", SLOW)], schedule={"rounds": 3})
    league.play()
    assert league.standings()["complete"]
    with Store.read(league.run_folder) as store:
        assert all(store.record(match) == record for match, record in kept.items())


# Lag

THINKS_ONCE = SOUND.replace(
    "    reply = ",
    """    if '"type":"play"' in line:
        import os
        if not os.path.exists("thought"):
            open("thought", "w").close()
            time.sleep(0.3)
    reply = """,
)


def test_a_clock_that_runs_out_while_the_arena_is_stopped_costs_no_bot_anything(
    league: League,
) -> None:
    bots = [league.bot("a", THINKS_ONCE), league.bot("b")]
    league.write(bots, clock={"start": "60s", "move": "2s", "exit": "200ms"})
    process = league.start("run", "league.yaml", "--jobs", "1")
    until((league.folder / "thought").exists)
    (worker,) = workers(league)
    os.kill(worker, signal.SIGSTOP)
    time.sleep(3)  # the bot has answered long before its clock runs out
    os.kill(worker, signal.SIGCONT)
    err = finish(process, 0).stderr
    assert err.count("is void, it is played again: a clock ran out while the arena was ") == 1
    assert re.search(
        r"^clocks: arena at most \d+ ms late in 2 matches, 1 voided for lag$", err, re.M
    )
    standings = league.standings()
    assert standings["matches"] == {"scheduled": 2, "finished": 2, "void": 0, "retired": 0}
    assert all(bot["faults"] == {} for bot in standings["bots"])
    undisturbed = league.folder / "undisturbed"
    league.play("-o", str(undisturbed))
    assert records(league.run_folder) == records(undisturbed)


def test_a_run_ends_with_how_well_its_clocks_were_watched_unless_it_plays_nothing(
    league: League,
) -> None:
    league.write([league.bot("a"), league.bot("b")])
    line = r"clocks: arena at most \d+ ms late in 2 matches, 0 voided for lag"
    assert re.fullmatch(line, league.play().stderr.splitlines()[-1])
    assert "clocks" not in league.play().stderr


# Outputs that nobody reads


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_run_whose_output_is_closed_is_played_to_its_end(closed: str, league: League) -> None:
    league.write([league.bot("a", SLOW), league.bot("b")], schedule={"rounds": 2})
    process = league.start("run", "league.yaml")
    pipe = getattr(process, closed)
    until(lambda: league.finished() >= 1)
    pipe.close()
    setattr(process, closed, None)
    out, err = process.communicate(timeout=60)
    if closed == "stdout":
        assert process.returncode == 3
        assert err.splitlines()[-1] == (
            "arena error: standard output was closed before the standings were printed: they are in"
            " runs/league/standings.json"
        )
    else:
        assert process.returncode == 0, out
    assert "Error" not in (out or "") + (err or "")
    assert league.standings()["complete"]


@pytest.mark.parametrize(
    ("redirected", "status", "told"),
    [
        ("<&- >&- 2>&-", 3, ""),
        (">&-", 3, "4 of 4 matches"),
        (">&-", 3, "arena error: standard output was closed before the standings were printed"),
        ("2>/dev/full", 0, "4 of 4 matches"),
        (">/dev/full", 3, "arena error: the disk is full: make room"),
    ],
)
def test_a_run_keeps_its_matches_wherever_its_outputs_lead(
    redirected: str, status: int, told: str, league: League
) -> None:
    league.write([league.bot("a"), league.bot("b")], schedule={"rounds": 2})
    command = f"exec {sys.executable} -m tournaments.cli run league.yaml {redirected}"
    ran = subprocess.run(
        ["sh", "-c", command],
        cwd=league.folder,
        env=league.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == status, ran
    assert told in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
    assert league.standings()["complete"]


# A database that is lost


def unlink(run: Path) -> None:
    for file in run.glob("arena.db*"):
        file.unlink()


def replace(run: Path) -> None:
    shutil.copy(run / "arena.db", run / "other")
    (run / "other").replace(run / "arena.db")


LOST: dict[str, tuple[Callable[[Path], object], str, Callable[[Path], object]]] = {
    "deleted": (unlink, "was deleted or replaced .* is saved in .*arena.db: run again", str),
    "replaced": (
        replace,
        "is saved in .*arena-rescued.db: rename it to arena.db and run again",
        lambda run: (run / "arena-rescued.db").replace(run / "arena.db"),
    ),
    "gone with its folder": (shutil.rmtree, "is saved in .*arena.db: run again", str),
    "moved": (
        lambda run: (run / "arena.db").rename(run / "moved"),
        "was moved, .* Move it back and run again",
        lambda run: (run / "moved").rename(run / "arena.db"),
    ),
    "moved with its folder": (
        lambda run: run.rename(run.with_name("moved")),
        "was moved, or its folder was",
        lambda run: run.with_name("moved").rename(run),
    ),
}


@pytest.mark.parametrize("how", LOST)
def test_a_database_that_loses_its_name_is_told_and_nothing_in_it_is_lost(
    how: str, folder: Path
) -> None:
    lose, told, mend = LOST[how]
    with Store.hold(folder) as store:
        start(store, 3)
        store.add(row(0), result(0))
        store.add(row(1), result(1))
        lose(folder)
        with pytest.raises(ArenaError, match=told):
            store.add(row(2), result(2))
    mend(folder)
    with Store.hold(folder) as store:
        assert numbers(store.finished()) == [0, 1]
        assert store.add(row(2), result(2))


def test_a_database_that_is_lost_in_a_transaction_is_saved_as_it_was_before(folder: Path) -> None:
    with Store.hold(folder) as store:
        start(store, 3)

        def rows() -> None:
            with store._database.transaction():
                store._database.change("DELETE FROM schedule")
                unlink(folder)
                store._database.change("DELETE FROM matches")

        with pytest.raises(ArenaError, match="is saved in"):
            rows()
    with Store.hold(folder) as store:
        assert store.counts().scheduled == 3


def test_a_run_whose_folder_vanishes_stops_and_can_go_on(league: League) -> None:
    process = long_run(league)
    kept = records(league.run_folder, times=True)
    shutil.rmtree(league.run_folder)
    err = finish(process, 3).stderr
    assert re.search(r"^arena error: .*arena.db was deleted .*: run again$", err, re.M)
    league.check_nothing_is_left()
    check_goes_on(league, kept)


def test_a_bot_whose_copy_vanishes_is_not_charged(league: League) -> None:
    (league.folder / "own").mkdir()
    (league.folder / "own" / "own.py").write_text(SLOW)
    own = {"name": "own", "folder": "own", "command": ["{python}", "-S", "-E", "own.py"]}
    league.write([league.bot("a", SLOW), own], schedule={"rounds": 20})
    process = league.start("run", "league.yaml")
    until(lambda: league.finished() >= 2)
    shutil.rmtree(league.run_folder / "bots")
    err = finish(process, 3).stderr
    assert err.count("given up: ") >= STOP_AFTER  # a match on the other table may be finished
    assert f"{STOP_AFTER} matches in a row could not be played: " in err
    assert "a file or folder has vanished: put it back, and run again: finished matches" in err
    league.write([league.bot("a", SLOW), own], schedule={"rounds": 4})
    league.play()
    standings = league.standings()
    assert standings["complete"]
    assert all(bot["faults"] == {} for bot in standings["bots"])


def test_a_bot_without_a_box_that_removes_its_program_voids_its_matches(league: League) -> None:
    program = league.folder / "own" / "own.py"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable} -SE\nimport os\nos.unlink(__file__)\n")
    program.chmod(0o755)
    own = {"name": "own", "folder": "own", "command": ["./own.py"]}
    league.write([league.bot("a"), own])
    err = league.play(status=3).stderr
    assert err.count("own.py: a file or folder has vanished: put it back") == 6
    assert err.count("given up: ") == 2
    assert all(bot["faults"] == {} for bot in league.standings()["bots"])


# Nothing left to use


def test_a_file_that_has_grown_to_its_limit_stops_the_run_and_loses_nothing(
    league: League,
) -> None:
    process = long_run(league)
    size = sum(file.stat().st_size for file in league.run_folder.glob("arena.db-wal"))
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, size))
    err = finish(process, 3).stderr
    assert re.search(r"arena error: .*(at its limit \(ulimit -f\)|the disk is full)", err)
    assert "finished matches are kept" in err
    kept = records(league.run_folder, times=True)
    assert len(kept) >= 2
    check_goes_on(league, kept)


@pytest.mark.parametrize("whose", ["the workers'", "the coordinator's"])
def test_without_open_files_left_the_run_stops_and_says_so(whose: str, league: League) -> None:
    process = long_run(league)
    if whose == "the workers'":
        for pid in workers(league):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (20, 20))  # fewer than four bots need
    else:
        used = max(map(int, os.listdir(f"/proc/{process.pid}/fd"))) + 1
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (used, used))
        for pid in workers(league):
            os.kill(pid, signal.SIGKILL)  # starting another takes more than this one had
    err = finish(process, 3).stderr
    assert re.search(
        r"^arena error: .*too many open files: raise the limit \(ulimit -n\)", err, re.M
    )
    kept = records(league.run_folder, times=True)
    assert len(kept) >= 2
    check_goes_on(league, kept)


def test_without_processes_left_the_trouble_is_named() -> None:
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        said = []
        try:
            if not os.getuid():
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            executor = LocalExecutor([{0}])
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
            for refused in (executor._tables[0]._start, lambda: executor.submit(int)):
                try:
                    refused()
                except Exception as error:
                    said.append(str(machine_trouble(error)))
        finally:
            os.write(theirs, "\n".join(said).encode())
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        said = pipe.read().splitlines()
    os.waitpid(child, 0)
    told = "no more processes can be started: raise the limit (ulimit -u), or end some"
    assert said == [told, told]
