"""A Swiss tournament: each round is drawn from the results so far, so that equals meet.

Bots are ranked by their results, and who stand next to each other play, but those who have met
before as little as can be. A draw depends on the finished matches alone: no clock, no chance.
"""

from collections import defaultdict
from collections.abc import Sequence
from copy import deepcopy
from typing import Final

from msgspec import Struct, field

from protocol.cards import SEATS
from protocol.messages import Side
from tournaments.files.vocabulary import Format
from tournaments.schedules.grouping import Group, grouped
from tournaments.schedules.schedule import Encounter, pair
from tournaments.schedules.seating import Seating
from tournaments.storage.results import FinishedMatch, margins, sides

WIN: Final = 6
"""What a match is worth: so that a third of it (one of three beaten) and a sixth (one of three is
level) are whole numbers."""


class Past(Struct):
    """What counts of one bot."""

    rounds: int = 0
    """In which it has played."""
    latest: int = -1
    """The last of them."""
    matches: int = 0
    gained: int = 0
    """WIN for each match won, a half for a draw; in solo play, a third for each bot beaten."""
    points: float = 0.0
    """Own ones less the opponents', of several their mean."""
    deals: int = 0
    met: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """In how many matches it was at a table with each other."""

    @property
    def score(self) -> float:
        """The share of its matches that it has won, as if it had drawn one more.

        That one puts who has played little, as it came late, near the middle; after equally many
        matches it changes no order.
        """
        return (self.gained + WIN / 2) / (self.matches + 1)

    @property
    def margin(self) -> float:
        """Points a deal."""
        return self.points / max(self.deals, 1)


class History:
    """What a draw depends on: the finished matches of the rounds before, in schedule order."""

    def __init__(self) -> None:
        self._past: defaultdict[str, Past] = defaultdict(Past)
        self.seating = Seating[str]()

    def of(self, bot: str) -> Past:
        """What counts of a bot."""
        return self._past[bot]

    def met(self, one: str, other: str) -> int:
        """In how many matches two bots were at a table."""
        return self._past[one].met.get(other, 0)

    def add(self, match: FinishedMatch) -> None:
        """Takes in the next match; its cycle is the round."""
        table = set(match.seats.values())
        for bot in table:
            past = self._past[bot]
            if match.cycle != past.latest:
                past.rounds, past.latest = past.rounds + 1, match.cycle
            for other in table - {bot}:
                past.met[other] += 1
        if match.leg == 0 and len(table) == len(SEATS):
            self.seating.add([match.seats[seat] for seat in SEATS])
        leads = margins(match)
        for bot, gained in _gained(match).items():
            past = self._past[bot]
            past.matches += 1
            past.gained += gained
            past.points += leads[bot]
            past.deals += match.deals


def draw(round_: int, bots: Sequence[str], history: History, form: Format) -> list[Encounter]:
    """The encounters of a round, 0, 1, ..., between the bots that take part in it.

    `bots` are labels in the order of the tournament file, which counts where results are equal.
    Those that are too many for full tables pause: who has played most rounds, of these the lowest.
    """
    ranked = sorted(bots, key=lambda bot: (-history.of(bot).score, -history.of(bot).margin))
    size = 2 if form == "pairs" else len(SEATS)
    playing = _without_pausing(ranked, history, len(ranked) % size)
    groups = grouped(playing, size, history.met)
    if form == "pairs":
        return [pair(group, round_) for group in groups]
    seating = deepcopy(history.seating)
    drawn = []
    for group in groups:
        for around in _tables(group, form):
            seated = seating.seat(around)
            seating.add(seated)
            drawn.append(Encounter(round_, seated))
    return drawn


def _tables(group: Group, form: Format) -> list[Group]:
    """What four play; nobody gains by a better partner, as everybody has every other once."""
    one, two, three, four = group
    if form == "solo":
        return [group]
    return [(one, two, four, three), (one, two, three, four), (one, three, two, four)]


def _without_pausing(ranked: Sequence[str], history: History, pausing: int) -> list[str]:
    """The others, in the same order."""
    rested = sorted(ranked, key=lambda bot: history.of(bot).rounds)
    playing = set(rested[: len(ranked) - pausing])
    return [bot for bot in ranked if bot in playing]


def _gained(match: FinishedMatch) -> dict[str, int]:
    """Bot -> of WIN, its share of a match; those for whom it says nothing are not in it."""
    players = sides(match)
    if match.offender is not None and len(set(match.seats.values())) == len(SEATS):
        return {match.seats[match.offender]: 0}
    shares = {}
    for side, bots in players.items():
        others = [other for other in players if other != side]
        beaten = sum(_half_points(match, side, other) for other in others)
        shares.update(dict.fromkeys(bots, beaten * WIN // (2 * len(others))))
    return shares


def _half_points(match: FinishedMatch, side: Side, other: Side) -> int:
    """2 for a side that has beaten the other, 1 if they are level."""
    if match.winner in (side, other):
        return 2 if match.winner == side else 0
    mine, theirs = match.score[side], match.score[other]
    return 1 + (mine > theirs) - (mine < theirs)
