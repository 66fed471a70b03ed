"""Bradley and Terry's model: strengths under which results are likeliest, and how far these spread.

Each bot has a strength, and one side beats another with the odds exp(difference of their
strengths); a side of partners is as strong as they are on average. The strengths are those that
make the results likeliest, under a wide prior.

How far encounters spread is taken from the results themselves, and a few results spread by
accident. So the spread of each meeting's encounters is drawn towards that of all encounters, and
this towards that of independent matches, as if some encounters more had been seen. With many
results of each meeting nothing of that is left (`python -m benchmarks.intervals` measures it).
"""

from collections.abc import Iterable, Sequence
from math import log, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tournaments.ratings.meetings import Comparison, Meeting
from tournaments.storage.results import Team

ELO: Final = 400 / log(10)
"""Elo points of a unit of strength: 400 of them are odds of ten to one."""
PRIOR: Final = 600 / ELO
"""The standard deviation of strengths before the first result: too wide to decide much."""
ALIKE: Final = 6
"""Encounters that the spread of all counts for, beside those of a meeting."""
INDEPENDENT: Final = 4
"""Encounters that the spread of independent matches counts for, beside all that there are."""

_STEPS: Final = 100
"""Of Newton's method, which needs about six: it must end."""
_SMALL: Final = 1e-10
"""A step that changes nothing any more."""
_BOTS: Final = 4
"""At most in a comparison, of two sides."""

Array = NDArray[np.floating[Any]]


class Likelihood:
    """Meetings as arrays: a row for each comparison, and one for each two of the same meeting."""

    def __init__(self, bots: Sequence[str], meetings: Iterable[Meeting]) -> None:
        self._count = len(bots)
        self.prior = np.eye(self._count) / PRIOR**2
        places = {bot: place for place, bot in enumerate(bots)}
        comparisons: list[tuple[list[int], list[float], tuple[Team, Team], int, int, float]] = []
        crossed: list[tuple[int, int, float, float]] = []
        self._seen = 0
        """How many results there are that could each have gone otherwise."""
        for meeting in meetings:
            first, among = len(comparisons), meeting.comparisons
            for i, (one, other, legs) in enumerate(among):
                who = [places[bot] for bot in (*one, *other)]
                weights = [1 / len(one)] * len(one) + [-1 / len(other)] * len(other)
                filling = _BOTS - len(who)
                who, weights = who + [0] * filling, weights + [0.0] * filling
                numbers = legs, meeting.encounters, meeting.gained[i]
                comparisons.append((who, weights, (one, other), *numbers))
                for j, another in enumerate(among):
                    relation = _relation(among[i], another)
                    crossed.append((first + i, first + j, meeting.products[i][j], relation))
            teams = {team for one, other, _ in among for team in (one, other)}
            self._seen += meeting.encounters * (len(teams) - 1)
        columns = zip(*comparisons, strict=True) if comparisons else ([],) * 6
        who_, weights_, teams_, *found = columns
        self._who = np.array(who_, np.intp).reshape(-1, _BOTS)
        self._weights = np.array(weights_, np.float64).reshape(-1, _BOTS)
        self._legs, self._encounters, self._gained = np.array(found, np.float64)
        self._teams = teams_
        self._counted = np.ones(len(self._legs))
        """What part of each comparison counts."""
        table = np.array(crossed, np.float64).reshape(-1, 4)
        self._first, self._second = table[:, :2].T.astype(np.intp)
        self._products, self._relations = table[:, 2:].T

    def counted(self) -> dict[tuple[Team, Team], float]:
        """What part of the matches of two teams counts."""
        return dict(zip(self._teams, self._counted.tolist(), strict=True))

    @property
    def degrees(self) -> int:
        """Of freedom: what was seen less what is estimated from it."""
        return self._seen - (self._count - 1)

    def likeliest(self) -> Array:
        """The strengths under which results and prior are likeliest: Newton's method."""
        values = np.zeros(self._count)
        likelihood = self._likelihood(values)
        for _ in range(_STEPS):
            surprise = self._counted * self._surprise(values)
            pull = self._weights * surprise[:, None]
            slope = np.bincount(self._who.ravel(), pull.ravel(), self._count) - self.prior @ values
            step = np.linalg.solve(self.curvature(values), slope)
            while (after := self._likelihood(values + step)) < likelihood and _counts(step):
                step /= 2
            values, likelihood = values + step, after
            if not _counts(step):
                break
        return values

    def curvature(self, values: Array) -> Array:
        """Of the likelihood, with its sign changed: what is known by it."""
        rows = np.arange(len(self._legs))
        known = self._counted * self._encounters * self._variances(values)
        return self._summed(rows, rows, known) + self.prior

    def even_out(self) -> None:
        """Lets comparisons of which there are many count less, as far as bots are intransitive.

        Who meets its neighbours most would else be judged by these alone. How intransitive bots
        are, the variance of what pairings come out at beside what strengths say, is found by
        moments (as DerSimonian and Laird do it), from how far results are off strengths for which
        all pairings counted alike, and only so far as chance would not show it once in six times.
        Where all have met equally often all count fully.
        """
        matches = self._encounters * self._legs
        free = len(matches) - (self._count - 1)
        if free <= 0 or len(set(matches)) <= 1:
            return
        alike = matches.min() / matches
        self._counted = alike
        values = self.likeliest()
        by_chance = self._spreads(values)[self._first == self._second]
        off = self._surprise(values) ** 2 / by_chance * len(matches) / free
        known = (self._encounters * self._variances(values)) ** 2 / by_chance
        weights = known * alike**2
        beyond_chance = (weights * (off - 1)).sum() - sqrt(2 * (weights**2).sum())
        intransitivity = max(0.0, float(beyond_chance / (weights * known).sum()))
        twists = 1 + intransitivity * matches / 4
        self._counted = twists.min() / twists

    def spread(self, values: Array) -> Array:
        """The variance of the slope of the likelihood, by how far encounters spread."""
        counted = self._counted[self._first] * self._counted[self._second]
        return self._summed(self._first, self._second, counted * self._spreads(values))

    def _spreads(self, values: Array) -> Array:
        """The covariance of what is gained in each two comparisons, all encounters together."""
        first, second, own = self._first, self._second, self._first == self._second
        encounters, expected = self._encounters[first], self._legs * self._chances(values)
        found = (
            self._products
            - self._gained[first] * expected[second]
            - self._gained[second] * expected[first]
            + encounters * expected[first] * expected[second]
        )
        # Strengths that were fitted to results leave them less spread than they are.
        found *= self._seen / max(self.degrees, self._seen / 2, 1)
        deviations = np.sqrt(self._variances(values))
        independent = self._relations * deviations[first] * deviations[second]
        of_all = (encounters * independent)[own].sum()
        more = INDEPENDENT * of_all / max(encounters[own].sum(), 1)
        alike = (found[own].sum() + more) / (of_all + more) if len(first) else 1.0
        mixed: Array = (found + ALIKE * alike * independent) / (encounters + ALIKE)
        mixed *= encounters
        return mixed

    def _surprise(self, values: Array) -> Array:
        """By how much more the first side of each comparison has gained than was to be expected."""
        surprise: Array = self._gained - self._encounters * self._legs * self._chances(values)
        return surprise

    def _likelihood(self, values: Array) -> float:
        """Its logarithm, but for what is the same for all strengths."""
        ahead, matches = self._ahead(values), self._encounters * self._legs
        results = self._counted * (self._gained * ahead - matches * np.logaddexp(0, ahead))
        return float(results.sum() - values @ self.prior @ values / 2)

    def _ahead(self, values: Array) -> Array:
        """By how much the first side of each comparison is stronger."""
        ahead: Array = (self._weights * values[self._who]).sum(axis=1)
        return ahead

    def _chances(self, values: Array) -> Array:
        """Of the first side of each comparison to win a match."""
        chances: Array = np.exp(-np.logaddexp(0, -self._ahead(values)))
        return chances

    def _variances(self, values: Array) -> Array:
        """Of what the first side gains in an encounter, were its legs independent."""
        chances = self._chances(values)
        variances: Array = self._legs * chances * (1 - chances)
        return variances

    def _summed(self, first: Any, second: Any, scales: Array) -> Array:
        """The sum of the products of each two comparisons' weights, bot by bot."""
        spots = self._who[first][:, :, None] * self._count + self._who[second][:, None, :]
        parts = self._weights[first][:, :, None] * self._weights[second][:, None, :]
        parts *= scales[:, None, None]
        summed = np.bincount(spots.ravel(), parts.ravel(), self._count**2)
        return summed.reshape(self._count, self._count).astype(np.float64)  # of nothing, integers


def _counts(step: Array) -> bool:
    return bool(np.abs(step).max(initial=0) > _SMALL)


def _relation(one: Comparison, other: Comparison) -> float:
    """How far what is gained in two comparisons of a match goes together, were all teams equal.

    Who is ahead of one of three others is ahead of another with a correlation of a third.
    """
    if one == other:
        return 1.0
    return (_sign(one, other[0]) - _sign(one, other[1])) / 3


def _sign(comparison: Comparison, team: Team) -> int:
    """1 for the first team of a comparison, -1 for the second, 0 for any other."""
    return (comparison[0] == team) - (comparison[1] == team)
