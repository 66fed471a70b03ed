"""Worker processes by themselves: where they run, what they pass on, and how they end."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import scratch
from arena.news import News
from arena.reaper import kill_bots
from tests.tournaments.league import until
from tournaments.runs import executors, newsline
from tournaments.runs.executors import LocalExecutor, WorkerDied, tables_for

CORES = sorted(os.sched_getaffinity(0))
TABLES = [{CORES[0]}, {CORES[-1]}]


@pytest.fixture(autouse=True)
def only_our_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Scratch folders stand in the test's own, and nothing is left there or running."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert list(tmp_path.iterdir()) == []
    assert running_workers() == []


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    executor = LocalExecutor(TABLES)
    yield executor
    executor.close()


def running_workers() -> list[int]:
    """The worker processes of this process, living ones."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"spawn_main" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


# What is called in a worker: functions of this module, which a worker imports.


def where(seconds: float) -> tuple[int, set[int], str]:
    time.sleep(seconds)
    return os.getpid(), os.sched_getaffinity(0), tempfile.gettempdir()


def fail(text: str) -> None:
    raise LookupError(text)


def die(signum: int) -> None:
    os.kill(os.getpid(), signum)
    time.sleep(60)


def die_with_a_daemon(file: str) -> None:
    """Starts what a bot could have started, and dies."""
    program = f"import os, time; open({file!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    subprocess.Popen([sys.executable, "-S", "-E", "-c", program], start_new_session=True)
    until(lambda: Path(file).exists() and Path(file).read_text())
    os.kill(os.getpid(), signal.SIGKILL)


def leave_a_file() -> None:
    (Path(tempfile.gettempdir()) / "left").touch()


def refuse_to_end(file: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path(file).touch()
    time.sleep(600)


NEWS = News("m", 1, {"NS": 0, "EW": 0}, {})


def tell(times: int, match: str, signum: int = 0) -> None:
    for deal in range(times):
        newsline.tell(News(match, deal, NEWS.score, NEWS.bids))
    if signum:
        die(signum)


# Where they run


@pytest.mark.parametrize(
    ("available", "jobs", "cores", "tables"),
    [
        ({0, 1, 2, 3, 4}, None, 1, [{0}, {1}, {2}, {3}, {4}]),
        ({0, 1, 2, 3, 4}, None, 2, [{0, 1}, {2, 3}]),
        ({0, 1, 2, 3, 4}, 1, 2, [{0, 1}]),
        ({3, 7, 5}, 2, 1, [{3}, {5}]),
        ({0, 1}, 64, 1, [{0}, {1}]),
        ({0, 1}, None, 3, []),
        ({0, 1}, 1, 3, []),
    ],
)
def test_no_two_tables_share_a_core_and_there_are_no_more_than_cores_allow(
    available: set[int],
    jobs: int | None,
    cores: int,
    tables: list[set[int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: available)
    assert tables_for(jobs, cores) == tables


def test_each_worker_is_pinned_to_the_cores_of_its_table(executor: LocalExecutor) -> None:
    calls = [executor.submit(where, 0.2) for _ in range(4)]
    seen = {pid: cores for pid, cores, _ in (call.result() for call in calls)}
    assert len(seen) == 2
    assert os.getpid() not in seen
    assert sorted(map(sorted, seen.values())) == sorted(map(sorted, TABLES))


def test_a_worker_is_used_again_and_no_worker_is_started_before_it_is_needed(
    executor: LocalExecutor,
) -> None:
    assert running_workers() == []
    pids = {executor.submit(where, 0).result()[0] for _ in range(6)}
    assert len(pids) <= 2


# What they pass on


def test_an_exception_comes_back_with_where_it_was_raised(executor: LocalExecutor) -> None:
    with pytest.raises(LookupError, match="no such thing") as caught:
        executor.submit(fail, "no such thing").result()
    (note,) = caught.value.__notes__
    assert "in fail" in note
    executor.submit(where, 0).result()


def test_what_can_not_be_sent_costs_its_own_call_only(executor: LocalExecutor) -> None:
    unsendable: Any = lambda: None  # noqa: E731
    with pytest.raises(Exception, match=r"pickle|local object"):
        executor.submit(unsendable).result()
    executor.submit(where, 0).result()


# What they tell meanwhile


def test_what_workers_tell_is_heard_and_none_waits_for_that(executor: LocalExecutor) -> None:
    for future in [executor.submit(tell, 3000, name) for name in "ab"]:
        future.result()  # though nobody has heard anything
    heard = executor.heard()
    assert {news.match for news in heard} <= {"a", "b"}
    assert 100 < len(heard) < 6000
    while executor.heard():
        pass
    executor.submit(executor.tell, NEWS).result()
    assert executor.heard() == [NEWS]


def test_what_a_worker_has_told_is_heard_also_when_it_has_died(executor: LocalExecutor) -> None:
    with pytest.raises(WorkerDied):
        executor.submit(tell, 2, "dying", signal.SIGKILL).result()
    executor.submit(tell, 1, "sound").result()
    assert [(news.match, news.deal) for news in executor.heard()] == [
        ("dying", 0),
        ("dying", 1),
        ("sound", 0),
    ]


# How they end


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_dies_costs_its_own_call_only(signum: int, executor: LocalExecutor) -> None:
    calls = [executor.submit(where, 0.3) for _ in range(2)]
    before = {call.result()[0] for call in calls}
    dying, sound = executor.submit(die, signum), executor.submit(where, 0.3)
    with pytest.raises(WorkerDied, match=f"ended with status {-signum}"):
        dying.result()
    assert sound.result()[0] in before
    pids = {call.result()[0] for call in [executor.submit(where, 0.3) for _ in range(2)]}
    assert len(pids) == 2
    assert len(pids & before) == 1


def test_what_a_dead_worker_had_started_is_ended(
    executor: LocalExecutor, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("daemon") / "pid"
    with pytest.raises(WorkerDied):
        executor.submit(die_with_a_daemon, str(file)).result()
    assert not Path(f"/proc/{file.read_text()}").exists()


def test_a_worker_that_can_not_be_started_costs_its_call_and_is_tried_again(
    executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(process: Any) -> None:
        raise OSError(12, "Cannot allocate memory")

    with monkeypatch.context() as patch:
        patch.setattr(executors._spawn.Process, "start", no_memory)
        with pytest.raises(OSError, match="Cannot allocate memory"):
            executor.submit(where, 0).result()
    executor.submit(where, 0).result()


def test_close_ends_calls_that_go_on_and_drops_those_that_wait(executor: LocalExecutor) -> None:
    calls = [executor.submit(where, 600) for _ in range(5)]
    until(lambda: len(running_workers()) == 2)
    executor.close()
    assert running_workers() == []
    for call in calls:  # not `wait`: it waits for ever for one that was cancelled while it queued
        assert call.cancelled() or isinstance(call.exception(), WorkerDied)


@pytest.mark.parametrize("how", ["ignores SIGTERM", "is stopped"])
def test_close_ends_also_a_worker_that_does_not_leave(
    how: str,
    executor: LocalExecutor,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(executors, "STOP_SECONDS", 0.3)
    file = tmp_path_factory.mktemp("stubborn") / "there"
    call = executor.submit(refuse_to_end, str(file))
    until(file.exists)
    if how == "is stopped":
        for pid in running_workers():
            os.kill(pid, signal.SIGSTOP)
    closing = threading.Thread(target=executor.close, daemon=True)
    closing.start()
    closing.join(30)
    assert not closing.is_alive()
    assert isinstance(call.exception(), WorkerDied)


def test_close_removes_what_matches_left_and_can_be_called_again(
    executor: LocalExecutor, tmp_path: Path
) -> None:
    executor.submit(leave_a_file).result()
    assert [file.name for file in tmp_path.rglob("left")] == ["left"]
    executor.close()
    executor.close()
    assert list(tmp_path.iterdir()) == []


def test_an_executor_that_was_never_used_leaves_nothing(tmp_path: Path) -> None:
    LocalExecutor(TABLES)
    assert list(tmp_path.iterdir()) == []
    kill_bots()


ORPHANED = """
import multiprocessing, os, signal, sys, tempfile, threading
from pathlib import Path
from tournaments.runs import executors

class Coordinator:
    def join(self):
        threading.Event().wait()

    def is_alive(self):
        os.kill(os.getpid(), signal.SIGTERM)  # from the thread that watches it
        return False

def serve(pipe):
    Path(tempfile.mkdtemp(), "file").touch()  # of a match that did not come to remove it
    {leave}

multiprocessing.parent_process = Coordinator
executors._serve = serve
executors._work(None, os.sched_getaffinity(0), Path(sys.argv[1]), None)
"""
"""A worker that outlives its coordinator, and is told to leave while it leaves."""


@pytest.mark.parametrize("leave", ["raise EOFError", "os.kill(os.getpid(), signal.SIGTERM)"])
@pytest.mark.parametrize("others", [False, True])
def test_a_worker_without_a_coordinator_removes_what_is_its_own_in_any_moment(
    leave: str, others: bool, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    if others:
        (shared / "worker-0").mkdir(parents=True)
    subprocess.run([sys.executable, "-c", ORPHANED.format(leave=leave), str(shared)], check=False)
    left = [path.name for path in shared.iterdir()] if shared.exists() else None
    assert left == (["worker-0"] if others else None)
    if others:
        scratch.remove(shared)
