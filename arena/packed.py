"""A replay as compact JSON, for a page that holds a thousand; who reads it needs no rules.

Seats are numbers, 0 to 3, clockwise from north. So are sides: NS and EW, or in solo play the seats.
Cards are numbers too, places in `cards`. The decisions of a deal are counted from 0: those before
the play, then the cards. A field is left out where it has its default.

To unpack a deal, whoever is on turn is all that has to be followed. Bids go round from the dealer's
left; who declines a blind nil bids next; an exchange names its seat. The dealer's left leads, then
whoever won the last trick, and the others follow clockwise. A score is the sum of the `delta`.
"""

from typing import Any, Final

from msgspec import Struct

from arena.events import RequestType
from protocol.messages import EndReason, FaultKind, Ruling

FORMAT: Final = 1
"""The version of all this."""


class _Packed(Struct, frozen=True, omit_defaults=True):
    """A part of it."""


class PackedFault(_Packed, frozen=True, kw_only=True):
    """A fault; `seat` was asked for `request`."""

    at: int = 0
    """The number of the decision that it came before; at the end of a deal, of the next."""
    seat: int
    kind: FaultKind
    request: RequestType
    detail: str
    raw: str | None = None
    ruling: Ruling
    debug: str = ""
    """The line that reproduces it."""


class PackedGreeting(_Packed, frozen=True, kw_only=True):
    """A bot was started, `at` as in a fault, and said this of itself."""

    at: int = 0
    seat: int
    name: str | None = None
    version: str | None = None
    note: str | None = None
    ms: float | None = None


class PackedDeal(_Packed, frozen=True, kw_only=True):
    """A deal, or what was played of it before a forfeit."""

    dealer: int
    dealt: str
    """For each card the seat that it was dealt to, a digit each."""
    lowest: str = ""
    """For each bid the lowest that was legal, a hexadecimal digit; all above were legal, to 13."""
    calls: list[Any] = []
    """Before the play: a bid is a number, an answer to blind nil true or false, an exchange a list
    of the seat and the cards that it passed to the seat opposite."""
    legal: str = ""
    """For each card played the suits that were legal, whatever the hand had of them: a hexadecimal
    digit, the sum of 1 clubs, 2 diamonds, 4 hearts, 8 spades."""
    picks: str = ""
    """For each card played its place among the legal ones, the lowest is 0; hexadecimal."""
    winners: str = ""
    """For each finished trick the seat that took it."""
    delta: list[int] | None = None
    """For each side; null where a forfeit has ended the match in this deal."""
    bags: list[int] | None = None
    """For each side, after the deal."""
    ms: list[float | None] = []
    """Of each decision: tenths below 10 ms, and above whole milliseconds."""
    cpu_ms: list[float | None] = []
    notes: dict[int, str] = {}
    """By the number of the decision."""
    substituted: list[int] = []
    """The numbers of the decisions that the arena made."""
    faults: list[PackedFault] = []
    greetings: list[PackedGreeting] = []


class PackedReplay(_Packed, frozen=True, kw_only=True):
    """A match."""

    format: int
    match: str
    names: list[str]
    """The bot at each seat."""
    solo: bool = False
    """Each seat is a side."""
    cards: str
    """The deck as sorted on the wire, two characters a card."""
    suits: list[int]
    """How many of them are clubs, diamonds, hearts and spades."""
    target: int
    blind: bool = False
    """Blind nil is in the rules: seats see their cards only when they are asked for a bid."""
    move_ms: float
    """The clock for a decision."""
    faults: list[PackedFault] = []
    """Before the first deal."""
    greetings: list[PackedGreeting] = []
    """Before the first deal."""
    deals: list[PackedDeal]
    winner: int | None = None
    """A side; null for a draw."""
    reason: EndReason
    forfeited: int | None = None
    """A side."""
    score: list[int]
    """For each side, at the end."""
