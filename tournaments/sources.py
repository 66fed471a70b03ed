"""What is typed for a recorded match: the words by which `debug` finds it again."""

import shlex
from pathlib import Path

from arena.sandbox import Backend
from arena.turns import Source
from protocol.codec import printable


def in_run(folder: Path | str, match: str) -> Source:
    """Of a match in a run folder, which knows its bots."""
    return Source(_words(str(folder), match), "")


def in_file(file: Path | str, bot: str | None = None, backend: Backend = "none") -> Source:
    """Of a record in a file; with the bot as its user named it, where that is known.

    A bot that was boxed in is boxed in again.
    """
    named = "BOT" if bot is None else _words(bot)
    return Source(_words(str(file)), named, "" if backend == "none" else backend)


def _words(*words: str) -> str:
    return printable(shlex.join(words))
