"""What a user names as a bot, and the program that it comes to: found, hashed and built."""

import os
import re
import shlex
import shutil
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from arena.process import Program
from tournaments import fingerprint, snapshot
from tournaments.builds import PYTHON, behind_shim, run_build, with_python
from tournaments.errors import UserError, did_you_mean, quoted
from tournaments.shape import check_shape
from tournaments.source import read
from tournaments.vocabulary import Bot, BotEntry, BotFile

BOT_FILE: Final = "bot.yaml"

T = TypeVar("T")


class BotSource(Struct, frozen=True):
    """A bot as a user named it: nothing was built, and its command is as it was written."""

    name: str
    """[a-z0-9._-], up to 64 characters."""
    command: tuple[str, ...]
    folder: Path
    """The working directory, absolute."""
    build: tuple[str, ...] | None = None
    env: dict[str, str] = {}
    version: str | None = None
    author: str | None = None
    language: str | None = None
    description: str | None = None
    where: str = ""
    """Where it was named: `file:line:col`, or what was typed."""
    owns_folder: bool = False
    """All files below the folder are the bot's; otherwise those that the command names."""


def bot_from_argument(text: str, folder: Path) -> BotSource:
    """The bot that a text names: a folder with bot.yaml, a program file, or a command.

    Paths are relative to `folder`. Raises UserError if it is none of these.
    """
    path = folder / text
    mode = _mode(path)
    if stat.S_ISDIR(mode) and text:
        return _from_folder(path, text)
    if stat.S_ISREG(mode):
        return _from_file(path, text)
    if text.startswith("git:"):
        raise UserError(
            f"{quoted(text)}: bots from git are not available in this version; check that version"
            " out and name its folder"
        )
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{quoted(text)} is no command: {str(error).lower()}") from None
    if not words:
        raise UserError("expected a bot's folder, file or command, found an empty text")
    if len(words) == 1 and "/" not in words[0] and not shutil.which(words[0]):
        raise UserError(
            f"{quoted(text)} is no folder, no file, and no program on PATH{_near(path)}"
        )
    _locate(with_python(words)[0], folder)
    return BotSource(_name_of(words[0]), tuple(words), folder.resolve(), where=text)


def bot_from_entry(entry: BotEntry, folder: Path) -> BotSource:
    """The bot of a mapping in a tournament file, which lies in `folder`.

    Raises UserError if the entry's own folder is none.
    """
    own = entry.folder is not UNSET
    if entry.build is not UNSET and not own:
        raise UserError("a build needs a folder of its own: add 'folder:'")
    home = folder / entry.folder if entry.folder is not UNSET else folder
    if not stat.S_ISDIR(_mode(home)):
        raise UserError(f"the folder {quoted(str(home))} does not exist{_near(home)}")
    return _described(entry, name=entry.name, folder=home.resolve(), owns_folder=own)


def distinct(sources: Iterable[BotSource]) -> list[BotSource]:
    """The same bots under different names: the second `name` is `name-2`."""
    sources = list(sources)
    taken: set[str] = set()
    given = {source.name for source in sources}
    found = []
    for source in sources:
        name, number = source.name, 1
        while name in taken or (number > 1 and name in given):
            number += 1
            name = f"{source.name[: 63 - len(str(number))]}-{number}"
        taken.add(name)
        found.append(msgspec.structs.replace(source, name=name))
    return found


def prepare_all(sources: Sequence[BotSource], snapshots: Path | None = None) -> list[Program]:
    """The programs of these bots, in their order: hashed, built, and found.

    With `snapshots`, a folder, bots that own their folders are copied there, built and run there.
    Without it they are built where they are. Raises UserError with all that failed: files that
    can't be read, builds, nothing to run; and what can be seen without a build before any build.
    """

    def look(source: BotSource) -> str:
        if not source.build:
            _command(source)
        return _fingerprint(source)

    def get_ready(source: BotSource, hash_: str) -> Program:
        folder = source.folder
        if snapshots is not None and source.owns_folder:
            place = snapshots / f"{source.name}-{hash_[:16]}"
            folder = snapshot.take(folder, place, lambda copy: _finish(source, copy, hash_))
        elif source.build:
            run_build(source.build, folder)
        command = _command(msgspec.structs.replace(source, folder=folder))
        return Program(source.name, hash_, command, str(folder), source.env)

    hashes = _for_each(look, sources)
    return _for_each(get_ready, sources, hashes)


def _finish(source: BotSource, copy: Path, hash_: str) -> None:
    """Makes sure that a copy is what was hashed, and builds it."""
    if fingerprint.of_folder(copy, source.command, source.env) != hash_:
        raise UserError(f"{source.folder} was changed while it was copied: run again")
    if source.build:
        run_build(source.build, copy)


def _for_each(
    step: Callable[..., T], sources: Iterable[BotSource], *more: Iterable[object]
) -> list[T]:
    """What the step gives for each; raises UserError with all its errors, and whose they are."""
    found, failures = [], []
    for source, *rest in zip(sources, *more, strict=True):
        try:
            found.append(step(source, *rest))
        except UserError as error:
            failures.append(f"{source.where}: bot {source.name!r}: {error}")
    if failures:
        raise UserError("\n".join(failures))
    return found


def _fingerprint(source: BotSource) -> str:
    hash_of = fingerprint.of_folder if source.owns_folder else fingerprint.of_command
    return hash_of(source.folder, source.command, source.env)


def _command(source: BotSource) -> tuple[str, ...]:
    """The command to run, its first word an absolute path."""
    program, *rest = with_python(source.command)
    return (str(_locate(program, source.folder)), *rest)


def _locate(program: str, folder: Path) -> Path:
    """The program that a command's first word names. Raises UserError if it can't be run."""
    if "/" not in program:
        found = shutil.which(program)
        if found is None:
            here = stat.S_ISREG(_mode(folder / program))
            raise UserError(
                f"{quoted(program)} is not on PATH"
                + (f": write ./{program} for the file in the bot's folder" if here else "")
            )
        return behind_shim(Path(found).absolute(), folder)
    path = folder / program
    mode = _mode(path)
    if not mode:
        raise UserError(f"{quoted(program)} does not exist{_near(path)}")
    if not stat.S_ISREG(mode):
        raise UserError(f"{quoted(program)} is not a file")
    if not os.access(path, os.X_OK):
        raise UserError(
            f"{quoted(program)} is not executable: run chmod +x on it, or put its interpreter"
            " before it in the command"
        )
    return path.absolute()


def _from_folder(path: Path, text: str) -> BotSource:
    file, folder = path / BOT_FILE, path.resolve()
    if not _mode(file):
        raise UserError(
            f"the folder {quoted(text)} has no {BOT_FILE}: write one, or name a program in it"
        )
    source = read(file)
    check_shape(source, BotFile)
    source.raise_problems()
    description = msgspec.convert(source.data, BotFile)
    name = _name_of(folder.name) if description.name is UNSET else description.name
    return _described(description, name=name, folder=folder, where=text, owns_folder=True)


def _from_file(path: Path, text: str) -> BotSource:
    folder, name = path.parent.resolve(), _name_of(path.name)
    if path.suffix == ".py":
        return BotSource(name, (PYTHON, path.name), folder, where=text)
    _locate(f"./{path.name}", folder)
    return BotSource(name, (f"./{path.name}",), folder, where=text)


def _described(
    description: Bot, *, name: str, folder: Path, where: str = "", owns_folder: bool
) -> BotSource:
    """The bot of a mapping in a file."""
    build = _or_none(description.build)
    return BotSource(
        name=name,
        command=tuple(description.command),
        folder=folder,
        build=None if build is None else tuple(build),
        env=description.env,
        version=_or_none(description.version),
        author=_or_none(description.author),
        language=_or_none(description.language),
        description=_or_none(description.description),
        where=where,
        owns_folder=owns_folder,
    )


def _or_none(value: T | UnsetType) -> T | None:
    return None if value is UNSET else value


def _name_of(program: str) -> str:
    """A bot's name by the file, folder or program that it is."""
    stem = Path(program.replace(PYTHON, "python")).stem.lower()
    return re.sub(r"[^a-z0-9._-]+", "-", stem).strip("-._")[:64] or "bot"


def _near(path: Path) -> str:
    """The file or folder beside it that was meant, perhaps."""
    with suppress(OSError):
        return did_you_mean(path.name, [near.name for near in path.parent.iterdir()])
    return ""


def _mode(path: Path) -> int:
    """The type and permissions of a file or folder; 0 if there is none to be had."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0
