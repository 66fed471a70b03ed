"""How a run goes on, for people: a bar in a terminal, a plain line now and then elsewhere."""

import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from arena.events import Faulted
from arena.match import MatchResult
from arena.record import read
from tournaments.gate import Gate
from tournaments.reader import GIVE_UP_AFTER
from tournaments.results import ScheduledRow
from tournaments.runner import Watcher

PLAIN_SECONDS: Final = 10.0
"""Between two plain lines."""
FAULTS_SHOWN: Final = 20
"""Faults that are told: the first of each kind of each bot. The rest are only counted."""
VOIDS_SHOWN: Final = 20
"""Matches that are told to be void; the rest are only counted."""

LOG_SHOWN: Final = 200
"""Characters of a bot's log that are told with a fault."""


@contextmanager
def watch(quiet: bool) -> Iterator[Watcher]:
    """The watcher that fits standard error."""
    console = _standard_error()
    if quiet:
        yield _Quiet(console)
    elif console.is_terminal:
        with _Bar(console) as bar:
            yield bar
    else:
        yield _Plain(console)


@contextmanager
def watch_gate(quiet: bool, gate: Gate) -> Iterator[Watcher]:
    """The watcher of a gate that fits standard error. The gate is fed by somebody else."""
    console = _standard_error()
    if quiet:
        yield _Quiet(console)
    elif console.is_terminal:
        with _Gauge(console, gate) as gauge:
            yield gauge
    else:
        yield _PlainGate(console, gate)


def _standard_error() -> Console:
    console = Console(stderr=True, highlight=False)
    console.soft_wrap = not console.is_terminal  # a line stays a line where a program reads it
    return console


class _Quiet:
    """Says only what must be said: that the arena failed a match."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: set[tuple[str, str]] = set()
        self._played = 0
        self._voided = 0

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        self._scheduled, self._before = scheduled, finished
        self._most = "at most " if at_most else ""
        self._started = time.monotonic()

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        self._played += 1

    def voided(self, row: ScheduledRow, reason: str, tries: int) -> None:
        self._voided += 1
        if self._voided > VOIDS_SHOWN:
            if self._voided == VOIDS_SHOWN + 1:
                self._say("more matches are void: the standings count those that are given up")
            return
        ending = "given up" if tries >= GIVE_UP_AFTER else "it is played again"
        self._say(f"match {row.match} is void, {ending}: {reason}")

    def _say(self, text: str) -> None:
        self._console.print(escape(text))

    def _pace(self) -> str:
        elapsed = max(time.monotonic() - self._started, 1e-9)
        return f"{60 * self._played / elapsed:.0f} a minute"

    def _tell_faults(self, row: ScheduledRow, result: MatchResult) -> None:
        if not result.faults or len(self._told) > FAULTS_SHOWN:
            return
        for _, event in read(zlib.decompress(result.record)):
            if isinstance(event, Faulted) and (row.seats[event.seat], event.kind) not in self._told:
                self._tell_fault(row, event, result.logs.get(event.seat, ""))

    def _tell_fault(self, row: ScheduledRow, fault: Faulted, log: str) -> None:
        """The first fault of its kind of a bot, with its sentence and the end of the bot's log."""
        bot = row.seats[fault.seat]
        self._told.add((bot, fault.kind))
        if len(self._told) > FAULTS_SHOWN:
            self._say("more bots are at fault: `export RUN --what faults` tells all")
            return
        self._say(f"{bot}: {fault.kind} in match {row.match}: {fault.detail}")
        said = [line for line in log.splitlines() if line.strip()]
        if said:
            self._say(f"  its standard error ends: {said[-1][:LOG_SHOWN]}")


class _Plain(_Quiet):
    """A line at the start, every PLAIN_SECONDS, and at the end."""

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        super().began(scheduled, finished, at_most)
        self._spoke = self._started
        self._say(f"{self._most}{scheduled} matches, {finished} of them played before")

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        super().finished(row, result)
        self._tell_faults(row, result)
        done, now = self._before + self._played, time.monotonic()
        if now - self._spoke >= PLAIN_SECONDS or done == self._scheduled:
            self._spoke = now
            self._say(f"{done} of {self._most}{self._scheduled} matches, {self._pace()}")


class _Bar(_Quiet):
    """A bar with the pace and the time left."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeElapsedColumn(),
            TextColumn("so far,"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=console,
        )

    def __enter__(self) -> "_Bar":
        self._progress.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._progress.stop()

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        super().began(scheduled, finished, at_most)
        self._task = self._progress.add_task(
            f"matches, {self._most}".rstrip(" ,"), total=scheduled, completed=finished, pace=""
        )

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        super().finished(row, result)
        self._tell_faults(row, result)
        self._progress.update(self._task, advance=1, pace=self._pace())


class _PlainGate(_Quiet):
    """A line every PLAIN_SECONDS."""

    def __init__(self, console: Console, gate: Gate) -> None:
        super().__init__(console)
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


class _Gauge(_Quiet):
    """The log-likelihood ratio between its bounds: full on the right the candidate has passed."""

    def __init__(self, console: Console, gate: Gate) -> None:
        super().__init__(console)
        self._gate = gate
        self._lower, self._upper = gate.test.hypotheses.bounds
        self._progress = Progress(
            TextColumn(f"LLR {self._lower:+.2f}"),
            BarColumn(bar_width=24),
            TextColumn(f"{self._upper:+.2f}:"),
            TextColumn("{task.fields[known]}"),
            TimeElapsedColumn(),
            console=console,
        )

    def __enter__(self) -> "_Gauge":
        self._progress.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._progress.stop()

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        super().began(scheduled, finished, at_most)
        self._task = self._progress.add_task("", total=self._upper - self._lower, known="")
        self._show()

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        super().finished(row, result)
        self._show()

    def _show(self) -> None:
        llr = self._gate.test.decision.llr
        self._progress.update(
            self._task,
            completed=min(max(llr, self._lower), self._upper) - self._lower,
            known=f"{llr:+.2f}, {_pairs(self._gate)}, {self._pace()}",
        )


def _pairs(gate: Gate) -> str:
    return f"{gate.test.taken_in:,} pairs"


def _ratio(gate: Gate) -> str:
    lower, upper = gate.test.hypotheses.bounds
    return f"LLR {gate.test.decision.llr:+.2f} between {lower:+.2f} and {upper:+.2f}"
