"""Who plays with whom of bots in a row: neighbours, but those who have met as little as can be."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import Final

Group = tuple[str, ...]
"""In the order of the row."""
Met = Callable[[str, str], int]
"""How often two have met."""

FEW: Final = 12
"""Up to so many bots the best of all draws is found; of more, one that no exchange betters."""
EXCHANGES: Final = 20_000
"""Pairs of groups that a draw looks at: then it takes what it has."""


def grouped(ranked: Sequence[str], size: int, met: Met) -> list[Group]:
    """All of them, best first, in groups of `size`, in which as few as can be have met.

    Who has the choice takes the nearest. The number of bots is a multiple of the size.
    """
    if len(ranked) <= FEW:
        return _best(ranked, size, met)
    groups = _nearest(ranked, size, met)
    _exchange(groups, {bot: rank for rank, bot in enumerate(ranked)}, met)
    return groups


def _again(group: Sequence[str], met: Met) -> int:
    """How much those of a group have met before; one pair twice is worse than two pairs once."""
    return sum([met(one, other) ** 2 for one, other in combinations(group, 2)])


def _best(ranked: Sequence[str], size: int, met: Met) -> list[Group]:
    """Of all ways that meet again least, that in which the first has the nearest, then the next."""

    @cache
    def best(left: Group) -> tuple[int, tuple[Group, ...]]:
        if not left:
            return 0, ()
        found = []
        for chosen in combinations(left[1:], size - 1):
            group = (left[0], *chosen)
            again, others = best(tuple(bot for bot in left if bot not in group))
            found.append((_again(group, met) + again, (group, *others)))
        return min(found, key=lambda way: way[0])

    return list(best(tuple(ranked))[1])


def _nearest(ranked: Sequence[str], size: int, met: Met) -> list[Group]:
    """From the top, each with the nearest of those left whom it has met least."""
    left, groups = list(ranked), []
    while left:
        group = [left.pop(0)]
        while len(group) < size:
            costs = _costs(group, left, met)
            group.append(left.pop(costs.index(min(costs))))
        groups.append(tuple(group))
    return groups


def _costs(group: Sequence[str], left: Sequence[str], met: Met) -> list[int]:
    """What each bot would add to a group, up to the first that adds nothing."""
    costs: list[int] = []
    for bot in left:
        costs.append(sum([met(bot, other) ** 2 for other in group]))
        if not costs[-1]:
            break
    return costs


def _exchange(groups: list[Group], rank: Mapping[str, int], met: Met) -> None:
    """Exchanges bots of groups that meet again, from the last on, until no exchange is better."""
    looks, better = 0, True
    while better:
        better = False
        for mine in reversed(range(len(groups))):
            others = sorted(range(len(groups)), key=lambda i: abs(i - mine))[1:]
            while others and _again(groups[mine], met):
                other = others.pop(0)
                looks += 1
                if looks > EXCHANGES:
                    return
                exchanged = _exchanged(groups[mine], groups[other], met)
                if exchanged is not None:
                    groups[mine], groups[other] = (
                        tuple(sorted(group, key=rank.__getitem__)) for group in exchanged
                    )
                    better = True


def _exchanged(one: Group, other: Group, met: Met) -> tuple[Group, Group] | None:
    """The two groups after the exchange of two bots that is best, if it is better than none."""
    best, least = None, _again(one, met) + _again(other, met)
    for bot, instead in product(one, other):
        to_one = tuple(instead if each == bot else each for each in one)
        to_other = tuple(bot if each == instead else each for each in other)
        again = _again(to_one, met) + _again(to_other, met)
        if again < least:
            best, least = (to_one, to_other), again
    return best
