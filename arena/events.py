"""Everything that happens at a table, as frozen values: the lines of a record.

A match is a fold of these (`arena.state`). What can't be derived stands in them, and at the end of
each deal a checkpoint of what can. Fields named in TIMES are the only ones that may differ between
two runs of the same match.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from arena.deals import VERSION as DEALS_VERSION
from protocol.cards import Seat
from protocol.messages import Arena, EndReason, FaultKind, Ruling, Side
from protocol.rules import Rules

RECORD_VERSION: Final = 1

TIMES: Final = frozenset({"ms", "cpu_ms", "started", "host", "times_digest"})
"""Fields that hold times, dates or the machine."""

RequestType = Literal["hello", "blind_nil", "bid", "exchange", "play"]
LONGEST_MS: Final = 24 * 3_600_000
"""A limit on time is a day at most."""
Limit = Annotated[float, Meta(gt=0, le=LONGEST_MS)]
"""Of time, in milliseconds."""
MOST_MS: Final = 10**12
"""Thirty years."""
Milliseconds = Annotated[float, Meta(ge=0, le=MOST_MS)]
"""That passed, also where a person took them."""
DigestText = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Clocks(Struct, frozen=True):
    """Every limit of a match on time, in milliseconds."""

    start_ms: Limit = 10_000.0
    """From the start of a process to its reply to `hello`."""
    move_ms: Limit = 1_000.0
    """For each later reply."""
    bank_ms: Limit | None = None
    """Thinking time of a process in all the match, its start left out; null: no such limit."""
    exit_ms: Limit = 1_000.0
    """From `match_end` until what is left of a bot is killed."""


class FaultPolicy(Struct, frozen=True, kw_only=True):
    """What a fault of each kind costs (R9)."""

    start: Ruling = "forfeit"
    """Of the kind `start`."""
    timeout: Ruling = "forfeit"
    """Of the kind `timeout`."""
    exit: Ruling = "forfeit"
    """Of the kind `exit`."""
    malformed: Ruling = "forfeit"
    """Of the kind `malformed`."""
    illegal: Ruling = "forfeit"
    """Of the kind `illegal`."""
    output: Ruling = "forfeit"
    """Of the kind `output`."""
    resource: Ruling = "forfeit"
    """Of the kind `resource`."""
    limit: int = 3
    """A fault that makes so many of a seat, of whatever kinds, is not substituted but forfeits."""

    def ruling(self, kind: FaultKind) -> Ruling:
        """What a fault of this kind costs."""
        ruling: Ruling = getattr(self, kind)
        return ruling


class Player(Struct, frozen=True):
    """Who sits at a seat."""

    name: str
    """Unique in a tournament; a later version of a bot is `name@2`."""
    hash: str
    """SHA-256 over the bot's files, in hex; empty for a person."""
    seed: int
    """What the bot is told as `seed`."""


class Origin(Struct, frozen=True):
    """What the deals come from (`arena.deals`). A secret does not stand here, its SHA-256 does."""

    seed: int | None
    """The tournament's seed, or null where there is a secret."""
    commitment: DigestText | None
    """SHA-256 of the secret's hex digits, or null where there is a seed."""
    bots: list[str]
    """The sides that met, by name (`arena.deals.encounter`)."""
    cycle: int
    """Of the schedule, from 0: each has deals of its own."""
    leg: int
    """0, 1, ...: the same deals with the sides changed over, or in solo play the table turned."""
    algorithm: int = DEALS_VERSION
    """The version of how deals come from a seed."""


class Event(
    Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, kw_only=True, gc=False
):
    """One line of a record."""


class MatchStarted(Event, tag="match", frozen=True, kw_only=True):
    """Who plays, by which rules, from which seeds."""

    version: int = RECORD_VERSION
    """Of the record."""
    match: str
    """The id that bots see in `hello`."""
    arena: Arena
    """What has played it."""
    rules: Rules
    """Every option of the game."""
    players: dict[Seat, Player]
    """Who sits where."""
    origin: Origin
    """What the deals come from."""
    dealer: Seat
    """Of the first deal."""
    clock: Clocks
    """Limits on time."""
    faults: FaultPolicy
    """What faults cost."""
    sandbox: dict[str, Any]
    """The backend, and what it guarantees."""
    started: str | None = None
    """Date and time, ISO 8601, UTC."""
    host: dict[str, Any] | None = None
    """The machine."""


class Greeted(Event, tag="hello", frozen=True, omit_defaults=True, kw_only=True):
    """A bot has started, or was started again, and has answered `hello`."""

    seat: Seat
    """Whose bot."""
    name: str | None = None
    """What the bot calls itself."""
    version: str | None = None
    """Of the bot, by itself."""
    note: str | None = None
    """The bot's own remark."""
    ms: Milliseconds | None = None
    """From the start of the process to the reply, in milliseconds."""
    cpu_ms: Milliseconds | None = None
    """Processor time in milliseconds since then, where it could be read."""


class Dealt(Event, tag="deal", frozen=True, kw_only=True):
    """Thirteen cards to each seat."""

    deal: int
    """Its number in the match: 1, 2, ..."""
    dealer: Seat
    """Who dealt; the seat to the left bids first and leads to the first trick."""
    hands: dict[Seat, list[str]]
    """Sorted."""


class BlindNilAnswered(Event, tag="blind_nil", frozen=True, omit_defaults=True, kw_only=True):
    """A seat was offered blind nil; with true it has bid 0."""

    seat: Seat
    """Who has decided."""
    blind_nil: bool
    """True: it has bid 0 without having seen its cards."""
    note: str | None = None
    """The bot's own remark on this decision."""
    substituted: bool = False
    """The arena has decided, after a fault of the bot."""
    ms: Milliseconds | None = None
    """Thinking time in milliseconds; null where the arena decided."""
    cpu_ms: Milliseconds | None = None
    """Processor time in milliseconds that all threads of the bot's process have used since its
    reply before, where it could be read."""


class BidMade(Event, tag="bid", frozen=True, omit_defaults=True, kw_only=True):
    """A seat has bid."""

    seat: Seat
    bid: int
    """0 is nil."""
    note: str | None = None
    substituted: bool = False
    ms: Milliseconds | None = None
    cpu_ms: Milliseconds | None = None


class CardsPassed(Event, tag="exchange", frozen=True, omit_defaults=True, kw_only=True):
    """A seat has passed cards to its partner."""

    seat: Seat
    cards: tuple[str, ...]
    """Sorted."""
    note: str | None = None
    substituted: bool = False
    ms: Milliseconds | None = None
    cpu_ms: Milliseconds | None = None


class CardPlayed(Event, tag="play", frozen=True, omit_defaults=True, kw_only=True):
    """A seat has played a card."""

    seat: Seat
    card: str
    """Rank, then suit."""
    note: str | None = None
    substituted: bool = False
    ms: Milliseconds | None = None
    cpu_ms: Milliseconds | None = None


class Faulted(Event, tag="fault", frozen=True, omit_defaults=True, kw_only=True):
    """A bot misbehaved; what it did, and what the arena did instead."""

    seat: Seat
    """Who was at fault."""
    kind: FaultKind
    """What happened: see [faults](../../protocol/README.md#faults)."""
    request: RequestType
    """What it was asked."""
    detail: str
    """The sentence for the bot's author."""
    raw: str | None
    """The line at fault, cut to a fair length; null without one."""
    ruling: Ruling
    """What the arena did about it."""
    ms: float | None = None
    """What its clock was charged, in milliseconds; left out where none ran, as for a process that
    could not be started, or had ended before and was not asked."""


class DealEnded(Event, tag="deal_end", frozen=True, kw_only=True):
    """A checkpoint: all of it can be derived from the events before."""

    deal: int
    taken: dict[Seat, int]
    """Tricks."""
    delta: dict[Side, int]
    """The change of score, bag penalty included."""
    score: dict[Side, int]
    """Points after this deal."""
    bags: dict[Side, int]
    """Overtricks that count towards the next penalty, after this deal."""


class MatchEnded(Event, tag="match_end", frozen=True, kw_only=True):
    """The result."""

    winner: Side | None
    """Null for a draw, and for a forfeit in solo play."""
    reason: EndReason
    """Why it is over."""
    forfeited: Side | None = None
    """The side that forfeited, if one did."""
    score: dict[Side, int]
    """Points."""
    faults: dict[Seat, dict[FaultKind, int]]
    """How many of each kind, of all seats that had any."""
    deals: int
    """Finished ones."""


Decision = BlindNilAnswered | BidMade | CardsPassed | CardPlayed
"""What a seat has chosen; or, where it is `substituted`, the arena after a fault (R9)."""

AnyEvent = MatchStarted | Greeted | Dealt | Decision | Faulted | DealEnded | MatchEnded
"""What a match is folded from."""


class Sealed(Event, tag="seal", frozen=True, omit_defaults=True, kw_only=True):
    """The last line of a record: digests over the lines before it."""

    digest: DigestText
    """SHA-256 over the lines without the fields of TIMES, each ended by a newline."""
    times_digest: DigestText | None = None
    """SHA-256 over the lines as they are; left out with the times."""
