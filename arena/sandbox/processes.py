"""What the kernel says of running processes: who descends from whom, what they use and do."""

import os
from collections.abc import Iterable
from typing import Final

_OWN: Final = (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:")
_KIB: Final = 1024
_LONGEST: Final = 65_536
"""Bytes; what is read here is shorter."""
_HALTED: Final = frozenset(b"TZX")
"""States of a thread that uses no processor: stopped, or ended."""
_NS_PER_TICK: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


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
        for line in _read(f"/proc/{pid}/status").splitlines():
            if line.startswith(_OWN):
                memory += int(line.split()[1]) * _KIB
            elif line.startswith(b"Threads:"):
                threads += int(line.split()[1])
    return memory, threads


def halted(pid: int) -> bool:
    """Every thread of a process is stopped or has ended."""
    stats = [_read(f"/proc/{pid}/task/{task}/stat") for task in _tasks(pid)]
    return all(not stat or _after_name(stat)[0][0] in _HALTED for stat in stats)


def user_ns(pid: int) -> int:
    """The time that a process has spent in its own code and not the kernel's, to about 10 ms."""
    stat = _read(f"/proc/{pid}/stat")
    return int(_after_name(stat)[11]) * _NS_PER_TICK if stat else 0


def _after_name(stat: bytes) -> list[bytes]:
    """The fields of a `stat` from the state on; the name before it may hold spaces and brackets."""
    return stat[stat.rindex(b")") + 1 :].split()


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in _tasks(pid):
        found += map(int, _read(f"/proc/{pid}/task/{task}/children").split())
    return found


def _tasks(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return []


def _read(path: str) -> bytes:
    """A file of a process, or nothing where that has ended. It is read several times a second."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, ProcessLookupError):
        return b""
    try:
        return os.read(file, _LONGEST)
    except ProcessLookupError:
        return b""
    finally:
        os.close(file)
