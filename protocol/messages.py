"""Every message of the wire as a type, told apart by its `type`; arena to bot, then bot to arena.

A message with an `id` wants exactly one reply that echoes the `id`; one without wants none.
"""

from typing import Final, Literal

from msgspec import Struct

from protocol import PROTOCOL_VERSION
from protocol.cards import Seat
from protocol.rules import Rules

FaultKind = Literal["start", "timeout", "exit", "malformed", "illegal", "output", "resource"]
Ruling = Literal["forfeit", "substitute", "set"]
EndReason = Literal["target", "floor", "max_deals", "forfeit", "void"]

Side = str
"""`NS` or `EW`; in solo play a seat."""


class Arena(Struct, frozen=True):
    """Who is asking."""

    name: str
    version: str


class MatchClock(Struct, frozen=True):
    """The limits of a match, in milliseconds."""

    start_ms: float
    """From the start of the process to its reply to `hello`."""
    move_ms: float
    """For each later reply."""
    bank_ms: float | None = None
    """For all later replies of this process together; null: no such limit."""


class Clock(Struct, frozen=True, gc=False):
    """What is left, in milliseconds with a fraction."""

    move_ms: float = 0.0
    """For this reply. The deadline is the smaller of `move_ms` and `bank_ms`."""
    bank_ms: float | None = None
    """For the rest of the match; null: no such limit."""
    last_ms: float | None = None
    """What the arena measured for the previous reply; null before the first."""


NO_CLOCK: Final = Clock()
"""What stands in a request that nobody has sent."""


class Trick(Struct, frozen=True, gc=False):
    """Cards on the table, in the order in which they were played."""

    leader: Seat
    cards: tuple[str, ...]


class FinishedTrick(Struct, frozen=True, gc=False):
    """Four cards, and who took them."""

    leader: Seat
    cards: tuple[str, ...]
    winner: Seat


class Message(Struct, tag_field="type", kw_only=True, gc=False):
    """Anything the arena sends."""


class Request(Message, kw_only=True):
    """A message that wants a reply. Whoever sends it sets `id`, and `clock` if it has one."""

    id: int = 0
    """Grows from request to request of one process."""


class TimedRequest(Request, kw_only=True):
    """A request for a decision."""

    clock: Clock = NO_CLOCK


class Hello(Request, tag="hello", kw_only=True):
    """The first message to a process, which plays one seat of one match."""

    protocol: int = PROTOCOL_VERSION
    arena: Arena
    match: str
    """The match's id, as `record RUN MATCH` takes it."""
    seat: Seat
    partner: Seat | None
    """Null in solo play."""
    rules: Rules
    clock: MatchClock
    seed: int
    """Below 2**53, for the bot's own randomness. It tells nothing of the deals."""


class Bid(TimedRequest, tag="bid", kw_only=True):
    """Make a bid."""

    deal: int
    """1, 2, ..."""
    seat: Seat
    dealer: Seat
    hand: tuple[str, ...]
    legal: tuple[int, ...]
    bids: dict[Seat, int]
    """Those made so far, in the order made."""
    blind: tuple[Seat, ...]
    """The seats whose nil is blind."""
    score: dict[Side, int]
    bags: dict[Side, int]


class BlindNil(TimedRequest, tag="blind_nil", kw_only=True):
    """Bid nil without having seen the cards? Asked before `bid`, and declined by silence."""

    deal: int
    seat: Seat
    dealer: Seat
    bids: dict[Seat, int]
    blind: tuple[Seat, ...]
    score: dict[Side, int]
    bags: dict[Side, int]


class Exchange(TimedRequest, tag="exchange", kw_only=True):
    """Pass cards to the partner, after all bids and beside a blind nil."""

    deal: int
    seat: Seat
    dealer: Seat
    hand: tuple[str, ...]
    """With what was received."""
    bids: dict[Seat, int]
    blind: tuple[Seat, ...]
    count: int
    """Cards to pass."""
    to: Seat
    received: tuple[str, ...]
    """Cards just got from the partner; none for the one who passes first."""
    score: dict[Side, int]
    bags: dict[Side, int]


class Exchanged(Struct, frozen=True):
    """What a seat passed to its partner, and what it was passed."""

    gave: tuple[str, ...]
    got: tuple[str, ...]


class Play(TimedRequest, tag="play", kw_only=True):
    """Play a card."""

    deal: int
    seat: Seat
    dealer: Seat
    hand: tuple[str, ...]
    legal: tuple[str, ...]
    bids: dict[Seat, int]
    blind: tuple[Seat, ...]
    trick: Trick
    """On the table; with no cards when this seat leads."""
    tricks: tuple[FinishedTrick, ...]
    """Finished ones of this deal."""
    taken: dict[Seat, int]
    """Tricks taken in this deal."""
    broken: bool
    """Spades have been broken."""
    exchange: Exchanged | None = None
    """This seat's; null without one."""
    score: dict[Side, int]
    bags: dict[Side, int]


class Fault(Message, tag="fault", kw_only=True):
    """To the offender only: what it did wrong, and what the arena did instead."""

    kind: FaultKind
    detail: str
    ruling: Ruling


class DealEnd(Message, tag="deal_end", kw_only=True):
    """A deal is over, and every card may be seen."""

    deal: int
    dealer: Seat
    hands: dict[Seat, tuple[str, ...]]
    """As dealt."""
    bids: dict[Seat, int]
    blind: tuple[Seat, ...]
    exchanged: dict[Seat, Exchanged] | None = None
    """Null without an exchange."""
    tricks: tuple[FinishedTrick, ...]
    taken: dict[Seat, int]
    delta: dict[Side, int]
    """The change of score, bag penalty included."""
    score: dict[Side, int]
    bags: dict[Side, int]


class MatchEnd(Message, tag="match_end", kw_only=True):
    """The last message. Standard input is closed after it."""

    winner: Side | None
    """Null for a draw, and for a match that is void."""
    reason: EndReason
    score: dict[Side, int]
    faults: dict[Seat, dict[FaultKind, int]]


AnyMessage = Hello | BlindNil | Bid | Exchange | Play | Fault | DealEnd | MatchEnd
"""Whatever the arena sends."""


class Reply(Struct, kw_only=True, omit_defaults=True, gc=False):
    """Anything a bot sends. Fields that are not named here are ignored."""

    id: int
    note: str | None = None
    """The bot's own remark, kept in the record up to NOTE_LIMIT characters."""


class HelloReply(Reply, kw_only=True):
    """The reply to `hello`."""

    name: str | None = None
    version: str | None = None


class BidReply(Reply, kw_only=True):
    """The reply to `bid`."""

    bid: int


class BlindNilReply(Reply, kw_only=True):
    """The reply to `blind_nil`."""

    blind_nil: bool = False


class ExchangeReply(Reply, kw_only=True):
    """The reply to `exchange`."""

    cards: list[str] | None = None
    """Without it the lowest cards go."""


class PlayReply(Reply, kw_only=True):
    """The reply to `play`."""

    card: str


AnyReply = HelloReply | BlindNilReply | BidReply | ExchangeReply | PlayReply
"""Whatever a bot replies; the types have no tag, as a reply goes to one request."""

NOTE_LIMIT = 1000
"""Characters of a `note` that are kept."""

LINE_LIMIT = 64 * 1024
"""Bytes of one line of a bot, its end included."""
