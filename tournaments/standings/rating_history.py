"""Every bot's rating after each match that it was rated for: how the standings have come about."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from tournaments.ratings.checkpoints import settings_of, tally_of
from tournaments.ratings.tally import Tally
from tournaments.standings.standings import rating_of
from tournaments.storage.reader import Reader

COLUMNS: Final = ("number", "match", "cycle", "leg", "bot", "mu", "sigma", "rating")


def rating_history(store: Reader) -> Iterator[dict[str, Any]]:
    """A row, with COLUMNS, for each finished match and each bot that it was rated for.

    In the order in which matches are taken in, so that a bot's last row is what the standings say
    of it; where results choose beta, all rows are by the one that is in use now. Numbers are as in
    the standings.
    """
    rating, form = settings_of(store)
    if rating.auto:
        rating = replace(tally_of(store).settings, auto=False)
    tally = Tally(rating, form)
    for match in store.finished():
        for bot in tally.add(match):
            mu, sigma, rating_ = rating_of(tally, bot)
            row = (match.number, match.match, match.cycle, match.leg, bot, mu, sigma, rating_)
            yield dict(zip(COLUMNS, row, strict=True))
