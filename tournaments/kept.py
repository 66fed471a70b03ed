"""A bot of a run, ready to be run once more: the copy that it played from, or its own files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from arena.program import Program
from tournaments import fingerprint, snapshot
from tournaments.errors import UserError, shown
from tournaments.programs import find_program
from tournaments.results import StoredBot

COPIES: Final = "bots"
"""The folder in a run folder with the copies that bots play from."""


def kept_program(run: Path, bot: StoredBot) -> Program:
    """The program of a bot of this run folder; `hash` is that of the files as they are now.

    Raises UserError where the run has no copy of it and its files are gone.
    """
    source: dict[str, Any] = bot.source
    command: Sequence[str] = source["command"]
    env: dict[str, str] = source.get("env") or {}
    copy = snapshot.place(run / COPIES, bot.name, bot.hash).absolute()
    if copy.is_dir():
        return Program(bot.label, bot.hash, find_program(command, copy), str(copy), env)
    folder = Path(source.get("folder") or copy)
    if not folder.is_dir():
        raise UserError(
            f"{shown(run)} has no copy of {bot.label} any more: name the program, as in"
            " `-- ./my-bot`"
        )
    found = find_program(command, folder)
    now = fingerprint.of_command(folder, command, env)
    return Program(bot.label, now, found, str(folder), env, owns_folder=False)
