"""The sample bots, found in their folders, each with the program that it lacks on this machine."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.deals import seed_root
from arena.events import Clocks, FaultPolicy
from arena.match import MatchResult, play, specify
from arena.program import Program
from arena.sandbox import Sandbox
from protocol.cards import SEATS
from protocol.rules import Rules
from tests.made_once import alone
from tournaments.bots.bots import BotSource, bot_from_argument
from tournaments.bots.builds import PYTHON
from tournaments.bots.preparation import prepare_all

FOLDER = Path(__file__).parents[2] / "sample_bots"

COMPILERS = {
    "c": "cc",
    "c++": "c++",
    "go": "go",
    "java": "javac",
    "rust": "rustc",
}
"""Language of a bot.yaml -> what its build needs, whatever program that build begins with."""


def source_of(name: str) -> BotSource:
    """A sample bot, as its bot.yaml has it."""
    return bot_from_argument(str(FOLDER / name), FOLDER)


def missing(source: BotSource) -> str | None:
    """The first program that the bot needs and that is not on PATH; None where it has all."""
    compiler = COMPILERS.get((source.language or "").lower()) if source.build else None
    words = [*(source.build or ())[:1], compiler, source.command[0]]
    programs = [word for word in words if word and word != PYTHON and "/" not in word]
    return next((program for program in programs if not shutil.which(program)), None)


def prepared(name: str, copies: Path) -> Program:
    """A sample bot ready to be run: built in a copy in the folder `copies`, where it has a build.

    It is built once for each such folder.
    """
    with alone(copies / name):
        (program,) = prepare_all([source_of(name)], copies)
    return program


def match(seats: Sequence[Program], rules: Rules, seed: int = 1) -> MatchResult:
    """A match of these programs at N, E, S and W, who have all the time there is."""
    spec = specify(
        "m",
        seed_root(seed),
        dict(zip(SEATS, seats, strict=True)),
        rules=rules,
        clock=Clocks(start_ms=60_000, move_ms=60_000, exit_ms=10_000),
        faults=FaultPolicy(),
        sandbox=Sandbox("none"),
    )
    return play(spec)


def _found(name: str) -> object:
    lacks = missing(source_of(name))
    skip = pytest.mark.skip(f"{name} needs `{lacks}`, which is not on PATH")
    return pytest.param(name, id=name, marks=[skip] if lacks else [])


SAMPLE_BOTS = [_found(file.parent.name) for file in sorted(FOLDER.glob("*/bot.yaml"))]
"""For `pytest.mark.parametrize("name", SAMPLE_BOTS)`: skipped where a program is missing."""
