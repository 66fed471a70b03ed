"""What a tournament file comes to: every setting, defaults filled in."""

from pathlib import Path
from typing import Literal

from msgspec import Struct

from arena.events import Clocks
from protocol.rules import Rules
from tournaments.bots import BotSource


class ScheduleSettings(Struct, frozen=True):
    """Who meets whom, how often."""

    type: Literal["round_robin", "gauntlet"] = "round_robin"
    rounds: int = 1
    """Full cycles."""
    mirror: bool = True
    """Every encounter is two matches on the same deals, the sides changed over."""
    of: tuple[str, ...] = ()
    """Of a gauntlet: those who meet all others."""


class FaultPolicy(Struct, frozen=True):
    """What a fault costs."""

    policy: Literal["forfeit"] = "forfeit"
    limit: int = 3
    """Faults of a match that cost it, where a policy bears with the first ones."""


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
    format: Literal["pairs"]
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
