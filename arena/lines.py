"""What a bot writes, put together from pieces: lines of its output, head and tail of its log.

Pure: bytes go in as they come, and what comes out does not depend on where they were cut.
"""

import re
from collections.abc import Callable
from typing import Final

from arena.bot import BotFault
from protocol.codec import printable, quote
from protocol.messages import LINE_LIMIT

OUTPUT_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of standard output in one match."""

LOG_LIMIT: Final = 64 * 1024 * 1024
"""Bytes of standard error in one match."""

LOG_KEPT: Final = 4 * 1024
"""Bytes of standard error that are kept of its beginning, and as many of its end."""

LINES_KEPT: Final = 200
"""Lines of standard error that wait for who follows it."""

_BLANK: Final = b" \t\r\n"
_BLANK_BYTES: Final = frozenset(_BLANK)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BELOW_THE_ERROR: Final = re.compile(r"\s|Node\.js v\d|note: |goroutine \d|created by |\S+\(.*\)$")
"""Lines that runtimes write when they have said what went wrong: where it was, and what to try."""


class Lines:
    """Standard output as lines. A line counts if its end is among the first OUTPUT_LIMIT bytes."""

    def __init__(self) -> None:
        self._ready: bytes | None = None
        """The next line, where one read brought it and nothing else, as nearly every read does."""
        self._bytes = bytearray()
        """What was not taken yet and comes after that."""
        self._searched = 0
        """So many of these bytes are known to have no line end."""
        self._room = OUTPUT_LIMIT
        self._at_start = True
        """A byte order mark may stand there."""
        self.full = False
        """OUTPUT_LIMIT is passed, and more is not looked at."""

    def feed(self, data: bytes) -> None:
        """Takes in the bytes of one read."""
        self._room -= len(data)
        if self._room < 0:
            data = data[: self._room]
            self._room, self.full = 0, True
        if not (self._at_start or self._bytes or self._ready):
            line, end, more = data.partition(b"\n")
            if end and not more and len(data) <= LINE_LIMIT:
                self._ready = line.strip(_BLANK) or None
                return
        self._bytes += data

    def take(self) -> bytes | None:
        """The next line that is not blank, without its end or white space around it; None: not yet.

        Raises BotFault (`output`) where the next line is over LINE_LIMIT, or where no line is left
        and OUTPUT_LIMIT is passed; and again whenever it is called. White space before a line is
        not counted as the line's.
        """
        if self._ready is not None:
            line, self._ready = self._ready, None
            return line
        data = self._bytes
        if data:
            if self._at_start:
                if len(data) < len(_BYTE_ORDER_MARK) and _BYTE_ORDER_MARK.startswith(bytes(data)):
                    return None
                self._at_start = False
                if data.startswith(_BYTE_ORDER_MARK):
                    self._cut(len(_BYTE_ORDER_MARK))
            if data and data[0] in _BLANK_BYTES:
                self._cut(len(data) - len(data.lstrip(_BLANK)))
            end = data.find(b"\n", self._searched)
            if (len(data) if end < 0 else end) >= LINE_LIMIT:
                raise _too_long(data)
            if end >= 0:
                line = bytes(data[:end])
                self._cut(end + 1)
                return line.rstrip(_BLANK)
            self._searched = len(data)
        if self.full:
            raise BotFault(
                "output",
                f"more than {OUTPUT_LIMIT >> 20} MiB of standard output in one match - write one"
                " short line for each request, and debug output to standard error",
            )
        return None

    @property
    def total(self) -> int:
        """Bytes so far, of those that are looked at."""
        return OUTPUT_LIMIT - self._room

    @property
    def empty(self) -> bool:
        """Nothing stands there, not even a part of a line."""
        return self._ready is None and not self._bytes

    @property
    def half(self) -> bool:
        """The next line has begun and not ended."""
        if self._ready is not None:
            return False
        rest = self._bytes.lstrip(_BLANK)
        return bool(rest) and b"\n" not in rest

    def _cut(self, count: int) -> None:
        """Drops the first `count` bytes."""
        del self._bytes[:count]
        self._searched = 0


def _too_long(data: bytearray) -> BotFault:
    shown = quote(bytes(data[:LINE_LIMIT]))
    return BotFault(
        "output",
        f"a line of more than {LINE_LIMIT >> 10} KiB: {shown} - write one short line for each"
        " request, and debug output to standard error",
        shown,
    )


class Log:
    """Standard error: LOG_KEPT bytes of its beginning and of its end, whatever it comes to."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0
        """Bytes so far."""
        self.heard: Callable[[bytes], None] | None = None
        """Who follows it, and is given all that comes."""

    def feed(self, data: bytes) -> None:
        """Takes in the bytes of one read."""
        if self.heard is not None:
            self.heard(data)
        self.total += len(data)
        room = LOG_KEPT - len(self._head)
        if room:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        del self._tail[:-LOG_KEPT]

    @property
    def full(self) -> bool:
        """LOG_LIMIT is passed."""
        return self.total > LOG_LIMIT

    def check(self) -> None:
        """Raises BotFault (`output`) where LOG_LIMIT is passed."""
        if self.full:
            raise BotFault(
                "output",
                f"more than {LOG_LIMIT >> 20} MiB of standard error in one match - log less",
            )

    def text(self) -> str:
        """For people: control characters are shown as escapes, as they might rule a terminal."""
        missing = self.total - len(self._head) - len(self._tail)
        if missing:
            gap = f"\n[... {missing} bytes left out ...]\n"
            return _readable(self._head) + gap + _readable(self._tail)
        return _readable(self._head + self._tail)


class LogLines:
    """Standard error as lines for who follows it: taken as they come, up to LINES_KEPT at once."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._more = 0
        self._begun = bytearray()

    def feed(self, data: bytes) -> None:
        """Takes in the bytes of one read."""
        *ends, begun = data.split(b"\n")
        for end in ends:
            self._add(self._begun + end)
            self._begun.clear()
        self._begun += begun
        del self._begun[LOG_KEPT:]

    def take(self, *, rest: bool = False) -> list[str]:
        """The lines that have come since, for people; with `rest` also one that has not ended."""
        if rest and self._begun:
            self._add(self._begun)
            self._begun = bytearray()
        lines, more = self._lines, self._more
        self._lines, self._more = [], 0
        return [*lines, f"[... {more} lines left out ...]"] if more else lines

    def _add(self, line: bytearray) -> None:
        if len(self._lines) < LINES_KEPT:
            self._lines.append(_readable(line[:LOG_KEPT].removesuffix(b"\r")))
        else:
            self._more += 1


def last_words(log: str) -> str:
    """The last line of a log that says something: of an error what it is; empty without a line."""
    said = [line for line in log.splitlines() if line.strip()]
    telling = [line for line in said if not _BELOW_THE_ERROR.match(line)]
    return (telling or said or [""])[-1]


def _readable(raw: bytearray) -> str:
    text = raw.decode(errors="backslashreplace").replace("\r\n", "\n")
    return printable(text, but="\n\t")
