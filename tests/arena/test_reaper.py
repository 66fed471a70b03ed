"""Whole trees of processes are ended, and nobody else's."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import reaper
from tests.arena.programs import children, processes_with

PYTHON = (sys.executable, "-S", "-E", "-c")
READY = "if os.getpid() == me: os.write(1, b'.')\ntime.sleep(60)"


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Iterator[None]:
    reaper.adopt_orphans()
    yield
    reaper.kill_bots()
    assert children() == []
    assert processes_with(str(tmp_path)) == []


def start(tmp_path: Path, source: str, *, new_session: bool = True) -> int:
    """Starts a program that says when it is ready; returns its pid."""
    child = subprocess.Popen(
        [*PYTHON, f"import os, time\nme = os.getpid()\n{source}\n{READY}"],
        stdout=subprocess.PIPE,
        start_new_session=new_session,
        env={"MARK": str(tmp_path)},
    )
    child.returncode = 0  # the reaper waits for it
    assert child.stdout
    assert child.stdout.read(1) == b"."
    child.stdout.close()
    return child.pid


TREES = {
    "one process": "",
    "a child": "os.fork()",
    "a child in a group of its own": "if os.fork() == 0: os.setpgid(0, 0)",
    "a child in a session of its own": "if os.fork() == 0: os.setsid()",
    "a daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
else:
    os.wait()
""",
    "a nest of sessions": """
for _ in range(8):
    if os.fork():
        break
    os.setsid()
""",
    "a stopped child": """
import signal
child = os.fork()
if child == 0:
    signal.pause()
os.kill(child, signal.SIGSTOP)
""",
    "a child that is dead": "if os.fork() == 0: os._exit(0)",
    "a misleading name": "open('/proc/self/comm', 'w').write('a) R 1 (b')\nos.fork()",
}


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("known", [True, False])
def test_a_tree_is_ended_whole(tree: str, known: bool, tmp_path: Path) -> None:
    pid = start(tmp_path, TREES[tree])
    assert pid in children()
    reaper.kill_bots([pid] if known else [])
    assert processes_with(str(tmp_path)) == []
    assert children() == []


def test_what_outlived_its_parent_is_ended(tmp_path: Path) -> None:
    pid = start(tmp_path, TREES["a daemon"])
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert len(children()) >= 1
    reaper.kill_bots([pid])
    assert processes_with(str(tmp_path)) == []


def test_sessions_that_are_kept_are_left_alone(tmp_path: Path) -> None:
    kept = start(tmp_path, "os.fork()")
    other = start(tmp_path, "os.fork()")
    reaper.kill_bots([other], keep={kept})
    assert children() == [kept]
    assert len(processes_with(str(tmp_path))) == 2


def test_children_in_our_session_are_neither_killed_nor_waited_for(tmp_path: Path) -> None:
    with subprocess.Popen([*PYTHON, "raise SystemExit(7)"]) as ending:
        with subprocess.Popen(["/bin/sleep", "60"]) as living:
            start(tmp_path, "os.fork()")
            while Path(f"/proc/{ending.pid}/stat").read_text().split()[2] != "Z":
                time.sleep(0.01)
            reaper.kill_bots()
            assert processes_with(str(tmp_path)) == []
            assert living.poll() is None
            living.kill()
        assert ending.wait() == 7


def test_bots_of_a_worker_that_was_killed_are_adopted_and_ended(tmp_path: Path) -> None:
    worker = subprocess.Popen(
        [
            *PYTHON,
            f"""
import os, subprocess, time
bot = [{sys.executable!r}, "-S", "-E", "-c", "import os, time; os.fork(); time.sleep(60)"]
for _ in range(3):
    subprocess.Popen(bot, start_new_session=True)
os.write(1, b".")
time.sleep(60)
""",
        ],
        stdout=subprocess.PIPE,
        env={"MARK": str(tmp_path)},
    )
    assert worker.stdout
    assert worker.stdout.read(1) == b"."
    reaper.kill_bots()
    assert worker.poll() is None
    worker.kill()
    assert worker.wait() == -signal.SIGKILL
    worker.stdout.close()
    assert len(children()) >= 3
    reaper.kill_bots()
    assert children() == []
    assert processes_with(str(tmp_path)) == []


def test_what_cannot_be_ended_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = start(tmp_path, "")
    with monkeypatch.context() as patched:
        patched.setattr(os, "killpg", lambda *_: None)
        patched.setattr(reaper, "PATIENCE_S", 0.05)
        with pytest.raises(RuntimeError, match=f"can't be ended: \\[{pid}\\]"):
            reaper.kill_bots()


def test_what_a_bot_leaves_behind_is_told_from_the_bot(tmp_path: Path) -> None:
    pid = start(tmp_path, TREES["a child in a session of its own"])
    assert reaper.left_behind(but=()) == {pid}
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert len(reaper.left_behind(but=())) == 1
    assert pid not in reaper.left_behind(but=())
