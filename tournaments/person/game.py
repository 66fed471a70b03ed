"""A match of a person against bots: the terminal, the bots, and a record whatever happens."""

import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from arena import match
from arena.deals import seed_root
from arena.events import Clocks, FaultPolicy
from arena.match import MatchResult, MatchSpec, specify
from arena.process import BotProcess, close_all
from arena.program import Program
from arena.sandbox import Sandbox
from protocol.cards import SEATS, Seat
from protocol.rules import Rules
from tournaments.person.hints import Adviser
from tournaments.person.person import Person
from tournaments.replays.canvas import Canvas
from tournaments.replays.keyboard import keyboard
from tournaments.signals import deferred

SEAT: Final[Seat] = "S"
"""The person's: it is drawn at the lower edge of the table."""
OTHERS: Final[tuple[Seat, ...]] = ("N", "E", "W")
"""The bots' seats, the partner's first."""
FAULTS: Final = FaultPolicy(
    timeout="substitute", malformed="substitute", illegal="substitute", limit=10
)
"""A person's evening doesn't end with a bot's slip: the lowest card is played for it."""


def game(
    bots: Mapping[Seat, Program], name: str, seed: int, rules: Rules, sandbox: Sandbox
) -> MatchSpec:
    """A match between these bots and a person of that name, who has no program."""
    person = Program(name, "", (), "", owns_folder=False)
    return specify(
        "play",
        seed_root(seed),
        {**bots, SEAT: person},
        rules=rules,
        clock=Clocks(),
        faults=FAULTS,
        sandbox=sandbox,
    )


def play(spec: MatchSpec, adviser: Program, keep: Callable[[bytes], None]) -> MatchResult:
    """Plays it in the terminal that this process has.

    `adviser` gives hints. `keep` is given the record: the whole one, or where the match is void
    what there is of it. Raises what `arena.match.play` raises; and where a signal has come
    Interrupted, after the person was taken to have left.
    """
    with deferred() as interrupted, keyboard(interrupted) as keys, _hints(spec, adviser) as hints:
        person = Person(SEAT, keys, Canvas(), hints)
        try:
            result = match.play(spec, listener=person, guests={SEAT: person})
        except BaseException:
            keep(person.record)
            raise
        keep(zlib.decompress(result.record))
        return result


@contextmanager
def _hints(spec: MatchSpec, program: Program) -> Iterator[Adviser]:
    """A process of its own at the person's seat."""
    with TemporaryDirectory(prefix="hints-", ignore_cleanup_errors=True) as scratch:
        number = SEATS.index(SEAT)
        bot = BotProcess(program, spec.clock, Path(scratch), spec.sandbox, number)
        try:
            yield Adviser(program.name, bot)
        finally:
            close_all([bot], spec.clock.exit_ms)
