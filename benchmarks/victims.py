"""Who of a tournament that is played is killed, and how."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.long_run import workers_of


def _some(pids: list[int], random: Random) -> list[int]:
    return [random.choice(pids)] if pids else []


def _worker_and_bot(coordinator: int, random: Random) -> list[int]:
    """A worker, and a bot that it has started, or a part of that bot's box."""
    workers = _some(workers_of(coordinator), random)
    bots = _some([pid for worker in workers for pid in _descendants(worker)], random)
    return workers + bots if bots else []


VICTIMS: Final[dict[str, Callable[[int, Random], list[int]]]] = {
    "the coordinator": lambda pid, random: [pid],
    "a worker": lambda pid, random: _some(workers_of(pid), random),
    "all workers": lambda pid, random: workers_of(pid),
    "a worker and a bot of its": _worker_and_bot,
    "coordinator and workers": lambda pid, random: [pid, *workers_of(pid)],
    "the process group": lambda pid, random: [-pid],
}
"""Who is killed -> the pids, given the coordinator's; none where there is no such process yet.

No bot is killed alone: nobody can tell that from a bot that kills itself, which is its fault.
"""


def in_turn(random: Random) -> Iterator[str]:
    """Each of VICTIMS, and again, each time in another order."""
    for _ in count():
        yield from random.sample(list(VICTIMS), len(VICTIMS))


def strike(pids: list[int]) -> None:
    """Kills them all. They are stopped before, so that none sees another die."""
    for signum in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signum)


def _descendants(pid: int) -> list[int]:
    found = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, task.read_text().split()):
                found += [child, *_descendants(child)]
    return found
