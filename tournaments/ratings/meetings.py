"""Who was compared with whom, and how that went, whatever the order: counts that results add to.

A match compares its sides, each with each other; one that a bot forfeits at a table of four says
only that this bot is behind each of its opponents. All comparisons of an encounter belong together,
since its legs share deals: of those that are alike the sums are kept that a variance needs, so that
what is kept grows with who has met, not with how often.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from msgspec import Struct

from arena.rules import seats_of, sides
from protocol.cards import SEATS, Seat
from protocol.rules import Players
from tournaments.storage.results import Team

Comparison = tuple[Team, Team, int]
"""Two teams, the lesser first, and in how many legs of an encounter they were opponents."""

Gained = tuple[tuple[tuple[Team, Team], float], ...]
"""Of each two teams that were compared, the lesser first: 1 where that was ahead, 0, or a half."""

MOST_KINDS: Final = 50_000
"""Encounters that went differently, before their sums are made."""


class Outcome(NamedTuple):
    """What a match says of who is better."""

    bots: tuple[str, ...]
    """At each of SEATS."""
    places: tuple[int, ...]
    """Of each side, in the order of the sides, the least the best."""
    offender: Seat | None
    """The seat whose fault a forfeit was."""


class Leg:
    """What one or more legs say, made once by `Meetings.leg`: told from others by identity."""

    __slots__ = ("gained",)

    def __init__(self, gained: Gained) -> None:
        self.gained = gained


class Meeting(Struct):
    """Encounters that compare the same teams equally often."""

    comparisons: tuple[Comparison, ...]
    encounters: int
    gained: list[float]
    """For each comparison, in how many legs the first team was ahead, all encounters together; a
    half where the teams were level."""
    products: list[list[float]]
    """For each two comparisons, the products of what was gained in them, summed over encounters."""


def met(meetings: Iterable[Meeting]) -> Iterator[str]:
    """The bots that were compared with any, some more than once."""
    return (bot for each in meetings for one, other, _ in each.comparisons for bot in one + other)


class Meetings:
    """All that finished matches say of who is better, but their order."""

    def __init__(self, players: Players) -> None:
        """`players`: for whom the rules are."""
        self._sides = [[SEATS.index(seat) for seat in seats_of(side)] for side in sides(players)]
        """The places in SEATS of each side."""
        self._legs: dict[Gained, Leg] = {}
        self._waiting: Counter[tuple[Leg, ...]] = Counter()
        self._meetings: dict[tuple[Comparison, ...], Meeting] = {}

    def add(self, legs: Iterable[Outcome], encounters: int = 1) -> None:
        """Takes in encounters that went the same way: their finished legs."""
        self.count(tuple([self.leg(leg) for leg in legs]), encounters)

    def leg(self, outcome: Outcome) -> Leg:
        """What `count` takes, for whoever has many legs of the same outcome."""
        gained = tuple(self._compared(outcome))
        if len(self._legs) > MOST_KINDS:
            self._legs.clear()  # one that is made again only counts by itself
        return self._legs.setdefault(gained, Leg(gained))

    def count(self, legs: tuple[Leg, ...], encounters: int = 1) -> None:
        """`add`, for what `leg` gives for the same players."""
        self._waiting[legs] += encounters
        if len(self._waiting) > MOST_KINDS:
            self._sum_up()

    def all(self) -> list[Meeting]:
        """The meetings so far, in an order that does not depend on that of the results."""
        self._sum_up()
        return [self._meetings[key] for key in sorted(self._meetings)]

    def _sum_up(self) -> None:
        for legs, encounters in self._waiting.items():
            gained: dict[tuple[Team, Team], list[float]] = {}
            for leg in legs:
                for teams, share in leg.gained:
                    gained.setdefault(teams, []).append(share)
            key = tuple(sorted([(*teams, len(shares)) for teams, shares in gained.items()]))
            if not key:
                continue
            of_key = [sum(gained[one, other]) for one, other, _ in key]
            meeting = self._meetings.get(key)
            if meeting is None:
                zeros = [0.0] * len(key)
                meeting = Meeting(key, 0, zeros, [zeros.copy() for _ in key])
                self._meetings[key] = meeting
            meeting.encounters += encounters
            for i, mine in enumerate(of_key):
                meeting.gained[i] += encounters * mine
                for j, other in enumerate(of_key):
                    meeting.products[i][j] += encounters * mine * other
        self._waiting.clear()

    def _compared(self, leg: Outcome) -> Iterator[tuple[tuple[Team, Team], float]]:
        for one, other, gained in self._comparisons(leg):
            yield ((one, other), gained) if one < other else ((other, one), 1 - gained)

    def _comparisons(self, leg: Outcome) -> Iterator[tuple[Team, Team, float]]:
        teams = [tuple(sorted({leg.bots[seat] for seat in side})) for side in self._sides]
        if leg.offender is not None and len(set(leg.bots)) == len(SEATS):
            offender = leg.bots[SEATS.index(leg.offender)]
            for team in teams:
                if offender not in team:
                    yield from (((offender,), (other,), 0.0) for other in team)
            return
        for (one, mine), (other, theirs) in combinations(zip(teams, leg.places, strict=True), 2):
            yield one, other, (1 + (mine < theirs) - (mine > theirs)) / 2
