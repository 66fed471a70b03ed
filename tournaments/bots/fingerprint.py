"""SHA-256 over files: whether two bots are the same program, and whether the arena is.

A bot's depends on content, names below the bot's folder, executable bits, command, variables and
build; not on where the folder is, on dates, or on the order of a listing.
"""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import file_digest, sha256
from importlib import resources
from pathlib import Path
from typing import Any, Final

from arena.diagnosis import mode_of
from arena.sandbox.places import RUN_FILE
from tournaments.errors import UserError, shown

CACHES: Final = frozenset(
    {
        ".git",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        "__pycache__",
    }
)
"""Folders that are no part of a bot: tools make them anew wherever they miss them."""
BUILT: Final = "target"
"""Nor is this one at the top, of a bot with a build: compilers make it. What is fetched is part of
a bot, as a build in a box could not fetch it."""

FILE_LIMIT: Final = 100_000
"""Files of a bot."""
BYTE_LIMIT: Final = 10**9
"""Their sizes together."""


def of_folder(
    folder: Path,
    command: Sequence[str],
    env: Mapping[str, str],
    build: Sequence[str] | None = None,
) -> str:
    """The hash, in hex, of a bot that owns its folder. Raises UserError over the limits."""
    paths = sorted(_below(folder, folder if build else None))
    return _fingerprint(folder, paths, command, env, build or ())


def of_command(folder: Path, command: Sequence[str], env: Mapping[str, str]) -> str:
    """The hash, in hex, of a command run in `folder`: of its words and the files they name.

    A first word that is looked up on PATH stands for itself. Raises UserError over the limits.
    """
    words = command if "/" in command[0] else command[1:]
    named = {os.fsencode(word) for word in words if word and stat.S_ISREG(mode_of(folder / word))}
    return _fingerprint(folder, sorted(named), command, env, ())


def of_modules(names: Iterable[str]) -> str:
    """The hash, in hex, of the text of modules of `tournaments`: what they compute depends on it.

    `names`: with the folders that they stand in, as `ratings.tally`.
    """
    digest = sha256()
    folder = resources.files("tournaments")
    for name in names:
        _feed(digest, name.encode(), folder.joinpath(f"{name.replace('.', '/')}.py").read_bytes())
    return digest.hexdigest()


def is_left_out(path: Path, built_in: Path | None) -> bool:
    """What is at a path below a bot's folder is no part of the bot: not hashed, and not copied.

    `built_in`: the bot's folder, if the bot has a build. A run folder is left out, too, as it holds
    a tournament's results.
    """
    if path.name in CACHES:  # in a worktree .git is a file
        return True
    if path.is_symlink() or not path.is_dir():
        return False
    made = path.name == BUILT and path.parent == built_in
    return made or (path / RUN_FILE).exists()


def _below(folder: Path, built_in: Path | None) -> Iterator[bytes]:
    """The paths of all files and links of a bot below its folder; links aren't followed."""

    def fail(error: OSError) -> None:
        raise _unreadable(error.filename, error)

    for here, folders, files in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not is_left_out(Path(here) / name, built_in)]
        files = [name for name in files if name not in CACHES]
        links = [name for name in folders if (Path(here) / name).is_symlink()]
        for name in (*files, *links):
            yield os.fsencode((Path(here) / name).relative_to(folder))


def _fingerprint(
    folder: Path,
    paths: Sequence[bytes],
    command: Sequence[str],
    env: Mapping[str, str],
    build: Sequence[str],
) -> str:
    if len(paths) > FILE_LIMIT:
        raise _too_much(folder, f"{FILE_LIMIT:,} files")
    digest = sha256()
    _feed(digest, b"command", *map(os.fsencode, command))
    for name in sorted(env):
        _feed(digest, b"env", os.fsencode(name), os.fsencode(env[name]))
    if build:
        _feed(digest, b"build", *map(os.fsencode, build))
    total = 0
    for relative in paths:
        path = folder / os.fsdecode(relative)
        try:
            status = path.lstat()
            total += status.st_size
            if total > BYTE_LIMIT:
                raise _too_much(folder, f"{BYTE_LIMIT // 10**6:,} MB")
            if stat.S_ISLNK(status.st_mode):
                _feed(digest, b"link", relative, os.fsencode(path.readlink()))
            elif stat.S_ISREG(status.st_mode):
                with path.open("rb") as file:
                    content = file_digest(file, "sha256").digest()
                runs = b"x" if status.st_mode & stat.S_IXUSR else b"-"
                _feed(digest, b"file", relative, runs, content)
        except OSError as error:
            raise _unreadable(path, error) from None
    return digest.hexdigest()


def _unreadable(path: object, error: OSError) -> UserError:
    return UserError(f"{shown(path)}: cannot be read: {error.strerror}")


def _too_much(folder: Path, most: str) -> UserError:
    return UserError(f"{shown(folder)}: over {most}: keep a bot in a folder of its own")


def _feed(digest: Any, *parts: bytes) -> None:
    """Parts with their number and lengths, so that no two lists of them read the same."""
    digest.update(len(parts).to_bytes(4))
    for part in parts:
        digest.update(len(part).to_bytes(8) + part)
