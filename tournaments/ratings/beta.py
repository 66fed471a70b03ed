"""Ratings under the beta of the settings, or under the one that has predicted results best.

How much chance there is in a match depends on rules and bots. With `beta: auto` every match is
rated under each beta of a grid, and before it is taken in each is charged with how surprising it
was, the logarithmic loss. Nobody has seen a match when it is predicted, so the least sum is not the
one that fits best, but the one that foresees best.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tournaments.files.vocabulary import Format
from tournaments.ratings.rating import Precise, Ratings
from tournaments.tournament import RatingSettings

GRID: Final = (25 / 6, 25 / 3, 12.5, 50 / 3, 25.0, 100 / 3, 50.0)
USUAL: Final = 50 / 3
"""Of those that have predicted equally well the nearest to this: before any result it itself."""


class Rated(Struct):
    """What is known under one beta."""

    ratings: dict[str, Precise] = {}
    """By label; of those that have been rated."""
    loss: float = 0.0
    """The sum over matches of -log(probability of what happened); kept where there is a choice."""


class BetaRatings:
    """As `Ratings`, under the beta that is in use."""

    def __init__(
        self, settings: RatingSettings, form: Format = "pairs", after: Sequence[Rated] = ()
    ) -> None:
        """`after`: goes on from what `state` gave with the same settings."""
        betas = GRID if settings.auto else (settings.beta,)
        self._settings = [replace(settings, beta=beta) for beta in betas]
        self._ratings = [Ratings(each, form) for each in self._settings]
        self._losses = [0.0] * len(betas)
        for i, rated in enumerate(after):
            self._ratings[i].resume(rated.ratings)
            self._losses[i] = rated.loss

    @property
    def settings(self) -> RatingSettings:
        """With the beta that is in use."""
        return self._settings[self._best()]

    def state(self) -> list[Rated]:
        """All that is known, as plain data."""
        return [
            Rated(ratings.precise(), loss)
            for ratings, loss in zip(self._ratings, self._losses, strict=True)
        ]

    def of(self, label: str) -> tuple[float, float]:
        """The mu and sigma of a bot, those of the settings before its first result."""
        return self._ratings[self._best()].of(label)

    def finish(self, places: Mapping[tuple[str, ...], int], *, played_out: bool) -> bool:
        """Takes in a match, as `Ratings.finish`; whether it was rated.

        One that was not `played_out`, but forfeited, is predicted by nobody: it tells of faults.
        """
        if played_out and len(self._ratings) > 1:
            for i, ratings in enumerate(self._ratings):
                self._losses[i] += ratings.loss(places)
        rated = False
        for ratings in self._ratings:
            rated = ratings.finish(places)
        return rated

    def forfeit(self, offender: str, others: Sequence[str]) -> None:
        """Takes in a forfeit, as `Ratings.forfeit`."""
        for ratings in self._ratings:
            ratings.forfeit(offender, others)

    def _best(self) -> int:
        if len(self._ratings) == 1:
            return 0
        return min(
            range(len(self._ratings)),
            key=lambda i: (self._losses[i], abs(self._settings[i].beta - USUAL)),
        )
