"""The finished deals of a record, each as one value with all that happened in it."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from arena.events import (
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    DealEnded,
    Dealt,
    Faulted,
    MatchStarted,
)
from arena.record import read
from protocol.cards import DECKS, PARTNER, SEATS, Seat


class FinishedDeal(Struct, frozen=True):
    """A deal that has been scored. What a forfeit has cut short has no score, and is none."""

    match: MatchStarted
    dealt: Dealt
    bids: dict[Seat, int]
    """In the order made."""
    blind: tuple[Seat, ...]
    """The seats whose nil was bid blind, in the order bid."""
    gave: dict[Seat, list[str]]
    """What a seat has passed to its partner, sorted as on the wire."""
    cards: list[CardPlayed]
    """52, or fewer where the deal was stopped."""
    stopped: Seat | None
    """Whose fault has stopped the deal (R9)."""
    end: DealEnded

    @property
    def hands(self) -> dict[Seat, list[str]]:
        """What each seat had to play with, sorted: its hand after the exchange of cards.

        As dealt where that was stopped before both partners had passed.
        """
        held = {seat: set(self.dealt.hands[seat]) for seat in SEATS}
        for seat, cards in self.gave.items():  # in turn: what came may go back
            if PARTNER[seat] in self.gave:
                held[seat] -= set(cards)
                held[PARTNER[seat]] |= set(cards)
        return {seat: in_order(self.match, held[seat]) for seat in SEATS}


def in_order(match: MatchStarted, cards: Iterable[str]) -> list[str]:
    """Cards sorted as on the wire."""
    return sorted(cards, key=DECKS[match.rules.deck].number.__getitem__)


def finished_deals(record: bytes) -> Iterator[FinishedDeal]:
    """Those of a record, in order. Raises BadRecord for a line that is none."""
    started: MatchStarted
    dealt: Dealt
    bids: dict[Seat, int] = {}
    blind: list[Seat] = []
    gave: dict[Seat, list[str]] = {}
    cards: list[CardPlayed] = []
    stopped: Seat | None = None
    for _, event in read(record):
        match event:
            case MatchStarted():
                started = event
            case Dealt():
                dealt, bids, blind, gave, cards, stopped = event, {}, [], {}, [], None
            case BidMade(seat=seat, bid=bid):
                bids[seat] = bid
            case BlindNilAnswered(seat=seat, blind_nil=True):
                bids[seat] = 0
                blind.append(seat)
            case CardsPassed(seat=seat, cards=passed):
                gave[seat] = in_order(started, passed)
            case CardPlayed():
                cards.append(event)
            case Faulted(seat=seat, ruling="set"):
                stopped = seat
            case DealEnded():
                yield FinishedDeal(started, dealt, bids, tuple(blind), gave, cards, stopped, event)
