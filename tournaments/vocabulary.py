"""All that may be written in a tournament file and in a bot.yaml, as types.

Their JSON Schema is what files are checked against (`tournaments.shape`) and what an editor can
be given. What these words come to is in `tournaments.config`.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from arena.rules import PRESETS
from protocol.messages import Ruling
from protocol.rules import Rules
from tournaments.quantities import (
    NO_LIST,
    Duration,
    FractionOrAuto,
    FractionText,
    Number,
    Size,
)

FormatName = Literal["pairs", "rotating", "solo"]
ScheduleName = Literal["round_robin", "gauntlet", "swiss", "adaptive"]
BackendName = Literal["auto", "bubblewrap", "none"]

Preset = Annotated[str, Meta(extra_json_schema={"enum": list(PRESETS)})]
BotName = Annotated[
    str,
    Meta(
        # Not only dots: names stand in paths.
        pattern=r"^(?!\.+$)[a-z0-9._-]{1,64}$",
        title="a name of 1 to 64 characters, each one of a-z 0-9 . _ -",
    ),
]
BotNames = Annotated[list[BotName], Meta(min_length=1, title="a list of names")]
Word = Annotated[str, Meta(max_length=4096, title="a word of up to 4,096 characters")]
CommandWord = Annotated[
    Word,
    Meta(extra_json_schema={NO_LIST: "this is one command; for several: [sh, -c, 'a && b']"}),
]
Command = Annotated[
    list[CommandWord],
    Meta(min_length=1, max_length=256, title="a list of words, such as [./mybot, --fast]"),
]
Build = Annotated[
    list[CommandWord],
    Meta(
        min_length=1,
        max_length=256,
        title="a list of words, such as [make] or [cc, -O2, -o, bot, bot.c]",
    ),
]
Remark = Annotated[str, Meta(max_length=1000, title="text of up to 1,000 characters")]
Variable = Annotated[
    str,
    Meta(
        pattern=r"^(?!(HOME|TMPDIR)$)[A-Za-z_][A-Za-z0-9_]*$",
        title="the name of a variable (but HOME and TMPDIR, which the arena sets)",
    ),
]


class RulesSection(Rules, frozen=True, forbid_unknown_fields=True):
    """A preset and the options that differ from it."""

    preset: Preset = "standard"


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mapping of a file; a key that may be left out is UNSET or at its default."""


class TopGoal(Section, frozen=True):
    """So many of the first places are to be right."""

    top: Annotated[int, Meta(ge=1, le=10_000)]


class ScheduleSection(Section, frozen=True):
    """Who meets whom, how often."""

    type: ScheduleName = "round_robin"
    rounds: Annotated[int, Meta(ge=1, le=100_000)] = 1
    mirror: bool = True
    of: BotName | BotNames | UnsetType = UNSET
    goal: Literal["order"] | TopGoal | UnsetType = UNSET
    confidence: (
        Annotated[float, Meta(ge=0.5, le=0.9999, title="a number from 0.5 to 0.9999")] | UnsetType
    ) = UNSET


class ClockSection(Section, frozen=True):
    """Limits on time; null for `bank` is none."""

    start: Duration | UnsetType = UNSET
    move: Duration | UnsetType = UNSET
    bank: Duration | Annotated[None, Meta(title="null for no limit")] | UnsetType = UNSET
    exit: Duration | UnsetType = UNSET


class FaultsSection(Section, frozen=True):
    """What faults cost: one policy, and others for some kinds of fault."""

    policy: Ruling = "forfeit"
    limit: Annotated[int, Meta(ge=1, le=1_000_000)] = 3
    start: Ruling | UnsetType = UNSET
    timeout: Ruling | UnsetType = UNSET
    exit: Ruling | UnsetType = UNSET
    malformed: Ruling | UnsetType = UNSET
    illegal: Ruling | UnsetType = UNSET
    output: Ruling | UnsetType = UNSET
    resource: Ruling | UnsetType = UNSET


class SandboxSection(Section, frozen=True):
    """What bots are boxed in, and the limits of the box."""

    backend: BackendName = "auto"
    memory: Size | UnsetType = UNSET
    processes: Annotated[int, Meta(ge=1, le=1024)] = 1
    threads: Annotated[int, Meta(ge=1, le=65_536)] = 64
    disk: Size | UnsetType = UNSET
    pause: bool | UnsetType = UNSET


class RatingSection(Section, frozen=True):
    """TrueSkill's parameters by its own names."""

    mu: Number | FractionText | UnsetType = UNSET
    sigma: Number | FractionText | UnsetType = UNSET
    beta: Number | FractionOrAuto | UnsetType = UNSET
    tau: Number | FractionText | UnsetType = UNSET


class Bot(Section, frozen=True):
    """What bot.yaml and an entry of `bots` have in common."""

    build: Build | UnsetType = UNSET
    env: Annotated[dict[Variable, Word], Meta(max_length=256)] | UnsetType = UNSET
    version: Remark | UnsetType = UNSET
    author: Remark | UnsetType = UNSET
    language: Remark | UnsetType = UNSET
    description: Remark | UnsetType = UNSET


class BotFile(Bot, frozen=True, kw_only=True):
    """A bot.yaml."""

    command: Command
    name: BotName | UnsetType = UNSET


class BotEntry(Bot, frozen=True, kw_only=True):
    """A mapping under `bots`.

    What it does not say (but `name`) is taken from the bot.yaml in its `folder`, if one is there.
    A key that stands in both is the entry's alone: `env` is not put together from the two.
    """

    name: BotName
    command: Command | UnsetType = UNSET
    folder: Word | UnsetType = UNSET


class Settings(Section, frozen=True):
    """A tournament file but its bots."""

    name: (
        Annotated[
            str,
            Meta(
                pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$",
                title="a name of 1 to 64 letters, digits, spaces and . _ -",
            ),
        ]
        | UnsetType
    ) = UNSET
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | UnsetType = UNSET
    rules: Preset | RulesSection = "standard"
    format: FormatName = "pairs"
    schedule: ScheduleSection = ScheduleSection()
    clock: ClockSection = ClockSection()
    faults: FaultsSection = FaultsSection()
    sandbox: SandboxSection = SandboxSection()
    cores: Annotated[int, Meta(ge=1, le=1024)] = 1
    rating: RatingSection = RatingSection()


class TournamentFile(Settings, frozen=True, kw_only=True):
    """A tournament file."""

    bots: Annotated[
        list[
            Annotated[str, Meta(max_length=4096, title="a bot's folder, file or command")]
            | BotEntry
        ],
        Meta(min_length=2, max_length=10_000, title="a list of 2 to 10,000 bots"),
    ]
    withdrawn: BotName | BotNames | UnsetType = UNSET
    disqualified: BotName | BotNames | UnsetType = UNSET
