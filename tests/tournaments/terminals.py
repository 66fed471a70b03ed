"""A command in a terminal of its own, which is real but for its window."""

import codecs
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.tournaments.league import ROOT

SHOWN, GIVEN_BACK = "\x1b[?1049h", "\x1b[?25h\x1b[?1049l"


def settings(line: int) -> list[Any]:
    """What a shell would find: echo, lines, control characters."""
    return termios.tcgetattr(line)[:7]


class Terminal:
    """The keyboard and the screen of a command."""

    def __init__(self, pid: int, line: int) -> None:
        self._pid, self.line = pid, line
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.written = ""

    def wait_for(self, condition: Callable[[str], Any]) -> str:
        """Reads until that holds for what was written; gives that, and begins anew."""
        end = time.monotonic() + 60
        while not condition(self.written):
            assert time.monotonic() < end, self.written
            if select.select([self.line], [], [], 0.1)[0]:
                try:
                    self.written += self._decoder.decode(os.read(self.line, 1 << 16))
                except OSError:  # its other end is closed
                    assert condition(self.written), self.written
        found, self.written = self.written, ""
        return found

    def press(self, typed: str) -> None:
        os.write(self.line, typed.encode())

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.line, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def kill(self, signum: int) -> None:
        os.kill(self._pid, signum)

    def status(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])


@contextmanager
def in_terminal(
    code: str, *words: str, environment: dict[str, str] | None = None
) -> Iterator[Terminal]:
    """Runs a program in Python with these arguments."""
    environment = {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT)} | (environment or {})
    pid, line = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.execve(sys.executable, [sys.executable, "-c", code, *words], environment)
    opened = Terminal(pid, line)
    try:
        yield opened
    finally:
        os.close(line)
