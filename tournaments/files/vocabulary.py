"""All that may be written in a tournament file and in a bot.yaml, as types.

Their JSON Schema is what files are checked against (`files.shape`) and what an editor can
be given. What these words come to is in `tournaments.config`. What stands below a key is its row in
the reference, `docs/reference/files.md`: links lead from there.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from arena.rules import PRESETS
from arena.sandbox import Wanted
from protocol.messages import Ruling
from protocol.rules import Rules
from tournaments.files.quantities import (
    NO_LIST,
    Confidence,
    Duration,
    FractionOrAuto,
    FractionText,
    Number,
    Rounds,
    Size,
)

Format = Literal["pairs", "rotating", "solo"]
"""`pairs`: a bot plays both seats of a side. `rotating`: four bots, two against two, and partners
change. `solo`: four bots, each for itself."""
ScheduleName = Literal["round_robin", "gauntlet", "swiss", "adaptive"]

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
    """The first K in order; one less than there are bots at most."""


class ScheduleSection(Section, frozen=True):
    """Who meets whom, how often."""

    type: ScheduleName = "round_robin"
    """Who meets whom: see [schedule](../tournament.md#schedule)."""
    rounds: Rounds = 1
    """Full cycles: in each everybody meets whom it is to meet; in `swiss` rounds; in `adaptive` the
    budget: as many encounters, at most, as so many cycles of a round robin have. At most 10,000,000
    matches come of them."""
    mirror: bool = True
    """Every encounter is played again on the same deals: in `pairs` and `rotating` once more, with
    the sides changed over; in `solo` three times more, with the table turned so that every bot sits
    once in each seat."""
    of: BotName | BotNames | UnsetType = UNSET
    """Of a gauntlet, and only there: who meets all others."""
    goal: Literal["order"] | TopGoal | UnsetType = UNSET
    """Of an adaptive schedule, and only there: what must be right, all places (`order`, which it is
    without the key), or the first K in order."""
    confidence: Confidence | UnsetType = UNSET
    """Of an adaptive schedule, and only there: with what confidence the goal must be right before
    it stops; 0.95 without the key."""


class ClockSection(Section, frozen=True):
    """Limits on time."""

    start: Duration = "10s"
    """From the start of a bot's process to its reply to `hello`."""
    move: Duration = "1s"
    """For each later reply: bids, exchanges and cards."""
    bank: Duration | Annotated[None, Meta(title="null for no limit")] = None
    """For all later replies of one process (one seat) in one match together."""
    exit: Duration = "1s"
    """From the match's end until what is left of a bot is killed."""


class FaultsSection(Section, frozen=True):
    """What faults cost: one policy, and others for some kinds of fault."""

    policy: Ruling = "forfeit"
    """What a fault costs: see [faults](../tournament.md#faults)."""
    limit: Annotated[int, Meta(ge=1, le=1_000_000)] = 3
    """With `substitute`: so many faults of a seat forfeit the match."""
    start: Ruling | UnsetType = UNSET
    """What a fault of the kind `start` costs; as `policy` without the key."""
    timeout: Ruling | UnsetType = UNSET
    """What a fault of the kind `timeout` costs; as `policy` without the key."""
    exit: Ruling | UnsetType = UNSET
    """What a fault of the kind `exit` costs; as `policy` without the key."""
    malformed: Ruling | UnsetType = UNSET
    """What a fault of the kind `malformed` costs; as `policy` without the key."""
    illegal: Ruling | UnsetType = UNSET
    """What a fault of the kind `illegal` costs; as `policy` without the key."""
    output: Ruling | UnsetType = UNSET
    """What a fault of the kind `output` costs; as `policy` without the key."""
    resource: Ruling | UnsetType = UNSET
    """What a fault of the kind `resource` costs; as `policy` without the key."""


class SandboxSection(Section, frozen=True):
    """What bots are boxed in, and the limits of the box."""

    backend: Wanted = "auto"
    """What bots are boxed in: see [the box](../tournament.md#the-box)."""
    memory: Size = "512MB"
    """From `16MB` to `1000GB`, of each process of a bot (one a seat), what it starts included;
    files that it maps and could read again don't count."""
    processes: Annotated[int, Meta(ge=1, le=1024)] = 1
    """For each seat, the bot's first one included. Under `none` it is not held: more than 1 only
    switches `pause` off."""
    threads: Annotated[int, Meta(ge=1, le=65_536)] = 64
    """Of all processes of a bot at one seat together, not fewer than `processes`. Under `none` it
    has no effect."""
    disk: Size = "64MB"
    """From `64KB` to `1000GB`, what a bot may have at one seat in its own folder, and the size of
    any file; under `none` the latter alone. In a box there may also be 10,000 files and folders,
    which no key changes."""
    pause: bool | UnsetType = UNSET
    """A bot is stopped while others are on turn. It needs `processes: 1`; `true` without the key,
    and `false` with more than one process."""


class RatingSection(Section, frozen=True):
    """TrueSkill's parameters by its own names."""

    mu: Number | FractionText = 25
    """TrueSkill's mean before the first match, -1,000,000 to 1,000,000."""
    sigma: Number | FractionText = "25/3"
    """Its standard deviation, 0.001 to 1,000,000."""
    beta: Number | FractionOrAuto = "50/3"
    """How much chance there is in a match, 0.001 to 1,000,000; 1.41 times as much in `rotating`
    (the root of 2), 1.6 times in `solo`. `auto`: [results choose
    it](../tournament.md#beta-auto)."""
    tau: Number | FractionText = 0
    """What is added to sigma from match to match, 0 to 1,000,000."""


class Bot(Section, frozen=True):
    """What bot.yaml and an entry of `bots` have in common."""

    build: Build | UnsetType = UNSET
    """**One** command, which is run in the folder before the bot plays: see
    [builds](../bots.md#botyaml)."""
    env: Annotated[dict[Variable, Word], Meta(max_length=256)] | UnsetType = UNSET
    """Variables for its process, a text each: `{LEVEL: "3"}`."""
    version: Remark | UnsetType = UNSET
    """For people, kept in the run folder. `version: "1.0"` needs the quotes: 1.0 is a number."""
    author: Remark | UnsetType = UNSET
    """For people, as are `language` and `description`."""
    language: Remark | UnsetType = UNSET
    """What it is written in."""
    description: Remark | UnsetType = UNSET
    """What it does."""


class BotFile(Bot, frozen=True, kw_only=True):
    """The `bot.yaml` in a bot's folder: how it is built and started."""

    command: Command
    """The program and its arguments; no shell runs it. A first word without `/` is looked up on
    PATH; with one it is a path from the folder, and the file must be executable: `./mybot`.
    `{python}` is put in wherever it stands: see [Python](../bots.md#python)."""
    name: BotName | UnsetType = UNSET
    """Without it that of the folder, in lower case, other characters as `-`. Not only dots."""


class BotEntry(Bot, frozen=True, kw_only=True):
    """A mapping under `bots`.

    What it does not say (but `name`) is taken from the bot.yaml in its `folder`, if one is there.
    A key that stands in both is the entry's alone: `env` is not put together from the two.
    """

    name: BotName
    """Its name in this tournament."""
    command: Command | UnsetType = UNSET
    """As in a `bot.yaml`; without it that of the one in `folder`."""
    folder: Word | UnsetType = UNSET
    """Where it runs, and whose files are the bot's; without it the folder of the tournament file,
    and no `build`."""


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
    """Shown above the standings; the run folder is `runs/NAME` unless `-o` names another. Without
    it the file's name without its ending."""
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | UnsetType = UNSET
    """Deals that anybody can repeat; `--seed` takes its place. Without it they come from a
    [secret](../tournament.md#seed-or-secret)."""
    rules: Preset | RulesSection = "standard"
    """A preset, or a mapping of `preset` and [options](../rules.md#options) that differ from it."""
    format: Format = "pairs"
    """`pairs`: two bots at a table, each plays both seats of a side. `rotating`: four bots at a
    table, and who partners whom changes. `solo`: four bots, each for itself, and `rules` must be
    for solo play too. The last two need four bots or more."""
    schedule: ScheduleSection = ScheduleSection()
    """Who meets whom."""
    clock: ClockSection = ClockSection()
    """Limits on time."""
    faults: FaultsSection = FaultsSection()
    """What faults cost."""
    sandbox: SandboxSection = SandboxSection()
    """The box, and its limits."""
    cores: Annotated[int, Meta(ge=1, le=1024)] = 1
    """Processor cores that each table has to itself. There are as many tables at once as the cores
    allow, or `--jobs` of them if that is less."""
    rating: RatingSection = RatingSection()
    """TrueSkill's parameters."""


class TournamentFile(Settings, frozen=True, kw_only=True):
    """Who plays what: the file that `run` is given. Only `bots` must be there."""

    bots: Annotated[
        list[
            Annotated[str, Meta(max_length=4096, title="a bot's folder, file or command")]
            | BotEntry
        ],
        Meta(min_length=2, max_length=10_000, title="a list of 2 to 10,000 bots"),
    ]
    """Who plays: see [bots](../tournament.md#bots)."""
    withdrawn: BotName | BotNames | UnsetType = UNSET
    """They play no more; what they have played counts: see [a league that
    lives](../tournament.md#a-league-that-lives)."""
    disqualified: BotName | BotNames | UnsetType = UNSET
    """They play no more; what they have played counts for nobody."""
