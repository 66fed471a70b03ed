"""Who leads, after the finished matches in schedule order."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from arena.deals import secret_of, seed_of
from tournaments.checkpoints import tally_of
from tournaments.drawing import Adaptive, adaptive_so_far
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
    adaptive: Adaptive | None = None
    """How far an adaptive schedule is; null where the schedule is another."""


def of_store(store: Reader) -> Standings:
    """The standings of what a run folder holds, from its checkpoints where there are any."""
    tally, statuses = tally_of(store), {bot.label: bot.status for bot in store.bots()}
    found = standings(store.tournament(), statuses, tally, store.counts())
    return msgspec.structs.replace(found, adaptive=adaptive_so_far(store))


def standings(
    tournament: StoredTournament, statuses: Mapping[str, Status], tally: Tally, counts: Counts
) -> Standings:
    """The standings of bots, as label -> status, after the matches of a tally.

    Who has left is ranked by what it has played, if it has.
    """
    finished = tally.matches - counts.retired
    ranked = [
        _standing(label, status, tally)
        for label, status in statuses.items()
        if status == "playing"
        or (status in ("withdrawn", "superseded") and _has_played(tally.bot(label)))
    ]
    return Standings(
        tournament=tournament.name,
        complete=finished == counts.scheduled,
        matches=MatchCounts(counts.scheduled, finished, counts.void, counts.retired),
        rating=tally.settings,
        bots=_ranked(ranked),
        disqualified=[label for label, status in statuses.items() if status == "disqualified"],
        final=tournament.final,
        seed=seed_of(tournament.root),
        commitment=tournament.commitment,
        secret=secret_of(tournament.root) if tournament.final else None,
    )


def rating_of(tally: Tally, label: str) -> tuple[float, float, float]:
    """The mu and sigma of a bot and mu - 3 sigma, as they are shown and ranked by."""
    mu, sigma = map(_rounded, tally.rating(label))
    return mu, sigma, mu - 3 * sigma


def _has_played(bot: BotTally) -> bool:
    """Also where no deal was finished, and where another has forfeited."""
    return bot.won + bot.drawn + bot.lost + bot.all.units > 0


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


def _ranked(bots: Iterable[BotStanding]) -> list[BotStanding]:
    """Best first, by name where ratings are equal."""
    ranked: list[BotStanding] = []
    for place, bot in enumerate(sorted(bots, key=lambda bot: (-bot.rating, bot.name)), 1):
        shared = ranked and ranked[-1].rating == bot.rating
        ranked.append(msgspec.structs.replace(bot, rank=ranked[-1].rank if shared else place))
    return ranked
