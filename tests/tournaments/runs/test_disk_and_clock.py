"""A run whose disk, lock or clock goes wrong, or that sleeps for a while, as users see it.

It stops with a sentence, or goes on; and run again it comes to what an undisturbed run comes to.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import connect

import pytest

from tests.tournaments.league import ROOT, SLOW, Entry, League, finish, records, until
from tests.tournaments.normal_user import command_of_a_normal_user

CLOCK = """
import datetime, time
from pathlib import Path

def ahead(now=time.time, file=Path(__file__).with_name("ahead")):
    try:
        return float(file.read_text())
    except FileNotFoundError:
        return 0.0

class Shifted(datetime.datetime):
    @classmethod
    def now(cls, tz=None, now=datetime.datetime.now):
        return now(tz) + datetime.timedelta(seconds=ahead())

datetime.datetime = Shifted
time.time = lambda now=time.time: now() + ahead()
"""
"""Run before the command: a clock that is wrong by as many seconds as a file beside it says."""

IMPATIENT = "from tournaments import database\n\ndatabase.PATIENCE = 0.5\n"
"""Run before the command: it waits less than a test would have to."""


def before_the_command(league: League, source: str) -> Path:
    """Has whatever is run from now on begin with this; the folder that it stands in."""
    folder = league.folder / "before"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(source)
    league.environment["PYTHONPATH"] = f"{folder}:{ROOT}"
    return folder


def write(league: League, rounds: int) -> None:
    bots: list[Entry | str] = [league.bot("a", SLOW), league.bot("b", SLOW, "-1", "4")]
    league.write(bots, schedule={"rounds": rounds})


def check_as_undisturbed(league: League) -> None:
    """What is there now is what one run comes to, and no bot was charged with anything."""
    undisturbed = league.folder / "undisturbed"
    league.play("-o", str(undisturbed), "--jobs", "1")
    assert records(league.run_folder) == records(undisturbed)
    standings = (league.run_folder / "standings.json").read_bytes()
    assert standings == (undisturbed / "standings.json").read_bytes()
    assert league.standings()["complete"]
    assert all(bot["faults"] == {} for bot in league.standings()["bots"])


# The disk


@contextmanager
def small_disk(folder: Path, options: str) -> Iterator[Callable[[str], None]]:
    """A disk of its own at that place, and what changes its options."""
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o"]
    made = subprocess.run([*mount, options, "tmpfs", str(folder)], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"no disk can be mounted here: {made.stderr.strip()}")

    def change(new: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{new}", str(folder)], check=True)

    try:
        yield change
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_fills_while_matches_are_played_stops_the_run(league: League) -> None:
    with small_disk(league.folder / "runs", "size=400k") as change:
        write(league, 100)
        stopped = league.play(status=3)
        assert re.search(
            r"^arena error: .*arena\.db: the disk .*run again: finished matches are kept",
            stopped.stderr,
            re.M,
        )
        assert "disk is full" in stopped.stderr or "or is full" in stopped.stderr
        kept = records(league.run_folder, times=True)
        assert len(kept) >= 2
        change("size=40m")
        write(league, len(kept) // 2 + 1)
        league.play()
        assert kept.items() <= records(league.run_folder, times=True).items()
        check_as_undisturbed(league)


def test_a_temporary_folder_that_fills_stops_the_run_and_charges_nobody(league: League) -> None:
    with small_disk(league.temporary, "nr_inodes=60"):
        write(league, 100)
        process = league.start("run", "league.yaml")
        until(lambda: league.finished() >= 2)
        fillers = fill(league.temporary)
        err = finish(process, 3).stderr
        assert "matches in a row could not be played: " in err
        assert "the disk is full: make room, and run again: finished matches are kept" in err
        for file in fillers:
            file.unlink(missing_ok=True)
        write(league, league.finished() // 2 + 1)
        league.play()
        check_as_undisturbed(league)
        league.check_nothing_is_left()


def fill(disk: Path) -> list[Path]:
    """Makes files until no more can be made, also in place of those that end meanwhile."""
    files: list[Path] = []
    end = time.monotonic() + 2
    while time.monotonic() < end:
        files.append(disk / f"filler-{len(files)}")
        try:
            files[-1].touch()
        except OSError:
            time.sleep(0.001)
    return files


def test_a_run_folder_that_becomes_read_only_loses_nothing() -> None:
    with command_of_a_normal_user() as (command, environment, own):
        league = League(own)
        league.environment = environment
        write(league, 4)
        run = [*command, "run", "league.yaml"]

        def play(status: int) -> str:
            ended = subprocess.run(run, cwd=own, env=environment, capture_output=True, text=True)
            assert ended.returncode == status, ended.stderr
            return ended.stderr

        with subprocess.Popen(
            run, cwd=own, env=environment, stderr=subprocess.PIPE, text=True
        ) as process:
            until(lambda: league.finished() >= 2)
            league.run_folder.chmod(0o555)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 3
        assert "standings.json: permission denied: mend the permissions" in err
        assert "Traceback" not in err
        kept = records(league.run_folder, times=True)
        assert len(kept) == 8
        for file in league.run_folder.glob("arena.db*"):
            file.chmod(0o444)
        write(league, 5)
        assert re.search(r"arena error: .*arena\.db: it can't be written\. Mend the perm", play(3))
        league.run_folder.chmod(0o755)
        for file in league.run_folder.glob("arena.db*"):
            file.chmod(0o644)
        assert "8 of them played before" in play(0)
        assert kept.items() <= records(league.run_folder, times=True).items()
        shutil.move(league.run_folder, own / "disturbed")
        play(0)
        assert records(own / "disturbed") == records(league.run_folder)


# The database, locked by another program


def test_a_lock_that_is_given_up_in_time_interrupts_nothing(league: League) -> None:
    write(league, 5)
    process = league.start("run", "league.yaml")
    until(lambda: league.finished() >= 2)
    with closing(connect(league.run_folder / "arena.db", isolation_level=None)) as other:
        other.execute("PRAGMA busy_timeout = 60000")
        other.execute("BEGIN EXCLUSIVE")
        stood = league.finished()
        time.sleep(1)
        assert league.finished() == stood
        other.execute("COMMIT")
    err = finish(process, 0).stderr
    assert "locked" not in err
    assert "void, " not in err
    check_as_undisturbed(league)


def test_a_lock_that_is_kept_stops_the_run(league: League) -> None:
    before_the_command(league, IMPATIENT)
    write(league, 100)
    process = league.start("run", "league.yaml")
    until(lambda: league.finished() >= 2)
    with closing(connect(league.run_folder / "arena.db", isolation_level=None)) as other:
        other.execute("PRAGMA busy_timeout = 60000")
        other.execute("BEGIN EXCLUSIVE")
        told = "another program keeps it locked. End that program and run again"
        assert told in finish(process, 3).stderr
        assert told in league.play(status=3).stderr  # also at its beginning
        kept = records(league.run_folder, times=True)
    write(league, len(kept) // 2 + 1)
    league.play()
    assert kept.items() <= records(league.run_folder, times=True).items()
    check_as_undisturbed(league)


# The clock


def test_a_clock_that_is_set_back_changes_no_result_and_is_told(league: League) -> None:
    wrong = before_the_command(league, CLOCK) / "ahead"
    write(league, 5)
    process = league.start("run", "league.yaml")
    until(lambda: league.finished() >= 2)
    wrong.with_name("written").write_text("-86400")
    wrong.with_name("written").rename(wrong)  # whoever reads it meanwhile finds all of it
    err = finish(process, 0).stderr
    assert "clock of this machine" not in err
    assert "void, " not in err
    write(league, 6)
    told = league.play().stderr
    assert re.search(
        r"^the clock of this machine is behind, as a match was finished at \d{4}-\d\d-\d\dT\S+: set"
        r" it if it is wrong\. Dates will be out of order; no result depends on them$",
        told,
        re.M,
    )
    wrong.unlink()
    write(league, 7)
    assert "clock of this machine" not in league.play().stderr
    assert "14 records agree" in league.call("verify", str(league.run_folder)).stdout
    check_as_undisturbed(league)


def test_a_run_that_sleeps_for_longer_than_a_clock_charges_nobody(league: League) -> None:
    bots: list[Entry | str] = [league.bot("a", SLOW), league.bot("b", SLOW)]
    clock = {"start": "60s", "move": "2s", "exit": "200ms"}
    league.write(bots, schedule={"rounds": 3}, clock=clock)
    process = league.start("run", "league.yaml", "--jobs", "2")
    until(lambda: league.finished() >= 1)
    asleep = league.processes()
    assert len(asleep) > 3
    for signum in (signal.SIGSTOP, signal.SIGCONT):
        for pid in asleep:
            with suppress(ProcessLookupError):  # a bot may have ended with its match
                os.kill(pid, signum)
        time.sleep(3 if signum == signal.SIGSTOP else 0)
    finish(process, 0)
    check_as_undisturbed(league)
