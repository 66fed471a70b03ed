"""Which bots meet, how often and in which seats: plain data, numbered from 0.

A *pairing* is two bots. Each cycle holds every pairing once, as an *encounter*: two matches (legs)
on the same deals with the sides changed over, or one match where there is no mirror. What a match
is played with, deals and seats, depends on its own two bots and its cycle alone, so that a longer
list of bots or more rounds only add matches and change none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count

import msgspec
from msgspec import Struct

from protocol.cards import SEATS, Seat
from tournaments.config import ScheduleSettings

Pairing = tuple[str, str]


class ScheduledMatch(Struct, frozen=True):
    """One match that is to be played."""

    number: int
    """Its place in the schedule: 0, 1, ..."""
    cycle: int
    leg: int
    """0, and 1 for the same deals with the sides changed over."""
    seats: dict[Seat, str]
    """The label of the bot at each seat."""


def schedule(settings: ScheduleSettings, bots: Sequence[str]) -> Iterator[ScheduledMatch]:
    """Every match in order: by cycle, then by round of the circle, pairing and leg.

    `bots` are labels, each once, in the order of the tournament file.
    """
    numbers = count()
    for cycle in range(settings.rounds):
        for pairing in _pairings(settings, bots):
            for leg in range(_legs(settings)):
                yield ScheduledMatch(next(numbers), cycle, leg, _seats(pairing, cycle, leg))


def total(settings: ScheduleSettings, n_bots: int) -> int:
    """How many matches `schedule` gives for so many bots."""
    if settings.type == "gauntlet":
        challengers = len(set(settings.of))
        pairings = challengers * (n_bots - challengers)
    else:
        pairings = n_bots * (n_bots - 1) // 2
    return pairings * settings.rounds * _legs(settings)


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


def _legs(settings: ScheduleSettings) -> int:
    return 2 if settings.mirror else 1


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


def _seats(pairing: Pairing, cycle: int, leg: int) -> dict[Seat, str]:
    """The bot that plays NS, and the other EW.

    Which is which follows from the two labels and the cycle, not from places in the circle: those
    move when a bot is added, and every match played before would have to be played again.
    """
    ns, ew = sorted(pairing, reverse=bool((cycle + leg) % 2))
    return {"N": ns, "E": ew, "S": ns, "W": ew}
