"""Who leads, after the finished matches in schedule order."""

from collections.abc import Mapping
from heapq import nsmallest
from typing import Final

import msgspec
from msgspec import Struct

from arena.deals import secret_of, seed_of
from tournaments.checkpoints import tally_of
from tournaments.reader import Reader
from tournaments.results import Counts, Status, StoredTournament
from tournaments.tally import BotTally, Tally
from tournaments.tournament import RatingSettings

DIGITS: Final = 9
"""Decimals of a number. The last bits of a logarithm differ between machines; these do not."""


class MatchCounts(Struct, frozen=True):
    """How far a tournament is."""

    scheduled: int
    finished: int
    void: int
    """Given up after all tries: the arena's failure."""
    retired: int
    """Finished beside the schedule, by bots that play no more and are ranked; counted for all."""


class BotStanding(Struct, frozen=True):
    """One bot."""

    rank: int
    """1 is best; equal ratings share a rank, and the next is as many lower."""
    name: str
    status: Status
    """`playing`, or `withdrawn` or `superseded` by a next version: then only its past counts."""
    mu: float
    sigma: float
    rating: float
    """mu - 3 sigma."""
    played: int
    won: int
    drawn: int
    lost: int
    points_per_deal: float | None
    """Own minus opponents', a bag at its long-run worth; null before the first deal."""
    points_per_deal_ci95: tuple[float, float] | None
    """Its 95 % confidence interval; null under ten encounters."""
    faults: dict[str, int]
    """Kind -> how many."""


class Standings(Struct, frozen=True):
    """The ranking, as `standings --format json` prints it."""

    tournament: str
    complete: bool
    matches: MatchCounts
    rating: RatingSettings
    """What the ratings were computed with; where that is `auto`, with the beta now in use."""
    bots: list[BotStanding]
    disqualified: list[str]
    """Labels of bots that are not ranked, and whose matches count for nobody."""
    final: str | None
    """When nothing more could be played, ISO 8601, UTC; null before."""
    seed: int | None
    """What the deals come from; null where that is a secret."""
    commitment: str | None
    """SHA-256, in hex, of the secret's hex digits; null where there is a seed."""
    secret: str | None
    """Null before the tournament is final."""


def of_store(store: Reader) -> Standings:
    """The standings of what a run folder holds, from its checkpoints where there are any."""
    tally, statuses = tally_of(store), {bot.label: bot.status for bot in store.bots()}
    return standings(store.tournament(), statuses, tally, store.counts())


def standings(
    tournament: StoredTournament, statuses: Mapping[str, Status], tally: Tally, counts: Counts
) -> Standings:
    """The standings of bots, as label -> status, after the matches of a tally.

    Who has left is ranked by what it has played, if it has.
    """
    finished = tally.matches - counts.retired
    return Standings(
        tournament=tournament.name,
        complete=finished == counts.scheduled,
        matches=MatchCounts(counts.scheduled, finished, counts.void, counts.retired),
        rating=tally.settings,
        bots=leaders(statuses, tally, len(statuses)),
        disqualified=[label for label, status in statuses.items() if status == "disqualified"],
        final=tournament.final,
        seed=seed_of(tournament.root),
        commitment=tournament.commitment,
        secret=secret_of(tournament.root) if tournament.final else None,
    )


def leaders(statuses: Mapping[str, Status], tally: Tally, most: int) -> list[BotStanding]:
    """The best of the bots that are ranked: best first, by name where ratings are equal."""
    ranked = (label for label, status in statuses.items() if _is_ranked(status, tally.bot(label)))
    best = nsmallest(most, ((-rating_of(tally, label)[2], label) for label in ranked))
    found: list[BotStanding] = []
    for place, (_, label) in enumerate(best, 1):
        bot = _standing(label, statuses[label], tally)
        shared = found and found[-1].rating == bot.rating
        found.append(msgspec.structs.replace(bot, rank=found[-1].rank if shared else place))
    return found


def rating_of(tally: Tally, label: str) -> tuple[float, float, float]:
    """The mu and sigma of a bot and mu - 3 sigma, as they are shown and ranked by."""
    mu, sigma = map(_rounded, tally.rating(label))
    return mu, sigma, mu - 3 * sigma


def _is_ranked(status: Status, bot: BotTally) -> bool:
    """Who has left is if it has played, also where no deal was finished, or another forfeited."""
    played = bot.won + bot.drawn + bot.lost + bot.all.units > 0
    return status == "playing" or (status in ("withdrawn", "superseded") and played)


def _standing(label: str, status: Status, tally: Tally) -> BotStanding:
    mu, sigma, rating = rating_of(tally, label)
    bot = tally.bot(label)
    per_deal, interval = bot.all.per_deal, bot.units.interval()
    return BotStanding(
        rank=0,
        name=label,
        status=status,
        mu=mu,
        sigma=sigma,
        rating=rating,
        played=bot.won + bot.drawn + bot.lost,
        won=bot.won,
        drawn=bot.drawn,
        lost=bot.lost,
        points_per_deal=None if per_deal is None else _rounded(per_deal),
        points_per_deal_ci95=interval and (_rounded(interval[0]), _rounded(interval[1])),
        faults=dict(sorted(bot.faults.items())),
    )


def _rounded(number: float) -> float:
    return round(number, DIGITS) + 0.0  # never -0.0
