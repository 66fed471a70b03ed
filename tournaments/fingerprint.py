"""SHA-256 over files: whether two bots are the same program, and whether the arena is.

A bot's depends on content, names below the bot's folder, executable bits, command and variables;
not on where the folder is, on dates, or on the order of a listing.
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
from tournaments.errors import UserError

CACHES: Final = frozenset(
    {
        ".git",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".venv",
        "__pycache__",
        "node_modules",
        "target",
    }
)
"""Folders that are left out: they hold nothing of a bot that can't be made again."""

FILE_LIMIT: Final = 100_000
"""Files of a bot."""
BYTE_LIMIT: Final = 10**9
"""Their sizes together."""


def of_folder(folder: Path, command: Sequence[str], env: Mapping[str, str]) -> str:
    """The hash, in hex, of a bot that owns its folder. Raises UserError over the limits."""
    return _fingerprint(folder, sorted(_below(folder)), command, env)


def of_command(folder: Path, command: Sequence[str], env: Mapping[str, str]) -> str:
    """The hash, in hex, of a command run in `folder`: of its words and the files they name.

    A first word that is looked up on PATH stands for itself. Raises UserError over the limits.
    """
    words = command if "/" in command[0] else command[1:]
    named = {os.fsencode(word) for word in words if word and stat.S_ISREG(mode_of(folder / word))}
    return _fingerprint(folder, sorted(named), command, env)


def of_modules(names: Iterable[str]) -> str:
    """The hash, in hex, of the text of modules of this package: what they compute depends on it."""
    digest = sha256()
    folder = resources.files("tournaments")
    for name in names:
        _feed(digest, name.encode(), folder.joinpath(f"{name}.py").read_bytes())
    return digest.hexdigest()


def is_run_folder(folder: Path) -> bool:
    """It holds a tournament's results: no part of a bot, though it may lie among its files."""
    return (folder / RUN_FILE).exists()


def _below(folder: Path) -> Iterator[bytes]:
    """The paths below a folder of all files and links, caches left out; links aren't followed."""

    def fail(error: OSError) -> None:
        raise UserError(f"{error.filename}: cannot be read: {error.strerror}")

    for here, folders, files in os.walk(folder, onerror=fail):
        links = [name for name in folders if (Path(here) / name).is_symlink()]
        folders[:] = [
            name for name in folders if name not in CACHES and not is_run_folder(Path(here) / name)
        ]
        for name in (*files, *links):
            yield os.fsencode((Path(here) / name).relative_to(folder))


def _fingerprint(
    folder: Path, paths: Sequence[bytes], command: Sequence[str], env: Mapping[str, str]
) -> str:
    if len(paths) > FILE_LIMIT:
        raise UserError(f"{folder}: over {FILE_LIMIT:,} files: keep a bot in a folder of its own")
    digest = sha256()
    _feed(digest, b"command", *map(os.fsencode, command))
    for name in sorted(env):
        _feed(digest, b"env", os.fsencode(name), os.fsencode(env[name]))
    total = 0
    for relative in paths:
        path = folder / os.fsdecode(relative)
        try:
            status = path.lstat()
            total += status.st_size
            if total > BYTE_LIMIT:
                raise UserError(
                    f"{folder}: over {BYTE_LIMIT // 10**6:,} MB: keep a bot in a folder of its own"
                )
            if stat.S_ISLNK(status.st_mode):
                _feed(digest, b"link", relative, os.fsencode(path.readlink()))
            elif stat.S_ISREG(status.st_mode):
                with path.open("rb") as file:
                    content = file_digest(file, "sha256").digest()
                runs = b"x" if status.st_mode & stat.S_IXUSR else b"-"
                _feed(digest, b"file", relative, runs, content)
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    return digest.hexdigest()


def _feed(digest: Any, *parts: bytes) -> None:
    """Parts with their number and lengths, so that no two lists of them read the same."""
    digest.update(len(parts).to_bytes(4))
    for part in parts:
        digest.update(len(part).to_bytes(8) + part)
