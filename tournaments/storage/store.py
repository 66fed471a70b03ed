"""Keeps what a run plays: the only writer of a run folder's database, the only source of truth.

A match is either wholly in it, result and record in one transaction, or not at all. One process
holds a run folder; any number read meanwhile (`storage.reader`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from arena.deals import commitment
from arena.match import MatchResult
from protocol.cards import SEATS
from tournaments.errors import shown
from tournaments.storage import hold
from tournaments.storage.comparison import Incomparable, incomparable
from tournaments.storage.database import Database
from tournaments.storage.reader import Reader
from tournaments.storage.records import DATABASE
from tournaments.storage.results import ScheduledRow

_ID: Final = "(SELECT id FROM bots WHERE label = ?)"

_SCHEDULED: Final = "number, key, match, cycle, leg, n, e, s, w"


class Store(Reader):
    """A run folder that this process holds, to read and to write."""

    def __init__(self, folder: Path, database: Database, held: int | None = None) -> None:
        super().__init__(folder, database)
        self._held = held

    @classmethod
    def hold(cls, folder: Path) -> Self:
        """Makes the folder and the database where they are missing, and holds them.

        Raises ArenaError where another run holds the folder, and UserError where it can't be made
        or has something else in it. The hold ends with the process, however it dies.
        """
        hold.make(folder)
        held = hold.take(folder)
        try:
            return cls(folder, Database.to_write(folder / DATABASE), held)
        except BaseException:
            hold.release(held)
            raise

    @classmethod
    def on_trial(cls, folder: Path) -> Self:
        """What would become of a folder, held or not, which is left as it is: records are left out.

        Raises UserError where it could not be held for what it is.
        """
        if folder.exists():
            hold.refuse_strange(folder)
        return cls(folder, Database.to_try(folder / DATABASE))

    def close(self) -> None:
        """Closes the database, then ends the hold."""
        super().close()
        if self._held is not None:
            hold.release(self._held)
            self._held = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written within is written when it is left, or not at all."""
        with self._database.transaction():
            yield

    def begin(
        self, name: str, root: str, comparable: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> None:
        """Stores what is played, plain JSON data; a later run must play what is comparable.

        Raises Incomparable, which names the seed and every setting of `comparable` that has
        changed, with both values. What else has changed is for `change`.
        """
        if self.root is None:
            self._database.change(
                "INSERT INTO tournament VALUES (1, ?, ?, ?, ?, ?, ?, NULL, '', 0, 0)",
                (name, root, commitment(root), _json(comparable), _json(settings), _now()),
            )
            return
        before = self.tournament()
        if changed := incomparable(before.root, before.comparable, root, comparable):
            raise Incomparable(
                changed,
                "results would not be comparable with those in"
                f" {shown(self._folder)}; use another folder (-o) or put it back",
            )

    def change(self, name: str, settings: Mapping[str, Any]) -> None:
        """Stores what results may be compared across: of that the last run's is kept."""
        self._database.change(
            "UPDATE tournament SET name = ?, settings = ?", (name, _json(settings))
        )

    def register(
        self,
        bots: Sequence[tuple[str, str, Mapping[str, Any]]],
        withdrawn: Iterable[str] = (),
        disqualified: Iterable[str] = (),
    ) -> dict[str, str]:
        """Takes the bots that now play, as name, hash and source, and gives name -> label.

        A hash that the name has had before is that version of it; another is its next version.
        `withdrawn` and `disqualified` name bots that play no more.
        """
        with self._database.transaction():
            self._database.change("UPDATE bots SET status = 'absent'")
            for status, names in (
                ("withdrawn", withdrawn),
                ("disqualified", disqualified),
                ("superseded", [name for name, _, _ in bots]),
            ):
                self._database.change_for_each(
                    "UPDATE bots SET status = ? WHERE name = ?", ((status, name) for name in names)
                )
            return {name: self._register(name, hash_, source) for name, hash_, source in bots}

    def _register(self, name: str, hash_: str, source: Mapping[str, Any]) -> str:
        known = self._database.all("SELECT hash, label FROM bots WHERE name = ?", (name,))
        labels: dict[str, str] = dict(known)
        if hash_ not in labels:
            version = len(known) + 1
            labels[hash_] = name if version == 1 else f"{name}@{version}"
            self._database.change(
                "INSERT INTO bots (name, version, hash, label, source, status)"
                " VALUES (?, ?, ?, ?, '', 'playing')",
                (name, version, hash_, labels[hash_]),
            )
        self._database.change(
            "UPDATE bots SET status = 'playing', source = ? WHERE label = ?",
            (_json(source), labels[hash_]),
        )
        return labels[hash_]

    def set_schedule(
        self, rows: Iterable[ScheduledRow], entered: str, *, legs: int, rounds: int
    ) -> None:
        """Replaces the schedule by one that is all known before the first match.

        `entered` is kept with it. After it come the matches, retired, that bots which play no more
        have played in these `rounds`, where they are withdrawn or superseded and all `legs` of an
        encounter are finished: half of one is the luck of the deals. Every label must be
        registered.
        """
        with self._database.transaction():
            # Keys come in no order: an index made afterwards is sorted once, twice as fast.
            self._database.change("DROP INDEX IF EXISTS schedule_key")
            self._forget_schedule()
            self._insert("schedule", rows)
            self._database.change("CREATE UNIQUE INDEX schedule_key ON schedule (key)")
            self._database.change(
                "INSERT INTO schedule SELECT (SELECT coalesce(max(number), -1) FROM schedule)"
                " + row_number() OVER (ORDER BY cycle, low, high, leg),"
                " key, match, cycle, leg, n, e, s, w, 1 FROM retirable"
                " WHERE finished_legs = ? AND cycle < ?",
                (legs, rounds),
            )
            self._database.change(
                "UPDATE tournament SET entered = ?, drawn = 0, undrawn = 0", (entered,)
            )

    def cut_schedule(self, matches: int) -> None:
        """Leaves the first so many matches of a schedule, and those retired, until it is entered
        anew."""
        with self._database.transaction():
            self._database.change(f"DELETE FROM schedule WHERE number >= {matches} AND NOT retired")
            self._database.change("UPDATE tournament SET entered = ''")

    def keep_drawn(self, entered: str, rounds: int | None = None) -> None:
        """Schedules what now holds of all that results have drawn, or of the first `rounds`.

        That is what bots that play meet in, and whole encounters played by others that are ranked.
        Nothing holds of a schedule that was `entered` as another.
        """
        with self._database.transaction():
            if self.tournament().entered != entered:
                self._forget_schedule()
                self._database.change("UPDATE tournament SET entered = ?, drawn = 0", (entered,))
            within = "" if rounds is None else f" WHERE cycle < {rounds}"
            holding = f"(SELECT number FROM holding{within})"
            self._database.change(f"DELETE FROM schedule WHERE number NOT IN {holding}")
            self._database.change(
                f"INSERT INTO schedule SELECT {_SCHEDULED}, 0 FROM drawn"
                f" WHERE number IN {holding} AND number NOT IN (SELECT number FROM schedule)"
            )

    def add_round(self, rows: Iterable[ScheduledRow]) -> None:
        """Adds to a schedule the next round, or batch, that results have drawn."""
        with self._database.transaction():
            first = self.drawn_matches()
            self._insert("drawn", rows)
            self._database.change(
                f"INSERT INTO schedule SELECT {_SCHEDULED}, 0 FROM drawn WHERE number >= {first}"
            )
            self._database.change("UPDATE tournament SET drawn = drawn + 1")

    def set_undrawn(self, matches: int) -> None:
        """Says how many matches are still to be drawn, at most."""
        self._database.change("UPDATE tournament SET undrawn = ?", (matches,))

    def _forget_schedule(self) -> None:
        for table in ("schedule", "drawn"):
            self._database.change(f"DELETE FROM {table}")

    def _insert(self, table: str, rows: Iterable[ScheduledRow]) -> None:
        ids: dict[str, int] = dict(self._database.all("SELECT label, id FROM bots"))
        self._database.change_for_each(
            f"INSERT INTO {table} ({_SCHEDULED}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (r.number, r.key, r.match, r.cycle, r.leg, *(ids[r.seats[s]] for s in SEATS))
                for r in rows
            ),
        )

    def make_final(self) -> None:
        """Says that nothing more may be played, so that the secret may be known.

        Raises ArenaError where the secret is not the one that was committed to.
        """
        tournament = self.tournament()
        if commitment(tournament.root) != tournament.commitment:
            raise self.damaged("the secret", "its SHA-256 is not the one that was published")
        self._database.change("UPDATE tournament SET final = coalesce(final, ?)", (_now(),))

    def add(self, row: ScheduledRow, result: MatchResult) -> bool:
        """Keeps a finished match; False, and nothing is changed, where it is kept already."""
        columns = (
            row.key,
            row.match,
            row.cycle,
            row.leg,
            *(row.seats[seat] for seat in SEATS),
            result.winner,
            result.reason,
            result.forfeited,
            result.offender,
            _json(result.score),
            _json(result.points),
            result.deals,
            _json(result.faults),
            _json(result.logs),
            result.ms,
            _now(),
        )
        with self._database.transaction():
            added = self._database.change(
                "INSERT INTO matches VALUES"
                f" (?, ?, ?, ?, {_ID}, {_ID}, {_ID}, {_ID}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (key) DO NOTHING",
                columns,
            )
            if added:
                self._database.change("INSERT INTO records VALUES (?, ?)", (row.key, result.record))
        return added == 1

    def add_void(self, key: str, reason: str) -> int:
        """Notes that the arena failed a match, and returns how often it has since `forgive`.

        After GIVE_UP_AFTER tries the match is given up.
        """
        ((tries,),) = self._database.all(
            "INSERT INTO voids VALUES (?, 1, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET tries = tries + 1, reason = excluded.reason, time = excluded.time"
            " RETURNING tries",
            (key, reason, _now()),
        )
        return int(tries)

    def forgive(self) -> None:
        """Forgets the arena's failures: a new run tries again what an earlier one gave up."""
        self._database.change("DELETE FROM voids")


def _json(data: object) -> str:
    """Canonical: the same data give the same text."""
    return msgspec.json.encode(data, order="deterministic").decode()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
