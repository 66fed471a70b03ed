"""One run at a time in a folder that is its own: a lock that ends with its process."""

import fcntl
import os
from pathlib import Path
from typing import Final

from tournaments.errors import ArenaError, UserError, shown
from tournaments.storage.records import DATABASE

_held: Final[set[int]] = set()


def make(folder: Path) -> None:
    """Makes a run folder where it is missing.

    Raises UserError where it can't be made or has something else in it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_run_folder(folder, error) from None
    refuse_strange(folder)


def refuse_strange(folder: Path) -> None:
    """Raises UserError where a folder that is there holds something else than a run."""
    try:
        strange = not (folder / DATABASE).exists() and any(folder.iterdir())
    except OSError as error:
        raise _no_run_folder(folder, error) from None
    if strange:
        raise UserError(
            f"{shown(folder)} has files and no run in it: choose a new or an empty folder (-o)"
        )


def _no_run_folder(folder: Path, error: OSError) -> UserError:
    return UserError(
        f"{shown(folder)} can't be made a run folder ({error.strerror}): choose another (-o)"
    )


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
                f"{shown(folder)} is held by another run: wait for its end, or use another folder"
                " (-o)"
            ) from None
        raise ArenaError(
            f"{shown(folder)} can't be locked ({error.strerror}): a run folder must be on a local"
            " disk"
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
