"""A child that writes what it is told when it is told, as a script of the plain shell: it starts
in a millisecond, and needs no compiler."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from arena.program import Program

_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 {}:,[]")

READ: Final = """\
while read -r line; do case $line in *'"id":'*) break;; esac; done
"""
"""Waits for a request, or the end of input."""

PAUSE: Final = "sleep 0.002\n"
CLOSE_INPUT: Final = "exec <&-\n"
CLOSE_OUTPUT: Final = "exec >&-\n"
CLOSE_LOG: Final = "exec 2>&-\n"
STOP: Final = "kill -STOP $$\n"
STAY: Final = "exec sleep 60\n"


def write(data: bytes, stream: int = 1) -> str:
    """Writes bytes at once, as far as a pipe takes them."""
    text = "".join(chr(byte) if byte in _PLAIN else f"\\{byte:03o}" for byte in data)
    return f"printf '{text}' >&{stream}\n" if data else ""


def write_in_pieces(data: bytes, cuts: Iterable[int], *, pauses: bool) -> str:
    """Writes the same with a write for each piece, the pauses between them if wanted."""
    at = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    pieces = [data[i:j] for i, j in pairwise(at)]
    return (PAUSE if pauses else "").join(map(write, pieces))


def leave(status: int) -> str:
    """Exits, or ends by the signal of a negative number."""
    return f"exit {status}\n" if status >= 0 else f"kill {status} $$\n"


def program(folder: Path, steps: Sequence[str]) -> Program:
    """The program of these steps, in a folder where it replaces an earlier one."""
    (folder / "script").write_text("".join(steps))
    return Program("writer", "", ("/bin/sh", "script"), str(folder))
