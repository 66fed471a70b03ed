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

Team = tuple[str, ...]
"""The bots of a side, each once, sorted."""

Comparison = tuple[Team, Team, int]
"""Two teams, the lesser first, and in how many legs of an encounter they were opponents."""

MOST_KINDS: Final = 10_000
"""Encounters that went differently, before their sums are made."""


class Outcome(NamedTuple):
    """What a match says of who is better."""

    bots: tuple[str, ...]
    """At each of SEATS."""
    places: tuple[int, ...]
    """Of each side, in the order of the sides, the least the best."""
    offender: Seat | None
    """The seat whose fault a forfeit was."""


class Meeting(Struct):
    """Encounters that compare the same teams equally often."""

    comparisons: tuple[Comparison, ...]
    encounters: int
    gained: list[float]
    """For each comparison, in how many legs the first team was ahead, all encounters together; a
    half where the teams were level."""
    products: list[list[float]]
    """For each two comparisons, the products of what was gained in them, summed over encounters."""


class Meetings:
    """All that finished matches say of who is better, but their order."""

    def __init__(self, players: Players) -> None:
        """`players`: for whom the rules are."""
        self._sides = [[SEATS.index(seat) for seat in seats_of(side)] for side in sides(players)]
        """The places in SEATS of each side."""
        self._waiting: Counter[tuple[Outcome, ...]] = Counter()
        self._meetings: dict[tuple[Comparison, ...], Meeting] = {}

    def add(self, legs: Iterable[Outcome], encounters: int = 1) -> None:
        """Takes in encounters that went the same way: their finished legs."""
        self._waiting[tuple(legs)] += encounters
        if len(self._waiting) > MOST_KINDS:
            self._sum_up()

    def all(self) -> list[Meeting]:
        """The meetings so far, in an order that does not depend on that of the results."""
        self._sum_up()
        return [self._meetings[key] for key in sorted(self._meetings)]

    def _sum_up(self) -> None:
        for legs, encounters in self._waiting.items():
            gained = self._compared(legs)
            key = tuple(sorted((*teams, len(in_legs)) for teams, in_legs in gained.items()))
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

    def _compared(self, legs: Iterable[Outcome]) -> dict[tuple[Team, Team], list[float]]:
        """Two teams, the lesser first -> what the first has gained, leg for leg."""
        found: dict[tuple[Team, Team], list[float]] = {}
        for leg in legs:
            for one, other, gained in self._comparisons(leg):
                share = gained if one < other else 1 - gained
                found.setdefault((min(one, other), max(one, other)), []).append(share)
        return found

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
