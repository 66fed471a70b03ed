"""Examines a bot: all conversations, and what every check has found in them."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from arena.checks.conversation import converse
from arena.checks.findings import Finding, findings
from arena.checks.measures import Conditions
from arena.checks.plans import BASIC, PLANS
from arena.checks.transcript import Transcript
from arena.events import Clocks
from arena.process import UNBOXED, Program
from arena.sandbox import Sandbox

STAYED_MS: Final = 20.0
"""So long a process is waited for of a bot that has been seen not to leave."""


def examine(
    program: Program,
    clock: Clocks = Clocks(),  # noqa: B008 - it is frozen
    sandbox: Sandbox = UNBOXED,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[Finding]:
    """The finding of every check. `tell` is told how many conversations are done, of how many.

    Raises what goes wrong on the arena's side: ArenaLag, BoxFailed, and whatever the machine does.
    """
    transcripts: list[Transcript] = []
    waits = clock
    with TemporaryDirectory(prefix="check-", ignore_cleanup_errors=True) as scratch:
        for plan in PLANS:
            tell(len(transcripts), len(PLANS))
            transcript = converse(plan, program, waits, sandbox, Path(scratch))
            transcripts.append(transcript)
            if plan == BASIC and transcript.failed is not None:
                break
            if not all(left.in_time for left in transcript.departures.values()):
                waits = replace(clock, exit_ms=min(clock.exit_ms, STAYED_MS))
    return findings(transcripts, Conditions(clock, sandbox))
