"""Which bots meet, how often and in which seats: plain data, numbered from 0.

A *pairing* is two bots. Each cycle holds every pairing once, as an *encounter*: two matches (legs)
on the same deals with the sides changed over, or one match where there is no mirror. In solo play
an encounter is four bots, and its legs are the four ways to turn the table. What a match
is played with, deals and seats, depends on its own two bots and its cycle alone, so that a longer
list of bots or more rounds only add matches and change none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import permutations

import msgspec
from msgspec import Struct

from protocol.cards import SEATS, Seat
from tournaments.tournament import Format, ScheduleSettings

Pairing = tuple[str, str]


class Encounter(Struct, frozen=True):
    """Who plays on the same deals."""

    cycle: int
    around: tuple[str, ...]
    """Labels clockwise from N in leg 0: of two bots, each opposite itself, or of four."""


def encounters(
    settings: ScheduleSettings, bots: Sequence[str], form: Format = "pairs"
) -> Iterator[Encounter]:
    """Every encounter in order: by cycle, then by round of the circle."""
    played = legs(form, mirror=settings.mirror)
    for cycle in range(settings.rounds):
        round_ = cycle * played // len(SEATS)
        for met in _encounters(settings, bots, form):
            around = _seats(met, cycle, round_)
            yield Encounter(cycle, tuple(around[s] for s in SEATS))


def seats(encounter: Encounter, leg: int) -> dict[Seat, str]:
    around = encounter.around
    return {seat: around[(i + leg) % len(around)] for i, seat in enumerate(SEATS)}


def legs(form: Format, *, mirror: bool) -> int:
    """The matches of an encounter: with a mirror, one for each way to seat it."""
    if not mirror:
        return 1
    return 4 if form == "solo" else 2


def total(settings: ScheduleSettings, n_bots: int, form: Format = "pairs") -> int:
    """How many matches `schedule` gives for so many bots."""
    if form == "solo":
        encounters = 1
    elif settings.type == "gauntlet":
        challengers = len(set(settings.of))
        encounters = challengers * (n_bots - challengers)
    else:
        encounters = n_bots * (n_bots - 1) // 2
    return encounters * settings.rounds * legs(form, mirror=settings.mirror)


def match_key(
    comparable: bytes,
    deal_key: str,
    cycle: int,
    leg: int,
    players: Mapping[Seat, tuple[str, str]],
) -> str:
    """What a result is kept under: SHA-256, in hex, over all that makes it this match and no other.

    `comparable`: canonical JSON of the settings that make results comparable; `deal_key`: of the
    encounter (`arena.deals`); `players`: seat -> label and hash of the bot. Neither the list of
    bots nor the number of rounds is part of it.
    """
    seated = [[seat, *players[seat]] for seat in SEATS]
    parts = ["spades-arena match 1", comparable.decode(), deal_key, cycle, leg, seated]
    return sha256(msgspec.json.encode(parts)).hexdigest()


def _encounters(
    settings: ScheduleSettings, bots: Sequence[str], form: Format
) -> Iterator[Sequence[str]]:
    """Who meets in one cycle."""
    if form == "solo":
        return iter([bots])
    return _pairings(settings, bots)


def _pairings(settings: ScheduleSettings, bots: Sequence[str]) -> Iterator[Pairing]:
    """The pairings of one cycle."""
    if settings.type == "round_robin":
        return _round_robin(bots)
    challengers: list[str] = []
    others: list[str] = []
    for bot in bots:
        # `of` names bots as the file does, without the number of their version.
        name = bot.partition("@")[0]
        (challengers if name in settings.of else others).append(bot)
    return _gauntlet(challengers, others)


def _round_robin(bots: Iterable[str]) -> Iterator[Pairing]:
    """The circle method: one bot stays, the others move on by a place from round to round."""
    ring: list[str | None] = list(bots)
    if len(ring) % 2:
        ring.append(None)  # whoever meets it pauses
    for _ in range(len(ring) - 1):
        for one, other in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
            if one is not None and other is not None:
                yield one, other
        ring.insert(1, ring.pop())


def _gauntlet(challengers: Sequence[str], others: Sequence[str]) -> Iterator[Pairing]:
    """Two lists that move past each other: no bot is paired twice in a round."""
    few, many = sorted((challengers, others), key=len)
    for offset in range(len(many)):
        for i, bot in enumerate(few):
            yield bot, many[(i + offset) % len(many)]


def _seats(met: Sequence[str], turn: int, round_: int) -> dict[Seat, str]:
    """Who sits where: the labels around the table, moved on by `turn` seats.

    Two bots sit twice, opposite themselves. Of four, who sits beside whom changes with `round_`, so
    that nobody always has the same neighbour before it. All follows from the labels and the cycle,
    not from places in the circle: those move when a bot is added, and every match played before
    would have to be played again.
    """
    first, *others = sorted(met)
    orders = list(permutations(others))
    around = [first, *orders[round_ % len(orders)]]
    return {seat: around[(i + turn) % len(around)] for i, seat in enumerate(SEATS)}
