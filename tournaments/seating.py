"""Who of four sits where, so that over many tables nobody always has the same seat."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

Bot = TypeVar("Bot", bound=Hashable)


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
        one, left, other, right = around
        return min(
            (
                (*order[turn:], *order[:turn])
                for order in ((one, left, other, right), (one, right, other, left))
                for turn in range(4)
            ),
            key=self._unevenness,
        )

    def _unevenness(self, around: tuple[Bot, ...]) -> int:
        return sum([self._excess(self._had[bot], seat) for seat, bot in enumerate(around)])

    def _excess(self, had: Sequence[int], seat: int) -> int:
        """How far ahead of others a seat is for a bot, and the two that a mirror makes of it."""
        both = [had[i] + had[i - 3] for i in range(4)]
        first, second = both[seat] - min(both), both[seat - 1] - min(both)
        # Powers, so that one bot far off weighs more than many that are nearly even.
        return (1 << 3 * (had[seat] - min(had))) + (1 << first) + (1 << second)
