"""A bot that is a child process: raw pipes, one absolute deadline a decision, whole lines only."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from arena.bot import Answer
from arena.events import Clocks
from protocol.messages import Message, Request


class Program(Struct, frozen=True):
    """What to run for a bot."""

    name: str
    """Unique in a tournament; a later version of a bot is `name@2`."""
    hash: str
    """SHA-256 over the bot's files, in hex."""
    command: tuple[str, ...]
    """The first is an absolute path."""
    folder: str
    """The working directory, absolute."""
    env: dict[str, str] = {}
    """Variables beside PATH, LANG, LC_ALL, HOME and TMPDIR."""


class BotProcess:
    def __init__(self, program: Program, clock: Clocks, scratch: Path) -> None: ...

    def ask(self, request: Request) -> Answer: ...  # type: ignore[empty-body]

    def tell(self, message: Message) -> None: ...

    @property
    def log(self) -> str: ...  # type: ignore[empty-body]


def close_all(bots: Iterable[BotProcess], exit_ms: float) -> None: ...
