"""Where matches are played: worker processes of this machine, a table each, each on its own cores.

Anything that is a `concurrent.futures.Executor` can take this one's place: a match is plain data in
and plain data out.
"""

import contextlib
import errno
import gc
import multiprocessing
import os
import queue
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn, TypeVar

from arena import scratch
from arena.news import News
from arena.reaper import adopt_orphans, kill_bots
from tournaments.runs import newsline
from tournaments.runs.newsline import Newsline
from tournaments.signals import STOPS, Interrupted

T = TypeVar("T")

STOP_SECONDS: Final = 5.0
"""What a worker gets to end its bots before it is killed itself."""

# A fresh interpreter: it inherits no thread, no lock and no descriptor of the coordinator.
_spawn: Final = multiprocessing.get_context("spawn")


class WorkerDied(Exception):
    """A worker process ended while it played; its match has no result."""


def tables_for(jobs: int | None, cores: int) -> list[set[int]]:
    """The processor cores of each table: `jobs` tables, or fewer where cores don't suffice.

    Empty when not even one table has the `cores` it asks for.
    """
    available = sorted(os.sched_getaffinity(0))
    tables = len(available) // cores
    if jobs is not None:
        tables = min(tables, jobs)
    return [set(available[i * cores : (i + 1) * cores]) for i in range(tables)]


class LocalExecutor(ThreadPoolExecutor):
    """Plays as many matches at once as it has tables.

    A thread a table hands a match to the table's worker process and waits. When a worker dies the
    match it had raises WorkerDied, its bots are ended, and the table gets a new worker; no other
    match notices.
    """

    tell = staticmethod(newsline.tell)
    """Is called in a worker."""

    def __init__(self, tables: Sequence[set[int]], prefix: str = "arena-") -> None:
        """The name of the folder that bots may write in begins with `prefix`."""
        super().__init__(max_workers=len(tables), thread_name_prefix="table")
        adopt_orphans()
        resource_tracker.ensure_running()  # starting it later would undo the mask of a start
        # Made by the workers, as only while one lives is there somebody to remove it.
        self._scratch = Path(tempfile.gettempdir()) / f"{prefix}{os.urandom(8).hex()}"
        self._newsline = Newsline()
        line = self._newsline.writer
        self._tables = [_Table(cores, self._scratch, line) for cores in tables]
        self._free: queue.SimpleQueue[_Table] = queue.SimpleQueue()
        for table in self._tables:
            self._free.put(table)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Calls `fn` in a worker. Its arguments, result and exceptions must pickle.

        Raises OSError (EAGAIN) where the system has no thread left for a table.
        """
        try:
            return super().submit(self._at_a_table, fn, *args, **kwargs)
        except RuntimeError as error:
            if "can't start new thread" not in str(error):
                raise
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error

    def _at_a_table(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
        table = self._free.get()
        try:
            return table.call(fn, *args, **kwargs)
        finally:
            self._free.put(table)

    def heard(self) -> list[News]:
        """What workers have told since the last time."""
        return self._newsline.heard()

    def close(self) -> None:
        """Ends every worker and every bot, whatever they are doing; their matches are lost.

        May be called again, also after a call that was interrupted.
        """
        for table in self._tables:
            table.stop()
        patience = STOP_SECONDS
        for table in self._tables:
            if not table.left_within(patience):
                patience = 0  # the others have had as long
        self.shutdown(wait=True, cancel_futures=True)
        try:
            kill_bots()
        finally:
            scratch.remove(self._scratch)
            self._newsline.close()


@contextlib.contextmanager
def ended(executor: LocalExecutor) -> Iterator[LocalExecutor]:
    """Closes the executor in the end, also where an interruption comes while it is being closed."""
    try:
        yield executor
    finally:
        try:
            executor.close()
        except Interrupted:
            executor.close()  # only the first signal interrupts
            raise


class _Table:
    """A worker process, started when first needed and again when it has died."""

    def __init__(self, cores: set[int], scratch: Path, line: Connection) -> None:
        self._cores = cores
        self._scratch = scratch
        self._line = line
        self._lock = threading.Lock()  # between a start and a stop
        self._stopping = False
        self._process: Any = None
        self._pipe: Connection | None = None

    def call(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
        with self._lock:
            if self._stopping:
                raise WorkerDied("the run is being stopped")
            pipe = self._pipe or self._start()
        try:
            pipe.send((fn, args, kwargs))
            good, outcome = pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            status = self._process.exitcode
            pipe.close()
            self._pipe = None
            kill_bots()
            raise WorkerDied(f"the worker process ended with status {status}") from None
        if not good:
            raise outcome
        result: T = outcome
        return result

    def _start(self) -> Connection:
        ours, theirs = _spawn.Pipe()
        with theirs:
            process = _spawn.Process(
                target=_work, args=(theirs, self._cores, self._scratch, self._line), daemon=True
            )
            # Until the worker has said what these mean to it, Ctrl-C would end it with a traceback.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
            try:
                process.start()
            except BaseException:
                ours.close()
                raise
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._process = process
        self._pipe = ours
        return ours

    def stop(self) -> None:
        with self._lock:
            self._stopping = True
            if self._process is not None:
                self._process.terminate()

    def left_within(self, seconds: float) -> bool:
        """Whether the worker, told to stop, has left in time; it has been killed if not."""
        if self._process is None:
            return True
        self._process.join(seconds)
        if not self._process.is_alive():
            return True
        self._process.kill()
        self._process.join()
        return False


def _work(pipe: Connection, cores: set[int], shared: Path, line: Connection) -> None:
    """The whole life of a worker process, whose bots write in a folder of its own in `shared`."""
    # A terminal sends Ctrl-C and its end to the whole group: the coordinator says what they mean.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    own = shared / f"worker-{os.getpid()}"
    try:
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            threading.Thread(target=_watch_coordinator, daemon=True).start()
            os.sched_setaffinity(0, cores)  # the bots inherit it
            adopt_orphans()
            shared.mkdir(mode=0o700, exist_ok=True)
            own.mkdir(mode=0o700, exist_ok=True)
            tempfile.tempdir = str(own)
            newsline.join(line)
            gc.freeze()
            with contextlib.suppress(EOFError, OSError):
                _serve(pipe)
        finally:
            # Who was told to leave, or found the pipe closed, is told once more in any moment.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
    finally:
        coordinator = multiprocessing.parent_process()
        if coordinator is None or not coordinator.is_alive():
            scratch.remove(own)
            with contextlib.suppress(OSError):  # the last worker finds it empty
                shared.rmdir()


def _serve(pipe: Connection) -> NoReturn:
    while True:
        fn, args, kwargs = pipe.recv()
        try:
            answer = (True, fn(*args, **kwargs))
        except Exception as error:
            error.add_note("".join(traceback.format_exception(error)))
            answer = (False, error)
        pipe.send(answer)
        gc.collect()


def _leave(signum: int, frame: FrameType | None) -> NoReturn:
    """Ends all that this worker has started, at once, and then the worker in an orderly way."""
    signal.signal(signum, signal.SIG_IGN)
    kill_bots()
    sys.exit(128 + signum)


def _watch_coordinator() -> None:
    """A worker must not outlive a coordinator that was killed, however busy it is."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
