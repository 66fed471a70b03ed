"""Who leads: one pass over the finished matches in schedule order."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from arena.rules import seats_of
from protocol.messages import Side
from tournaments.margin import Margin
from tournaments.rating import Ratings
from tournaments.reader import Reader
from tournaments.results import FinishedMatch
from tournaments.schedule import legs
from tournaments.tournament import Format, RatingSettings

DIGITS: Final = 9
"""Decimals of a number. The last bits of a logarithm differ between machines; these do not."""


class MatchCounts(Struct, frozen=True):
    """How far a tournament is."""

    scheduled: int
    finished: int
    void: int
    """Given up after all tries: the arena's failure."""


class BotStanding(Struct, frozen=True):
    """One bot."""

    rank: int
    """1 is best; equal ratings share a rank, and the next is as many lower."""
    name: str
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
    """Its 95 % confidence interval; null under ten pairs."""
    faults: dict[str, int]
    """Kind -> how many."""


class Standings(Struct, frozen=True):
    """The ranking, as `standings --format json` prints it."""

    tournament: str
    complete: bool
    matches: MatchCounts
    bots: list[BotStanding]


class _Tally:
    """What is counted of one bot."""

    def __init__(self) -> None:
        self.won = self.drawn = self.lost = 0
        self.all = Margin()
        self.units = Margin()
        """Only what the interval may be computed from."""
        self.faults: Counter[str] = Counter()


def standings(
    name: str,
    labels: Sequence[str],
    finished: Iterable[FinishedMatch],
    *,
    scheduled: int,
    void: int,
    rating: RatingSettings,
    form: Format = "pairs",
    mirror: bool,
) -> Standings:
    """The standings of the bots `labels` after the matches `finished`, in schedule order.

    With `mirror` the legs of an encounter are one unit for the interval: they share deals.
    """
    ratings = Ratings(rating, form)
    tallies = {label: _Tally() for label in labels}
    count = 0
    unit: list[FinishedMatch] = []
    for match in finished:
        count += 1
        _count(match, tallies, ratings)
        if match.leg != len(unit) or (unit and match.number != unit[-1].number + 1):
            unit = []  # a leg of that encounter is missing
        if match.leg == len(unit):
            unit.append(match)
        if len(unit) == legs(form, mirror=mirror):
            _add_unit(unit, tallies)
            unit = []
    return Standings(
        tournament=name,
        complete=count == scheduled,
        matches=MatchCounts(scheduled, count, void),
        bots=_ranked([_standing(label, tallies[label], ratings) for label in labels]),
    )


def of_store(store: Reader) -> Standings:
    """The standings of what a run folder holds."""
    counts, stored = store.counts(), store.tournament()
    return standings(
        stored.name,
        [bot.label for bot in store.bots()],
        store.finished(),
        scheduled=counts.scheduled,
        void=counts.void,
        rating=msgspec.convert(stored.settings["rating"], RatingSettings),
        form=stored.comparable["format"],
        mirror=stored.settings["schedule"]["mirror"],
    )


def _players(match: FinishedMatch) -> dict[Side, str]:
    """Side -> its bot."""
    return {side: match.seats[seats_of(side)[0]] for side in match.score}


def _margins(match: FinishedMatch) -> dict[str, float]:
    """Bot -> its points less the opponents', of several opponents their mean."""
    total, others = sum(match.points.values()), len(match.points) - 1
    return {
        bot: match.points[side] - (total - match.points[side]) / others
        for side, bot in _players(match).items()
    }


def _count(match: FinishedMatch, tallies: dict[str, _Tally], ratings: Ratings) -> None:
    players = _players(match)
    for bot, points in _margins(match).items():
        tallies[bot].all.add(points, match.deals)
    for seat, kinds in match.faults.items():
        tallies[match.seats[seat]].faults.update(kinds)
    if match.winner is None and match.forfeited is not None:
        # Of four for themselves one has lost, and the match says nothing of the others.
        offender = players.pop(match.forfeited)
        tallies[offender].lost += 1
        ratings.forfeit(offender, list(players.values()))
        return
    best = max(match.score.values())
    for side, bot in players.items():
        if match.winner is None and match.score[side] == best:
            tallies[bot].drawn += 1
        elif side == match.winner:
            tallies[bot].won += 1
        else:
            tallies[bot].lost += 1
    ratings.finish(_places(match))


def _places(match: FinishedMatch) -> dict[str, int]:
    """Bot -> its place by score, 0 the best; the winner is first whatever the score."""
    scores = sorted(set(match.score.values()), reverse=True)
    return {
        bot: -1 if side == match.winner else scores.index(match.score[side])
        for side, bot in _players(match).items()
    }


def _add_unit(matches: Sequence[FinishedMatch], tallies: dict[str, _Tally]) -> None:
    margins = [_margins(match) for match in matches]
    deals = sum(match.deals for match in matches)
    for bot in margins[0]:
        tallies[bot].units.add(sum(margin[bot] for margin in margins), deals)


def _standing(label: str, tally: _Tally, ratings: Ratings) -> BotStanding:
    mu, sigma = map(_rounded, ratings.of(label))
    per_deal, interval = tally.all.per_deal, tally.units.interval()
    return BotStanding(
        rank=0,
        name=label,
        mu=mu,
        sigma=sigma,
        rating=mu - 3 * sigma,
        played=tally.won + tally.drawn + tally.lost,
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        points_per_deal=None if per_deal is None else _rounded(per_deal),
        points_per_deal_ci95=interval and (_rounded(interval[0]), _rounded(interval[1])),
        faults=dict(sorted(tally.faults.items())),
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
