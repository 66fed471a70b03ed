"""The records of a run folder: found by the beginning of an id, and unpacked."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from arena.record import BadRecord
from protocol.cards import Seat
from protocol.codec import printable
from tournaments.errors import Damaged, UserError, quoted, shown
from tournaments.storage.database import Database

DATABASE: Final = "arena.db"
SHORTEST_PREFIX: Final = 4
"""Characters that are enough to name a match."""
RECORD_LIMIT: Final = 1 << 28
"""Bytes of a record: more than the longest that bots can bring about."""


class Records:
    """Those of an open run folder, of matches scheduled or not."""

    def __init__(self, folder: Path, database: Database) -> None:
        self._folder = folder
        self._database = database

    @property
    def folder(self) -> Path:
        """The run folder."""
        return self._folder

    def logs(self, match: str) -> dict[Seat, str]:
        """Standard error, head and tail, of the seats that were at fault in a finished match."""
        (logs,) = self._database.one("SELECT logs FROM matches WHERE match = ?", (match,)) or ("",)
        try:
            return msgspec.json.decode(logs, type=dict[Seat, str])
        except (msgspec.DecodeError, RecursionError) as error:
            raise self.damaged(f"the logs of match {match}", error) from error

    def find(self, prefix: str) -> str:
        """The id of the finished match that begins so, in whatever schedule it was played.

        Raises UserError where none or several do, naming the nearest.
        """
        wanted = prefix.lower().encode(errors="replace").decode()
        if len(wanted) < SHORTEST_PREFIX:
            raise UserError(
                f"{quoted(prefix)} is too short: give {SHORTEST_PREFIX} characters of an id or more"
            )
        after = self._ids("match >= ? ORDER BY match", wanted)
        found = [match for match in after if match.startswith(wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UserError(f"{quoted(prefix)} begins several ids, such as {_listed(found)}")
        before = self._ids("match < ? ORDER BY match DESC", wanted)
        nearest = _listed([*before[:1], *after[:1]])
        raise UserError(
            f"no finished match {quoted(prefix)} in {shown(self._folder)}"
            + (f"; the nearest are {nearest}" if nearest else ": none is finished yet")
        )

    def record(self, match: str) -> bytes:
        """The record, JSON lines, of the match of this id. Raises Damaged.

        It may still not be what was played: see `judging`.
        """
        row = self._database.one(
            "SELECT record FROM matches LEFT JOIN records USING (key) WHERE match = ?", (match,)
        )
        return self._unpacked(match, *(row or (None,)))

    @contextmanager
    def judging(self, match: str) -> Iterator[None]:
        """Around what reads the record of a match: BadRecord becomes Damaged, which names it."""
        try:
            yield
        except BadRecord as error:
            raise self.damaged(f"the record of match {match}", error) from error

    def _ids(self, where: str, wanted: str) -> list[str]:
        rows = self._database.all(f"SELECT match FROM matches WHERE {where} LIMIT 5", (wanted,))
        return [match for (match,) in rows]

    def _unpacked(self, match: str, packed: bytes | None) -> bytes:
        """A record as it was written. What is too long to be one is not unpacked to its end."""
        if packed is None:
            raise self.damaged(f"the record of match {match}", "it is missing")
        unpacker = zlib.decompressobj()
        try:
            record = unpacker.decompress(packed, RECORD_LIMIT)
        except zlib.error as error:
            raise self.damaged(f"the record of match {match}", error) from error
        if not unpacker.eof:
            raise self.damaged(f"the record of match {match}", "it is cut off, or far too long")
        return record

    def damaged(self, what: str, why: object) -> Damaged:
        """The failure to raise where something that is kept is not as it was written."""
        return Damaged(f"{self._folder / DATABASE} is damaged: {what}: {why}")


def _listed(matches: list[str]) -> str:
    return ", ".join(map(printable, matches))
