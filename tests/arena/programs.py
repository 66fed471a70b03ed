"""Programs as bots for the tests, and a watch that nothing is left of them."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.bot import Answer
from arena.events import Clocks
from arena.process import UNBOXED, BotProcess, close_all
from arena.program import Program
from arena.sandbox import Sandbox
from arena.watch import Watch
from protocol.messages import Arena, Bid, Hello, MatchClock, MatchEnd
from protocol.rules import HelloRules

BAD_BOTS = Path(__file__).parents[1] / "bad_bots"

PATIENT = Clocks(start_ms=60_000, move_ms=60_000, exit_ms=10)
"""For bots that answer: no busy machine makes them late."""

HASTY = Clocks(start_ms=60_000, move_ms=250, exit_ms=10)
"""For bots that don't."""


ECHO = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"id": message["id"], "bid": 3, "note": NOTE or ""}), flush=True)
"""


def bad_bot(name: str, *arguments: str) -> Program:
    """A program of tests/bad_bots."""
    file = BAD_BOTS / f"{name}.py"
    return Program(name, "", (sys.executable, "-S", "-E", str(file), *arguments), str(BAD_BOTS))


def written(folder: Path, source: str) -> Program:
    """A Python program in a folder of its own."""
    file = folder / "bot.py"
    file.write_text(source)
    return Program("written", "", (sys.executable, "-S", "-E", str(file)), str(folder))


def echo(folder: Path, note: str, before: str = "") -> Program:
    """A proper bot whose note is the value of an expression."""
    return written(folder, f"{before}\n{ECHO.replace('NOTE', note)}")


def note(answer: Answer) -> Any:
    assert answer.reply.note is not None
    return json.loads(answer.reply.note)


def hello() -> Hello:
    """The first request."""
    return Hello(
        arena=Arena("spades-arena", "0"),
        match="a-b-1",
        seat="N",
        partner="S",
        rules=HelloRules(),
        clock=MatchClock(1.0, 1.0),
        seed=1,
    )


def bid() -> Bid:
    """Any later request."""
    return Bid(
        deal=1,
        seat="N",
        dealer="W",
        hand=("2C",) * 13,
        legal=tuple(range(14)),
        bids={},
        blind=(),
        score={"NS": 0, "EW": 0},
        bags={"NS": 0, "EW": 0},
    )


def match_end() -> MatchEnd:
    """A message that wants no reply."""
    return MatchEnd(winner="NS", reason="target", score={"NS": 500, "EW": 0}, faults={})


@contextmanager
def seated(
    scratch: Path, clock: Clocks, *programs: Program, sandbox: Sandbox = UNBOXED
) -> Iterator[list[BotProcess]]:
    """Bots of one match, closed in the end, and a check that nothing is left of them."""
    watch = Watch()
    bots = [
        BotProcess(program, clock, scratch, sandbox, number, watch)
        for number, program in enumerate(programs)
    ]
    descriptors = open_files()
    try:
        yield bots
    finally:
        close_all(bots, clock.exit_ms)
    assert processes_with(str(scratch)) == []
    assert children() == []
    assert list(scratch.iterdir()) == []
    assert open_files() == descriptors


def open_files() -> int:
    """How many file descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def processes_with(text: str) -> list[int]:
    """Living processes of this machine that have the text in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def children() -> list[int]:
    """Children of this process, living or dead, apart from those that share its session."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and int(fields[3]) != os.getsid(0):
            found.append(int(process.name))
    return found
