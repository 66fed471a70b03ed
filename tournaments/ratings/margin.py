"""Points a deal with an honest interval, from sums that are kept as results come."""

from collections.abc import Iterable, Mapping
from math import sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from tournaments.storage.results import Team

FEWEST_UNITS: Final = 10
"""Under so many the interval says more about its own error than about the bot."""

_Z: Final = NormalDist().inv_cdf(0.975)


class Margin(Struct):
    """The ratio of points to deals over units: encounters with all their legs, which share deals.

    A longer match holds more deals, so units differ in weight, and the mean of their means would
    be off. The ratio of the sums is not.
    """

    units: int = 0
    """How many. All that follow are sums over them."""
    deals: int = 0
    points: float = 0.0
    points_squared: float = 0.0
    points_deals: float = 0.0
    deals_squared: int = 0

    def add(self, points: float, deals: int) -> None:
        """Takes in a unit: own points less the opponents', and the deals they were won in."""
        if not deals:
            return  # a forfeit in the first deal tells nothing of points
        self.units += 1
        self.deals += deals
        self.points += points
        self.points_squared += points * points
        self.points_deals += points * deals
        self.deals_squared += deals * deals

    @property
    def per_deal(self) -> float | None:
        """Points a deal, or None before the first deal."""
        return self.points / self.deals if self.deals else None

    def spread(self, ratio: float) -> float:
        """The variance of what units are above or below what their deals bring at a ratio, summed.

        It is what is found among these units, of which there are two or more, about their mean.
        """
        squares = (
            self.points_squared - 2 * ratio * self.points_deals + ratio * ratio * self.deals_squared
        )
        off = self.points - ratio * self.deals
        # Units that all agree leave 0, or less by rounding.
        return max(0.0, squares - off * off / self.units) * self.units / (self.units - 1)


class Margins:
    """The margins of teams, apart for each table: against a weak bot they are not more by luck."""

    def __init__(self) -> None:
        self._tables: dict[tuple[Team, ...], dict[Team, Margin]] = {}

    def add(self, points: Mapping[Team, float], deals: int) -> None:
        """Takes in a unit: for each team its points less the opponents', and the deals."""
        margins = self._tables.setdefault(tuple(sorted(points)), {})
        for team, own in points.items():
            margins.setdefault(team, Margin()).add(own, deals)

    def of_bots(self) -> dict[str, list[Margin]]:
        """Bot -> its margins at each table."""
        found: dict[str, list[Margin]] = {}
        for table in sorted(self._tables):
            for team, margin in self._tables[table].items():
                for bot in team:
                    found.setdefault(bot, []).append(margin)
        return found


def interval(margins: Iterable[Margin]) -> tuple[float, float] | None:
    """The 95 % confidence interval of points a deal at these tables, or None under FEWEST_UNITS.

    The variance of the ratio is that of what units are off it, at each table about the mean there
    (linearised, as for any ratio estimator with strata). Tables that were met once are taken
    together; and so are all where there are few units for so many tables. That makes the interval
    wider than it need be where opponents are far from each other.
    """
    margins = list(margins)
    whole = together(margins)
    if whole.units < FEWEST_UNITS or whole.per_deal is None:
        return None
    once = together(margin for margin in margins if margin.units == 1)
    groups = [once, *margins] if once.units != 1 else [whole]
    groups = [group for group in groups if group.units > 1]
    if sum(group.units - 1 for group in groups) < FEWEST_UNITS - 1:
        groups = [whole]
    ratio, degrees = whole.per_deal, sum(group.units - 1 for group in groups)
    error = sqrt(sum(group.spread(ratio) for group in groups)) / whole.deals
    half = student_quantile(degrees) * error
    return ratio - half, ratio + half


def together(margins: Iterable[Margin]) -> Margin:
    """The margin of all units."""
    found = Margin()
    for each in margins:
        for name in Margin.__struct_fields__:
            setattr(found, name, getattr(found, name) + getattr(each, name))
    return found


def student_quantile(degrees: int) -> float:
    """The 97.5 % point of Student's t; right to 0.001 from 9 degrees of freedom on.

    With ten units the normal distribution's 1.96 would make the interval 13 % too narrow. The
    expansion is that of Abramowitz and Stegun, 26.7.5.
    """
    z, n = _Z, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
