"""What a tournament file comes to: every setting, defaults filled in."""

from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from arena.events import Clocks, FaultPolicy
from arena.sandbox import Sandbox, Wanted
from protocol.rules import Rules
from tournaments.bots.bots import BotSource
from tournaments.files.quantities import Confidence, Rounds
from tournaments.files.vocabulary import Format, ScheduleName

_LIMITS: Final = Sandbox("none")
_Limit = Annotated[int, Meta(ge=1, le=10**12)]
"""A file is held to finer bounds; these are for a store that was changed by hand."""


class ScheduleSettings(Struct, frozen=True):
    """Who meets whom, how often."""

    type: ScheduleName = "round_robin"
    rounds: Rounds = 1
    """Full cycles; of a Swiss tournament its rounds; of an adaptive one as many encounters, at
    most, as so many cycles of a round robin have."""
    mirror: bool = True
    """Every encounter is played again on the same deals: with the sides changed over, and in solo
    play with every bot once in each seat."""
    of: tuple[str, ...] = ()
    """Of a gauntlet: those who meet all others."""
    top: Annotated[int, Meta(ge=1)] | None = None
    """Of an adaptive tournament: how many of the first places must be right; None: all of them."""
    confidence: Confidence = 0.95
    """Of an adaptive tournament: when it stops."""


class SandboxSettings(Struct, frozen=True):
    """What bots are to be boxed in, and their limits, as of `arena.sandbox.Sandbox`.

    What `auto` comes to is the machine's to say (`tournaments.boxes`).
    """

    backend: Wanted = "auto"
    memory: _Limit = _LIMITS.memory
    disk: _Limit = _LIMITS.disk
    processes: _Limit = _LIMITS.processes
    threads: _Limit = _LIMITS.threads
    pause: bool = _LIMITS.pause


RATING_LEAST: Final = {"mu": -1_000_000, "sigma": 0.001, "beta": 0.001, "tau": 0}
"""Nearer to 0 TrueSkill's arithmetic breaks down."""
RATING_MOST: Final = 1_000_000


class RatingSettings(Struct, frozen=True):
    """TrueSkill's parameters by its own names."""

    mu: Annotated[float, Meta(ge=RATING_LEAST["mu"], le=RATING_MOST)] = 25.0
    sigma: Annotated[float, Meta(ge=RATING_LEAST["sigma"], le=RATING_MOST)] = 25 / 3
    beta: Annotated[float, Meta(ge=RATING_LEAST["beta"], le=RATING_MOST)] = 50 / 3
    tau: Annotated[float, Meta(ge=RATING_LEAST["tau"], le=RATING_MOST)] = 0.0
    auto: bool = False
    """`beta` is not what was written: results choose it (`ratings.beta`)."""


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
    """Two or more, of four at a table four or more, their names all different."""
    withdrawn: tuple[str, ...]
    """Names of bots that play no more; what they have played counts."""
    disqualified: tuple[str, ...]
    """Names of bots that play no more; what they have played does not count."""
    path: Path
    """The file."""

    @property
    def playing(self) -> tuple[BotSource, ...]:
        """The bots that have not left."""
        left = {*self.withdrawn, *self.disqualified}
        return tuple(bot for bot in self.bots if bot.name not in left)
