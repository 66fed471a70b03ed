"""How often the 95 % intervals of the standings hold the truth, with bots of known strength.

    python -m benchmarks.intervals [--quick] [--seed 1]

Tournaments are drawn, many of each kind, and go through the modules that standings are computed
with: the schedule, the meetings and the strengths, and the sums that points per deal are kept in.
Counted is how often `elo` and the difference of two bots, or the points per deal of a bot, lie in
their intervals. It takes eight minutes of processor time.

Legs that share deals share luck: with z the normal quantile of a side's chance to win, it wins leg
0 where z + sqrt(r) u + sqrt(1 - r) e > 0 and leg 1, on the other side of the table, where
z - sqrt(r) u + sqrt(1 - r) e' > 0. Each pairing has an r of its own from 0 to 0.9; or 1, as bots
have that play the same cards in the same way.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import exp, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from protocol.cards import SEATS
from tournaments.files.vocabulary import Format
from tournaments.ratings.likelihood import ELO
from tournaments.ratings.margin import Margin, interval
from tournaments.ratings.meetings import Leg, Meeting, Meetings, Outcome
from tournaments.ratings.strength import strengths
from tournaments.schedules.schedule import Encounter, encounters, legs, seats
from tournaments.tournament import ScheduleSettings

FIELDS: Final = {"equal": 0.0, "close": 60.0, "wide": 200.0}
"""How far bots are apart: the standard deviation of their strengths in Elo points."""
A_FIELD: Final = 4000
"""Intervals of `elo` of each kind: bots times tournaments."""
DEAL: Final = 65.0
"""The standard deviation of the points of a deal between equal bots."""
POINTS_AN_ELO: Final = 0.08
"""How many points a deal a bot makes more that is an Elo point ahead, near enough."""

Places = tuple[int, ...]
"""Of each side in a match."""

_normal: Final = NormalDist()


class Kind(NamedTuple):
    """What tournaments are drawn of."""

    form: Format
    luck: float | None
    """The part r of luck that legs share; None: of each pairing another, from 0 to 0.9."""
    mirror: bool
    field: str
    bots: int
    rounds: int

    @property
    def name(self) -> str:
        """Format and luck."""
        if not self.mirror:
            return f"{self.form}, unmirrored"
        return f"{self.form}, all luck shared" if self.luck == 1 else self.form


class Coverage(NamedTuple):
    """How often intervals held the truth, 0 to 1."""

    elo: float
    differences: float


def coverage(kind: Kind, tournaments: int, rng: np.random.Generator) -> Coverage:
    """Draws tournaments of a kind."""
    bots = [f"bot-{number:02}" for number in range(kind.bots)]
    settings = ScheduleSettings(rounds=kind.rounds, mirror=kind.mirror)
    tables = Counter(each.around for each in encounters(settings, bots, kind.form))
    held = np.zeros(2)
    for _ in range(tournaments):
        truths = rng.normal(0, FIELDS[kind.field], kind.bots)
        truth = dict(zip(bots, (truths - truths.mean()).tolist(), strict=True))
        found = strengths(bots, drawn(kind, tables, truth, rng))
        held[0] += np.mean([_within(truth[bot], found.interval(bot)) for bot in bots])
        held[1] += np.mean(
            [
                _within(truth[one] - truth[other], found.difference(one, other)[1])
                for one, other in combinations(bots, 2)
            ]
        )
    return Coverage(*(held / tournaments).tolist())


def drawn(
    kind: Kind, tables: Counter[tuple[str, ...]], truth: dict[str, float], rng: np.random.Generator
) -> list[Meeting]:
    """The meetings of a tournament: `tables` says how often each is played."""
    meetings = Meetings("solo" if kind.form == "solo" else "partners")
    for around, times in tables.items():
        encounter, luck = Encounter(0, around), kind.luck
        if luck is None:
            luck = rng.uniform(0, 0.9)
        draw = _of_four if kind.form == "solo" else _of_two_sides
        for places, often in draw(encounter, times, truth, luck, rng):
            played = places[: legs(kind.form, mirror=kind.mirror)]
            meetings.count(tuple([_leg(encounter, *each) for each in enumerate(played)]), often)
    return meetings.all()


@cache
def _leg(encounter: Encounter, leg: int, places: Places) -> Leg:
    """A leg that ended so: made once, as tournaments are many."""
    seated = seats(encounter, leg)
    bots = tuple([seated[seat] for seat in SEATS])
    return Meetings("solo" if len(places) > 2 else "partners").leg(Outcome(bots, places, None))


def _of_two_sides(
    encounter: Encounter, times: int, truth: dict[str, float], luck: float, rng: np.random.Generator
) -> Iterator[tuple[list[Places], int]]:
    """The places in both legs, and how often they were these.

    A side is as strong as its bots are on average.
    """
    around = [truth[bot] for bot in encounter.around * (4 // len(encounter.around))]
    ahead = (around[0] + around[2] - around[1] - around[3]) / 2
    z = _normal.inv_cdf(1 / (1 + exp(-ahead / ELO)))
    shared, *own = rng.standard_normal((3, times))
    won = [
        z + sign * sqrt(luck) * shared + sqrt(1 - luck) * each > 0
        for sign, each in zip((1, -1), own, strict=True)
    ]
    often = np.bincount(2 * won[0] + won[1], minlength=4)
    for first, second in product((0, 1), repeat=2):
        # The side that sat N and S in leg 0 sits E and W in leg 1.
        if times := int(often[2 * first + second]):
            yield [(1 - first, first), (second, 1 - second)], times


def _of_four(
    encounter: Encounter, times: int, truth: dict[str, float], luck: float, rng: np.random.Generator
) -> Iterator[tuple[list[Places], int]]:
    """The places in all four legs, each time: those of a leg by Plackett and Luce's model.

    So two bots by themselves are by Bradley and Terry's. What a seat's cards are worth is shared.
    """
    cards = rng.standard_normal((times, 1, 4))
    mixed = sqrt(luck) * cards + sqrt(1 - luck) * rng.standard_normal((times, 4, 4))
    uniform = np.array([_normal.cdf(each) for each in mixed.ravel()]).reshape(mixed.shape)
    gumbel = -np.log(-np.log(uniform))
    seated = [[truth[bot] / ELO for bot in seats(encounter, leg).values()] for leg in range(4)]
    places = (-(gumbel + np.array(seated))).argsort(axis=2).argsort(axis=2).tolist()
    for each in places:
        yield [tuple(place) for place in each], 1


def coverage_of_points(kind: Kind, tables: int, rng: np.random.Generator) -> float:
    """How often points per deal of a bot lie in their interval.

    It meets `bots` - 1 others, each `rounds` times, in legs of 6 to 13 deals. These share the first
    deals, and a part of the luck in them.
    """
    held = 0
    for _ in range(tables):
        others = kind.bots - 1
        margins = [Margin() for _ in range(others)]
        means = POINTS_AN_ELO * rng.normal(0, FIELDS[kind.field], others)
        for margin, mean in zip(margins, means, strict=True):
            luck = rng.uniform(0, 0.9) if kind.luck is None else kind.luck
            for deals, points in _units(kind, luck, rng):
                margin.add(mean * deals + points, deals)
        held += _within(means.mean(), interval(margins) or (0.0, 0.0))
    return held / tables


def _units(kind: Kind, luck: float, rng: np.random.Generator) -> Iterator[tuple[int, float]]:
    """Deals of an encounter, and the points that were luck."""
    lengths = rng.integers(6, 14, (kind.rounds, 2))
    normal = DEAL * rng.standard_normal((kind.rounds, 2, 2, 13))
    for (first, second), own in zip(lengths.tolist(), normal, strict=True):
        if not kind.mirror:
            yield first, float(own[0, 0, :first].sum())
            continue
        cards = own[0, 0, :first].sum() - own[0, 0, :second].sum()
        played = own[1, 0, :first].sum() + own[1, 1, :second].sum()
        yield first + second, float(sqrt(luck) * cards + sqrt(1 - luck) * played)


def _within(truth: float, interval: tuple[float, float]) -> bool:
    low, high = interval
    return bool(low <= truth <= high)


LUCK: Final[tuple[tuple[float | None, bool], ...]] = ((0.0, False), (None, True), (1.0, True))


def kinds(bots: Sequence[int], rounds: Sequence[int]) -> Iterator[Kind]:
    """All kinds of tournaments."""
    for luck, mirror in LUCK:
        for field, count, many in product(FIELDS, bots, rounds):
            yield Kind("pairs", luck, mirror, field, count, many)
    forms: tuple[Format, ...] = ("rotating", "solo")
    for form, field, count, many in product(forms, FIELDS, bots, rounds):
        if count >= len(SEATS) and many < 100:  # of two sides there are enough
            yield Kind(form, None, True, field, count, many)


def main() -> None:
    """Draws and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the tournaments")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, wanted = np.random.default_rng(options.seed), A_FIELD // (10 if options.quick else 1)

    def strength(kind: Kind) -> str:
        found = coverage(kind, -(-wanted // kind.bots), rng)
        return f"{100 * found.elo:.1f} / {100 * found.differences:.1f}"

    def points(kind: Kind) -> str:
        return f"{100 * coverage_of_points(kind, wanted // 4, rng):.1f}"

    print("elo of a bot / difference of two: % within their 95 % intervals, by bots\n")
    _print(kinds((2, 4, 16), (6, 10, 30, 100)), strength)
    print("\npoints per deal of a bot: % within their 95 % interval, by bots\n")
    _print((each for each in kinds((2, 5), (10, 30, 100)) if each.form == "pairs"), points)


def _print(chosen: Iterable[Kind], found: Callable[[Kind], str]) -> None:
    """A line for kinds that differ by the number of bots alone."""
    by_bots = sorted(chosen, key=lambda kind: (kind.rounds, kind.bots))
    lines = dict.fromkeys((kind.name, kind.field, kind.rounds) for kind in by_bots)
    across = sorted({kind.bots for kind in by_bots})
    print(f"{'':31}rounds" + "".join(f"{bots:>14}" for bots in across))
    for name, field, rounds in sorted(lines):
        row = {k.bots: k for k in by_bots if (k.name, k.field, k.rounds) == (name, field, rounds)}
        cells = (found(row[bots]) if bots in row else "" for bots in across)
        print(
            f"{f'{name}, {field}':31}{rounds:>6}" + "".join(f"{c:>14}" for c in cells), flush=True
        )


if __name__ == "__main__":
    main()
