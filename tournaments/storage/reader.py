"""Reads what a run folder keeps: tournament, bots, schedule, results, records.

Nothing here keeps more than a page of matches in memory, and all that is in schedule order stays
right while results are added.
"""

import os
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from protocol.cards import SEATS
from protocol.rules import Players
from tournaments.errors import UserError, shown
from tournaments.storage.database import Database, Row
from tournaments.storage.entered import GIVE_UP_AFTER, Entered
from tournaments.storage.records import DATABASE
from tournaments.storage.results import (
    Counts,
    FinishedMatch,
    ScheduledRow,
    misfit,
)

MOST_TABLES: Final = 10_000
"""Tables of four bots whose seats are remembered in words."""
_PAGE: Final = "WHERE number > ? ORDER BY number LIMIT ?"

_SEATS: Final = "json_object({})".format(
    ", ".join(f"'{seat}', (SELECT label FROM bots WHERE id = {seat.lower()})" for seat in SEATS)
)
"""Of a row with the ids of four bots: seat -> label."""

_NUMBERS: Final = "(SELECT number, key FROM schedule)"

_BEFORE, _AFTER = (
    "matches.match, matches.cycle, matches.leg",
    "winner, reason, forfeited, offender, score, points, deals, faults",
)
_RESULT: Final = f"{_BEFORE}, {_SEATS} AS seats, {_AFTER}"


_FINISHED: Final = "key IN (SELECT key FROM matches)"
"""Of a whole schedule it is found from index to index, in the order of the keys: in any other each
look for a key goes somewhere else in the file, which takes five times as long."""

_COUNTS: Final = f"""
    SELECT
        (SELECT count(*) FROM schedule),
        (SELECT count(*) FROM schedule WHERE {_FINISHED}),
        (SELECT count(*) FROM voids CROSS JOIN schedule USING (key)
            WHERE tries >= ? AND NOT {_FINISHED}),
        (SELECT count(*) FROM schedule WHERE retired),
        coalesce((SELECT undrawn FROM tournament), 0)
"""


class Reader(Entered):
    """An open run folder. Close it, or use `with`.

    Any method raises ArenaError where the disk or the database fails.
    """

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Opens a run for reading, also while it goes on, and sees it as it is at this moment.

        Raises UserError where there is no run.
        """
        path = folder / DATABASE
        if os.access(path, os.R_OK):
            reader = cls(folder, Database.to_read(path))
            if reader.begun:
                return reader
            reader.close()
        raise UserError(f"there is no run in {shown(folder)}: name a folder that `run` has filled")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the use of the folder."""
        self._database.close()

    def copy_to(self, path: Path) -> None:
        """Writes a copy of the whole database, as it is seen here, to a new file."""
        self._database.copy_to(path)

    @cached_property
    def _players(self) -> Players:
        return self.tournament().players

    def counts(self) -> Counts:
        """How far the present schedule is."""
        row = self._database.one(_COUNTS, (GIVE_UP_AFTER,))
        assert row is not None
        known, finished, void, retired, undrawn = row
        return Counts(known - retired + undrawn, finished - retired, void, retired)

    def newest(self) -> str | None:
        """The latest date of a match, ISO 8601, UTC, as the clock was then; None before the first.

        It is looked for among all that are kept.
        """
        ((newest,),) = self._database.all("SELECT max(finished) FROM matches")
        return None if newest is None else str(newest)

    def left_out(self) -> int:
        """How many finished matches count for nobody, though no bot in them is disqualified."""
        (left_out,) = self._database.one(
            "SELECT count(*) FROM matches WHERE key NOT IN (SELECT key FROM schedule) AND NOT"
            " (SELECT max(status = 'disqualified') FROM bots WHERE id IN (n, e, s, w))"
        ) or (0,)
        return int(left_out)

    def measured(self) -> tuple[int, float]:
        """How many matches are kept, whoever played them, and the mean of their milliseconds."""
        matches, ms = self._database.one("SELECT count(*), avg(ms) FROM matches") or (0, None)
        return matches, ms or 0.0

    def missing(self) -> Iterator[ScheduledRow]:
        """What was neither played nor given up, in schedule order, each once."""
        for row in self._database.pages(
            f"SELECT number, key, match, cycle, leg, {_SEATS} FROM schedule"
            " LEFT JOIN (SELECT key, 1 AS played FROM matches) USING (key)"
            " LEFT JOIN voids USING (key)"
            " WHERE number > ? AND played IS NULL"
            f" AND coalesce(tries, 0) < {GIVE_UP_AFTER} ORDER BY number LIMIT ?"
        ):
            yield self._value(ScheduledRow, row)

    def unfinished(self, after: int = -1) -> Iterator[int]:
        """The numbers of scheduled matches that are not finished, given up or not, in order.

        Those above the number `after`.
        """
        for (number,) in self._database.pages(
            "SELECT number FROM schedule LEFT JOIN (SELECT key, 1 AS played FROM matches)"
            " USING (key) WHERE number > ? AND played IS NULL ORDER BY number LIMIT ?",
            after,
        ):
            yield number

    def finished(self) -> Iterator[FinishedMatch]:
        """The finished matches of the present schedule, in its order; then those retired."""
        return map(self.finished_match, self.finished_rows())

    def finished_rows(self, after: int = -1) -> Iterator[Row]:
        """`finished` as it is stored, above the number `after`: fast to read, and to compare.

        The number comes first. `finished_match` makes sense of a row.
        """
        labels = self._labels()

        @lru_cache(MOST_TABLES)  # the database would look for each label again in each row
        def seats(*ids: int) -> str:
            return msgspec.json.encode(dict(zip(SEATS, map(labels.get, ids), strict=True))).decode()

        # Without an end the last page would be looked for through all that is still to be played.
        ((last,),) = self._database.all(
            f"SELECT coalesce(max(number), -1) FROM schedule WHERE {_FINISHED}"
        )
        played = f"(SELECT number, key FROM schedule WHERE number <= {last})"
        columns = f"{_BEFORE}, n, e, s, w, {_AFTER}"
        for row in self._database.pages(
            f"SELECT number, {columns} FROM {played} JOIN matches USING (key) {_PAGE}", after
        ):
            yield (*row[:4], seats(*row[4:8]), *row[8:])

    def finished_match(self, row: Row) -> FinishedMatch:
        """The match of one of `finished_rows`. Raises Damaged where it can't be one."""
        match = self._value(FinishedMatch, row)
        if wrong := misfit(match, self._players):
            raise self.damaged(f"the result of match {match.match}", wrong)
        return match

    def kept_rows(self) -> Iterator[tuple[str, Row, float, str]]:
        """Every match that is kept, scheduled or not, in the order they were added, as stored.

        Its key, a row for `finished_match`, its milliseconds, and when it was finished.
        """
        for _, key, ms, finished, *row in self._database.pages(
            f"SELECT matches.rowid, key, ms, finished, coalesce(number, -1), {_RESULT}"
            f" FROM matches LEFT JOIN {_NUMBERS} USING (key)"
            " WHERE matches.rowid > ? ORDER BY matches.rowid LIMIT ?"
        ):
            yield key, tuple(row), ms, finished

    def records(self) -> Iterator[tuple[str, bytes]]:
        """Id and record of what `finished` gives."""
        for _, match, packed in self._database.pages(
            "SELECT number, matches.match, record"
            " FROM schedule JOIN matches USING (key) LEFT JOIN records USING (key)"
            f" {_PAGE}"
        ):
            yield match, self._unpacked(match, packed)
