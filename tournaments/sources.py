"""What is typed for a recorded match: the words by which `debug` finds it again."""

import shlex
from pathlib import Path

from arena.turns import Source
from protocol.codec import printable


def in_run(folder: Path | str, match: str) -> Source:
    """Of a match in a run folder, which knows its bots."""
    return Source(_words(str(folder), match), "")


def in_file(file: Path | str, bot: str | None = None) -> Source:
    """Of a record in a file; with the bot as its user named it, where that is known."""
    return Source(_words(str(file)), "BOT" if bot is None else _words(bot))


def _words(*words: str) -> str:
    return printable(shlex.join(words))
