"""Thinking times summed up: how many were how long, to a tenth, whatever their number."""

from math import exp, log
from typing import Final

from msgspec import Struct, field

STEP: Final = log(1.1)
"""Of a class of times, as a logarithm: what is read off is too long by a tenth at most."""
LEAST: Final = 0.01
"""Milliseconds of the shortest class."""


class Times(Struct):
    """Milliseconds of decisions."""

    classes: dict[int, int] = field(default_factory=dict)
    """Class -> how many; a class n is up to LEAST * exp(STEP * n)."""
    decisions: int = 0
    total: float = 0.0
    longest: float = 0.0

    def add(self, ms: float) -> None:
        """Takes in a decision."""
        place = max(0, int(log(ms / LEAST) / STEP) + 1) if ms > LEAST else 0
        self.classes[place] = self.classes.get(place, 0) + 1
        self.decisions += 1
        self.total += ms
        self.longest = max(self.longest, ms)

    def quantile(self, part: float) -> float | None:
        """What so much of the decisions, 0 to 1, did not pass; None where there are none."""
        passed = 0
        for place in sorted(self.classes):
            passed += self.classes[place]
            if passed >= part * self.decisions:
                return min(LEAST * exp(STEP * place), self.longest)
        return None
