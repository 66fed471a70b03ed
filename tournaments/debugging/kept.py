"""A bot of a run, ready to be run once more: the copy that it played from, or its own files."""

from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from arena.program import Program
from tournaments.bots import fingerprint, snapshot
from tournaments.bots.programs import find_program
from tournaments.errors import UserError, quoted, shown
from tournaments.storage.results import Described, StoredBot
from tournaments.storage.store import Store
from tournaments.tournament import SandboxSettings

COPIES: Final = "bots"
"""The folder in a run folder with the copies that bots play from."""


class Kept(NamedTuple):
    """What a run has of a bot."""

    program: Program
    """`hash` is the bot's where nothing was changed, else that of the files as they are now."""
    changed: str
    """What is not as it was when it was entered, in words; empty where all is."""


def kept_bot(run: Path, label: str) -> Kept:
    """A bot of this run folder, as it is now. Raises UserError where it is gone."""
    with Store.read(run) as store:
        bot = next((bot for bot in store.bots() if bot.label == label), None)
    if bot is None:
        raise UserError(
            f"{shown(run)} has no bot {quoted(label)} any more: name it, as in `-- BOT`"
        )
    return _as_it_is_now(run, bot)


def _as_it_is_now(run: Path, bot: StoredBot) -> Kept:
    source = msgspec.convert(bot.source, Described)
    command, env = source.command, source.env or {}
    if not command:
        raise UserError(
            f"{shown(run)} does not say how {bot.label} is run: name it, as in `-- ./my-bot`"
        )

    def hash_of(copy: Path) -> str:
        return fingerprint.of_folder(copy, command, env, source.build)

    copy = snapshot.place(run / COPIES, bot.name, bot.hash).absolute()
    if copy.is_dir():
        changed = not snapshot.untouched(copy, hash_of)
        hash_ = hash_of(copy) if changed else bot.hash
        program = Program(bot.label, hash_, find_program(command, copy), str(copy), env)
        return Kept(
            program, "the run's copy of it was changed since it was made" if changed else ""
        )
    folder = Path(source.folder or copy)
    if not folder.is_dir():
        raise UserError(
            f"{shown(run)} has no copy of {bot.label} any more: name the program, as in"
            " `-- ./my-bot`"
        )
    found = find_program(command, folder)
    now = fingerprint.of_command(folder, command, env)
    program = Program(bot.label, now, found, str(folder), env, owns_folder=False)
    return Kept(program, "" if now == bot.hash else "its files were changed since the match")


def kept_sandbox(run: Path) -> SandboxSettings:
    """What the bots of this run were boxed in. Raises UserError where the store does not say."""
    with Store.read(run) as store:
        comparable = store.tournament().comparable
    try:
        return msgspec.convert(comparable["sandbox"], SandboxSettings)
    except (KeyError, msgspec.ValidationError):
        raise UserError(
            f"{shown(run)} does not say what its bots were boxed in, as it was changed by hand:"
            " name the program, as in `-- ./my-bot`"
        ) from None
