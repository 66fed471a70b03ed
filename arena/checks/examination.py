"""Examines a bot: all conversations, and what every check has found in them."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Protocol

from msgspec.structs import replace

from arena.checks.blame import may_be_its_length, too_long
from arena.checks.conversation import converse
from arena.checks.findings import Finding, findings
from arena.checks.measures import Conditions
from arena.checks.plans import BASIC, LONGER, PLANS, Plan
from arena.checks.transcript import Transcript
from arena.events import Clocks
from arena.process import UNBOXED
from arena.program import Program
from arena.sandbox import Sandbox

STAYED_MS: Final = 20.0
"""So long a process is waited for of a bot that has been seen not to leave."""


class Map(Protocol):
    """`map`, or the method `map` of an executor."""

    def __call__(
        self, call: Callable[[Plan], Transcript], plans: Iterable[Plan], /
    ) -> Iterable[Transcript]: ...


def examine(
    program: Program,
    clock: Clocks = Clocks(),  # noqa: B008 - it is frozen
    sandbox: Sandbox = UNBOXED,
    map_: Map = map,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[Finding]:
    """The finding of every check. `tell` is told how many conversations are done, of how many.

    `map_` may hold conversations at the same time and in other processes, where no two have a core
    in common. Raises what goes wrong on the arena's side: ArenaLag, BoxFailed, and whatever the
    machine does.
    """
    hold = partial(converse, program=program, clock=clock, sandbox=sandbox)
    first, *others = PLANS
    assert first == BASIC
    tell(0, len(PLANS))
    transcripts = list(map_(hold, [first]))
    if transcripts[0].failed is None:
        if not all(left.by_itself for left in transcripts[0].departures.values()):
            soon = replace(clock, exit_ms=min(clock.exit_ms, STAYED_MS))
            hold = partial(converse, program=program, clock=soon, sandbox=sandbox)
        for transcript in map_(hold, others):
            transcripts.append(transcript)
            tell(len(transcripts), len(PLANS))
    elif may_be_its_length(transcripts[0]):
        (longer,) = map_(hold, [LONGER])
        transcripts = [too_long(transcripts[0], longer)]
    return findings(transcripts, Conditions(clock, sandbox))
