"""What a run folder keeps, as values: the rows that `storage.reader` reads."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from arena.events import Clocks, FaultPolicy
from arena.rules import seats_of
from arena.rules import sides as sides_by
from arena.sandbox import Sandbox
from protocol.cards import SEATS, Seat
from protocol.messages import EndReason, FaultKind, Side
from protocol.rules import Players, Rules
from tournaments.files.vocabulary import Format
from tournaments.tournament import RatingSettings, ScheduleSettings

if TYPE_CHECKING:
    from arena.match import MatchResult

Status = Literal["playing", "withdrawn", "superseded", "disqualified", "absent"]
"""What a version of a bot is in its tournament:

- playing
- withdrawn: it plays no more, by the tournament file; what it has played counts
- superseded: its files have changed, and the next version plays; what it has played counts
- disqualified: it plays no more, and what it has played does not count
- absent: the file does not name it; what it has played does not count
"""


Ascii = Annotated[str, Meta(pattern=r"^[ -~]+\Z")]
Number = Annotated[int, Meta(ge=0)]

Team = tuple[str, ...]
"""The bots of a side, each once, sorted."""


class ScheduledRow(Struct, frozen=True):
    """A match that is to be played."""

    number: int
    """Its place in the schedule: 0, 1, ..."""
    key: str
    """What its result is kept under (`schedules.schedule.match_key`)."""
    match: str
    """The id that bots are told."""
    cycle: int
    leg: int
    seats: dict[Seat, str]
    """The label of the bot at each seat."""


class FinishedMatch(Struct, frozen=True):
    """A match that was played, without what is long. `number` to `seats` as in ScheduledRow."""

    number: int
    """-1 where the present schedule does not have it."""
    match: str
    cycle: int
    leg: int
    seats: dict[Seat, str]
    winner: Side | None
    reason: EndReason
    forfeited: Side | None
    """The side that forfeited, if one did."""
    offender: Seat | None
    """The seat whose fault it was."""
    score: dict[Side, int]
    points: dict[Side, float]
    """Of all finished deals, a bag at its long-run worth."""
    deals: Number
    """Finished ones."""
    faults: dict[Seat, dict[FaultKind, Number]]


def as_finished(row: ScheduledRow, result: "MatchResult") -> FinishedMatch:
    """A match that has ended, as it is read once it is kept."""
    return FinishedMatch(
        **{name: getattr(row, name) for name in _OF_ROW},
        **{name: getattr(result, name) for name in _OF_RESULT},
    )


_OF_ROW: Final = ("number", "match", "cycle", "leg", "seats")
_OF_RESULT: Final = FinishedMatch.__struct_fields__[len(_OF_ROW) :]


def misfit(match: FinishedMatch, players: Players) -> str | None:
    """What of a match is none of those that play so, as a sentence."""
    among = set(sides_by(players))
    if set(match.seats) != set(SEATS):
        return "a match has a bot at each of the four seats"
    if not match.score.keys() == match.points.keys() == among:
        return f"score and points are those of the sides {', '.join(sorted(among))}"
    if not {match.winner, match.forfeited} <= {*among, None}:
        return f"who has won or forfeited is one of the sides {', '.join(sorted(among))}"
    return None


def sides(match: FinishedMatch) -> dict[Side, tuple[str, ...]]:
    """Side -> its bots, each once."""
    return {
        side: tuple(dict.fromkeys(match.seats[seat] for seat in seats_of(side)))
        for side in match.score
    }


def places(score: Mapping[Side, int], winner: Side | None) -> dict[Side, int]:
    """Side -> its place by score, 0 the best; a winner is before all others, whatever its score."""
    order = sorted(set(score.values()), reverse=True)
    return {side: -1 if side == winner else order.index(score[side]) for side in score}


def leads(points: Mapping[Side, float]) -> dict[Side, float]:
    """Side -> its points less the opponents', of several opposing sides their mean."""
    total, others = sum(points.values()), len(points) - 1
    return {side: own - (total - own) / others for side, own in points.items()}


def margins(match: FinishedMatch) -> dict[str, float]:
    """Bot -> its side's points less the opponents'."""
    lead = leads(match.points)
    return {bot: lead[side] for side, bots in sides(match).items() for bot in bots}


class Comparable(Struct, frozen=True):
    """The settings that make results comparable (`schedules.scheduler.comparable`)."""

    format: Format
    rules: Rules
    clock: Clocks = Clocks()
    faults: FaultPolicy = FaultPolicy()
    sandbox: Sandbox = Sandbox("none")
    cores: int = 1

    def __post_init__(self) -> None:
        if (self.format == "solo") != (self.rules.players == "solo"):
            raise ValueError(f"rules for {self.rules.players} in the format {self.format}")


class Entrants(Struct, frozen=True):
    """Who takes part, by the tournament file: names, in its order."""

    bots: list[str] = []
    """Also those that have left, where the file still has them: they keep their places."""
    withdrawn: list[str] = []
    disqualified: list[str] = []


class ChangingSettings(Struct, frozen=True):
    """The settings that may change from run to run."""

    schedule: ScheduleSettings = ScheduleSettings()
    rating: RatingSettings = RatingSettings()
    entrants: Entrants = Entrants()


class StoredTournament(Struct, frozen=True):
    """What a run folder says of itself."""

    name: str
    root: Annotated[str, Meta(pattern=r"^(seed [0-9]{1,19}|secret [0-9a-f]{32})\Z")]
    """What all deals come from (`arena.deals`). It may hold the secret: never print it."""
    commitment: str | None
    """SHA-256 of the secret; null where there is a seed."""
    comparable: dict[str, Any]
    """The settings that make results comparable."""
    settings: dict[str, Any]
    """The other settings, as of the last run."""
    created: str
    """Date and time, ISO 8601, UTC."""
    final: str | None
    """When it became final, so that nothing more may be played; null before."""
    entered: str
    """A digest of all that the schedule was made of (`schedules.scheduler`)."""
    drawn: int
    """Rounds that results have drawn."""
    undrawn: int = 0
    """Matches of the rounds that are still to be drawn, at most."""

    @property
    def compared(self) -> Comparable:
        """`comparable` by types. Raises ValidationError."""
        return msgspec.convert(self.comparable, Comparable)

    @property
    def changing(self) -> ChangingSettings:
        """`settings` by types. Raises ValidationError."""
        return msgspec.convert(self.settings, ChangingSettings)

    @property
    def players(self) -> Players:
        """For whom the rules are."""
        return self.compared.rules.players

    @property
    def form(self) -> Format:
        """The format."""
        form: Format = self.comparable["format"]
        return form

    def complete(self, scheduled: int, finished: int) -> bool:
        """Whether all is played; not while the bots are built, before there is a schedule."""
        return scheduled == finished and bool(scheduled or self.entered)


class Described(Struct, frozen=True):
    """What the tournament file says of a bot, as far as it is run by that once more."""

    command: list[str] = []
    env: dict[str, str] | None = None
    build: list[str] | None = None
    folder: str | None = None


class StoredBot(Struct, frozen=True):
    """A version of a bot."""

    name: str
    version: int
    """1, 2, ...: a new one for each change of its files."""
    hash: str
    label: Ascii
    """`name`, or `name@2` for a later version."""
    source: dict[str, Any]
    """What the tournament file says of it: `Described`, and what is for people alone."""
    status: Status


class Counts(NamedTuple):
    """Matches, by the present schedule."""

    scheduled: int
    """Those that are still to be drawn among them."""
    finished: int
    void: int
    """Given up after GIVE_UP_AFTER tries."""
    retired: int = 0
    """Finished ones beside the schedule, of bots that play no more and are still ranked."""
