"""What a user names as a bot: a folder, a file, a command, a mapping in a tournament file."""

import os
import shlex
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from arena.diagnosis import mode_of
from protocol.codec import printable
from tournaments.bots import revisions
from tournaments.bots.builds import PYTHON
from tournaments.bots.programs import find_program, name_of, named_after
from tournaments.errors import UserError, near, quoted
from tournaments.files.positions import Spot
from tournaments.files.shape import check_shape
from tournaments.files.source import read
from tournaments.files.vocabulary import Bot, BotEntry, BotFile

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
    command_at: Spot | None = None
    """Where in a file its command is written."""
    owns_folder: bool = False
    """All files below the folder are the bot's; otherwise those that the command names."""


def bot_from_argument(text: str, folder: Path) -> BotSource:
    """The bot that a text names: a folder with bot.yaml, a program file, or a command.

    Paths are relative to `folder`; of `git:REF:PATH` see `revisions`. Raises UserError if it is
    none of these.
    """
    path, shown = _place(text, folder)
    mode = mode_of(path)
    if stat.S_ISDIR(mode) and text:
        return _from_folder(path, text, shown)
    if stat.S_ISREG(mode):
        return _from_file(path, text)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{quoted(text)} is no command: {str(error).lower()}") from None
    if not words:
        raise UserError("expected a bot's folder, file or command, found an empty text")
    if len(words) == 1 and "/" not in words[0] and not shutil.which(words[0]):
        raise UserError(f"{quoted(text)} is no folder, no file, and no program on PATH{near(path)}")
    try:
        find_program(words, folder)
    except UserError:
        if words[0].endswith(".py") and stat.S_ISREG(mode_of(folder / words[0])):
            line = printable(f"{PYTHON} {text}")
            raise UserError(f'{quoted(words[0])} is a script in Python: write "{line}"') from None
        raise
    name = name_of(named_after(words, folder))
    return BotSource(name, tuple(words), folder.resolve(), where=text)


def bot_from_entry(entry: BotEntry, folder: Path) -> BotSource:
    """The bot of a mapping in a tournament file, which lies in `folder`.

    Raises UserError if the entry's own folder is none, or it has no command.
    """
    own = entry.folder is not UNSET
    if entry.build is not UNSET and not own:
        raise UserError("a build needs a folder of its own: add 'folder:'")
    home, shown = (folder, folder) if entry.folder is UNSET else _place(entry.folder, folder)
    if not stat.S_ISDIR(mode_of(home)):
        raise UserError(f"the folder {quoted(str(shown))} does not exist{near(home)}")
    command_at = None
    if own and mode_of(home / BOT_FILE):
        description, command_at = _read(home, shown)
        entry = _completed(entry, description)
    if entry.command is UNSET:
        no_file = f", and the folder {quoted(str(shown))} has no {BOT_FILE}" if own else ""
        raise UserError(f"the key 'command' is missing here{no_file}")
    return _described(
        entry,
        entry.command,
        command_at,
        name=entry.name,
        folder=home.resolve(),
        owns_folder=own,
    )


def program_of(source: BotSource, folder: Path) -> tuple[str, ...]:
    """The command to run in `folder`, its first word an absolute path.

    Raises UserError, at the place where it is written if that is a file, if it can't be run.
    """
    try:
        return find_program(source.command, folder)
    except UserError as error:
        if source.command_at is None:
            raise
        raise source.command_at.error(str(error)) from None


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


def _place(text: str, folder: Path) -> tuple[Path, Path]:
    """Where the path is that was typed, taken out of git if need be, and what messages call it."""
    path = folder / text
    if text.startswith(revisions.PREFIX) and not mode_of(path):
        return revisions.take(text, folder), Path(text)
    return path, path


def _from_folder(path: Path, text: str, shown: Path) -> BotSource:
    folder = path.resolve()
    if not os.access(folder, os.R_OK | os.X_OK):
        raise UserError(f"the folder {quoted(text)} can't be read: permission denied")
    if not mode_of(path / BOT_FILE):
        raise UserError(
            f"the folder {quoted(text)} has no {BOT_FILE}: write one, or name a program in it"
        )
    description, command_at = _read(path, shown)
    name = name_of(folder.name) if description.name is UNSET else description.name
    return _described(
        description,
        description.command,
        command_at,
        name=name,
        folder=folder,
        where=text,
        owns_folder=True,
    )


def _read(folder: Path, shown: Path) -> tuple[BotFile, Spot]:
    """The bot.yaml of a folder, and where its command is. Raises UserError with all mistakes."""
    source = read(folder / BOT_FILE, shown / BOT_FILE)
    check_shape(source, BotFile)
    source.raise_problems()
    return msgspec.convert(source.data, BotFile), source.spot(("command", 0))


def _completed(entry: BotEntry, description: BotFile) -> BotEntry:
    """The entry, with what it does not say from the bot.yaml in its folder."""
    unsaid = [key for key in (*Bot.__struct_fields__, "command") if getattr(entry, key) is UNSET]
    return msgspec.structs.replace(entry, **{key: getattr(description, key) for key in unsaid})


def _from_file(path: Path, text: str) -> BotSource:
    folder, name = path.parent.resolve(), name_of(path.name)
    if path.suffix == ".py":
        return BotSource(name, (PYTHON, path.name), folder, where=text)
    find_program([f"./{path.name}"], folder)
    return BotSource(name, (f"./{path.name}",), folder, where=text)


def _described(
    description: Bot,
    command: list[str],
    command_at: Spot | None,
    *,
    name: str,
    folder: Path,
    where: str = "",
    owns_folder: bool,
) -> BotSource:
    """The bot of a mapping in a file."""
    build = _or_none(description.build)
    return BotSource(
        name=name,
        command=tuple(command),
        folder=folder,
        build=None if build is None else tuple(build),
        env=_or_none(description.env) or {},
        version=_or_none(description.version),
        author=_or_none(description.author),
        language=_or_none(description.language),
        description=_or_none(description.description),
        where=where,
        command_at=command_at,
        owns_folder=owns_folder,
    )


def _or_none(value: T | UnsetType) -> T | None:
    return None if value is UNSET else value
