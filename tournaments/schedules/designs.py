"""Block designs: tables of four at which everybody meets everybody as evenly as can be.

Places lie in a circle. A *base table* is developed: turned around the circle a place at a time, it
brings every place to each of its seats once, and two places meet as often as it holds their
*difference*, their distance around the circle. So what is even among the differences in a few base
tables is even among all places, and nothing is kept but a count for each difference. A place
outside the circle stays at its table while that turns.

Where partners change, a cycle uses each difference of partners equally often: all partner each
other equally often, by construction. Base tables are chosen one after the other, each so that it
holds the differences of opponents that lack most, and from cycle to cycle the counts go on, so
that later cycles even out what the first has left.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import combinations, permutations, product
from math import ceil
from typing import Final

from tournaments.schedules.circle import Differences
from tournaments.schedules.seating import Seating

Table = tuple[int, ...]
"""Places clockwise from N; those from the size of the circle on lie outside it."""

SIX: Final = 6
"""A circle in which no base tables for solo play are even: those half-way round always meet more or
less than all others. So it is arranged anew again and again, as five rounds pair six places."""
EVEN: Final = 2
"""By how much the counts of opponents may differ after a cycle."""
WIDTHS: Final = (8, 4, 16, 32)
"""How many of the least used differences are tried at each choice: the next where a cycle made
with one is less even than that."""
PARTNERS_TRIED: Final = 8
"""Differences of partners that are tried at each choice, so that its time has a bound."""
BOTH_WAYS: Final = (1, -1)


class Met:
    """What was used so far."""

    def __init__(self, size: int) -> None:
        self.opponents = Differences(size)
        self.partners = Differences(size)
        self.views: set[tuple[int, ...]] = set()
        """How each base table of this cycle looks from each of its places."""


class Design(ABC):
    """The tables of one cycle after another."""

    def __init__(self, size: int) -> None:
        """`size`: of the circle."""
        self._size = size
        self._met = Met(size)
        self._before = [0] * size
        """How often somebody sits before the place that is so far on around the circle."""
        self._cycle = -1
        self._seating = Seating[int]()
        """Of the tables that hold a place outside the circle: the others are even as they are."""

    def cycle(self) -> Iterator[Table]:
        """The tables of the next cycle, so that at any moment all have had about as many.

        All of them are to be taken before the next cycle is.
        """
        size = self._size
        self._cycle += 1
        base = [self._in_order(table) for table in self._spread_out(self._base())]
        for step in range(size):
            for table in base:
                turned = tuple([p if p >= size else (p + step) % size for p in table])
                turned = self._arranged(turned)
                if max(table) >= size:
                    turned = self._seating.seat(turned)
                    self._seating.add(turned)
                yield turned

    @abstractmethod
    def _tables(self, met: Met, width: int) -> list[Table]:
        """Base tables of a cycle after all that was met, which takes them in."""

    def _arranged(self, table: Table) -> Table:
        """The table with its places exchanged, where the circle is arranged anew."""
        return table

    @abstractmethod
    def _opponents(self, table: Table) -> list[int]:
        """The differences in the circle between those who play against each other."""

    @abstractmethod
    def _seen_from(self, place: int, table: Table) -> tuple[int, ...]:
        """What is the same for two tables if one is the other turned, and there is this place."""

    @abstractmethod
    def _orders(self, table: Table) -> Iterable[Table]:
        """The ways to sit around a table."""

    def _base(self) -> list[Table]:
        """The evenest base tables for the next cycle that were found."""
        found: list[tuple[int, Met, list[Table]]] = []
        for width in WIDTHS:
            met = deepcopy(self._met)
            met.views.clear()
            tables = self._tables(met, width)
            found.append((met.opponents.spread(), met, tables))
            if met.opponents.spread() <= EVEN:
                break
        _, self._met, tables = min(found, key=lambda each: each[0])
        return tables

    def _evenest(self, tables: Iterable[Table], met: Met) -> Table:
        """The one that makes opponents evenest, of which no turn is, or will be, there twice."""
        for table in sorted(tables, key=lambda table: met.opponents.cost(self._opponents(table))):
            views = self._views(table)
            if len(set(views)) == len(views) and met.views.isdisjoint(views):
                return table
        raise AssertionError("there is always a new table")

    def _views(self, table: Table) -> list[tuple[int, ...]]:
        return [self._seen_from(place, table) for place in self._inside(table)]

    def _take(self, table: Table, met: Met) -> Table:
        met.opponents.add(self._opponents(table))
        met.views.update(self._views(table))
        return table

    def _spread_out(self, base: Iterable[Table]) -> Iterator[Table]:
        """The tables, each turned so that its places are far from those taken before.

        While the circle turns, all then come to a table about as often.
        """
        size = self._size
        closeness = [(size - 2 * min(d, size - d)) ** 2 for d in range(size)]
        crowd = [0] * size
        for table in base:
            inside = self._inside(table)
            turn = min(range(size), key=lambda turn: sum([crowd[p + turn - size] for p in inside]))
            turned = tuple(p if p >= size else (p + turn) % size for p in table)
            for place in self._inside(turned):
                near = closeness[size - place :] + closeness[: size - place]
                crowd = [before + more for before, more in zip(crowd, near, strict=True)]
            yield turned

    def _in_order(self, table: Table) -> Table:
        """So that everybody sits before everybody about as often as after it."""

        def steps(order: Table) -> list[int]:
            pairs = zip(order, (*order[1:], order[0]), strict=True)
            return [y - x for x, y in pairs if max(x, y) < self._size]

        best = min(self._orders(table), key=lambda o: sum(self._before[d] for d in steps(o)))
        for step in steps(best):
            self._before[step] += 1
        return best

    def _inside(self, table: Iterable[int]) -> list[int]:
        return [place for place in table if place < self._size]

    def _on(self, place: int, distance: int) -> int:
        return (place + distance) % self._size

    def _near(self, places: Sequence[int], distances: Sequence[int]) -> list[int]:
        """All that are so far from one of these."""
        ways = product(places, distances, BOTH_WAYS)
        return [*dict.fromkeys(self._on(place, way * distance) for place, distance, way in ways)]


class Rotating(Design):
    """Two against two; partners, who sit opposite each other, change."""

    def __init__(self, bots: int, challengers: int = 0) -> None:
        """All meet all, four or more; or the last, the challengers, meet three or more others.

        A challenger partners each of the others once a cycle, and opposes it twice.
        """
        circle = bots - challengers
        if not challengers and bots % 2 == 0:
            circle -= 1  # turned, an even circle would pair those half-way round twice
        super().__init__(circle)
        self._gauntlet = challengers > 0
        self._outside = range(circle, bots)
        self._times = 1 if bots % 4 < 2 else 2
        """How often a cycle uses each difference of partners: a table takes two of them."""

    def _tables(self, met: Met, width: int) -> list[Table]:
        tables: list[Table] = []
        if self._gauntlet:
            for challenger in self._outside:
                left = met.partners.least(1)
                tables.append(self._against(challenger, 0, left, met, width))
            return tables
        left = [d for d in range(self._size // 2, 0, -1) for _ in range(self._times)]
        for bot in self._times * [*self._outside]:
            tables.append(self._against(bot, 0, left, met, width))
        while left:
            tables.append(self._against(0, left.pop(0), left, met, width))
        return tables

    def _against(self, one: int, other: int, left: list[int], met: Met, width: int) -> Table:
        """A table for these two partners. Of the differences left it takes one for the others."""
        inside = self._inside((one, other))
        partners = [*dict.fromkeys(left)][:PARTNERS_TRIED]
        against = [
            (one, first, other, self._on(first, way * difference))
            for first in self._near(inside, met.opponents.least(width))
            for difference, way in product(partners, BOTH_WAYS)
        ]
        free = [table for table in against if len(set(table)) == len(table)]
        best = self._take(self._evenest(free, met), met)
        apart = abs(best[1] - best[3])
        difference = min(apart, self._size - apart)
        left.remove(difference)
        met.partners.add([difference])
        return best

    def _opponents(self, table: Table) -> list[int]:
        one, left, other, right = table  # only the first may be outside the circle
        ahead = [other - left, other - right]
        return ahead if one >= self._size else [*ahead, one - left, one - right]

    def _seen_from(self, place: int, table: Table) -> tuple[int, ...]:
        distances = [p if p >= self._size else self._on(p, -place) for p in table]
        own = table.index(place)
        partner, *opponents = distances[own - 2], distances[own - 1], distances[own - 3]
        return partner, *sorted(opponents)

    def _orders(self, table: Table) -> Iterable[Table]:
        one, left, other, right = table
        return (one, left, other, right), (one, right, other, left)


class Solo(Design):
    """Each for itself."""

    def __init__(self, bots: int, challengers: int = 0) -> None:
        """All meet all, five or more; or the last, the challengers, meet four or more others.

        In a cycle two bots meet once on average; a challenger meets each of the others three times.
        """
        super().__init__(bots - challengers)
        self._outside = range(bots - challengers, bots)

    def _arranged(self, table: Table) -> Table:
        """Of six, with others half-way round from each other than in the cycles before."""
        if self._size != SIX:
            return table
        # Two cycles of a round robin, one table of a gauntlet: then all others are even.
        turn = self._cycle + max(table) if self._outside else self._cycle // 2
        first, *others = ((turn + step) % 5 for step in (0, 1, 2, -1, -2))
        places = [5, others[0], others[1], first, others[2], others[3]]
        return tuple(places[place] if place < SIX else place for place in table)

    def _tables(self, met: Met, width: int) -> list[Table]:
        meets = 12  # a table holds six differences, and each of them is two ways round
        outside: list[Table] = [(bot,) for bot in self._outside]
        outside = outside or [()] * ceil((self._size - 1) / meets)
        tables: list[Table] = []
        for fixed in outside:
            if self._size == SIX and (fixed or self._cycle % 2 == 0):
                met.opponents = Differences(SIX)
            table: Table = (*fixed, 0, met.opponents.least(1)[0])
            while len(table) < 4:
                near = self._near(self._inside(table), met.opponents.least(width))
                more = [(*table, place) for place in near if place not in table]
                table = self._evenest(more, met)
            tables.append(self._take(table, met))
        return tables

    def _opponents(self, table: Table) -> list[int]:
        return [one - other for one, other in combinations(self._inside(table), 2)]

    def _seen_from(self, place: int, table: Table) -> tuple[int, ...]:
        return tuple(sorted(p if p >= self._size else self._on(p, -place) for p in table))

    def _orders(self, table: Table) -> Iterable[Table]:
        first, *others = table
        return [(first, *order) for order in permutations(others)]
