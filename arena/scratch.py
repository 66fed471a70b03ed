"""The folder that a bot's process has for its own: made empty, and removed whatever it became."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_OPEN: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def make(parent: Path) -> Path:
    """A new empty folder in `parent` that only its owner may enter."""
    folder = parent / f"bot-{os.urandom(8).hex()}"
    folder.mkdir(mode=0o700)
    return folder


def remove(folder: Path) -> None:
    """Removes `folder`, which no process uses any more. It may be gone already.

    Without a sandbox a bot can do to the folders above it what we can. What it has made impossible
    is left undone: a match is not to be lost over it.
    """
    with suppress(OSError):
        _remove(folder)


def _remove(folder: Path) -> None:
    """Leaves nothing of a folder.

    What a bot left there may be folders without permissions, links that lead elsewhere, or folders
    nested deeper than a path, a stack or the number of open files can follow. So every folder
    found is moved up to the top before it is looked into, and no link is ever followed.
    """
    if folder.is_symlink() or not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    folder.chmod(0o700)
    top = os.open(folder, _OPEN)
    try:
        waiting = _remove_files(top)
        while waiting:
            name = waiting.pop()
            os.chmod(name, 0o700, dir_fd=top)
            waiting += _empty(name, top)
            os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    folder.rmdir()


def _empty(name: str, top: int) -> list[str]:
    """Leaves nothing in a folder of `top`; its subfolders are in `top` then, by the names given."""
    moved = []
    inside = os.open(name, _OPEN, dir_fd=top)
    try:
        for subfolder in _remove_files(inside):
            os.chmod(subfolder, 0o700, dir_fd=inside)  # one without permissions can't be moved
            moved.append(os.urandom(16).hex())
            os.rename(subfolder, moved[-1], src_dir_fd=inside, dst_dir_fd=top)
    finally:
        os.close(inside)
    return moved


def _remove_files(folder: int) -> list[str]:
    """Removes all but the folders, whose names are returned."""
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        if not is_folder:
            os.unlink(name, dir_fd=folder)
    return [name for name, is_folder in found if is_folder]
