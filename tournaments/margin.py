"""Points a deal with an honest interval, from sums that are kept as results come."""

from math import sqrt
from statistics import NormalDist
from typing import Final

FEWEST_UNITS: Final = 10
"""Under so many the interval says more about its own error than about the bot."""

_Z: Final = NormalDist().inv_cdf(0.975)


class Margin:
    """The ratio of points to deals over independent units: mirrored pairs, or single matches.

    A longer match holds more deals, so units differ in weight, and the mean of their means would
    be off. The ratio of the sums is not; its variance is that of the points which a unit is above
    or below what its deals would bring at that ratio (linearised, as for any ratio estimator).
    """

    def __init__(self) -> None:
        self._units = 0
        self._deals = 0
        self._points = self._points_squared = self._points_deals = 0.0
        self._deals_squared = 0

    def add(self, points: float, deals: int) -> None:
        """Takes in a unit: own points less the opponents', and the deals they were won in."""
        if not deals:
            return  # a forfeit in the first deal tells nothing of points
        self._units += 1
        self._deals += deals
        self._points += points
        self._points_squared += points * points
        self._points_deals += points * deals
        self._deals_squared += deals * deals

    @property
    def per_deal(self) -> float | None:
        """Points a deal, or None before the first deal."""
        return self._points / self._deals if self._deals else None

    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of points a deal, or None under FEWEST_UNITS."""
        ratio, n = self.per_deal, self._units
        if ratio is None or n < FEWEST_UNITS:
            return None
        squares = (
            self._points_squared
            - 2 * ratio * self._points_deals
            + ratio * ratio * self._deals_squared
        )
        # Units that all agree leave 0, or less by rounding.
        error = sqrt(max(0.0, squares) * n / (n - 1)) / self._deals
        half = student_quantile(n - 1) * error
        return ratio - half, ratio + half


def student_quantile(degrees: int) -> float:
    """The 97.5 % point of Student's t; right to 0.001 from 9 degrees of freedom on.

    With ten pairs the normal distribution's 1.96 would make the interval 13 % too narrow. The
    expansion is that of Abramowitz and Stegun, 26.7.5.
    """
    z, n = _Z, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
