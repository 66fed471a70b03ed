"""What the kernel says of running processes: who descends from whom, and what they use."""

import os
from collections.abc import Iterable
from typing import Final

_OWN: Final = (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:")
_KIB: Final = 1024


def descendants(pid: int) -> list[int]:
    """The processes below a living one, parents before their children."""
    found, waiting = [], [pid]
    while waiting:
        below = _children(waiting.pop())
        found += below
        waiting += below
    return found


def memory_and_threads(pids: Iterable[int]) -> tuple[int, int]:
    """Bytes that are the processes' own, and the number of their threads. The dead have none.

    Files that are mapped and could be read again are not counted. What processes share is counted
    for each.
    """
    memory = threads = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status", "rb") as file:
                status = file.read()
        except (FileNotFoundError, ProcessLookupError):
            continue
        for line in status.splitlines():
            if line.startswith(_OWN):
                memory += int(line.split()[1]) * _KIB
            elif line.startswith(b"Threads:"):
                threads += int(line.split()[1])
    return memory, threads


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found
