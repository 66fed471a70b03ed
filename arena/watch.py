"""Watches the bots of a match: what they use, and that they rest while others are on turn.

Looks are taken in passing, by whoever waits for a bot: what no limit of the kernel's holds a bot to
is found within about EVERY_MS, and costs a table little. A bot that is at fault is ended at once
and charged at its next request, or at the one that it thinks on.
"""

import os
import signal
import time
from typing import Final, NamedTuple

from arena import diagnosis
from arena.bot import BotFault
from arena.sandbox import Box, Sandbox, Usage
from arena.sandbox.limits import FILES
from arena.sandbox.processes import halted, user_ns
from arena.thinking_time import NS_PER_MS, milliseconds

EVERY_MS: Final = 50.0

STOLEN_MS: Final = 20.0
"""Processor time while it was stopped that makes a bot a cheat."""

NEAR: Final = 0.9
"""A bot that dies with so much of what it may use died of that."""

WORTH_NS: Final = NS_PER_MS // 10
"""Of a bot that is not stopped, processor time is read only after a reply that took so long."""

_PAGE: Final = 4096
"""A disk that is full is over its size by less, as the kernel rounds up: that tells its bot so."""

_STOLEN_NS: Final = int(STOLEN_MS * NS_PER_MS)


class Watch:
    """Of the bots of one match."""

    def __init__(self) -> None:
        self.due = time.monotonic_ns() + int(EVERY_MS * NS_PER_MS)
        """When to look next (`time.monotonic_ns`)."""
        self._bots: list[Watched] = []

    def add(self, box: Box, sandbox: Sandbox) -> "Watched":
        """Watches a bot that has just been started, until it is removed."""
        bot = Watched(box, sandbox)
        self._bots.append(bot)
        return bot

    def remove(self, bot: "Watched") -> None:
        """Whoever closes a bot's box calls this before."""
        self._bots.remove(bot)

    def look(self, now: int) -> None:
        """Looks at every bot. Called when it is due, best while no clock runs."""
        self.due = now + int(EVERY_MS * NS_PER_MS)
        for bot in self._bots:
            bot.look()


class _Rest(NamedTuple):
    """What a bot had used when it was first seen resting, in nanoseconds."""

    used: int | None
    """None where not all of its threads had stopped."""
    in_user: int


class Watched:
    """One bot of a match: stopped and continued, its processor time, and what it uses."""

    def __init__(self, box: Box, sandbox: Sandbox) -> None:
        self._box = box
        self._sandbox = sandbox
        self._boxed = sandbox.backend != "none"
        self._tasks = max(sandbox.threads, sandbox.processes)
        self.pauses = sandbox.pause and sandbox.processes == 1
        """It is to rest while others are on turn."""
        self._used = 0
        self.stopped = False
        """It rests."""
        self._suspected = False
        self._rest: _Rest | None = None
        self._usage: Usage | None = None
        self.fault: BotFault | None = None
        """What it was ended for."""

    def check(self) -> None:
        """Raises BotFault for what it was ended for. Called before and during each request."""
        if self.stopped:
            self._look_at_rest()
        if self.fault is not None:
            raise self.fault

    def go(self) -> None:
        """Lets it go on, as a request is on its way to it or it is to leave."""
        if self.stopped:
            self._box.signal(signal.SIGCONT)
            self.stopped = False
            self._rest = None

    def stop(self) -> float | None:
        """Has it rest if it is one that pauses, as it is no longer on turn.

        Returns the processor time in milliseconds that all its threads have used since the last
        call, to the microsecond; None where that can't be read.
        """
        if self.pauses:
            self._box.signal(signal.SIGSTOP)
            self.stopped = True
        used = self._box.processor_ns()
        if used is None:
            return None
        spent, self._used = used - self._used, used
        return milliseconds(spent)

    def look(self) -> None:
        """Ends it if it uses too much, or works while it is stopped."""
        if self.fault is not None:
            return
        usage = self._box.usage()
        if usage.memory:  # what is ending has none any more
            self._usage = usage
        if usage.memory > self._sandbox.memory:
            self._end(diagnosis.over("memory", self._sandbox.memory))
        elif usage.disk is not None and usage.disk > self._sandbox.disk + _PAGE:
            self._end(diagnosis.over("disk", self._sandbox.disk))
        elif usage.files is not None and usage.files > FILES:
            self._end(diagnosis.over("files", FILES))
        elif self._boxed and usage.processes > self._sandbox.processes:
            self._end(diagnosis.over("processes", self._sandbox.processes))
        elif self.stopped:
            self._look_at_rest()

    def died_of_a_limit(self, status: os.waitid_result, log: str) -> BotFault | None:
        """The fault of a bot that ended by itself with `status`, if it died for want of something.

        Its standard error (`log`) may tell, or else what it used when it was last seen.
        """
        if self.fault is not None:
            return self.fault
        if status.si_code == os.CLD_EXITED and status.si_status == 0:
            return None
        if status.si_code != os.CLD_EXITED and status.si_status == signal.SIGXFSZ:
            return diagnosis.wanted("disk", self._sandbox.disk)
        refused = diagnosis.refused(log)
        if refused == "memory":
            return diagnosis.wanted("memory", self._sandbox.memory)
        # What is full without a box may be the machine's own; no file of that size is refused.
        if refused == "file" or (refused == "disk" and self._boxed):
            return diagnosis.wanted("disk", self._sandbox.disk)
        if refused == "threads" and self._boxed:
            return diagnosis.wanted("threads", self._tasks)
        return self._was_near_a_limit()

    def _was_near_a_limit(self) -> BotFault | None:
        usage, sandbox = self._usage, self._sandbox
        if usage is None:
            return None
        if usage.memory >= NEAR * sandbox.memory:
            return diagnosis.near("memory", sandbox.memory)
        if usage.disk is not None and usage.disk >= NEAR * sandbox.disk:
            return diagnosis.near("disk", sandbox.disk)
        if self._boxed and usage.threads >= NEAR * self._tasks:
            return diagnosis.near("threads", self._tasks)
        return None

    def _look_at_rest(self) -> None:
        """Finds out whether it works while it is stopped.

        A thread that is in the kernel when the signal comes goes on to the end of its system call,
        which may take long, and many threads take a while to stop. So nothing counts before all of
        them have stopped; and of one that never has, as somebody continues it again and again,
        only the time in its own code, where nothing keeps a thread from stopping. The dying, too,
        use time in the kernel.
        """
        used = self._box.processor_ns()
        if used is None or not (self._suspected or used - self._used >= _STOLEN_NS):
            return
        self._suspected = True
        in_user = user_ns(self._box.bot)
        rest = self._rest
        if rest is None:
            stopped = halted(self._box.bot)
            self._rest = _Rest(used if stopped else None, in_user)
        elif rest.used is None:
            guilty = in_user - rest.in_user > _STOLEN_NS
        else:
            guilty = used - rest.used >= _STOLEN_NS and in_user > rest.in_user
        if rest is not None and guilty:
            self._end(diagnosis.busy_at_rest(STOLEN_MS))
        else:
            self._box.signal(signal.SIGSTOP)  # somebody may have continued it

    def _end(self, fault: BotFault) -> None:
        self.fault = fault
        self._box.kill()
