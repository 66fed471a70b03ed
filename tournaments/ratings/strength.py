"""How strong bots are by all results at once, whatever their order.

The strengths are those of `ratings.likelihood`. Their errors are a sandwich clustered by
encounter: legs share deals, so that two of them say less, or more, than matches on deals of their
own.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan, sqrt
from statistics import NormalDist
from typing import Final

from tournaments.ratings.margin import student_quantile
from tournaments.ratings.meetings import Meeting
from tournaments.storage.results import Team

# As it is imported numpy starts a thread a core, and matrices as small as ours only wait for them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from tournaments.ratings.likelihood import ELO, Array, Likelihood

FEWEST_DEGREES: Final = 9
"""Of freedom: the least for which `student_quantile` is right."""

_normal: Final = NormalDist()


class Strengths:
    """The strengths of bots in Elo points about their mean, and how far off they may be."""

    def __init__(
        self,
        bots: Sequence[str],
        values: Array,
        errors: Array,
        degrees: int,
        counted: Mapping[tuple[Team, Team], float],
    ) -> None:
        """`values`: a strength for each of `bots`; `errors`: their covariances, with so many
        degrees of freedom; `counted`: what part of the matches of two teams counts."""
        self._counted = counted
        self._places = {bot: place for place, bot in enumerate(bots)}
        centring = np.eye(len(bots)) - 1 / max(1, len(bots))
        self._values = ELO * centring @ values
        self._errors = ELO**2 * centring @ errors @ centring
        self._quantile = student_quantile(max(FEWEST_DEGREES, degrees))

    def elo(self, bot: str) -> float:
        """The strength of a bot: Elo points above the mean of all."""
        return float(self._values[self._places[bot]])

    def interval(self, bot: str) -> tuple[float, float]:
        """The 95 % confidence interval of `elo`."""
        place = self._places[bot]
        return self._around(self.elo(bot), self._errors[place, place])

    def difference(self, one: str, other: str) -> tuple[float, tuple[float, float]]:
        """How many Elo points one bot is ahead of the other, and the 95 % confidence interval."""
        ahead, variance = self.ahead(one, other)
        return ahead, self._around(ahead, variance)

    def superiority(self, one: str, other: str) -> float:
        """The likelihood of superiority: how likely the one is stronger than the other, 0 to 1."""
        ahead, variance = self.ahead(one, other)
        if variance <= 0:
            return 0.5
        return _normal.cdf(ahead / sqrt(variance))

    def superiorities(self, bots: Sequence[str]) -> Iterator[list[float | None]]:
        """`superiority` of each of these bots over each, row by row.

        None of a bot over itself, and of one whose strength is not among these.
        """
        places = [self._places.get(bot, -1) for bot in bots]
        values = np.append(self._values, np.nan)[places]
        errors = np.pad(self._errors, (0, 1), constant_values=np.nan)[np.ix_(places, places)]
        variances = np.diagonal(errors)[:, None] + np.diagonal(errors) - 2 * errors
        ahead = (values[:, None] - values) / np.sqrt(np.where(variances > 0, variances, np.inf))
        np.fill_diagonal(ahead, np.nan)
        for row in ahead:
            yield [None if isnan(each) else _normal.cdf(each) for each in row.tolist()]

    def ahead(self, one: str, other: str) -> tuple[float, float]:
        """By how many Elo points one bot is ahead of the other, and the variance of that."""
        i, j = self._places[one], self._places[other]
        variance = self._errors[i, i] + self._errors[j, j] - 2 * self._errors[i, j]
        return float(self._values[i] - self._values[j]), float(variance)

    def counted(self, one: str, other: str) -> float:
        """What part of the matches of two bots against each other counts, 0 to 1.

        It is less than 1 where they have met more often than others, of bots that are intransitive.
        """
        first, second = sorted([(one,), (other,)])
        return self._counted.get((first, second), 1.0)

    def _around(self, value: float, variance: float) -> tuple[float, float]:
        half = self._quantile * sqrt(max(0.0, variance))
        return value - half, value + half


def strengths(bots: Sequence[str], meetings: Iterable[Meeting]) -> Strengths:
    """The strengths of bots by their meetings; of one that has met nobody, nothing but the prior.

    Raises KeyError for a meeting of any other bot.
    """
    played = Likelihood(bots, meetings)
    played.even_out()
    values = played.likeliest()
    bread = np.linalg.inv(played.curvature(values))
    errors = bread @ (played.spread(values) + played.prior) @ bread
    return Strengths(bots, values, errors, played.degrees, played.counted())
