"""Who leads, after the finished matches in schedule order; and what they say in any order."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from msgspec import Struct

from arena.deals import secret_of, seed_of
from tournaments.files.vocabulary import Format
from tournaments.ratings.checkpoints import tally_of
from tournaments.ratings.crosstable import Opponents, Partners, opponents, partners
from tournaments.ratings.margin import Margin, interval
from tournaments.ratings.meetings import Meeting
from tournaments.ratings.tally import BotTally, Tally
from tournaments.schedules.drawing import Adaptive, adaptive_so_far
from tournaments.schedules.encounters import Encounters
from tournaments.storage.reader import Reader
from tournaments.storage.results import Counts, Status, StoredTournament
from tournaments.tournament import RatingSettings

if TYPE_CHECKING:
    from tournaments.ratings.strength import Strengths

DIGITS: Final = 9
"""Decimals of a number. The last bits of a logarithm differ between machines; these do not."""
LEFT: Final = ("withdrawn", "superseded")
"""Statuses of bots that play no more, and whose past counts."""
LIKELY_DIGITS: Final = 4
"""Decimals of a likelihood: there are as many as pairs of bots."""


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
    elo: float | None
    """Strength by all results whatever their order: Elo points above the mean of all bots that have
    met any; null where it has met nobody."""
    elo_ci95: tuple[float, float] | None
    """Its 95 % confidence interval."""


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
    format: Format
    """A rating of one of them says nothing of another: playing alone is another skill."""
    superiority: list[list[float | None]]
    """How likely the bot of a row is stronger than that of a column, both in the order of `bots`;
    null on the diagonal, and of a bot that has met nobody."""
    crosstable: list[Opponents]
    """Each two that have met, once; first named is the one that stands higher in `bots`."""
    partners: list[Partners] | None
    """Each two that were partners, as in `crosstable`; null but in `rotating`."""
    adaptive: Adaptive | None = None
    """How far an adaptive schedule is; null where the schedule is another."""


def of_store(store: Reader) -> Standings:
    """The standings of what a run folder holds, from its checkpoints where there are any.

    What does not depend on the order of results is computed from all of them.
    """
    tally, meetings, margins = _read(store)
    statuses = {bot.label: bot.status for bot in store.bots()}
    unranked = {label for label, status in statuses.items() if status not in ("playing", *LEFT)}
    if strangers := _met(meetings) & unranked:
        raise store.damaged("the schedule", f"{', '.join(sorted(strangers))} is not ranked")
    found = standings(store.tournament(), statuses, tally, meetings, margins, store.counts())
    return msgspec.structs.replace(found, adaptive=adaptive_so_far(store, meetings))


def _read(store: Reader) -> tuple[Tally, list[Meeting], dict[str, list[Margin]]]:
    """What is counted, in one pass; what it remembers of rows is forgotten with it."""
    encounters = Encounters(store)
    tally = tally_of(store, encounters.add)
    return tally, encounters.meetings(), encounters.margins()


def standings(
    tournament: StoredTournament,
    statuses: Mapping[str, Status],
    tally: Tally,
    meetings: Sequence[Meeting],
    margins: Mapping[str, Sequence[Margin]],
    counts: Counts,
) -> Standings:
    """The standings of bots, as label -> status, after the matches of a tally and of meetings.

    `margins`: those of bots at each table (`schedules.encounters`). Who has left is ranked by
    what it has played, if it has.
    """
    from tournaments.ratings.strength import (
        strengths,  # numpy is slow to import, and only this needs it
    )

    finished = tally.matches - counts.retired
    met = _met(meetings)
    found = strengths(sorted(met), meetings)
    bots = leaders(statuses, tally, len(statuses), Unordered(margins, met, found))
    names = [bot.name for bot in bots]
    return Standings(
        tournament=tournament.name,
        complete=tournament.complete(counts.scheduled, finished),
        matches=MatchCounts(counts.scheduled, finished, counts.void, counts.retired),
        rating=tally.settings,
        bots=bots,
        disqualified=[label for label, status in statuses.items() if status == "disqualified"],
        final=tournament.final,
        seed=seed_of(tournament.root),
        commitment=tournament.commitment,
        secret=secret_of(tournament.root) if tournament.final else None,
        format=tournament.form,
        superiority=[
            [None if each is None else round(each, LIKELY_DIGITS) for each in row]
            for row in found.superiorities(names)
        ],
        crosstable=opponents(meetings, names),
        partners=partners(meetings, names) if tournament.form == "rotating" else None,
    )


def _met(meetings: Iterable[Meeting]) -> set[str]:
    """The bots that have met any other."""
    return {bot for each in meetings for one, other, _ in each.comparisons for bot in one + other}


class Unordered(NamedTuple):
    """What matches say of bots whatever their order; by default nothing."""

    margins: Mapping[str, Sequence[Margin]] = {}
    """At each table."""
    met: Collection[str] = ()
    """Those that have met any other, and so have a strength."""
    strengths: "Strengths | None" = None


_NOTHING: Final = Unordered()


def leaders(
    statuses: Mapping[str, Status], tally: Tally, most: int, unordered: Unordered = _NOTHING
) -> list[BotStanding]:
    """The best of the bots that are ranked: best first, by name where ratings are equal."""
    ranked = (
        label
        for label, status in statuses.items()
        if status == "playing"
        or (status in LEFT and (label in unordered.met or _has_played(tally.bot(label))))
    )
    best = nsmallest(most, ((-rating_of(tally, label)[2], label) for label in ranked))
    found: list[BotStanding] = []
    for place, (_, label) in enumerate(best, 1):
        bot = _standing(label, statuses[label], tally, unordered)
        shared = found and found[-1].rating == bot.rating
        found.append(msgspec.structs.replace(bot, rank=found[-1].rank if shared else place))
    return found


def rating_of(tally: Tally, label: str) -> tuple[float, float, float]:
    """The mu and sigma of a bot and mu - 3 sigma, as they are shown and ranked by."""
    mu, sigma = map(_rounded, tally.rating(label))
    return mu, sigma, mu - 3 * sigma


def _has_played(bot: BotTally) -> bool:
    """Also where no deal was finished, and where another has forfeited."""
    return bot.won + bot.drawn + bot.lost + bot.deals > 0


def _standing(label: str, status: Status, tally: Tally, unordered: Unordered) -> BotStanding:
    mu, sigma, rating = rating_of(tally, label)
    bot, per_deal = tally.bot(label), tally.bot(label).per_deal
    found = unordered.strengths if label in unordered.met else None
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
        points_per_deal_ci95=_both_rounded(interval(unordered.margins.get(label, ()))),
        faults=dict(sorted(bot.faults.items())),
        elo=None if found is None else _rounded(found.elo(label)),
        elo_ci95=None if found is None else _both_rounded(found.interval(label)),
    )


def _both_rounded(ends: tuple[float, float] | None) -> tuple[float, float] | None:
    return ends and (_rounded(ends[0]), _rounded(ends[1]))


def _rounded(number: float) -> float:
    return round(number, DIGITS) + 0.0  # never -0.0
