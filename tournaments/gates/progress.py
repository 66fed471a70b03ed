"""How a gate goes on, for people: its ratio between its bounds, live or in plain lines."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from arena.match import MatchResult
from tournaments.gates.gate import Gate
from tournaments.runs.progress import PLAIN_SECONDS, Live, Quiet
from tournaments.runs.screen import Display, Picture, bar, line, terminal
from tournaments.runs.watcher import Watcher
from tournaments.storage.results import ScheduledRow


@contextmanager
def watch_gate(quiet: bool, gate: Gate) -> Iterator[Watcher]:
    """The watcher of a gate that fits standard error. The gate is fed by somebody else."""
    if quiet:
        yield Quiet()
    elif display := terminal():
        live = LiveGate(display, gate)
        with live.shown():
            yield live
    else:
        yield PlainGate(gate)


class PlainGate(Quiet):
    """A line every PLAIN_SECONDS."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        super().began(scheduled, finished, at_most)
        self._spoke = self._started
        self._say(f"{_pairs(self._gate)} known, {_ratio(self._gate)}")

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        super().finished(row, result)
        now = time.monotonic()
        if now - self._spoke >= PLAIN_SECONDS:
            self._spoke = now
            self._say(f"{_pairs(self._gate)}, {_ratio(self._gate)}, {self._pace()}")


class LiveGate(Live):
    """The log-likelihood ratio between its bounds: full on the right the candidate has passed."""

    def __init__(self, display: Display, gate: Gate) -> None:
        super().__init__(display, "partners")
        self._gate = gate

    def _picture(self, lines: int) -> Picture:
        lower, upper = self._gate.test.hypotheses.bounds
        llr = self._gate.test.decision.llr
        within = min(max(llr, lower), upper) - lower
        yield bar(within, upper - lower, f"LLR {lower:+.2f}", f"{upper:+.2f}")
        yield line(f"LLR {llr:+.2f}, {_pairs(self._gate)}, {self._pace()}, {self._so_far()}")
        yield from self._tables(lines)
        yield from self._latest()


def _pairs(gate: Gate) -> str:
    return f"{gate.test.taken_in:,} pairs"


def _ratio(gate: Gate) -> str:
    lower, upper = gate.test.hypotheses.bounds
    return f"LLR {gate.test.decision.llr:+.2f} between {lower:+.2f} and {upper:+.2f}"
