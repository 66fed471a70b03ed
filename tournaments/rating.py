"""TrueSkill, folded over results one at a time.

The order of results matters, so fold them in schedule order, always. In the format `pairs` a bot
plays both seats of its side and is one rating, never a team of two equal ones: that would make
sigma twice too wide.
"""

import math
from collections import defaultdict
from statistics import NormalDist
from typing import Any, Final

from trueskill import TrueSkill

from tournaments.config import RatingSettings

FARTHEST: Final = 30.0
"""Standard deviations; results that are expected or surprising by more count as so much."""

_normal: Final = NormalDist()


class Ratings:
    """Every bot's rating after the results so far. A draw is left unrated.

    The library takes a draw although its probability is 0, and then *raises* sigma; a match that
    is level at `max_deals` says next to nothing, and must not be given to it.
    """

    def __init__(self, settings: RatingSettings) -> None:
        self._environment = environment(settings)
        self._ratings: defaultdict[str, Any] = defaultdict(self._environment.create_rating)

    def win(self, winner: str, loser: str) -> None:
        """Takes in that `winner` beat `loser`; both are labels."""
        ratings = self._ratings
        teams = [(ratings[winner],), (ratings[loser],)]
        (ratings[winner],), (ratings[loser],) = self._environment.rate(teams)

    def of(self, label: str) -> tuple[float, float]:
        """The mu and sigma of a bot, those of the settings before its first result."""
        rating = self._ratings[label]
        return rating.mu, rating.sigma


def environment(settings: RatingSettings, draw_probability: float = 0.0) -> Any:
    """The library with these settings.

    An object of its own, never the module's global one: that would be shared by every tournament.
    """
    return _Environment(
        mu=settings.mu,
        sigma=settings.sigma,
        beta=settings.beta,
        tau=settings.tau,
        draw_probability=draw_probability,
        backend=(_cdf, _normal.pdf, _normal.inv_cdf),
    )


def _cdf(x: float) -> float:
    # The library's own erfc is off by 1e-7, and 1 + erf(x) has no digits left far below 0.
    return math.erfc(-x / math.sqrt(2)) / 2


class _Environment(TrueSkill):  # type: ignore[misc]
    """Keeps results in the range where the library can calculate.

    It divides densities of the normal distribution, which are 0.0 from 38 standard deviations on,
    and raises FloatingPointError there: one tiny beta in a file would end a tournament.
    """

    def v_win(self, diff: float, draw_margin: float) -> float:
        shift: float = super().v_win(_clamp(diff), draw_margin)
        return shift

    def w_win(self, diff: float, draw_margin: float) -> float:
        shrink: float = super().w_win(_clamp(diff), draw_margin)
        return shrink


def _clamp(difference: float) -> float:
    return max(-FARTHEST, min(FARTHEST, difference))
