"""The sequential test of a gate: which of two strengths do the pairs played so far speak for?

The unit is the mirrored pair, whose score is a share from 0 to 1. H0 says that it is s0 on average,
H1 says s1; nothing else is said of how it is distributed, so each hypothesis is given the
distribution that is likeliest after what was seen among all that have its mean (empirical
likelihood). This is the generalised SPRT of chess engines' testing. The normal approximation to it
is not safe here: with few pairs it passes what is no better.

The two hypotheses are close together, so where all pairs are lost both are far off, and the ratio
between them grows slowly. Therefore a landslide decides as well: a bet against a hypothesis, fair
if that is true, that has multiplied its stake (a test martingale).
"""

from collections.abc import Sequence
from math import log, log1p, log10, sqrt
from statistics import NormalDist
from typing import Final, Literal

from msgspec import Struct

Verdict = Literal["accepted", "rejected"]
"""Of H1."""

FEWEST_PAIRS: Final = 8
"""Before so many there is no verdict: what a distribution looks like is not known yet."""
PRIOR: Final = 0.5
"""Of a pair, added to each outcome, so that one that was not seen yet is not held impossible."""
CLASSES: Final = 5
"""Scores of a pair, in quarters: 0, 1/4, ..., 1."""

STAKE: Final = 0.85
"""Of its capital, what a bet on a landslide risks at each pair."""
LANDSLIDE: Final = 20
"""A bet decides alone when it has come to so many times what its error rate allows, so that it
adds at most so small a part to that: by Ville's inequality, whatever the distribution is."""

_STEPS: Final = 100
_CLOSE: Final = 1e-12
_Z: Final = NormalDist().inv_cdf(0.975)


class Hypotheses(Struct, frozen=True):
    """What is compared, and how often either may be taken for the other."""

    elo0: float
    """The difference in strength by H0, below `elo1`."""
    elo1: float
    alpha: float
    """How often H1 may be accepted where H0 is true; below 0.5, as is `beta`."""
    beta: float
    """How often H1 may be rejected where it is true."""

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first log-likelihood ratio H1 is rejected, at or above the second taken.

        By Wald: the error rates are met but for what the last pair overshoots.
        """
        lower = log(self.beta) - log1p(-self.alpha)
        return lower, log1p(-self.beta) - log(self.alpha)  # finite for the smallest of rates


class Estimate(Struct, frozen=True):
    """A difference in Elo with the ends of its 95 % confidence interval."""

    elo: float
    low: float
    high: float


class Decision(Struct, frozen=True):
    """What pairs say of two hypotheses."""

    llr: float
    """The log-likelihood ratio of H1 to H0; 0 before the first pair."""
    verdict: Verdict | None = None
    """None while neither is decided for."""
    landslide: bool = False
    """It was decided without the ratio."""


class SequentialTest:
    """Takes in pairs in an order that was fixed before them, until a hypothesis is decided for.

    Fed in order of arrival it would be wrong: quick matches come first, and are not like others.
    """

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.pairs = [0] * CLASSES
        """How many there were of each score, in quarters."""
        self.decision = Decision(0.0)

    @property
    def taken_in(self) -> int:
        """How many pairs."""
        return sum(self.pairs)

    def add(self, quarters: int) -> None:
        """Takes in the next pair, by its score in quarters: 0 to 4. There is no verdict yet."""
        assert self.decision.verdict is None
        self.pairs[quarters] += 1
        self.decision = decide(self.pairs, self.hypotheses)


def decide(pairs: Sequence[int], hypotheses: Hypotheses) -> Decision:
    """What so many pairs of each score in quarters say, whatever their order."""
    s0, s1 = expected_score(hypotheses.elo0), expected_score(hypotheses.elo1)
    llr = log_likelihood_ratio(smoothed(pairs), s0, s1)
    lower, upper = hypotheses.bounds
    if sum(pairs) < FEWEST_PAIRS:
        return Decision(llr)
    if llr >= upper:
        return Decision(llr, "accepted")
    if llr <= lower:
        return Decision(llr, "rejected")
    if _log_capital(pairs, s0) >= log(LANDSLIDE) - log(hypotheses.alpha):
        return Decision(llr, "accepted", landslide=True)
    if _log_capital(pairs[::-1], 1 - s1) >= log(LANDSLIDE) - log(hypotheses.beta):
        return Decision(llr, "rejected", landslide=True)
    return Decision(llr)


def expected_score(elo: float) -> float:
    """The share of the points that who is stronger by so much gets on average."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in Elo that brings a share of the points, above 0 and below 1."""
    return 400 * log10(score / (1 - score))


def smoothed(pairs: Sequence[int]) -> list[float]:
    """Counts by quarters with PRIOR added to each: of three outcomes, or five where one has drawn.

    What can't be seen without a draw is no outcome: to allow for it costs pairs for nothing.
    """
    possible = pairs if pairs[1] or pairs[3] else pairs[::2]
    return [count + PRIOR for count in possible]


def log_likelihood_ratio(counts: Sequence[float], s0: float, s1: float) -> float:
    """How many times likelier the counts are if the mean is s1 than if it is s0, its logarithm.

    `counts` are of outcomes at equal distances from 0 to 1; s0 and s1 are above 0 and below 1.
    """
    t0, t1 = _tilt(counts, s0), _tilt(counts, s1)
    return sum(
        count * (log1p(t0 * (value - s0)) - log1p(t1 * (value - s1)))
        for value, count in _seen(counts)
    )


def estimate(pairs: Sequence[int]) -> Estimate:
    """The difference in Elo by the score of pairs, counted by quarters, one at least.

    PRIOR is added to each outcome, so that a clean sweep is finite. The interval is by the delta
    method. After a test that has stopped by itself it is biased away from where it stopped.
    """
    counts = smoothed(pairs)
    total, seen = sum(counts), list(_seen(counts))
    score = sum(value * count for value, count in seen) / total
    variance = sum(count * (value - score) ** 2 for value, count in seen) / total
    half = _Z * sqrt(variance / total) * 400 / log(10) / (score * (1 - score))
    elo = elo_of(score)
    return Estimate(elo, elo - half, elo + half)


def _log_capital(pairs: Sequence[int], mean: float) -> float:
    """What a stake of 1 has become that was bet on more than this mean, its logarithm.

    Where the mean is true, or less is, no pair is expected to add to it.
    """
    return sum(count * log1p(STAKE * (value / mean - 1)) for value, count in _seen(pairs))


def _seen(counts: Sequence[float]) -> list[tuple[float, float]]:
    """The outcomes that have a count, and the count."""
    last = len(counts) - 1
    return [(place / last, count) for place, count in enumerate(counts) if count]


def _tilt(counts: Sequence[float], mean: float) -> float:
    """How far the counts are to be tilted to have this mean while they stay as likely as can be.

    Outcome a then has the share p / (1 + t (a - mean)); t solves sum p (a - mean) / (1 + t (a -
    mean)) = 0, which falls in t between the ends where an outcome 0 or 1 would get all. Newton's
    method, kept between them by halving. An end itself is the answer where all outcomes seen lie on
    one side of the mean: what is missing has then the share that makes the mean.
    """
    low, high = -1 / (1 - mean), 1 / mean
    seen = [(value - mean, count) for value, count in _seen(counts)]
    tilt = 0.0
    for _ in range(_STEPS):
        value = slope = 0.0
        for distance, count in seen:
            part = distance / (1 + tilt * distance)
            value += count * part
            slope += count * part * part
        if not value:
            break
        if value > 0:
            low = tilt
        else:
            high = tilt
        better = tilt + value / slope
        if not low < better < high:
            better = (low + high) / 2
        step = abs(better - tilt)
        tilt = better
        if step <= _CLOSE:
            break
    return tilt
