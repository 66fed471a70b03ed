"""The keyboard of a terminal, key by key, on a screen that is given back as it was."""

import os
import re
import select
import sys
import termios
import tty
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

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

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._waiting: deque[str] = deque()

    def key(self, seconds: float) -> str | None:
        """The next key, or None where none is pressed for so long. Raises EOFError at the end."""
        if not self._waiting and select.select([self._terminal], [], [], seconds)[0]:
            typed = os.read(self._terminal, _CHUNK)
            if not typed:
                raise EOFError
            self._waiting.extend(keys(typed.decode(errors="replace")))
        return self._waiting.popleft() if self._waiting else None


def keys(typed: str) -> Iterator[str]:
    """What was typed, as names of keys."""
    for key in _KEY.findall(typed):
        yield _NAMES.get(key, key)


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """Standard input key by key and a screen of its own, both given back however it ends.

    Ctrl-C interrupts as ever. Ctrl-Z does nothing: a shell would be left with such a terminal.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        cbreak = termios.tcgetattr(terminal)
        cbreak[6][termios.VSUSP] = os.fpathconf(terminal, "PC_VDISABLE").to_bytes()
        termios.tcsetattr(terminal, termios.TCSADRAIN, cbreak)
        _write(_ENTER_SCREEN)
        yield Keyboard(terminal)
    finally:
        try:
            _write(_LEAVE_SCREEN)
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
