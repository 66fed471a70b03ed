"""How bots have bid, what they took, and how long they thought: sums over the records of a run."""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from arena.events import AnyEvent, Decision, MatchStarted, Sealed
from arena.record import read
from arena.rules import SeatResult, score_side, seats_of, sides
from protocol.cards import Seat
from protocol.rules import Rules
from tournaments.exports.finished_deals import FinishedDeal, finished_deals
from tournaments.reports.times import Times
from tournaments.storage.reader import Reader

_Line = tuple[int, AnyEvent | Sealed]


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
    """That of each bot in the finished matches, by its label. Raises Damaged."""
    found: dict[str, Conduct] = {}
    for match, record in store.records():
        with store.judging(match):
            for deal in finished_deals(_timed(read(record), found)):
                if deal.stopped is None:
                    _count(deal, found)
    return found


def _timed(events: Iterable[_Line], found: dict[str, Conduct]) -> Iterator[_Line]:
    """The events of a record, as they are passed on to be looked at for deals as well."""
    of: dict[Seat, Conduct] = {}
    thought: dict[Seat, float] = {}
    for number, event in events:
        if isinstance(event, MatchStarted):
            players = event.players.items()
            of = {seat: found.setdefault(player.name, Conduct()) for seat, player in players}
        elif isinstance(event, Decision) and event.ms is not None:
            of[event.seat].times.add(event.ms)
            thought[event.seat] = thought.get(event.seat, 0.0) + event.ms
        yield number, event
    for seat, ms in thought.items():
        of[seat].longest_match = max(of[seat].longest_match, ms)


def _count(deal: FinishedDeal, found: dict[str, Conduct]) -> None:
    of = {seat: found[player.name] for seat, player in deal.match.players.items()}
    for seat, bot in of.items():
        bid, taken = deal.bids[seat], deal.end.taken[seat]
        bot.hands += 1
        if bid:
            bot.bids[bid, taken] = bot.bids.get((bid, taken), 0) + 1
        else:
            nils = bot.blind_nils if seat in deal.blind else bot.nils
            nils[taken] = nils.get(taken, 0) + 1
    rules = deal.match.rules
    for side in sides(rules.players):
        seats = seats_of(side)
        hands = [SeatResult(deal.bids[seat], deal.end.taken[seat]) for seat in seats]
        # Without what nils are worth a side has no less than nothing where it took its bid.
        score = score_side(_without_nils(rules), hands, 0)
        for bot in {id(of[seat]): of[seat] for seat in seats}.values():
            bot.sides += 1
            bot.made += score.tricks >= 0
            bot.bags += score.new_bags


def _without_nils(rules: Rules) -> Rules:
    return replace(rules, nil=0, blind_nil=0)
