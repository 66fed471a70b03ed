"""Reads what is entered into a run folder to be played: tournament, bots, schedule, draws."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from tournaments.storage.database import Row
from tournaments.storage.records import Records
from tournaments.storage.results import Described, StoredBot, StoredTournament

GIVE_UP_AFTER: Final = 3
"""Tries of a match that the arena fails, within one run."""
S = TypeVar("S", bound=Struct)


_ROW: Final = "key, match, cycle, leg, n, e, s, w"

_WRONGLY_RETIRED: Final = f"""
    WITH due AS (
        SELECT row_number() OVER (ORDER BY cycle, low, high, leg) AS place, {_ROW} FROM retirable
        WHERE finished_legs = :legs AND cycle < :rounds
    ), found AS (
        SELECT row_number() OVER (ORDER BY number) AS place, {_ROW} FROM schedule WHERE retired
    )
    SELECT max(
        (SELECT count(*) FROM (SELECT * FROM due EXCEPT SELECT * FROM found)),
        (SELECT count(*) FROM (SELECT * FROM found EXCEPT SELECT * FROM due)),
        (SELECT count(*) FROM schedule
            WHERE retired AND number < (SELECT max(number) FROM schedule WHERE NOT retired))
    )
"""

_STRAYS: Final = {
    "{} matches stand before the first of the schedule": (
        "SELECT count(*) FROM schedule WHERE number < 0"
    ),
    "{} matches stand before the first that was drawn": (
        "SELECT count(*) FROM drawn WHERE number < 0"
    ),
    # Rows are numbered as they are added, and none is ever deleted.
    "{} finished matches were deleted": (
        "SELECT coalesce(max(rowid) - count(*), 0) FROM matches WHERE rowid > 0"
    ),
    "{} finished matches stand before the first": "SELECT count(*) FROM matches WHERE rowid <= 0",
    "{} rows are of bots or matches that are not there": (
        "SELECT count(*) FROM pragma_foreign_key_check"
    ),
    "{} matches could not be played that are not in the schedule": (
        "SELECT count(*) FROM voids WHERE key NOT IN (SELECT key FROM schedule)"
    ),
    "{} matches that could not be played were not tried once to " + f"{GIVE_UP_AFTER} times": (
        f"SELECT count(*) FROM voids WHERE tries NOT BETWEEN 1 AND {GIVE_UP_AFTER}"
    ),
}
"""Sentence -> what counts it."""


class Entered(Records):
    """That of an open run folder."""

    @property
    def begun(self) -> bool:
        """Whether `begin` has stored a tournament."""
        return self._database.one("SELECT 1 FROM tournament") is not None

    @property
    def root(self) -> str | None:
        """What all deals come from (`arena.deals`), or None before `begin`. Never print it."""
        return self.tournament().root if self.begun else None

    def tournament(self) -> StoredTournament:
        """What `begin` has stored. Its settings are sound, by type and bounds."""
        row = self._database.one(
            "SELECT name, root, commitment, comparable, settings, created, final, entered, drawn,"
            " undrawn FROM tournament"
        )
        assert row is not None
        stored = self._value(StoredTournament, row)
        try:
            _ = stored.compared, stored.changing
        except (msgspec.ValidationError, RecursionError) as error:
            raise self.damaged("the settings", error) from error
        return stored

    def bots(self) -> list[StoredBot]:
        """Every version of every bot that was ever in the tournament file, first come first."""
        rows = self._database.all(
            "SELECT name, version, hash, label, source, status FROM bots ORDER BY id"
        )
        bots = [self._value(StoredBot, row) for row in rows]
        for bot in bots:
            try:
                msgspec.convert(bot.source, Described)
            except (msgspec.ValidationError, RecursionError) as error:
                raise self.damaged(f"what is kept of bot {bot.label}", error) from error
        return bots

    def drawn_matches(self) -> int:
        """How many matches results have drawn, and so the number of the next one."""
        ((matches,),) = self._database.all("SELECT count(*) FROM drawn")
        return int(matches)

    def drawn_encounters(self) -> Iterator[tuple[str, str, int]]:
        """How many encounters results have drawn of each two bots, in `pairs`: for each way to sit
        in leg 0, who sits at N, who at E, and how many."""
        labels = self._labels()
        for one, other, encounters in self._database.all(
            "SELECT n, e, count(*) FROM drawn WHERE leg = 0 GROUP BY n, e"
        ):
            yield self._label(labels, one), self._label(labels, other), encounters

    def drawn_cycles(self) -> int:
        """In how many cycles, which in a Swiss tournament are rounds."""
        ((cycles,),) = self._database.all("SELECT count(DISTINCT cycle) FROM drawn")
        return int(cycles)

    def scheduled_rows(self) -> Iterator[Row]:
        """The schedule in its order, without what is retired: number, key, match, cycle, leg, and
        the label of the bot at each seat, None where there is none."""
        return self._labelled("schedule WHERE NOT retired AND")

    def drawn_rows(self) -> Iterator[Row]:
        """All that results have drawn, as in `scheduled_rows`."""
        return self._labelled("drawn WHERE")

    def holding_rows(self, rounds: int | None) -> Iterator[Row]:
        """What now holds of that, or of the first `rounds`."""
        within = "" if rounds is None else f" cycle < {rounds} AND"
        return self._labelled(f"holding WHERE{within}")

    def wrongly_retired(self, legs: int, rounds: int) -> int:
        """How many matches are retired that are not to be, as `Store.set_schedule` says, or are not
        and should."""
        ((wrong,),) = self._database.all(_WRONGLY_RETIRED, {"legs": legs, "rounds": rounds})
        return int(wrong)

    def strays(self) -> Iterator[str]:
        """What has lost its place in the tables, in sentences."""
        for sentence, count in _STRAYS.items():
            ((found,),) = self._database.all(count)
            if found:
                yield sentence.format(found)

    def _labelled(self, of: str) -> Iterator[Row]:
        labels = self._labels()
        columns = "number, key, match, cycle, leg, n, e, s, w"
        for row in self._database.pages(
            f"SELECT {columns} FROM {of} number > ? ORDER BY number LIMIT ?"
        ):
            yield (*row[:5], *map(labels.get, row[5:]))

    def _labels(self) -> dict[int, str]:
        return dict(self._database.all("SELECT id, label FROM bots"))

    def _label(self, labels: Mapping[int, str], id_: int) -> str:
        if id_ not in labels:
            raise self.damaged("the bots", f"there is none with the id {id_}")
        return labels[id_]

    def _value(self, kind: type[S], row: Row) -> S:
        """A row as a value: columns in the order of the fields, a dict as JSON text."""
        try:
            values = {
                name: msgspec.json.decode(column) if is_dict and column is not None else column
                for (name, is_dict), column in zip(_fields(kind), row, strict=True)
            }
            return msgspec.convert(values, kind)
        except (msgspec.DecodeError, RecursionError) as error:
            raise self.damaged(f"a row of {kind.__name__}", error) from error


@cache
def _fields(kind: type[Struct]) -> list[tuple[str, bool]]:
    """The fields of a struct, and which of them are dicts, or null."""
    return [
        (field.name, any(get_origin(each) is dict for each in (field.type, *get_args(field.type))))
        for field in msgspec.structs.fields(kind)
    ]
