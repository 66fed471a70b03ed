"""The finished deals of a record, each as one value with all that happened in it."""

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec import Struct

from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    DealEnded,
    Dealt,
    Faulted,
    MatchStarted,
    Sealed,
)
from arena.record import BadRecord, read
from arena.rules import sides
from protocol.cards import DECKS, PARTNER, SEATS, Seat
from tournaments.storage.reader import Reader


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


def kept_deals(store: Reader) -> Iterator[tuple[str, FinishedDeal]]:
    """Those of all finished matches, each with the id of its match. Raises Damaged."""
    for match, record in store.records():
        with store.judging(match):
            for deal in finished_deals(read(record)):
                yield match, deal


def finished_deals(events: Iterable[tuple[int, AnyEvent | Sealed]]) -> Iterator[FinishedDeal]:
    """Those of a record's events (`arena.record.read`), in order.

    The rules are not asked: a deal of a forged record may not be what was played. It has all that a
    deal has. Raises BadRecord where it has not.
    """
    started: MatchStarted
    dealt: Dealt | None = None
    bids: dict[Seat, int] = {}
    blind: list[Seat] = []
    gave: dict[Seat, tuple[str, ...]] = {}
    cards: list[CardPlayed] = []
    stopped: Seat | None = None
    for number, event in events:
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
                gave[seat] = passed
            case CardPlayed():
                cards.append(event)
            case Faulted(seat=seat, ruling="set"):
                stopped = seat
            case DealEnded():
                if lacking := _lacking(started, dealt, bids, gave, cards, event):
                    raise BadRecord(f"line {number}: {lacking}")
                assert dealt is not None
                sorted_ = {seat: in_order(started, passed) for seat, passed in gave.items()}
                yield FinishedDeal(
                    started, dealt, bids, tuple(blind), sorted_, cards, stopped, event
                )
                dealt = None


def _lacking(
    started: MatchStarted,
    dealt: Dealt | None,
    bids: dict[Seat, int],
    gave: dict[Seat, tuple[str, ...]],
    cards: list[CardPlayed],
    end: DealEnded,
) -> str | None:
    """What a deal lacks that its readers look for."""
    if dealt is None:
        return "the end of a deal that has not begun"
    if not dealt.hands.keys() == bids.keys() == end.taken.keys() == set(SEATS):
        return "a deal has a hand, a bid and tricks of each of the four seats"
    among = set(sides(started.rules.players))
    if not end.delta.keys() == end.score.keys() == end.bags.keys() == among:
        return f"a deal is scored for the sides {', '.join(sorted(among))}"
    deck = DECKS[started.rules.deck].number.keys()
    shown = chain(*dealt.hands.values(), *gave.values(), (played.card for played in cards))
    return None if deck >= set(shown) else "there are cards in a deal that the deck has not"
