"""The keyboard of a terminal, key by key, on a screen that is given back as it was."""

import os
import re
import select
import sys
import termios
import tty
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from tournaments.signals import stop_job

_ENTER_SCREEN: Final = "\x1b[?1049h\x1b[?25l"
_LEAVE_SCREEN: Final = "\x1b[?25h\x1b[?1049l"

_CHUNK: Final = 1024
_KEY: Final = re.compile(r"\x1b\[[0-9;]*[~A-Za-z]|\x1bO[A-Za-z]|.", re.DOTALL)
_NAMES: Final = {
    "\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down",
    "\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[7~": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x1b[8~": "end",
    "\x1b[5~": "page up", "\x1b[6~": "page down", " ": "space",
}  # fmt: skip


class Keyboard:
    """Keys as they are pressed, by name: `right`, `page up`, `space`, and letters as they are."""

    def __init__(self, terminal: int, before: list[Any], ended: Callable[[], bool]) -> None:
        self._terminal, self._before, self._ended = terminal, before, ended
        self._waiting: deque[str] = deque()

    def key(self, seconds: float) -> str | None:
        """The next key, or None where none is pressed for so long. Raises EOFError at the end."""
        if self._ended():
            raise EOFError
        if not self._waiting and select.select([self._terminal], [], [], seconds)[0]:
            try:
                typed = os.read(self._terminal, _CHUNK)
            except OSError:  # the terminal is gone
                typed = b""
            if not typed:
                raise EOFError
            self._waiting.extend(keys(typed.decode(errors="replace")))
        return self._waiting.popleft() if self._waiting else None

    def forget(self) -> None:
        """Forgets what was typed before anything was asked."""
        self._waiting.clear()
        with suppress(termios.error):  # the terminal is gone
            termios.tcflush(self._terminal, termios.TCIFLUSH)

    def stop(self) -> None:
        """Stops the program as Ctrl-Z does elsewhere, and goes on when the shell has it go on."""
        self.give_back()
        stop_job()
        self.take()

    def take(self) -> None:
        """The terminal, key by key, and its other screen."""
        tty.setcbreak(self._terminal, termios.TCSADRAIN)
        cbreak = termios.tcgetattr(self._terminal)
        cbreak[6][termios.VSUSP] = os.fpathconf(self._terminal, "PC_VDISABLE").to_bytes()
        termios.tcsetattr(self._terminal, termios.TCSADRAIN, cbreak)
        _write(_ENTER_SCREEN)

    def give_back(self) -> None:
        """The terminal as it was."""
        try:
            _write(_LEAVE_SCREEN)
        finally:
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)


def keys(typed: str) -> Iterator[str]:
    """What was typed, as names of keys."""
    for key in _KEY.findall(typed):
        yield _NAMES.get(key, key)


@contextmanager
def keyboard(ended: Callable[[], bool] = lambda: False) -> Iterator[Keyboard]:
    """Standard input key by key and a screen of its own, both given back however it ends.

    Ctrl-C interrupts as ever. Ctrl-Z is a key, as a shell would be left with such a terminal: who
    has it `stop` gives it back first. Where `ended` there are no more keys.
    """
    terminal = sys.stdin.fileno()
    keys = Keyboard(terminal, termios.tcgetattr(terminal), ended)
    try:
        keys.take()
        yield keys
    finally:
        with suppress(OSError, termios.error):  # the terminal is gone
            keys.give_back()


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
