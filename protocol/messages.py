"""Every message of the wire as a type, told apart by its `type`; arena to bot, then bot to arena.

A message with an `id` wants exactly one reply that echoes the `id`; one without wants none.
"""

from typing import Annotated, Final, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol import PROTOCOL_VERSION
from protocol.cards import Seat
from protocol.rules import HelloRules

FaultKind = Literal["start", "timeout", "exit", "malformed", "illegal", "output", "resource"]
Ruling = Literal["forfeit", "substitute", "set"]
EndReason = Literal["target", "floor", "max_deals", "forfeit", "void"]

Side = Annotated[str, Meta(title="side")]
"""`NS` or `EW`; in solo play a seat."""


class Arena(Struct, frozen=True):
    """Who is asking."""

    name: str
    """What it is called."""
    version: str
    """That of the program."""


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
    """Who led."""
    cards: tuple[str, ...]
    """Clockwise from the leader; none, where this seat leads."""


class FinishedTrick(Trick, frozen=True, gc=False):
    """Four cards, and who took them."""

    winner: Seat
    """Who took them."""


class Message(Struct, tag_field="type", kw_only=True, gc=False):
    """Anything the arena sends."""


class Request(Message, kw_only=True):
    """A message that wants a reply. Whoever sends it sets `id`, and `clock` if it has one."""

    id: int = 0
    """Grows from request to request of one process, by 1 to 256. The reply echoes it."""


class TimedRequest(Request, kw_only=True):
    """A request for a decision."""

    clock: Clock = NO_CLOCK
    """What is left."""


class Hello(Request, tag="hello", kw_only=True):
    """The first message to a process, which plays one seat of one match."""

    protocol: int = PROTOCOL_VERSION
    """The version of the protocol."""
    arena: Arena
    """Who is asking."""
    match: str
    """The match's id, as `record RUN MATCH` takes it."""
    seat: Seat
    """Where this process sits, for the whole match."""
    partner: Seat | None
    """The seat of the partner; null in solo play."""
    rules: HelloRules
    """Every option of the game."""
    clock: MatchClock
    """The limits of the match."""
    seed: int
    """Below 2**53, for the bot's own randomness. It tells nothing of the deals."""


class Bid(TimedRequest, tag="bid", kw_only=True):
    """Make a bid."""

    deal: int
    """Its number in the match: 1, 2, ..."""
    seat: Seat
    dealer: Seat
    """Who dealt; the seat to the left bids first and leads to the first trick."""
    hand: tuple[str, ...]
    """The 13 cards of this seat, sorted."""
    legal: tuple[int, ...]
    """The bids that are allowed, ascending, never empty."""
    bids: dict[Seat, int]
    """Those made so far, in the order made."""
    blind: tuple[Seat, ...]
    """The seats whose nil was bid before they saw their cards, in the order bid."""
    score: dict[Side, int]
    """Points before this deal."""
    bags: dict[Side, int]
    """Overtricks that count towards the next penalty."""


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
    """The cards of this seat, sorted, with what was received."""
    bids: dict[Seat, int]
    blind: tuple[Seat, ...]
    count: int
    """Cards to pass."""
    to: Seat
    """The partner, who gets them."""
    received: tuple[str, ...]
    """Cards just got from the partner, which may be passed back; none for who passes first."""
    score: dict[Side, int]
    bags: dict[Side, int]


class Exchanged(Struct, frozen=True):
    """What a seat passed to its partner, and what it was passed."""

    gave: tuple[str, ...]
    """To the partner, sorted."""
    got: tuple[str, ...]
    """From the partner, sorted."""


class Play(TimedRequest, tag="play", kw_only=True):
    """Play a card."""

    deal: int
    seat: Seat
    dealer: Seat
    hand: tuple[str, ...]
    """The cards that this seat still holds, sorted."""
    legal: tuple[str, ...]
    """Those of them that may be played, sorted, never empty."""
    bids: dict[Seat, int]
    blind: tuple[Seat, ...]
    trick: Trick
    """On the table; with no cards when this seat leads."""
    tricks: tuple[FinishedTrick, ...]
    """Finished ones of this deal."""
    taken: dict[Seat, int]
    """Tricks taken in this deal."""
    broken: bool
    """Spades have been broken, so they may be led."""
    exchange: Exchanged | None = None
    """This seat's; null without one."""
    score: dict[Side, int]
    bags: dict[Side, int]


class Fault(Message, tag="fault", kw_only=True):
    """To the offender only: what it did wrong, and what the arena did instead."""

    kind: FaultKind
    """What happened: see [faults](../../protocol/README.md#faults)."""
    detail: str
    """A sentence for the bot's author: what was sent, what was expected, the usual cause."""
    ruling: Annotated[str, Meta(examples=list(get_args(Ruling)))]
    """What the arena did about it."""


class DealEnd(Message, tag="deal_end", kw_only=True):
    """A deal is over, and every card may be seen."""

    deal: int
    dealer: Seat
    hands: dict[Seat, tuple[str, ...]]
    """As dealt, before any exchange, sorted."""
    bids: dict[Seat, int]
    blind: tuple[Seat, ...]
    exchanged: dict[Seat, Exchanged] | None = None
    """Of each seat that has exchanged cards; null without an exchange."""
    tricks: tuple[FinishedTrick, ...]
    taken: dict[Seat, int]
    delta: dict[Side, int]
    """The change of score, bag penalty included."""
    score: dict[Side, int]
    """Points after this deal."""
    bags: dict[Side, int]


class MatchEnd(Message, tag="match_end", kw_only=True):
    """The last message. Standard input is closed after it."""

    winner: Side | None
    """Null for a draw, for a match that is void, and for a forfeit in solo play."""
    reason: Annotated[str, Meta(examples=list(get_args(EndReason)))]
    """`forfeit`: by a fault; `void`: the arena failed; else the option that ended it."""
    score: dict[Side, int]
    faults: dict[Seat, dict[FaultKind, int]]
    """How many of each kind, of all seats that had any."""


AnyMessage = Hello | BlindNil | Bid | Exchange | Play | Fault | DealEnd | MatchEnd
"""Whatever the arena sends."""


class Reply(Struct, kw_only=True, omit_defaults=True, gc=False):
    """Anything a bot sends. Other fields are ignored; none of these may be null."""

    id: int
    """That of the request."""
    note: str = ""
    """The bot's own remark, of which the record keeps 1,000 characters."""


class HelloReply(Reply, kw_only=True):
    """The reply to `hello`."""

    name: str = ""
    """What the bot calls itself; 100 characters are kept in the record."""
    version: str = ""
    """Of the bot; 100 characters are kept in the record."""


class BidReply(Reply, kw_only=True):
    """The reply to `bid`."""

    bid: int
    """One of `legal`: `3`, not `3.0`, `"3"` or `true`."""


class BlindNilReply(Reply, kw_only=True):
    """The reply to `blind_nil`."""

    blind_nil: bool = False
    """True to bid nil; without the field it is declined."""


class ExchangeReply(Reply, kw_only=True):
    """The reply to `exchange`."""

    cards: list[str] | UnsetType = UNSET
    """`count` cards of `hand`, in any order. Without it the lowest go."""


class PlayReply(Reply, kw_only=True):
    """The reply to `play`."""

    card: str
    """One of `legal`."""


AnyReply = HelloReply | BlindNilReply | BidReply | ExchangeReply | PlayReply
"""Whatever a bot replies; the types have no tag, as a reply goes to one request."""

NOTE_LIMIT = 1000
"""Characters of a `note` that are kept."""
LINE_LIMIT = 64 * 1024
"""Bytes of one line of a bot, its end included."""
