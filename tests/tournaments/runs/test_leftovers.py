"""What a run leaves that was killed with all its workers at once, and what the next one ends."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.reaper import kill_bots
from tests.arena.programs import processes_with
from tests.arena.sandbox.users import need_bubblewrap
from tests.tournaments.league import ROOT, SLOW, League, until
from tests.tournaments.normal_user import command_of_a_normal_user
from tournaments.runs import leftovers

BEGINS = """import sys, time
sys.excepthook = lambda *failure: time.sleep(600)
open('came', 'a').close()"""
STAYS = f"{SLOW.replace('import sys, time', BEGINS)}\ntime.sleep(600)\n"
"""Does not leave when its input ends, nor when nobody reads what it answers at that moment."""

DIES_AT_A_BOX = """
import os, sys, tempfile
from pathlib import Path
from arena.program import Program
from arena.sandbox import Sandbox, bubblewrap, start

def spawn(line, fds, spawn=bubblewrap._spawn):
    os.set_blocking(fds.info, False)
    try:
        while os.write(fds.info, bytes(4096)):
            pass
    except BlockingIOError:
        os.set_blocking(fds.info, True)
    pid = spawn(line, fds).pid
    while not Path(f"/proc/{pid}/task/{pid}/children").read_text():
        pass
    os.kill(os.getpid(), 9)

tempfile.tempdir = sys.argv[1]
bubblewrap._spawn = spawn
start(Sandbox("bubblewrap"), Program("", "", ("/bin/true",), "/usr/bin"), None, 0)
"""
"""Dies when bwrap has started an init and can't tell it to go on, as its own pipe is full."""

SLEEPS = "import time; time.sleep(600)"


@pytest.fixture(autouse=True)
def orphans() -> Iterator[None]:
    """What loses its parent may become a child of ours, whom nobody else waits for."""
    yield
    kill_bots()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that temporary files are in, for this test."""
    folder = tmp_path / "tmp"
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def sleeper(home: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-S", "-E", "-c", SLEEPS], env={"HOME": str(home)})


def test_what_a_run_killed_with_its_workers_has_left_is_cleared_away_by_the_next(
    league: League,
) -> None:
    bots = [league.bot("a", SLOW), league.bot("stays", STAYS)]
    league.write(bots, schedule={"rounds": 50})
    process = league.start("run", "league.yaml")
    until(lambda: league.finished() >= 1)
    (league.folder / "came").unlink()
    until((league.folder / "came").exists)
    os.killpg(process.pid, signal.SIGKILL)  # bots are in sessions of their own
    process.communicate(timeout=60)
    assert list(league.temporary.iterdir())
    left = processes_with(f"HOME={league.temporary}")
    assert left
    league.write(bots)
    league.play()
    assert not set(left) & set(processes_with(f"HOME={league.temporary}"))
    league.check_nothing_is_left()


def test_a_process_in_the_folder_of_a_run_is_ended_also_if_it_is_stopped(temporary: Path) -> None:
    folder = temporary / f"{leftovers.prefix(temporary)}1"
    (folder / "match-1" / "bot-1").mkdir(parents=True)
    with sleeper(folder / "match-1" / "bot-1") as process:
        process.send_signal(signal.SIGSTOP)
        leftovers.clear(temporary)
        assert process.wait(60) == -signal.SIGKILL
    assert not folder.exists()


def test_a_box_that_was_just_being_made_is_ended(temporary: Path) -> None:
    need_bubblewrap()
    folder = temporary / f"{leftovers.prefix(temporary)}1"
    folder.mkdir()
    command = [sys.executable, "-c", DIES_AT_A_BOX, str(folder)]
    assert subprocess.run(command, cwd=ROOT).returncode == -signal.SIGKILL
    mark = f"HOME={folder}/"
    until(lambda: len(processes_with(mark)) == 1)  # the init; bwrap ends
    leftovers.clear(temporary)
    assert not processes_with(mark)
    assert not folder.exists()


def test_a_normal_user_ends_a_box_of_its_own() -> None:
    with command_of_a_normal_user() as (command, environment, own):
        python = [word for word in command if word not in ("-m", "tournaments.cli")]
        folder = own / f"{leftovers.prefix(own)}1"
        clear = (
            "from pathlib import Path; from tournaments.runs.leftovers import clear; clear(Path())"
        )
        mark = f"HOME={folder}/"

        def status(program: str) -> int:
            command = [*python, "-c", program, str(folder)]
            return subprocess.run(command, cwd=own, env=environment).returncode

        assert status(f"import os; os.mkdir({folder.name!r})") == 0
        assert status(DIES_AT_A_BOX) == -signal.SIGKILL
        until(lambda: len(processes_with(mark)) == 1)
        assert status(clear) == 0
        assert not processes_with(mark)
        assert not folder.exists()


def test_what_another_run_folder_or_somebody_else_has_there_is_left_alone(
    temporary: Path, tmp_path: Path
) -> None:
    ours = leftovers.prefix(temporary)
    others = temporary / f"{leftovers.prefix(tmp_path)}1"
    longer = temporary / f"{ours}12"
    kept = [others, tmp_path / "elsewhere", temporary / f"a-{ours}1"]
    for folder in (*kept, temporary / f"{ours}1"):
        folder.mkdir()
    link = temporary / f"{ours}2"
    link.symlink_to(tmp_path / "elsewhere")
    file = temporary / f"{ours}3"
    file.touch()
    if os.geteuid() == 0:
        strangers = temporary / f"{ours}4"
        strangers.mkdir()
        os.chown(strangers, 12345, 12345)
        kept.append(strangers)
    with sleeper(others) as one, sleeper(longer) as two, sleeper(link / "bot") as three:
        leftovers.clear(temporary)
        assert [process.poll() for process in (one, two, three)] == [None] * 3
        for process in (one, two, three):
            process.kill()
    assert all(path.exists() for path in (*kept, link, file))
    assert not (temporary / f"{ours}1").exists()
