"""One run at a time in a folder: a lock that ends with its process, however that dies."""

import fcntl
import os
from pathlib import Path
from typing import Final

from tournaments.errors import ArenaError

_held: Final[set[int]] = set()


def take(folder: Path) -> int:
    """Locks a folder that exists and returns the open descriptor that is the lock.

    Raises ArenaError where another run holds it. There is no file that could be left behind: the
    lock is on the folder itself, and the kernel drops it with the last copy of the descriptor.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError):
            raise ArenaError(
                f"{folder} is held by another run: wait for its end, or use another folder (-o)"
            ) from None
        raise ArenaError(
            f"{folder} can't be locked ({error.strerror}): a run folder must be on a local disk"
        ) from error
    _held.add(descriptor)
    return descriptor


def release(descriptor: int) -> None:
    """Unlocks what `take` locked."""
    _held.discard(descriptor)
    os.close(descriptor)


def _let_go() -> None:
    """A forked child that outlives its parent must not hold the folder on."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_let_go)
