"""How a match stands while it is played, for who watches: twice a deal, folded from its events."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    DealEnded,
    Dealt,
    MatchStarted,
)
from arena.rules import sides
from protocol.cards import SEATS, Seat
from protocol.messages import Side


class News(Struct, frozen=True):
    """How a match stands: told when a deal has been dealt, and once more when all have bid."""

    match: str
    """The id that bots are told."""
    deal: int
    """1, 2, ..."""
    score: dict[Side, int]
    """Before the deal."""
    bids: dict[Seat, int]
    """Of all seats, or of none while they bid."""


Tell = Callable[[News], None]


class Listener(Protocol):
    """Whoever follows a match event by event. It is told while no clock runs, but of logs."""

    def happened(self, event: AnyEvent) -> None:
        """The next event of the match. All that its bots have logged before was told before."""
        ...

    def logged(self, seat: Seat, data: bytes) -> None:
        """A piece of what a bot writes to its standard error; its clock may run."""
        ...


class Reporter:
    """Takes the events of a match, in order from the first, and tells how it stands.

    It knows all bids: what it tells is for spectators, never for a bot.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._match, self._deal = "", 0
        self._score: dict[Side, int] = {}
        self._bids: dict[Seat, int] = {}

    def add(self, event: AnyEvent) -> None:
        """Takes the next event."""
        if isinstance(event, CardPlayed):  # nearly all are
            return
        if isinstance(event, BidMade):
            self._bid(event.seat, event.bid)
        elif isinstance(event, BlindNilAnswered):
            if event.blind_nil:
                self._bid(event.seat, 0)
        elif isinstance(event, Dealt):
            self._deal, self._bids = event.deal, {}
            self._report({})
        elif isinstance(event, DealEnded):
            self._score = event.score
        elif isinstance(event, MatchStarted):
            self._match = event.match
            self._score = dict.fromkeys(sides(event.rules.players), 0)

    def _bid(self, seat: Seat, bid: int) -> None:
        self._bids[seat] = bid
        if len(self._bids) == len(SEATS):
            self._report(self._bids)

    def _report(self, bids: dict[Seat, int]) -> None:
        self._tell(News(self._match, self._deal, self._score, bids))
