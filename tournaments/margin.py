"""Points a deal with an honest interval, from sums that are kept as results come."""

from math import sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

FEWEST_UNITS: Final = 10
"""Under so many the interval says more about its own error than about the bot."""

_Z: Final = NormalDist().inv_cdf(0.975)


class Margin(Struct):
    """The ratio of points to deals over independent units: encounters with all their legs.

    A longer match holds more deals, so units differ in weight, and the mean of their means would
    be off. The ratio of the sums is not; its variance is that of the points which a unit is above
    or below what its deals would bring at that ratio (linearised, as for any ratio estimator).
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

    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of points a deal, or None under FEWEST_UNITS."""
        ratio, n = self.per_deal, self.units
        if ratio is None or n < FEWEST_UNITS:
            return None
        squares = (
            self.points_squared - 2 * ratio * self.points_deals + ratio * ratio * self.deals_squared
        )
        # Units that all agree leave 0, or less by rounding.
        error = sqrt(max(0.0, squares) * n / (n - 1)) / self.deals
        half = student_quantile(n - 1) * error
        return ratio - half, ratio + half


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
