"""How many matches it takes until the order of bots is right.

    python -m benchmarks.needed [--repetitions 60] [--seed 1] [--quick]

In model worlds (`benchmarks.worlds`) the strengths are known and results are drawn. All else is
the arena's own code: encounters, sums of results, strengths, adaptive draws. A plain round robin
without a mirror, ranked by wins, is compared with a mirrored one ranked by strengths, and with
adaptive draws for the whole order and for the first four. In whole cycles of a round robin
strengths stand in the order of wins, so that wins are counted there, all repetitions at once.

The order is right after so many matches when it is in 95 % of the repetitions. Beside that stands
how often it is right when an adaptive tournament stops, at its confidence of 95 %.
Ten to twenty minutes on one core.
"""

import argparse
from collections.abc import Iterator, Sequence
from math import log
from statistics import median
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from benchmarks.figures import Figure, table
from benchmarks.worlds import GAP, WON, Array, World, worlds
from tournaments.ratings.meetings import Meetings, Outcome
from tournaments.schedules import adaptive
from tournaments.tournament import ScheduleSettings

LEVEL: Final = 0.95
"""Of the repetitions, in which the order is to be right, and the confidence of a stop."""
TOP: Final = 4
CHEAP: Final = 20
"""So many times as many repetitions has a round robin: it is computed faster."""
_FIRST, _SECOND = (0, 1), (1, 0)
"""Places of the sides, the winner's 0."""


class Look(NamedTuple):
    """All repetitions after the same number of matches."""

    matches: int
    order: float
    """In what part of them the whole order is right."""
    top: float
    """And the first four, in order."""


class Repetition:
    """An adaptive tournament in a world, its results drawn."""

    def __init__(self, world: World, top: int | None, random: np.random.Generator) -> None:
        self._world, self._random = world, random
        self._bots = [f"{place:02}" for place in random.permutation(world.bots)]
        self._settings = ScheduleSettings(
            "adaptive",
            rounds=10**6,
            top=top,
            confidence=2,  # so that it goes on
        )
        self._history, self._met = adaptive.History(), Meetings("partners")
        self._rows = {pairing: row for row, pairing in enumerate(world.pairings)}
        self._ways = world.outcomes.cumsum(axis=1)
        self.stopped: int | None = None
        """After how many matches it would have stopped."""
        self.right_when_stopped = False
        self.matches = 0

    def play(self) -> None:
        """A batch."""
        met = adaptive.draw(self._bots, self._history, self._settings)
        for encounter, chance in zip(met, self._random.uniform(size=len(met)), strict=True):
            one, other = sorted(encounter.around)
            way = np.searchsorted(self._ways[self._rows[int(one), int(other)]], chance)
            won = WON[min(int(way), len(WON) - 1)]
            places = [_FIRST if leg else _SECOND for leg in won]
            self._met.add([Outcome((one, other, one, other), place, None) for place in places])
        self._history.take_in(self._met.all())
        self.matches += 2 * len(met)
        asked = replace(self._settings, confidence=LEVEL)
        if self.stopped is None and adaptive.settled(self._bots, self._history, asked):
            self.stopped, self.right_when_stopped = self.matches, self.right(self._settings.top)

    def right(self, top: int | None) -> bool:
        """Whether its order is, or that of the first."""
        found = self._history.strengths(self._bots)
        order = adaptive.Order(self._bots, found, top).bots[:top]
        return order == sorted(order) and int(order[-1]) == len(order) - 1


def around(world: World, repetitions: int, seed: int, *, mirror: bool) -> Iterator[Look]:
    """Round robins: each look is after a cycle with a mirror, or two without."""
    random = np.random.default_rng(seed)
    ahead: Array = np.zeros((repetitions, world.bots))
    won = np.array([sum(legs) for legs in WON])
    looks = 0
    while True:
        looks += 1
        if mirror:
            ways = [random.multinomial(1, each, repetitions) for each in world.outcomes]
            gained = np.stack([each @ won for each in ways], axis=1)
        else:
            gained = random.binomial(2, world.chances, (repetitions, len(world.pairings)))
        ahead = ahead + (2 * gained - 2) @ world.sides
        # Who has equally many wins stands in any order.
        order = np.argsort(-ahead + random.uniform(0, 0.5, ahead.shape), axis=1)
        places = order == np.arange(world.bots)
        yield Look(
            2 * looks * len(world.pairings),
            places.all(axis=1).mean(),
            places[:, :TOP].all(axis=1).mean(),
        )


def adaptively(each: Sequence[Repetition]) -> Iterator[Look]:
    """Adaptive tournaments: each look is after a batch."""
    while True:
        for one in each:
            one.play()
        right = [float(np.mean([one.right(what) for one in each])) for what in (None, TOP)]
        yield Look(each[0].matches, *right)


def needed(looks: Iterator[Look], what: str, most: float) -> float:
    """After how many matches the part that is right reaches LEVEL; infinite where over `most`.

    As the part goes up and down by chance, that is halfway from where it first reaches it to where
    it last does, each on a line between two looks. It must have held for a fifth of all looks.
    """
    matches, parts = [0], [0.0]
    for look in looks:
        matches.append(look.matches)
        parts.append(getattr(look, what))
        short = [part < LEVEL for part in parts]
        if len(parts) > 5 and not any(short[-max(5, len(parts) // 5) :]):
            first, last = short.index(False), len(short) - short[::-1].index(True)
            reached = [
                np.interp(LEVEL, parts[at - 1 : at + 1], matches[at - 1 : at + 1])
                for at in (first, last)
            ]
            return float(np.mean(reached))
        if look.matches > most:
            break
    return float("inf")


class Stops(NamedTuple):
    """What it had come to where repetitions would have stopped by themselves."""

    right: float
    """In what part of them the goal was reached."""
    matches: float
    """After how many, the median."""

    def __str__(self) -> str:
        return f"{self.right:6.1%} right after {self.matches:6,.0f}"


def stops(each: Sequence[Repetition], most: float) -> Stops:
    """Plays on until all have stopped; those that have not by then count as not right."""
    for one in each:
        while one.stopped is None and one.matches < most:
            one.play()
    return Stops(
        float(np.mean([one.right_when_stopped for one in each])),
        median(one.stopped or one.matches for one in each),
    )


class Row(NamedTuple):
    """What was found in a world, of the whole order or of the first four."""

    plain: float
    """Matches that a plain round robin needs."""
    mirrored: float
    """How many times fewer a mirrored one needs."""
    adaptive: float
    """And adaptive draws."""
    stops: Stops


def compare(world: World, top: int | None, repetitions: int, seed: int) -> Row:
    """All ways in a world."""
    what, many = "order" if top is None else "top", CHEAP * repetitions
    plain = needed(around(world, many, seed, mirror=False), what, 1e6)
    mirrored = needed(around(world, many, seed + 1, mirror=True), what, 1e6)
    random = np.random.default_rng(seed + 2)
    each = [Repetition(world, top, random) for _ in range(repetitions)]
    drawn = needed(adaptively(each), what, 1.5 * plain)
    return Row(plain, plain / mirrored, plain / drawn, stops(each, 4 * plain))


def stops_of_two(chance: float, repetitions: int, seed: int) -> Stops:
    """Of two bots, of whom the better wins so often."""
    world, random = World("two", [log(chance / (1 - chance)), 0], seed), np.random.default_rng(seed)
    return stops([Repetition(world, None, random) for _ in range(repetitions)], 1e6)


def main() -> None:
    """Compares and prints."""
    parser = argparse.ArgumentParser(description="Matches needed until the order is right.")
    parser.add_argument("--repetitions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="one small world, few repetitions")
    options = parser.parse_args()
    report(options.repetitions, options.seed, quick=options.quick)


def report(repetitions: int, seed: int, *, quick: bool) -> None:
    """Prints a row for each world, then the medians with their goals."""
    found: dict[int | None, list[Row]] = {None: [], TOP: []}
    for top, rows in found.items():
        print("the whole order" if top is None else f"the first {top}, in order")
        for world in _small() if quick else worlds():
            if top is not None and world.bots < 16 and not quick:
                continue
            row = compare(world, top, repetitions, seed)
            rows.append(row)
            print(
                f"  {world.name:29} plain {row.plain:7,.0f}   mirrored {row.mirrored:4.2f}"
                f"   adaptive {row.adaptive:4.2f}   stops {row.stops}",
                flush=True,
            )
    print("two bots, when they stop")
    for chance in (0.6,) if quick else (0.51, 0.52, 0.53, 0.55, 0.6):
        print(f"  {chance:.0%}: {stops_of_two(chance, 2 * repetitions, seed)}", flush=True)
    print(table(list(_figures(found))))


def _small() -> Iterator[World]:
    yield World("5, gaps of 71 %", [-4.5 * GAP * place for place in range(5)], 1)


def _figures(found: dict[int | None, list[Row]]) -> Iterator[Figure]:
    mirrored = [row.mirrored for rows in found.values() for row in rows]
    yield Figure("mirrored round robin", "times fewer", mirrored, least=1.3)
    for top, least in ((None, 1.5), (TOP, 3.0)):
        values = [row.adaptive for row in found[top]]
        name = "whole order" if top is None else f"first {top}"
        yield Figure(f"adaptive, {name}", "times fewer", values, least=least)
    right = [row.stops.right for rows in found.values() for row in rows]
    yield Figure("adaptive, right when it stops", "", right, least=LEVEL)


if __name__ == "__main__":
    main()
