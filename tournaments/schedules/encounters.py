"""The encounters that rows of finished matches make up, counted as the rows are read.

Whoever reads all rows anyway tells of each in passing: to read them twice would take twice as long.
Of rows that say the same, and most do, only the first is looked into.
"""

from functools import lru_cache
from typing import Final

import msgspec

from arena.rules import seats_of, sides
from protocol.cards import SEATS, Seat
from protocol.messages import Side
from tournaments.ratings.margin import Margin, Margins
from tournaments.ratings.meetings import Leg, Meeting, Meetings, Outcome
from tournaments.schedules.schedule import legs
from tournaments.storage.database import Row
from tournaments.storage.reader import Reader
from tournaments.storage.results import FinishedMatch, Team, leads, places

NUMBER, LEG, SEATING, WINNER, OFFENDER, SCORE, POINTS, DEALS = (
    FinishedMatch.__struct_fields__.index(name)
    for name in ("number", "leg", "seats", "winner", "offender", "score", "points", "deals")
)
"""Places in a row."""
MOST_KNOWN: Final = 50_000
"""Rows that say different things, remembered at a time."""


class Encounters:
    """The encounters of a run, from the rows of `Reader.finished_rows` in their order."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        stored = store.tournament()
        players = stored.players
        self._whole = legs(stored.form, mirror=stored.changing.schedule.mirror)
        """Legs of an encounter."""
        self._sides = list(sides(players))
        self._two_sides = len(self._sides) == 2
        self._meetings = Meetings(players)
        self._margins = Margins()
        self._leg = lru_cache(MOST_KNOWN)(self._look_into)
        self._teams = lru_cache(MOST_KNOWN)(self._seated)
        self._last = self._begun = -1
        self._legs: list[Leg] = []
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        """Takes in a row; nothing where it, or one that follows it, was taken in before.

        Raises Damaged where the row is, or one before it.
        """
        number, winner = row[NUMBER], row[WINNER]
        if number <= self._last:
            return
        # With two sides the score tells no more than the winner, and is nearly always another.
        score = None if winner is not None and self._two_sides else row[SCORE]
        try:
            leg = self._leg(row[SEATING], winner, row[OFFENDER], score)
            begun = number - row[LEG]
            if begun != self._begun:
                self._end()
                self._begun = begun
        except (msgspec.DecodeError, LookupError, ArithmeticError):
            for each in (*self._rows, row):
                self._store.finished_match(each)  # says what is damaged
            raise
        self._last = number
        self._legs.append(leg)
        self._rows.append(row)

    def meetings(self) -> list[Meeting]:
        """Those of all encounters that were taken in."""
        self._end()
        return self._meetings.all()

    def margins(self) -> dict[str, list[Margin]]:
        """Bot -> its margins at each table, of the encounters all of whose legs were taken in."""
        self._end()
        return self._margins.of_bots()

    def _end(self) -> None:
        if self._legs:
            self._meetings.count(tuple(self._legs))
            if len(self._rows) == self._whole:
                self._add_margins()
            self._legs.clear()
            self._rows.clear()

    def _add_margins(self) -> None:
        points: dict[Team, float] = {}
        for row in self._rows:
            teams = self._teams(row[SEATING])
            for side, lead in leads(msgspec.json.decode(row[POINTS])).items():
                points[teams[side]] = points.get(teams[side], 0.0) + lead
        self._margins.add(points, sum(row[DEALS] for row in self._rows))

    def _seated(self, seating: str) -> dict[Side, Team]:
        bots = msgspec.json.decode(seating, type=dict[Seat, str])
        return {
            side: tuple(sorted({bots[seat] for seat in seats_of(side)})) for side in self._sides
        }

    def _look_into(
        self, seating: str, winner: Side | None, offender: Seat | None, score: str | None
    ) -> Leg:
        """What a match says. Without a score the winner is before all others, who are level."""
        bots = msgspec.json.decode(seating, type=dict[Seat, str])
        of_sides = (
            dict.fromkeys(self._sides, 0)
            if score is None
            else msgspec.json.decode(score, type=dict[Side, int])
        )
        place = places(of_sides, winner)
        in_order = tuple([place[side] for side in self._sides])
        return self._meetings.leg(
            Outcome(tuple([bots[seat] for seat in SEATS]), in_order, offender)
        )
