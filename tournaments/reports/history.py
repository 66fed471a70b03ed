"""How ratings came about, thinned out to what a chart can show."""

from collections.abc import Collection
from typing import Final, NamedTuple

from tournaments.standings.rating_history import rating_history
from tournaments.storage.reader import Reader

POINTS: Final = 120
"""Of a bot, at most: of a wide chart, one in ten pixels."""


class Point(NamedTuple):
    """A bot's skill after a match of its own."""

    played: int
    """How many it has been rated for."""
    mu: float
    sigma: float


class Thinned:
    """Points as they come, of which so many are kept, evenly, and always the last."""

    def __init__(self, points: int = POINTS) -> None:
        self._most, self._stride = points, 1
        self._kept: list[Point] = []
        self._last: Point | None = None
        self._seen = 0

    def add(self, point: Point) -> None:
        """Takes in the next."""
        if self._seen % self._stride == 0:
            self._kept.append(point)
            if len(self._kept) >= self._most:
                self._kept = self._kept[::2]
                self._stride *= 2
        self._seen += 1
        self._last = point

    def points(self) -> list[Point]:
        """Those that were kept, in their order."""
        if self._last is None or self._kept[-1] is self._last:
            return list(self._kept)
        return [*self._kept, self._last]


def histories(store: Reader, bots: Collection[str]) -> dict[str, list[Point]]:
    """Those of `bots`, by label, each from its first match to its last."""
    thinned = {bot: Thinned() for bot in bots}
    played = dict.fromkeys(bots, 0)
    for row in rating_history(store):
        bot = row["bot"]
        if bot in thinned:
            played[bot] += 1
            thinned[bot].add(Point(played[bot], row["mu"], row["sigma"]))
    return {bot: each.points() for bot, each in thinned.items()}
