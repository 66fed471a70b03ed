"""The line on which tables tell how they stand: one pipe for all workers, never waited for.

A worker that finds it full drops its news, as later ones come: no match waits for who watches. Each
news is a line so short that the kernel writes it whole or not at all, whatever happens to the
worker.
"""

import os
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Final

import msgspec

from arena.news import News

READ_AT_ONCE: Final = 1 << 16
"""Bytes: as many as a pipe holds."""
LONGEST: Final = 512
"""Bytes of a line: so many are written whole or not at all (POSIX, PIPE_BUF)."""

_line: Connection | None = None
"""Of the process that this is, if it is a worker."""


class Newsline:
    """The coordinator's end, and the one that workers are given."""

    def __init__(self) -> None:
        self._reader, self.writer = Pipe(duplex=False)
        for end in (self._reader, self.writer):
            os.set_blocking(end.fileno(), False)
        self._begun = b""

    def heard(self) -> list[News]:
        """What was told since it was last asked, the oldest first; at most a pipe full."""
        try:
            data = os.read(self._reader.fileno(), READ_AT_ONCE)
        except BlockingIOError:
            return []
        *lines, begun = (self._begun + data).split(b"\n")
        self._begun = begun if len(begun) <= LONGEST else b""
        news = []
        for line in (each for each in lines if len(each) <= LONGEST):
            # A bot without a box, of the same user, could write here as well.
            with suppress(msgspec.DecodeError):
                news.append(msgspec.json.decode(line, type=News))
        return news

    def close(self) -> None:
        """Ends it. May be called again."""
        self._reader.close()
        self.writer.close()


def join(line: Connection) -> None:
    """Makes this process, a worker, one that is heard on the line."""
    global _line
    _line = line


def tell(news: News) -> None:
    """Sends news from a worker; in any other process nobody hears it."""
    if _line is not None:
        with suppress(OSError):  # it is full, or the coordinator has gone
            os.write(_line.fileno(), msgspec.json.encode(news) + b"\n")
