"""A copy of a bot's folder in the run folder: what is hashed is what is built and what plays.

The original may be edited while a tournament runs, and a build leaves no trace in it. A copy that
is there already is used again; one that was deleted or changed is made anew.
"""

import os
import shutil
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from arena import scratch
from tournaments.errors import UserError
from tournaments.fingerprint import is_run_folder

NOT_COPIED: Final = (".git", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache")
"""Folders that no bot needs to run."""


def place(copies: Path, name: str, hash_: str) -> Path:
    """Where in the folder `copies` that of a bot is."""
    return copies / f"{name}-{hash_[:16]}"


def take(
    folder: Path, into: Path, finish: Callable[[Path], None], fingerprint: Callable[[Path], str]
) -> Path:
    """Copies `folder` to `into`, lets `finish` check and build the copy, and returns its path.

    Nothing is done where that was done before and nothing was changed since, as the fingerprint of
    the finished copy tells. Raises UserError for files that can't be copied, and whatever `finish`
    raises; then the copy is made anew the next time.
    """
    done = _done(into)
    if untouched(into, fingerprint):
        return into
    try:
        done.unlink(missing_ok=True)
        scratch.remove(into)  # a build may have left there what rmtree can't remove
        shutil.copytree(folder, into, symlinks=True, ignore=_not_copied)
    except shutil.Error as error:
        source, _, why = error.args[0][0]
        raise UserError(f"{source} can't be copied: {why}") from None
    except OSError as error:
        raise UserError(f"{folder} can't be copied to {into}: {error.strerror}") from None
    finish(into)
    _open_to_all(into)
    done.write_text(fingerprint(into))
    return into


def untouched(into: Path, fingerprint: Callable[[Path], str]) -> bool:
    """Whether there is a copy, finished, and nothing in it was changed since."""
    done = _done(into)
    return done.exists() and into.is_dir() and done.read_text() == fingerprint(into)


def _done(into: Path) -> Path:
    """The file with the fingerprint of a finished copy."""
    return into.with_name(f"{into.name}.done")


def _open_to_all(folder: Path) -> None:
    """As `chmod -R a+rX`: bots of root run as users without rights."""
    for here, _, files in os.walk(folder):
        for path in (Path(here), *(Path(here) / name for name in files)):
            mode = path.lstat().st_mode
            if not stat.S_ISLNK(mode):
                may_run = stat.S_ISDIR(mode) or mode & 0o111
                path.chmod(stat.S_IMODE(mode) | (0o555 if may_run else 0o444))


def _not_copied(folder: str, names: Sequence[str]) -> set[str]:
    """What of a folder's content stays behind: also the run folder that the copy is made in."""
    return {n for n in names if n in NOT_COPIED or is_run_folder(Path(folder) / n)}
