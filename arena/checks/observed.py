"""A bot's process that is looked at more closely than in a match: what it uses, how it leaves."""

import os
import select
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic_ns, sleep
from typing import Final

from msgspec import Struct

from arena import reaper
from arena.bot import Answer, BotFault
from arena.checks.oddities import INNER, with_unknown_fields
from arena.events import Clocks
from arena.process import BotProcess, close_all
from arena.program import Program
from arena.sandbox import Sandbox
from arena.thinking_time import NS_PER_MS, ThinkingTime, milliseconds
from protocol.messages import Clock, Request, TimedRequest

PATIENCE: Final = 5
"""Exit times that a process is waited for: on a busy machine a sound one takes more than one."""
EVERY_MS: Final = 50.0
LOOKS: Final = 6
"""For processes that are left. One that forks and exits all the time is missed by some looks."""
DYING_S: Final = 0.1
"""So long what it has started may take to end after it."""
LINES_KEPT: Final = 100
"""Of what it writes when nothing is owed any more."""


class Departure(Struct, frozen=True):
    """How a process left."""

    ms: float
    """From the end of its input until it had ended, or until nobody waited any longer."""
    by_itself: bool
    """It had ended then."""
    status: int | None
    """Its exit status, negative for a signal; None where it had to be killed."""
    strays: int
    """Processes that it has left behind; 0 where nobody looked."""
    lines: tuple[bytes, ...]
    """What it wrote to standard output after the last reply was taken, whole lines."""
    log: str
    """Its standard error, head and tail."""


class _Granted(ThinkingTime):
    """Thinking time that is told by a clock of a later version where the request has one."""

    def grant(self, request: Request) -> int:
        """See `ThinkingTime.grant`."""
        later = isinstance(request, TimedRequest) and type(request.clock) is not Clock
        limit = super().grant(request)
        if later and isinstance(request, TimedRequest):
            request.clock = with_unknown_fields(request.clock, INNER)
        return limit


class ObservedProcess(BotProcess):
    """A `BotProcess` of which more is known. Whoever makes one calls `close` in the end."""

    def __init__(
        self,
        program: Program,
        clock: Clocks,
        scratch: Path,
        sandbox: Sandbox,
        number: int,
        ids: Iterator[int] | None = None,
    ) -> None:
        """`ids` are those of the requests after hello, where they are not to be as in a match."""
        super().__init__(program, clock, scratch, sandbox, number, time=_Granted(clock))
        self._exit_ms = clock.exit_ms
        self._ids = ids
        self.memory = 0
        """The most that it was seen to use, in bytes."""
        self.early = False
        """Output stood there before the last request was sent."""

    def ask(self, request: Request) -> Answer:
        """See `Bot.ask`."""
        if self._running is not None:
            self._running.pipes.drain()
            self.early = not self._running.pipes.lines.empty
        answer = super().ask(request)
        if self._running is not None:
            self.memory = max(self.memory, self._running.box.usage().memory)
            if self._ids is not None:
                self._running.ids, self._ids = self._ids, None
        return answer

    @property
    def output_bytes(self) -> int:
        """What it has written to standard output so far."""
        return 0 if self._running is None else self._running.pipes.lines.total

    @property
    def log_bytes(self) -> int:
        """What it has written to standard error so far."""
        return 0 if self._running is None else self._running.pipes.log.total

    def leave(self, alone: bool) -> Departure | None:
        """Ends its input, and waits until it has ended, a few exit times; None: never started.

        Only where it is `alone`, without another bot, can it be told what it has left behind.
        """
        running = self._running
        if running is None:
            return None
        begin = monotonic_ns()
        deadline = begin + int(PATIENCE * self._exit_ms * NS_PER_MS)
        pipes = running.pipes
        lines: list[bytes] = []
        running.watched.go()
        poll = select.poll()
        pipes.leave(poll)
        while True:
            lines += self._lines(LINES_KEPT - len(lines))
            now = monotonic_ns()
            if pipes.dead or now >= deadline:
                break
            for fd, _ in poll.poll(min((deadline - now) / NS_PER_MS, EVERY_MS)):
                pipes.serve(fd)
        status = running.box.ended()
        return Departure(
            ms=milliseconds(monotonic_ns() - begin),
            by_itself=pipes.dead,
            status=None if status is None else _exit_status(status),
            strays=self._strays() if alone else 0,
            lines=tuple(lines),
            log=self.log,
        )

    def close(self) -> None:
        """Ends it, and removes every trace of it."""
        close_all([self], 0)

    def _lines(self, room: int) -> Iterator[bytes]:
        """Whole lines that stand there, up to `room`; what is over a limit ends them."""
        assert self._running is not None
        with suppress(BotFault):
            while room > 0 and (line := self._running.pipes.lines.take()) is not None:
                room -= 1
                yield line

    def _strays(self) -> int:
        """How many processes of it are there beside its first, and don't end with that either."""
        found = self._look_for_strays()
        if found:
            sleep(DYING_S)
            found = self._look_for_strays()
        return found

    def _look_for_strays(self) -> int:
        assert self._running is not None
        box = self._running.box
        inside = {pid for pid in box.processes() if pid != box.bot}
        if self._sandbox.backend != "none":  # what has lost its parent stays in the box
            return len(inside)
        for _ in range(LOOKS):
            if found := inside | reaper.left_behind(but={box.pid}):
                return len(found)
        return 0


def _exit_status(ended: os.waitid_result) -> int:
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
