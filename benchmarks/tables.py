"""Tables to be timed: the floor, and whole matches in a worker process of a tournament."""

import subprocess
import sys
import time
import zlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from arena.deals import seed_root
from arena.events import BidMade, CardPlayed, Clocks, FaultPolicy, Greeted
from arena.match import MatchSpec, play, specify
from arena.news import Tell
from arena.process import UNBOXED
from arena.program import Program
from arena.record import read
from arena.sandbox import Backend, NoSandbox, Sandbox, find
from protocol.cards import SEATS
from protocol.rules import Rules
from tournaments.runs.executors import LocalExecutor

DECISIONS_A_DEAL: Final = 56
OUT_OF_REACH: Final = 1_000_000
"""A target that only the number of deals ends a match before."""


class Timed(Struct, frozen=True):
    """What some decisions took."""

    decisions: int
    wall_ns: int
    cpu_ns: int
    """Processor time of the arena alone."""
    thinking_ms: list[float] = []
    """Of each decision, as the arena measured it."""
    hello_ms: list[float] = []
    """From the `hello` that each bot is sent, as its process begins, to its reply."""

    @property
    def speed(self) -> float:
        """Decisions a second."""
        return self.decisions / self.wall_ns * 1e9

    @property
    def cpu_us(self) -> float:
        """The arena's processor time for a decision, in microseconds."""
        return self.cpu_ns / self.decisions / 1000


class Floor:
    """Four instant bots and a C program that asks them."""

    def __init__(self, program: Path, bot: Path, decisions: int) -> None:
        self._command = [str(program), str(bot)]
        self._decisions = str(decisions)

    def play(self, cores: Sequence[int]) -> list[Timed]:
        """Runs at once on each of these cores."""
        runs = [
            subprocess.Popen([*self._command, str(core), self._decisions], stdout=subprocess.PIPE)
            for core in cores
        ]
        return [msgspec.json.decode(run.communicate()[0], type=Timed) for run in runs]


class Arena:
    """The project's own tables: a worker process for each core."""

    def __init__(self, cores: Sequence[int]) -> None:
        self._tables = [LocalExecutor([{core}]) for core in cores]

    def __enter__(self) -> "Arena":
        return self

    def __exit__(self, *_: object) -> None:
        for table in self._tables:
            with closing(table):
                pass

    def play(
        self,
        program: Program,
        deals: int,
        *,
        tables: int = 1,
        sandbox: Sandbox = UNBOXED,
        watched: bool = False,
    ) -> list[Timed]:
        """A match of four of a program at so many tables at once, told of if it is watched."""
        spec = match_of(program, deals, sandbox)
        futures = [
            table.submit(timed_match, spec, table.tell if watched else None)
            for table in self._tables[:tables]
        ]
        timed = [future.result() for future in futures]
        for table in self._tables[:tables]:
            table.heard()
        return timed


def match_of(program: Program, deals: int, sandbox: Sandbox = UNBOXED) -> MatchSpec:
    """A match of four of the same by the standard rules, but for its length."""
    return specify(
        "benchmark",
        seed_root(1),
        dict.fromkeys(SEATS, program),
        rules=Rules(target=OUT_OF_REACH, max_deals=deals),
        clock=Clocks(start_ms=60_000, move_ms=60_000),
        faults=FaultPolicy(),
        sandbox=sandbox,
    )


def timed_match(spec: MatchSpec, tell: Tell | None = None) -> Timed:
    """Plays a match from the start of its bots to its sealed record."""
    wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
    result = play(spec, tell)
    wall, cpu = time.perf_counter_ns() - wall, time.thread_time_ns() - cpu
    if result.faults or result.deals != spec.rules.max_deals:
        raise RuntimeError(f"not a match to be timed: {result.faults}, {result.logs}")
    events = [event for _, event in read(zlib.decompress(result.record))]
    return Timed(
        decisions=result.deals * DECISIONS_A_DEAL,
        wall_ns=wall,
        cpu_ns=cpu,
        thinking_ms=[e.ms or 0.0 for e in events if isinstance(e, BidMade | CardPlayed)],
        hello_ms=[e.ms or 0.0 for e in events if isinstance(e, Greeted)],
    )


def program(path: Path) -> Program:
    """A compiled bot."""
    return Program(path.name, "", (str(path),), str(path.parent))


def python_bot(folder: Path) -> Program:
    """A sample bot in Python."""
    return Program(folder.name, "", (sys.executable, "bot.py"), str(folder))


def backend() -> Backend:
    """The box that strangers' bots would play in here; `none` where none is to be had."""
    try:
        return find("auto")
    except NoSandbox:
        return "none"
