"""The one line that reproduces a fault, wherever a fault is shown."""

import shlex
from pathlib import Path

from arena.turns import Turn
from protocol.cards import Seat
from protocol.codec import printable


def in_run(folder: Path | str, match: str, seat: Seat, turn: Turn | str) -> str:
    """Of a match in a run folder, which still knows the bot."""
    return _line(str(folder), match, seat, turn)


def in_file(file: Path | str, seat: Seat, turn: Turn | str, bot: str | None = None) -> str:
    """Of a record in a file; with the bot as its user named it, if that is known."""
    named = "BOT" if bot is None else _words(bot)
    return f"{_line(str(file), None, seat, turn)} -- {named}"


def _line(where: str, match: str | None, seat: Seat, turn: Turn | str) -> str:
    found = [where, *([] if match is None else [match])]
    words = ["spades-arena", "debug", *found, "--seat", seat, "--until", str(turn)]
    return printable(shlex.join(words))


def _words(bot: str) -> str:
    """A command is typed as it is, as one word it would be quoted."""
    return printable(shlex.quote(bot))
