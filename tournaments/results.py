"""What a run folder keeps, as values: the rows that `tournaments.reader` reads."""

from typing import Any, NamedTuple

from msgspec import Struct

from protocol.cards import Seat
from protocol.messages import EndReason, FaultKind, Side


class ScheduledRow(Struct, frozen=True):
    """A match that is to be played."""

    number: int
    """Its place in the schedule: 0, 1, ..."""
    key: str
    """What its result is kept under (`tournaments.schedule.match_key`)."""
    match: str
    """The id that bots are told."""
    cycle: int
    leg: int
    seats: dict[Seat, str]
    """The label of the bot at each seat."""


class FinishedMatch(Struct, frozen=True):
    """A match that was played, without what is long. `number` to `seats` as in ScheduledRow."""

    number: int
    match: str
    cycle: int
    leg: int
    seats: dict[Seat, str]
    winner: Side | None
    reason: EndReason
    forfeited: Side | None
    """The side that forfeited, if one did."""
    score: dict[Side, int]
    points: dict[Side, float]
    """Of all finished deals, a bag at its long-run worth."""
    deals: int
    """Finished ones."""
    faults: dict[Seat, dict[FaultKind, int]]


class StoredResult(Struct, frozen=True):
    """A match that is kept, whether or not the present schedule has it. Fields as in FinishedMatch.

    `cycle`, `leg` and `seats` are null where it is of an earlier version of a bot, or of a bot or a
    round that the tournament no longer has.
    """

    row: int
    match: str
    cycle: int | None
    leg: int | None
    seats: dict[Seat, str] | None
    winner: Side | None
    reason: EndReason
    forfeited: Side | None
    score: dict[Side, int]
    points: dict[Side, float]
    deals: int
    faults: dict[Seat, dict[FaultKind, int]]


class StoredTournament(Struct, frozen=True):
    """What a run folder says of itself."""

    name: str
    root: str
    """What all deals come from (`arena.deals`). It may hold the secret: never print it."""
    commitment: str | None
    """SHA-256 of the secret; null where there is a seed."""
    comparable: dict[str, Any]
    """The settings that make results comparable."""
    settings: dict[str, Any]
    """The other settings, as of the last run."""
    created: str
    """Date and time, ISO 8601, UTC."""


class StoredBot(Struct, frozen=True):
    """A version of a bot."""

    name: str
    version: int
    """1, 2, ...: a new one for each change of its files."""
    hash: str
    label: str
    """`name`, or `name@2` for a later version."""
    source: dict[str, Any]
    """What the tournament file says of it."""


class Counts(NamedTuple):
    """Matches of the present schedule."""

    scheduled: int
    finished: int
    void: int
    """Given up after GIVE_UP_AFTER tries."""
