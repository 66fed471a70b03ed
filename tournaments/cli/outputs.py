"""Standard output and error as every command needs them, whatever they are connected to.

Standard output is the result of a command: a failure to write it is told. Standard error is for
whoever watches: a run goes on when nobody does any more.
"""

import io
import os
import sys

import click

from protocol.codec import printable
from tournaments.errors import ArenaError


def prepare() -> None:
    """Makes both UTF-8, whatever the locale says, and harmless where they are closed."""
    _open_what_is_closed()
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.__stderr__ is not None and sys.stderr is sys.__stderr__:
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Heedless(sys.__stderr__.fileno(), "w", closefd=False)),
            encoding="utf-8",
            errors="backslashreplace",
            line_buffering=True,
        )


def tell(text: str, err: bool = False) -> None:
    """Prints a text of one line or several, in which strangers' words may stand."""
    click.echo(printable(text, but="\n\t"), err=err)


def release() -> None:
    """Writes what still stands in standard output, or lets it go where it can't be written.

    Otherwise the interpreter would try at its end, and end with a status of its own.
    """
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Closed(io.StringIO):
    """A standard output that was closed before we began."""

    def write(self, text: str) -> int:
        raise ArenaError("standard output is closed: there is nowhere to print to")


class _Heedless(io.FileIO):
    """Takes what it is given, also where it can't be written: on a full disk, in a closed pipe."""

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _open_what_is_closed() -> None:
    """No file that is opened later may get the number of a standard stream.

    Something that prints to it would write into a database.
    """
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)
