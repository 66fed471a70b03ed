"""What a tournament file comes to: every setting, defaults filled in."""

from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from arena.events import Clocks, FaultPolicy
from protocol.rules import Rules
from tournaments.bots import BotSource

SOLO_BOTS: Final = 4
"""A solo table seats so many."""

Format = Literal["pairs", "solo"]
"""`pairs`: a bot plays both seats of a side. `solo`: four bots, each for itself."""


class ScheduleSettings(Struct, frozen=True):
    """Who meets whom, how often."""

    type: Literal["round_robin", "gauntlet"] = "round_robin"
    rounds: int = 1
    """Full cycles."""
    mirror: bool = True
    """Every encounter is played again on the same deals: with the sides changed over, and in solo
    play with every bot once in each seat."""
    of: tuple[str, ...] = ()
    """Of a gauntlet: those who meet all others."""


class SandboxSettings(Struct, frozen=True):
    """What bots are boxed in."""

    backend: Literal["none"] = "none"
    given: bool = False
    """The file names it."""


class RatingSettings(Struct, frozen=True):
    """TrueSkill's parameters by its own names."""

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 50 / 3
    tau: float = 0.0


class Tournament(Struct, frozen=True):
    """All that a tournament file says, defaults filled in."""

    name: str
    seed: int | None
    """Below 2**63; None: the deals come from a secret."""
    rules: Rules
    format: Format
    schedule: ScheduleSettings
    clock: Clocks
    faults: FaultPolicy
    sandbox: SandboxSettings
    cores: int
    """Of the processor, for each table."""
    rating: RatingSettings
    bots: tuple[BotSource, ...]
    """Two or more, their names all different."""
    path: Path
    """The file."""
