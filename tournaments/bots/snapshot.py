"""A copy of a bot's folder in the run folder: what is hashed is what is built and what plays.

The original may be edited while a tournament runs, and a build leaves no trace in it. A copy that
is there already is used again; one that was deleted or changed is made anew.
"""

import os
import shutil
import stat
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from arena import scratch
from protocol.codec import printable
from tournaments.bots.fingerprint import is_left_out
from tournaments.errors import UserError


def place(copies: Path, name: str, hash_: str) -> Path:
    """Where in the folder `copies` that of a bot is."""
    return copies / f"{name}-{hash_[:16]}"


def take(
    folder: Path,
    into: Path,
    built: bool,
    finish: Callable[[Path], None],
    fingerprint: Callable[[Path], str],
) -> Path:
    """Copies `folder` to `into`, lets `finish` check and build the copy, and returns its path.

    What is left out of the hash of a bot that is `built`, or is not, is left out of the copy.
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
        built_in = folder if built else None
        shutil.copytree(folder, into, symlinks=True, ignore=partial(_left_out, built_in))
    except shutil.Error as error:
        source, _, why = error.args[0][0]
        raise UserError(printable(f"{source} can't be copied: {why}")) from None
    except OSError as error:
        what = printable(f"{folder} can't be copied to {into}")
        raise UserError(f"{what}: {error.strerror}") from None
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


def _left_out(built_in: Path | None, folder: str, names: Sequence[str]) -> set[str]:
    """What of a folder's content stays behind: also the run folder that the copy is made in."""
    return {name for name in names if is_left_out(Path(folder) / name, built_in)}
