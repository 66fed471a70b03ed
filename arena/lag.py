"""Whose lateness it was when a clock ran out: the bot's, or the arena's own.

A clock is read when the arena wakes. On a machine that starves it, or after it was stopped, it
wakes long after the limit: then a reply that came in time is read too late, or was kept from coming
by what kept the arena from waking. The arena knows how late it was, and the processor time that the
bot has used tells the two apart: who computed all the while was late, whatever the arena was. So
was who does not answer in twice the time.
"""

import time
from typing import Final

from arena.pipes import Pipes
from arena.sandbox import Box
from arena.thinking_time import NS_PER_MS

FORGIVEN_MS: Final = 20.0
"""The arena may be so late and still judge. 60 busy processes beside it make it 4 to 16 ms late."""
BUSY_SHARE: Final = 0.5
"""A bot that has used this share of its time as processor time was late by its own doing."""
STALE_NS: Final = 5 * NS_PER_MS
"""A bot's processor time is read before a request if the last reading is so old.

So what it used before the request is known well enough, and a fast match pays for few readings.
"""
_PROBE_S: Final = 0.001
_BETWEEN_PROBES_S: Final = 1.0


class ArenaLag(Exception):
    """A clock ran out while the arena was late itself: the match is void, and no bot is charged."""

    def __init__(self, late_ms: float) -> None:
        super().__init__(late_ms)
        self.late_ms = late_ms

    def __str__(self) -> str:
        return (
            f"a clock ran out while the arena was {self.late_ms:.0f} ms late itself - end what else"
            " keeps this machine busy, or play fewer tables (--jobs)"
        )


class LagWatch:
    """Tells timeouts of one process from lag of the arena's."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._used_ns = 0
        self.looked_at = time.monotonic_ns()
        """When processor time was last read (`time.monotonic_ns`)."""
        self.longest_ms = 0.0
        """How late the arena was at most, of the times that a clock ran out."""

    def look(self, now: int) -> None:
        """Reads what the process has used until now."""
        self._used_ns = self._box.processor_ns() or self._used_ns
        self.looked_at = now

    def excuse(self, pipes: Pipes, late_ns: int, elapsed_ns: int, limit_ns: int) -> None:
        """A clock of `limit_ns` has run out. Raises ArenaLag if that was the arena's doing.

        The arena was late by `late_ns` of the `elapsed_ns` since it began to send the request. Who
        may be innocent gets as long again, and is if a line comes: a bot that just sleeps can't
        have every match void on a machine that is always late.
        """
        if not self.suspects_arena(late_ns, elapsed_ns):
            return
        until = time.monotonic_ns() + limit_ns
        lines = pipes.lines
        while lines.empty or lines.half:
            left_ns = until - time.monotonic_ns()
            if pipes.over or left_ns <= 0:
                return
            pipes.wait(left_ns / NS_PER_MS)
        raise ArenaLag(late_ns / NS_PER_MS)

    def suspects_arena(self, late_ns: int, elapsed_ns: int) -> bool:
        """The arena was too late to judge, and the bot not busy. See `excuse`."""
        late_ms = late_ns / NS_PER_MS
        self.longest_ms = max(self.longest_ms, late_ms)
        used = (self._box.processor_ns() or self._used_ns) - self._used_ns
        return late_ms > FORGIVEN_MS and used < BUSY_SHARE * elapsed_ns


_probed_at = -_BETWEEN_PROBES_S


def probe() -> float:
    """How many milliseconds too late the arena wakes just now; call it while no clock runs.

    Waiting on a bot's pipe says nothing of lag, as nobody knows when the reply came. A short sleep
    does, and the same timer ends it as ends the wait for a reply. One a second is a sample that
    costs a thousandth of the time; in between this returns 0 at once.
    """
    global _probed_at
    begin = time.monotonic()
    if begin - _probed_at < _BETWEEN_PROBES_S:
        return 0.0
    time.sleep(_PROBE_S)
    _probed_at = time.monotonic()
    return (_probed_at - begin - _PROBE_S) * 1000
