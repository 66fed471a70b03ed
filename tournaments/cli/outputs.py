"""Where commands write to: standard output and error, whatever they are connected to, and files.

Standard output is the result of a command: a failure to write it is told. Standard error is for
whoever watches: a run goes on when nobody does any more.
"""

import errno
import io
import os
import sys
from pathlib import Path

import click

from protocol.codec import printable
from tournaments.errors import ArenaError, UserError, shown


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


def at_a_terminal() -> bool:
    """Whether somebody is there who reads and types."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def at_a_screen() -> bool:
    """Whether somebody is there, at a terminal that can be drawn on."""
    from rich.console import Console  # few commands draw

    return at_a_terminal() and not Console().is_dumb_terminal


def check_writable(path: Path) -> None:
    """Whether a file of that name can be written, as far as can be told before; it makes none.

    Called before work is done for it. Raises UserError.
    """
    place = str(path)  # which the system follows, also to a pipe such as /dev/stdout may be
    try:
        if not path.exists():
            place = f"{Path(os.path.realpath(path)).parent}/."
            os.stat(place)  # noqa: PTH116 - a Path has no dot at its end, which asks for a folder
        if not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _unwritable(path, error.strerror) from None


def write_file(path: Path, data: bytes) -> None:
    """Writes a file that the user named."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _unwritable(path, error.strerror) from None


def _unwritable(path: Path, reason: str | None) -> UserError:
    return UserError(f"{shown(path)} can't be written: {reason}")


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
