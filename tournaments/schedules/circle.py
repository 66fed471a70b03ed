"""Differences of places in a circle: what a base table of a design uses up."""

from collections.abc import Iterable, Sequence
from heapq import nsmallest


class Differences:
    """How often each difference of two places in a circle was used.

    Two places have two differences, one for each way round the circle, which are one and the same
    here: d, -d and size - d.
    """

    def __init__(self, size: int) -> None:
        self._times = [0] * size
        self._shorter = [min(d, size - d) for d in range(size)]

    def add(self, differences: Iterable[int]) -> None:
        """Takes in that a base table holds these."""
        for difference in differences:
            # Half-way round both ways are one, and two places meet twice as the table turns.
            self._times[difference] += 1
            self._times[-difference] += 1

    def least(self, number: int) -> list[int]:
        """Those that were used least, from 1 to half the circle."""
        half = len(self._times) // 2
        return nsmallest(number, range(1, half + 1), key=self._times.__getitem__)

    def cost(self, differences: Sequence[int]) -> int:
        """The lower, the evener all are if these are used too."""
        classes = [self._shorter[d] for d in differences]
        return sum([self._times[c] + classes.count(c) for c in classes])

    def spread(self) -> int:
        """How much more often the most used was used than the least used."""
        return max(self._times[1:]) - min(self._times[1:])
