"""Which bots meet, how often and in which seats: plain data, in an order that never changes.

An *encounter* is who plays on the same deals; its matches (legs) are the ways to turn the table:
two or four with a mirror, else one. A cycle is the encounters after which everybody has met whom it
is to meet; `docs/tournament.md` says how often for each format and schedule. More rounds only add
cycles and change none. In `pairs` more bots change no encounter either: what it is played with
depends on its own two bots and its cycle alone. Tables of four are a design for so many bots
(`schedules.designs`), so that one more bot makes other tables. What depends on results is drawn
bit by bit: Swiss rounds (`schedules.swiss`), adaptive batches (`schedules.adaptive`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import permutations
from math import ceil
from typing import Final

import msgspec
from msgspec import Struct

from protocol.cards import SEATS, Seat
from tournaments.files.vocabulary import Format
from tournaments.schedules.designs import Rotating, Solo
from tournaments.tournament import ScheduleSettings

Pairing = tuple[str, str]

MOST_COMPARED: Final = 500
"""Bots of an adaptive schedule, whose draws compare every two."""


class Encounter(Struct, frozen=True):
    """Who plays on the same deals."""

    cycle: int
    around: tuple[str, ...]
    """Labels clockwise from N in leg 0: two bots, each of which sits twice, opposite itself, or
    four."""


def encounters(
    settings: ScheduleSettings, bots: Sequence[str], form: Format = "pairs"
) -> Iterator[Encounter]:
    """Every encounter of a round robin or a gauntlet in order.

    `bots` are labels, each once, in the order of the tournament file. Raises ValueError for fewer
    than `least_bots`, and for what results draw.
    """
    if settings.type in ("swiss", "adaptive"):
        raise ValueError(f"the encounters of a schedule {settings.type!r} are drawn bit by bit")
    if len(bots) < least_bots(settings, form):
        raise ValueError(f"{len(bots)} bots are too few for a {settings.type} in {form}")
    challengers, others = _parted(settings, bots)
    if form == "pairs":
        return _pairs(settings, challengers, others)
    if form == "solo" and len(others) + bool(challengers) == len(SEATS):
        return _full_tables(settings, challengers, others)
    return _developed(settings, challengers, others, form)


def legs(form: Format, *, mirror: bool) -> int:
    """The matches of an encounter: with a mirror, one for each way to seat it."""
    if not mirror:
        return 1
    return 4 if form == "solo" else 2


def seats(encounter: Encounter, leg: int) -> dict[Seat, str]:
    """The label of the bot at each seat: each leg turns the table by a seat.

    Of two against two, leg 1 has the sides changed over.
    """
    around = encounter.around
    return {seat: around[(i + leg) % len(around)] for i, seat in enumerate(SEATS)}


def least_bots(settings: ScheduleSettings, form: Format) -> int:
    """How many bots the schedule needs."""
    table = 2 if form == "pairs" else len(SEATS)
    return table - 1 + len(set(settings.of)) if settings.type == "gauntlet" else table


def total(settings: ScheduleSettings, n_bots: int, form: Format = "pairs") -> int:
    """How many matches the schedule has for so many bots, at least `least_bots`.

    Of an adaptive one, how many it has at most.
    """
    cycle = {
        "round_robin": _in_round_robin,
        "gauntlet": _in_gauntlet,
        "swiss": _in_swiss,
        "adaptive": _in_round_robin,
    }
    of_cycle = cycle[settings.type](settings, n_bots, form)
    return of_cycle * settings.rounds * legs(form, mirror=settings.mirror)


def match_key(
    comparable: bytes,
    deal_key: str,
    cycle: int,
    leg: int,
    players: Mapping[Seat, tuple[str, str]],
) -> str:
    """What a result is kept under: SHA-256, in hex, over all that makes it this match and no other.

    `comparable`: a digest of the settings that make results comparable; `deal_key`: of the
    encounter (`arena.deals`); `players`: seat -> label and hash of the bot. Neither the list of
    bots nor the number of rounds is part of it.
    """
    seated = [[seat, *players[seat]] for seat in SEATS]
    parts = ["spades-arena match 1", comparable.decode(), deal_key, cycle, leg, seated]
    return sha256(msgspec.json.encode(parts)).hexdigest()


def match_id(key: str) -> str:
    """What bots are told a match is, and people call it by."""
    return key[:16]


def _in_round_robin(settings: ScheduleSettings, bots: int, form: Format) -> int:
    """Encounters of a cycle."""
    if form == "solo":
        # Six pairs meet at a table, and each pair is to meet once on average.
        return 1 if bots == len(SEATS) else bots * ceil((bots - 1) / 12)
    pairs = bots * (bots - 1) // 2
    if form == "pairs":
        return pairs
    return pairs if pairs % 2 else pairs // 2


def _in_gauntlet(settings: ScheduleSettings, bots: int, form: Format) -> int:
    challengers = len(set(settings.of))
    others = bots - challengers
    if form == "solo" and others + 1 == len(SEATS):
        return challengers
    return challengers * others


def _in_swiss(settings: ScheduleSettings, bots: int, form: Format) -> int:
    if form == "pairs":
        return bots // 2
    return bots // len(SEATS) * (3 if form == "rotating" else 1)


def _parted(settings: ScheduleSettings, bots: Sequence[str]) -> tuple[list[str], list[str]]:
    """Challengers of a gauntlet and all others."""
    of = settings.of if settings.type == "gauntlet" else ()
    challengers: list[str] = []
    others: list[str] = []
    for bot in bots:
        # `of` names bots as the file does, without the number of their version.
        (challengers if bot.partition("@")[0] in of else others).append(bot)
    return challengers, others


def _pairs(
    settings: ScheduleSettings, challengers: Sequence[str], others: Sequence[str]
) -> Iterator[Encounter]:
    for cycle in range(settings.rounds):
        met = _gauntlet(challengers, others) if challengers else _round_robin(others)
        for pairing in met:
            yield pair(pairing, cycle)


def pair(pairing: Iterable[str], cycle: int) -> Encounter:
    """The encounter of two bots, who sit the other way in the next cycle."""
    first, second = sorted(pairing)
    return Encounter(cycle, (second, first) if cycle % 2 else (first, second))


def _round_robin(bots: Iterable[str]) -> Iterator[Pairing]:
    """The circle method: one bot stays, the others move on by a place, until all have met."""
    ring: list[str | None] = list(bots)
    if len(ring) % 2:
        ring.append(None)  # whoever meets it pauses
    for _ in range(len(ring) - 1):
        for one, other in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
            if one is not None and other is not None:
                yield one, other
        ring.insert(1, ring.pop())


def _gauntlet(challengers: Sequence[str], others: Sequence[str]) -> Iterator[Pairing]:
    """Two lists that move past each other, so that no bot is paired again before the others."""
    few, many = sorted((challengers, others), key=len)
    for offset in range(len(many)):
        for i, bot in enumerate(few):
            yield bot, many[(i + offset) % len(many)]


def _full_tables(
    settings: ScheduleSettings, challengers: Sequence[str], others: Sequence[str]
) -> Iterator[Encounter]:
    """Solo play where there is one table only: of all, or of a challenger and all others.

    Who sits beside whom changes when the table has gone around once, so that nobody always has the
    same neighbour before it.
    """
    whole = len(SEATS) // legs("solo", mirror=settings.mirror)
    for cycle in range(settings.rounds):
        for number, challenger in enumerate(challengers or (None,)):
            first, *rest = sorted(others if challenger is None else [challenger, *others])
            orders = list(permutations(rest))
            around = (first, *orders[cycle // whole % len(orders)])
            turn = (cycle + number) % len(SEATS)
            yield Encounter(cycle, around[turn:] + around[:turn])


def _developed(
    settings: ScheduleSettings, challengers: Sequence[str], others: Sequence[str], form: Format
) -> Iterator[Encounter]:
    """Tables of four by a design, whose places are the bots in their order, challengers last."""
    bots = [*others, *challengers]
    design = (Solo if form == "solo" else Rotating)(len(bots), len(challengers))
    for cycle in range(settings.rounds):
        for table in design.cycle():
            yield Encounter(cycle, tuple([bots[place] for place in table]))
