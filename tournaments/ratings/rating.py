"""TrueSkill, folded over results one at a time.

The order of results matters, so fold them in schedule order, always. In the format `pairs` a bot
plays both seats of its side and is one rating, never a team of two equal ones: that would make
sigma twice too wide.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import NormalDist
from typing import Any, Final

from msgspec.structs import replace
from trueskill import TrueSkill, __version__

from tournaments.files.vocabulary import Format
from tournaments.tournament import RatingSettings

LIBRARY: Final[str] = __version__
"""The version of the library: another may round otherwise."""

Precise = tuple[float, float]
"""A rating as the library calculates with it: its precision, and its mean times that. Were it kept
as mu and sigma, which follow from these, the last bits would be lost."""

FARTHEST: Final = 30.0
"""Standard deviations; results that are expected or surprising by more count as so much."""

MOST_SHRINK: Final = 1 - 1e-9
"""Of a variance by one result. By rounding a tie can come to 1 or more, and nothing is left."""

_normal: Final = NormalDist()

BETA: Final[dict[Format, float]] = {"pairs": 1.0, "rotating": math.sqrt(2), "solo": 1.6}
"""How much wider beta is: a partner, or one of four for themselves, has less of a match in hand."""

SOLO_TIES: Final = 0.01
"""How likely two of four end level: the lower places of a solo match can be shared."""


class Ratings:
    """Every bot's rating after the results so far.

    A team is a side: one bot, and in `rotating` two partners. But in `solo` a draw is left unrated:
    the library takes one although its probability is 0, and then *raises* sigma; a match that is
    level at `max_deals` says next to nothing.
    """

    def __init__(self, settings: RatingSettings, form: Format = "pairs") -> None:
        self._rates_ties = form == "solo"
        wider = replace(settings, beta=settings.beta * BETA[form])
        self._environment = environment(wider, SOLO_TIES if form == "solo" else 0.0)
        self._ratings: defaultdict[str, Any] = defaultdict(self._environment.create_rating)

    def finish(self, places: Mapping[tuple[str, ...], int]) -> bool:
        """Takes in a match: the labels of a side -> its place, the least the best.

        Returns whether it was rated.
        """
        if not self._rates_ties and len(set(places.values())) < len(places):
            return False
        teams = [{bot: self._ratings[bot] for bot in side} for side in places]
        for team in self._environment.rate(teams, ranks=list(places.values())):
            self._ratings.update(team)
        return True

    def loss(self, places: Mapping[tuple[str, ...], int]) -> float:
        """How surprising a match is before it is taken in: -log(probability of what happened).

        That is the mean over the pairs of sides of which one was better. Those that are level
        tell how likely ties are, and 0 is of a match in which all were.
        """
        pairs = [(one, other) for one in places for other in places if places[one] < places[other]]
        losses = [-math.log(self._beats(better, worse)) for better, worse in pairs]
        return sum(losses) / len(losses) if losses else 0.0

    def _beats(self, side: Iterable[str], other: Iterable[str]) -> float:
        """How likely the one side is to be better than the other."""
        lead = variance = 0.0
        for sign, bots in ((1, side), (-1, other)):
            for mu, sigma in map(self.of, bots):
                lead += sign * mu
                variance += sigma**2 + self._environment.tau**2 + self._environment.beta**2
        return _cdf(_clamp(lead / math.sqrt(variance)))

    def forfeit(self, offender: str, others: Iterable[str]) -> None:
        """Takes in that one of four forfeited: it has lost to each of `others`, its opponents.

        Nobody else is rated for it, neither they nor a partner.
        """
        for other in others:
            teams = [(self._ratings[other],), (self._ratings[offender],)]
            _, (self._ratings[offender],) = self._environment.rate(teams)

    def precise(self) -> dict[str, Precise]:
        """The rating of every bot that has a result."""
        return {label: (rating.pi, rating.tau) for label, rating in self._ratings.items()}

    def resume(self, ratings: Mapping[str, Precise]) -> None:
        """Goes on from what `precise` gave."""
        for label, (precision, scaled_mean) in ratings.items():
            rating = self._environment.create_rating()
            rating.pi, rating.tau = precision, scaled_mean
            self._ratings[label] = rating

    def of(self, label: str) -> tuple[float, float]:
        """The mu and sigma of a bot, those of the settings before its first result."""
        rating = self._ratings.get(label) or self._environment.create_rating()
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

    def v_draw(self, diff: float, draw_margin: float) -> float:
        shift: float = super().v_draw(_clamp(diff), draw_margin)
        return shift

    def w_draw(self, diff: float, draw_margin: float) -> float:
        shrink: float = min(super().w_draw(_clamp(diff), draw_margin), MOST_SHRINK)
        return shrink


def _clamp(difference: float) -> float:
    return max(-FARTHEST, min(FARTHEST, difference))
