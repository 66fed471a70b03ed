"""The three pipes to a child process, without blocking and with one `poll` for all of them.

It knows no clock and no message: callers say how long to wait and what to make of a line.
"""

import os
import select
from collections.abc import Sequence
from typing import IO, Final

from arena.lines import Lines, Log

PENDING_LIMIT: Final = 1024 * 1024
"""Bytes that may wait for a child that does not read; further messages to it are lost."""

LONGEST_POLL_MS: Final = 60_000.0
"""`poll` takes a C int; whoever has to wait longer looks at the clock and waits again."""

_CHUNK: Final = 64 * 1024


class Pipes:
    """What goes to and comes from a child, through our ends of its three pipes.

    A file descriptor is watched only as long as something new can come of it, so that neither a
    closed pipe nor a dead child makes `wait` return at once for ever.
    """

    def __init__(self, pid: int, files: Sequence[IO[bytes]]) -> None:
        """`files` are those of the child's standard input, output and error, and ours to close."""
        self.pid = pid
        self._files = files
        self._in, self._out, self._err = (file.fileno() for file in files)
        self.lines = Lines()
        self.log = Log()
        self.deaf = False
        """The child has closed its standard input, or we have."""
        self.dead = False
        """The child has ended, and what it wrote has been read. Nobody has waited for it yet."""
        self.over = False
        """It is dead, or its standard output has ended, or one of its outputs is over its limit."""
        self._pending = bytearray()
        self._leaving = False
        self._logs = False
        """The child writes to its standard error."""
        self._poll = select.poll()
        self._watched: dict[int, int] = {}
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        try:
            self._pidfd = os.pidfd_open(pid)
        except OSError:
            self._close_files()
            raise
        for fd in (self._out, self._err, self._pidfd):
            self._watch(fd, select.POLLIN)

    @property
    def pending(self) -> bool:
        """Something waits for the child to read."""
        return bool(self._pending)

    def send(self, data: bytes) -> None:
        """Writes what can be written at once; the rest goes out in `wait` and `drain`."""
        if self.deaf:
            return
        if self._pending:
            if len(self._pending) + len(data) <= PENDING_LIMIT:
                self._pending += data
            return
        written = self._write(data)
        if written < len(data) and not self.deaf:
            self._pending += data[written:]
            self._watch(self._in, select.POLLOUT)

    def look(self) -> None:
        """Reads output that is there already, which takes half as long as to ask `poll` first.

        Of a child that writes a log nothing is read: how much of it has come before a line must not
        depend on whether that was waited for.
        """
        if not (self._logs or self.over):
            self._read_output()

    def wait(self, ms: float) -> None:
        """Waits until something happens, or so many milliseconds, and deals with it."""
        for fd, _ in self._poll.poll(ms if ms < LONGEST_POLL_MS else LONGEST_POLL_MS):
            if fd == self._out:
                self._read_output()
            else:
                self.serve(fd)

    def drain(self) -> None:
        """Deals with all that has happened, without waiting."""
        while events := self._poll.poll(0):
            for fd, _ in events:
                self.serve(fd)

    def leave(self, poll: "select.poll") -> list[int]:
        """Closes standard input once all is written, and has `poll` watch from now on.

        Returns the file descriptors that it watches. Whoever polls calls `serve` for each that
        something happened to.
        """
        self._poll = poll
        for fd, events in self._watched.items():
            poll.register(fd, events)
        self._leaving = True
        if not self._pending:
            self._stop_writing()
        return list(self._watched)

    def serve(self, fd: int) -> None:
        """Deals with what happened to one file descriptor."""
        if fd == self._out:
            self._read_output()
        elif fd == self._err:
            self._read_log()
        elif fd == self._in:
            self._flush()
        else:
            self._unwatch(fd)
            while self._read_output() or self._read_log():
                pass  # a child of the dead may hold the pipes open; what stands there counts
            self.dead = self.over = True

    def close(self) -> None:
        """Closes everything. May be called again."""
        self._close_files()
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        self._watched.clear()

    def _close_files(self) -> None:
        for file in self._files:
            file.close()

    def _read_output(self) -> bool:
        """Reads once; False where nothing more stands there or may be read."""
        try:
            data = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return False
        self.lines.feed(data)
        if data and not self.lines.full:
            return True
        self.over = True
        self._unwatch(self._out)
        return False

    def _read_log(self) -> bool:
        """Reads once; False where nothing more stands there or may be read."""
        try:
            data = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return False
        self.log.feed(data)
        self._logs = True
        if data and not self.log.full:
            return True
        self.over = self.over or self.log.full
        self._unwatch(self._err)
        return False

    def _write(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self._in, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            self._stop_writing()
            return 0

    def _flush(self) -> None:
        del self._pending[: self._write(self._pending)]
        if not self._pending:
            self._unwatch(self._in)
            if self._leaving:
                self._stop_writing()

    def _stop_writing(self) -> None:
        self.deaf = True
        self._pending.clear()
        self._unwatch(self._in)
        self._files[0].close()

    def _watch(self, fd: int, events: int) -> None:
        self._watched[fd] = events
        self._poll.register(fd, events)

    def _unwatch(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            self._poll.unregister(fd)
