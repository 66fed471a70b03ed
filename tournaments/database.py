"""One SQLite file: opened, checked, spoken to; the only module that knows SQLite.

What the tables are is in `schema.sql`, what they are for in `tournaments.store`. What goes wrong
outside the program (a full disk, a damaged file) is an ArenaError that says what to do, made in
`_plainly` and nowhere else; a mistake in our own statements stays sqlite3's.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from tournaments.errors import ArenaError, UserError

VERSION: Final = 1
"""Of the tables, as `PRAGMA user_version`."""
APPLICATION: Final = 0x53504144
"""Marks a SQLite file as ours, as `PRAGMA application_id`."""
OLDEST_SQLITE: Final = (3, 38)
"""The first that surely has STRICT tables and JSON."""
PATIENCE: Final = 30.0
"""Seconds to wait for another process's lock."""
PAGE: Final = 200
"""Rows read at once."""

_ADVICE: Final = {
    sqlite3.SQLITE_FULL: "the disk is full. Make room and run again: finished matches are kept",
    sqlite3.SQLITE_BUSY: "another program keeps it locked. End that program and run again",
    sqlite3.SQLITE_LOCKED: "another program keeps it locked. End that program and run again",
    sqlite3.SQLITE_READONLY: "it can't be written. Mend the permissions, or use another folder",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened. Mend the permissions, or copy the folder",
    sqlite3.SQLITE_PERM: "it can't be opened. Mend the permissions, or copy the folder",
    sqlite3.SQLITE_IOERR: "the disk fails. Copy the folder to a sound, local disk and run again",
    sqlite3.SQLITE_CORRUPT: "it is damaged. `sqlite3 arena.db .recover` saves what can be saved",
}

Row = tuple[Any, ...]


class Database:
    """An open run database. Close it."""

    def __init__(self, path: Path, options: str = "") -> None:
        """`options`: what follows the path in SQLite's URI."""
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise ArenaError(
                f"this Python has SQLite {sqlite3.sqlite_version}, and 3.38 or newer is needed"
            )
        self._path = path
        with _plainly(path):
            self._connection = sqlite3.connect(
                path.absolute().as_uri() + options, uri=True, timeout=PATIENCE, isolation_level=None
            )

    @classmethod
    def to_write(cls, path: Path) -> "Database":
        """Opens the database, or makes it. Raises UserError for a file of something else."""
        database = cls(path)
        try:
            if not database._has_tables():
                database._create()
            database.change("PRAGMA journal_mode = WAL")
            database.change("PRAGMA synchronous = FULL")
            database.change("PRAGMA foreign_keys = ON")
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def to_read(cls, path: Path) -> "Database":
        """Opens the database as it is at this moment. Raises UserError where it is not a run's."""
        options = "?mode=ro"
        # Beside a database in WAL mode SQLite makes a file even to read it. Where it can't, it must
        # be told that nobody writes; and whoever does has a -wal file there.
        if not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists():
            options += "&immutable=1"
        database = cls(path, options)
        try:
            database.change("BEGIN")  # all that is read comes from one moment
            if not database._has_tables():
                raise UserError(f"{path} is empty: nothing was run there")
        except BaseException:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Ends the use of the database."""
        self._connection.close()

    def all(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Every row of a query."""
        with _plainly(self._path):
            return self._connection.execute(sql, values).fetchall()

    def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """The first row of a query, or None."""
        rows = self.all(sql, values)
        return rows[0] if rows else None

    def pages(self, sql: str, after: int = -1) -> Iterator[Row]:
        """The rows of a query, which may be changed meanwhile.

        Its first column must be what it is ordered by, numbers from 0, and its two `?` a number
        that rows are to be above, `after` at first, and a limit.
        """
        while rows := self.all(sql, (after, PAGE)):
            yield from rows
            after = rows[-1][0]

    def change(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Runs a statement, by itself a transaction, and returns how many rows it changed."""
        with _plainly(self._path):
            return self._connection.execute(sql, values).rowcount

    def change_for_each(self, sql: str, rows: Iterable[Row]) -> None:
        """Runs a statement for each row as the rows come."""
        with _plainly(self._path):
            self._connection.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything within is done when it is left, or nothing if it is left by an exception."""
        try:
            self.change("BEGIN IMMEDIATE")
            yield
            self.change("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self.change("ROLLBACK")
            raise

    def _has_tables(self) -> bool:
        """Whether the tables are there; False for an empty file. Raises UserError for others'."""
        application, version, tables = (
            self.all(sql)[0][0]
            for sql in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT count(*) FROM sqlite_master",
            )
        )
        if (application, version, tables) == (0, 0, 0):
            return False
        if application != APPLICATION:
            raise UserError(f"{self._path} is another program's database: use another folder (-o)")
        if version > VERSION:
            raise UserError(
                f"{self._path} was made by a newer spades-arena (tables of version {version}, known"
                f" is {VERSION}): use that one"
            )
        return True

    def _create(self) -> None:
        schema = files("tournaments").joinpath("schema.sql").read_text()
        with _plainly(self._path):
            self._connection.executescript(
                f"BEGIN IMMEDIATE; {schema}"
                f"PRAGMA application_id = {APPLICATION};"
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )


@contextmanager
def _plainly(path: Path) -> Iterator[None]:
    """Turns a failure outside the program into words."""
    try:
        yield
    except sqlite3.Error as error:
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest of the code is detail
        if kind == sqlite3.SQLITE_NOTADB:
            raise UserError(f"{path} is no SQLite database: use another folder (-o)") from None
        if kind in _ADVICE:
            raise ArenaError(f"{path}: {_ADVICE[kind]} ({error})") from error
        raise
