"""Model worlds: bots of known strength, and results drawn as mirrored matches come out.

A match is won by strength, by the luck of the deals, and by the luck of the play. The legs of an
encounter share the luck of the deals, each with the sides changed over, so that what helps in one
hurts in the other.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import erf, exp, log, sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]

GAP: Final = log(0.55 / 0.45)
"""Between neighbours of whom one wins 55 %, in the logarithm of odds."""
MOST_LEFT: Final = 0.9
"""Of the variance of independent matches, what mirroring leaves in the pairing it helps least."""
SKEW: Final = 2.4
"""Most pairings are near that: so that of the variance of all pairings three quarters are left."""
RESIDUAL: Final = 0.12
"""By how much a pairing comes out otherwise than the strengths of its bots say, at most."""
WON: Final = ((1, 1), (1, 0), (0, 1), (0, 0))
"""How the two legs of an encounter may come out for the first of its bots."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(64)
_normal: Final = NormalDist()
_cdf: Final = np.vectorize(lambda value: (1 + erf(value / sqrt(2))) / 2)


class World:
    """Bots 0, 1, ..., the best first."""

    def __init__(self, name: str, strengths: Sequence[float], seed: int, twist: float = 0) -> None:
        """`strengths`, in the logarithm of odds, fall; `twist`: the largest residual of a pairing.

        The right order is that by the chance to win against the whole field. Raises ValueError
        where with residuals it is another, or a gap in it less than half of what it was.
        """
        random = np.random.default_rng(seed)
        self.name, self.bots = name, len(strengths)
        self.pairings = list(combinations(range(self.bots), 2))
        chances = np.array([1 / (1 + exp(strengths[j] - strengths[i])) for i, j in self.pairings])
        twisted = chances + random.uniform(-twist, twist, len(chances))
        self.chances = np.clip(twisted, 0.01, 0.99)
        """Of the first bot of each pairing to win a match."""
        self.sides = np.zeros((len(self.pairings), self.bots))
        """1 for the first bot of a pairing, -1 for the second."""
        for row, (one, other) in enumerate(self.pairings):
            self.sides[row, [one, other]] = 1, -1
        gaps, were = (np.diff((each - 0.5) @ self.sides) for each in (self.chances, chances))
        if (gaps > were / 2).any():
            raise ValueError("the order did not survive the residuals")
        left = MOST_LEFT * random.uniform(size=len(chances)) ** (1 / SKEW)
        self.outcomes = np.array(
            [_outcomes(*each) for each in zip(self.chances, left, strict=True)]
        )
        """For each pairing, how likely an encounter comes out in each way of WON."""

    @property
    def left(self) -> float:
        """What mirroring leaves of the variance, all pairings together."""
        variance = 2 * self.chances * (1 - self.chances)
        surprise = np.array([sum(won) for won in WON]) - 2 * self.chances[:, None]
        return float((self.outcomes * surprise**2).sum() / variance.sum())


def _outcomes(chance: float, left: float) -> Array:
    """How likely both legs are won, the first, the second, none; `left`: at a chance of a half.

    Leg 1 is won where z + sqrt(r) u + sqrt(1 - r) e is above 0, leg 2 where it is with -u; u is the
    luck of the deals, e that of the play.
    """
    luck = min(float(np.sin((1 - left) * np.pi / 2)), 0.999)
    z = _normal.inv_cdf(chance)
    first, second = (_cdf((z + sign * sqrt(luck) * _NODES) / sqrt(1 - luck)) for sign in (1, -1))
    ways = (first * second, first * (1 - second), (1 - first) * second, (1 - first) * (1 - second))
    found = np.array([(_WEIGHTS * way).sum() for way in ways])
    return np.asarray(found / found.sum())


def worlds() -> Iterator[World]:
    """Those that schedules are compared in."""
    random = np.random.default_rng(1)
    for bots in (8, 16):
        yield World(f"{bots}, equal gaps of 55 %", _spaced([GAP] * (bots - 1)), bots)
    for bots in (8, 16):
        gaps = GAP * random.uniform(0.8, 3, bots - 1)
        yield World(f"{bots}, gaps of 54 to 65 %", _spaced(gaps), bots)
    yield World("16, a wide field: 60 %", _spaced([2 * GAP] * 15), 3)
    bunched = [2.5 * GAP] * 5 + [0.8 * GAP] * 5 + [2.5 * GAP] * 5
    yield World("16, a bunched middle", _spaced(bunched), 4)
    yield _twisted("16, intransitive: 57 % ± 12 %", _spaced([1.5 * GAP] * 15))


def _spaced(gaps: Sequence[float] | Array) -> list[float]:
    return [0.0, *(-np.cumsum(gaps)).tolist()]


def _twisted(name: str, strengths: Sequence[float]) -> World:
    """The first in which the order survives."""
    for seed in range(10_000):
        try:
            return World(name, strengths, seed, RESIDUAL)
        except ValueError:
            continue
    raise ValueError(f"{name}: residuals turn the order over each time")
