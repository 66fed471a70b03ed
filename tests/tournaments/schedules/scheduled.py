"""Schedules as lists of matches, and what is counted in them, the plain way."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, count
from typing import NamedTuple

from protocol.cards import SEATS, Seat
from tournaments.files.vocabulary import Format, ScheduleName
from tournaments.schedules.schedule import encounters, legs, seats
from tournaments.storage.results import FinishedMatch
from tournaments.tournament import ScheduleSettings

SIDES: tuple[tuple[Seat, Seat], ...] = (("N", "S"), ("E", "W"))


class Match(NamedTuple):
    """One match that is to be played."""

    number: int
    cycle: int
    leg: int
    seats: dict[Seat, str]


def settings(
    type: ScheduleName = "round_robin",
    rounds: int = 1,
    mirror: bool = True,
    of: tuple[str, ...] = (),
) -> ScheduleSettings:
    return ScheduleSettings(type=type, rounds=rounds, mirror=mirror, of=of)


def schedule(
    chosen: ScheduleSettings, bots: Sequence[str], form: Format = "pairs"
) -> Iterator[Match]:
    numbers = count()
    for met in encounters(chosen, bots, form):
        for leg in range(legs(form, mirror=chosen.mirror)):
            yield Match(next(numbers), met.cycle, leg, seats(met, leg))


def partners(matches: Iterable[Match]) -> Counter[frozenset[str]]:
    """How often two bots played together."""
    return Counter(
        frozenset((match.seats[one], match.seats[other]))
        for match in matches
        for one, other in SIDES
    )


def opponents(matches: Iterable[Match], form: Format) -> Counter[frozenset[str]]:
    """How often two bots played against each other."""
    return Counter(
        frozenset((match.seats[one], match.seats[other]))
        for match in matches
        for one, other in combinations(SEATS, 2)
        if form == "solo" or (one, other) not in SIDES
    )


def pairs_of(bots: Iterable[str]) -> list[frozenset[str]]:
    return [frozenset(pair) for pair in combinations(bots, 2)]


def sittings(matches: Iterable[Match | FinishedMatch]) -> Counter[tuple[str, Seat]]:
    """How often a bot had a seat."""
    return Counter((bot, seat) for match in matches for seat, bot in match.seats.items())


def seat_spread(matches: Iterable[Match | FinishedMatch]) -> int:
    """By how much a bot's counts of seats differ, of that bot where it is most."""
    had = sittings(matches)
    return max(spread(had[bot, seat] for seat in SEATS) for bot, _ in had)


def spread(counts: Iterable[int]) -> int:
    known = list(counts)
    return max(known) - min(known)
