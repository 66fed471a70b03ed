"""Hands a program over to a debugger on the terminal, as it is about to take a line.

A program in Python stops in pdb by itself (`startup`): it is signalled while it waits for the line.
Any other waits until a debugger has been attached to it.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, Final

from msgspec.structs import replace

from arena.program import Program
from arena.sent import Asked
from tournaments.debugging.refed import Line, request_line
from tournaments.signals import stop_job

STARTUP: Final = Path(__file__).parent / "startup"
"""The folder that a Python finds `sitecustomize` in."""
STOP: Final = signal.SIGRTMAX
"""What has a Python stop in pdb: nothing else uses it."""
LOOK_SECONDS: Final = 0.05
AT_REST: Final = 3
"""Looks that find it asleep and having done nothing, one after the other: then it waits."""
PATIENCE_SECONDS: Final = 10.0
"""For a program that is never at rest."""


def with_debugger(program: Program) -> Program:
    """The program with an environment in which its Python, if it has one, reaches the terminal."""
    path = [str(STARTUP), *filter(None, [program.env.get("PYTHONPATH")])]
    return replace(
        program,
        env=program.env
        | {
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONBREAKPOINT": "sitecustomize.breakpoint_at_terminal",
            "SPADES_ARENA_TERMINAL": f"/proc/{os.getpid()}/fd/{sys.stdin.fileno()}",
        },
    )


class Handover:
    """Of one program, once. While it lasts Ctrl-C is the debugger's, and Ctrl-Z stops that too."""

    def __init__(self, say: Callable[[Line], None]) -> None:
        self._say = say
        self._before: dict[signal.Signals, Any] = {}

    def begin(self, asked: Asked, pid: int) -> None:
        """Returns when the line may be sent."""
        where = f"{asked.turn}: process {pid} is about to take this line"
        self._say(Line(where, "bold"))
        self._say(Line(f"    {request_line(asked)}"))
        _await_rest(pid)
        if _stops_by_itself(pid):
            self._say(Line("it stops in pdb when it has read it: c goes on, q ends it", "bold"))
            self._pass_on_keys(pid)
            os.kill(pid, STOP)
            _await_rest(pid)
        else:
            told = f"attach a debugger, such as `gdb -p {pid}` elsewhere, or press Enter"
            self._say(Line(told, "bold"))
            _await_tracer(pid)

    def end(self) -> None:
        """Ctrl-C is ours again. May be called again."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}

    def _pass_on_keys(self, pid: int) -> None:
        def send(number: int) -> None:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

        def interrupt(number: int, frame: FrameType | None) -> None:
            send(number)

        def stop(number: int, frame: FrameType | None) -> None:
            # A debugger that goes on would read what is typed to the shell.
            send(signal.SIGSTOP)
            signal.signal(number, signal.SIG_DFL)
            stop_job()
            signal.signal(number, stop)
            send(signal.SIGCONT)

        for each, handler in ((signal.SIGINT, interrupt), (signal.SIGTSTP, stop)):
            self._before[each] = signal.signal(each, handler)


def _await_rest(pid: int) -> None:
    """Waits until the program waits itself, as far as can be seen."""
    end = time.monotonic() + PATIENCE_SECONDS
    rests, before = 0, ""
    while rests < AT_REST and time.monotonic() < end:
        state, used = _activity(pid)
        rests = rests + 1 if state in "SZ" and used == before else 0
        before = used
        time.sleep(LOOK_SECONDS)


def _activity(pid: int) -> tuple[str, str]:
    """The state of its main thread, and the processor time that it has used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "Z", ""
    return fields[0], " ".join(fields[11:13])


def _status(pid: int, name: str) -> str:
    """A field of what the kernel says of a process; empty where it has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return line.partition(":")[2].strip()
    return ""


def _stops_by_itself(pid: int) -> bool:
    """Whether it is a Python that takes the signal: the runtime of Go, too, catches all."""
    try:
        program = Path(f"/proc/{pid}/exe").readlink().name
    except OSError:
        return False
    caught, blocked = (int(_status(pid, name) or "0", 16) for name in ("SigCgt", "SigBlk"))
    return program.startswith(("python", "pypy")) and bool((caught & ~blocked) >> (STOP - 1) & 1)


def _await_tracer(pid: int) -> None:
    """Waits for a debugger, for Enter, or for the end of the program or of standard input."""
    while _status(pid, "TracerPid") == "0":
        if select.select([sys.stdin], [], [], LOOK_SECONDS)[0]:
            sys.stdin.readline()
            return
