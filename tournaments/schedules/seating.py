"""Who of four sits where, so that over many tables nobody always has the same seat."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Final, Generic, TypeVar

Bot = TypeVar("Bot", bound=Hashable)

WAYS: Final = tuple(
    tuple(order[(seat + turn) % 4] for seat in range(4))
    for order in ((0, 1, 2, 3), (0, 3, 2, 1))
    for turn in range(4)
)
"""All ways to sit around a table with the same partners opposite each other."""


class Seating(Generic[Bot]):
    """How often each bot has had each seat, in the first legs of its encounters."""

    def __init__(self) -> None:
        self._had: defaultdict[Bot, list[int]] = defaultdict(lambda: [0, 0, 0, 0])

    def add(self, around: Sequence[Bot]) -> None:
        """Takes in who sat at a table, clockwise from N."""
        for seat, bot in enumerate(around):
            self._had[bot][seat] += 1

    def seat(self, around: Sequence[Bot]) -> tuple[Bot, ...]:
        """The four with the same partners, turned and mirrored so that their seats are evenest."""
        excess = [_excess(self._had[bot]) for bot in around]
        best = min(WAYS, key=lambda way: sum([excess[who][seat] for seat, who in enumerate(way)]))
        return tuple([around[who] for who in best])


def _excess(had: Sequence[int]) -> list[int]:
    """How far each seat is ahead of others for a bot, with the two that a mirror makes of it."""
    both = [had[seat] + had[seat - 3] for seat in range(4)]
    least, least_of_both = min(had), min(both)
    # Powers, so that one bot far off weighs more than many that are nearly even.
    ahead = [1 << times - least_of_both for times in both]
    return [(1 << 3 * (had[seat] - least)) + ahead[seat] + ahead[seat - 1] for seat in range(4)]
