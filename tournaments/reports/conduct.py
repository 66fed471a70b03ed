"""How bots have bid, what they took, and how long they thought: sums over the records of a run."""

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    DealEnded,
    Dealt,
    Decision,
    Faulted,
    MatchStarted,
    Sealed,
)
from arena.record import read
from arena.rules import SeatResult, score_side, seats_of, sides
from protocol.cards import Seat
from protocol.rules import Rules
from tournaments.reader import Reader
from tournaments.reports.times import Times


class Conduct(Struct):
    """Of one bot. Deals that were played to their last card, and the times of all decisions."""

    hands: int = 0
    """Deals, at each of its seats."""
    bids: dict[tuple[int, int], int] = field(default_factory=dict)
    """Bid and tricks taken -> how often; not the nils."""
    nils: dict[int, int] = field(default_factory=dict)
    """Tricks taken with a nil that was seen -> how often; none is a nil that was made."""
    blind_nils: dict[int, int] = field(default_factory=dict)
    """The same of blind nils."""
    sides: int = 0
    """Deals, at each of its sides."""
    made: int = 0
    """How often its side took what it had bid."""
    bags: int = 0
    """Of its side."""
    times: Times = field(default_factory=Times)
    longest_match: float = 0.0
    """Milliseconds that one seat has thought in a match, the most."""

    def tricks(self) -> Iterator[tuple[int, int, int]]:
        """Bid, tricks taken, how often: of every hand."""
        for nils in (self.nils, self.blind_nils):
            yield from ((0, taken, times) for taken, times in nils.items())
        yield from ((*hand, times) for hand, times in self.bids.items())


def conduct(store: Reader) -> dict[str, Conduct]:
    """That of each bot in the finished matches, by its label. Raises BadRecord."""
    found: dict[str, Conduct] = {}
    for _, record in store.records():
        match = _Match(found)
        for _, event in read(record):
            match.add(event)
        match.end()
    return found


class _Match:
    """One record, summed up into what is known of its bots."""

    def __init__(self, found: dict[str, Conduct]) -> None:
        self._found = found
        self._of: dict[Seat, Conduct] = {}
        self._thought: dict[Seat, float] = {}

    def add(self, event: AnyEvent | Sealed) -> None:
        match event:
            case MatchStarted(players=players, rules=rules):
                self._rules, self._sides = rules, sides(rules.players)
                self._of = {
                    seat: self._found.setdefault(player.name, Conduct())
                    for seat, player in players.items()
                }
            case Dealt():
                self._bids: dict[Seat, int] = {}
                self._blind: set[Seat] = set()
                self._stopped = False
            case BidMade(seat=seat, bid=bid):
                self._bids[seat] = bid
            case BlindNilAnswered(seat=seat, blind_nil=True):
                self._bids[seat] = 0
                self._blind.add(seat)
            case Faulted(ruling="set"):
                self._stopped = True
            case DealEnded() if not self._stopped:
                self._count(event)
        if isinstance(event, Decision) and event.ms is not None:
            self._of[event.seat].times.add(event.ms)
            self._thought[event.seat] = self._thought.get(event.seat, 0.0) + event.ms

    def end(self) -> None:
        for seat, ms in self._thought.items():
            self._of[seat].longest_match = max(self._of[seat].longest_match, ms)

    def _count(self, end: DealEnded) -> None:
        for seat, bot in self._of.items():
            bid, taken = self._bids[seat], end.taken[seat]
            bot.hands += 1
            if bid:
                bot.bids[bid, taken] = bot.bids.get((bid, taken), 0) + 1
            else:
                nils = bot.blind_nils if seat in self._blind else bot.nils
                nils[taken] = nils.get(taken, 0) + 1
        for side in self._sides:
            seats = seats_of(side)
            hands = [SeatResult(self._bids[seat], end.taken[seat]) for seat in seats]
            # Without what nils are worth a side has no less than nothing where it took its bid.
            score = score_side(_without_nils(self._rules), hands, 0)
            for bot in {id(self._of[seat]): self._of[seat] for seat in seats}.values():
                bot.sides += 1
                bot.made += score.tricks >= 0
                bot.bags += score.new_bags


def _without_nils(rules: Rules) -> Rules:
    return replace(rules, nil=0, blind_nil=0)
