"""What a box is to the rest of the arena: the settings that go in, and a bot that runs in it.

Two failures, and neither is a bot's: `NoSandbox` is for the user to mend, `BoxFailed` voids
a match.
"""

import os
import time
from abc import ABC, abstractmethod
from typing import IO, Final, Literal

from msgspec import Struct

Backend = Literal["bubblewrap", "none"]


class NoSandbox(Exception):
    """A backend can't be had on this machine; the text says why, and how to mend it."""


class BoxFailed(Exception):
    """A box could not be set up, for no fault of the bot's."""


class Sandbox(Struct, frozen=True):
    """What bots are boxed in, and the limits of each of them."""

    backend: Backend
    memory: int = 512_000_000
    """Bytes."""
    disk: int = 64_000_000
    """Bytes of its own folder, and of any file."""
    processes: int = 1
    threads: int = 64
    """Of all its processes together; the first of each process counts."""
    pause: bool = True
    """It is stopped while others are on turn."""


class Usage(Struct, frozen=True):
    """What a bot uses at one moment."""

    memory: int
    """Bytes that are its own: private and shared anonymous, swapped, page tables."""
    processes: int
    threads: int
    disk: int | None
    """Bytes of its own folders; None where they can't be told."""
    files: int | None
    """Files and folders in them; None where they can't be told."""


class Box(ABC):
    """A bot that was started. Whoever has one calls `kill` and then `close`, whatever happens."""

    def __init__(self, pid: int, bot: int, files: list[IO[bytes]]) -> None:
        self.pid: Final = pid
        """What we started: a child of ours that leads a session, and that nobody has waited for."""
        self.bot: Final = bot
        """The bot's first process, by its pid on our side: for its processor clock and signals."""
        self._clock: Final = (~bot << 3) | 2  # as the kernel numbers that of a process's threads
        self.files: Final = files
        """Our ends of its standard input, output and error."""

    def processor_ns(self) -> int | None:
        """Processor time of all threads of the bot's first process; None where it has ended."""
        try:
            return time.clock_gettime_ns(self._clock)
        except OSError:
            return None

    @abstractmethod
    def processes(self) -> list[int]:
        """The pids of the bot's processes that live, on our side."""

    @abstractmethod
    def usage(self) -> Usage:
        """What it uses now; nothing where it has ended."""

    @abstractmethod
    def signal(self, number: int) -> None:
        """Sends a signal to the bot, as far as it can be reached. Never raises for a dead one."""

    @abstractmethod
    def kill(self) -> None:
        """Kills what can be killed at once; the rest is the reaper's. Never raises."""

    def ended(self) -> os.waitid_result | None:
        """How the bot ended, without waiting for it; None while it runs."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)

    @abstractmethod
    def close(self) -> None:
        """Gives back what it holds beside the pipes. May be called again."""
