"""One SQLite file: opened, checked, spoken to; the only module that knows SQLite.

What the tables are is in `schema.sql`, what they are for in `storage.store`. What goes wrong
outside the program (a full disk, a damaged or a lost file) is an ArenaError that says what to do,
made in `storage.database_trouble` and nowhere else; a mistake in our own statements stays
sqlite3's.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from tournaments.errors import ArenaError, Damaged, UserError, shown
from tournaments.storage.database_trouble import plainly

VERSION: Final = 3
"""Of the tables, as `PRAGMA user_version`."""
APPLICATION: Final = 0x53504144
"""Marks a SQLite file as ours, as `PRAGMA application_id`."""
OLDEST_SQLITE: Final = (3, 38)
"""The first that surely has STRICT tables and JSON."""
PATIENCE: Final = 30.0
"""Seconds to wait for another process's lock."""
RESCUED: Final = "arena-rescued.db"
"""Beside a database that was replaced: what it was."""
TABLES: Final = ("tournament", "bots", "schedule", "drawn", "matches", "voids")
"""All but that of records, which are a hundred times as long as the rest."""
PAGE: Final = 200
"""Rows read at once."""

_COLUMNS: Final = (
    "SELECT 'table ' || m.name, 'with a column ' || p.name"
    " FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table'"
    " UNION SELECT 'view ' || name, '' FROM sqlite_master WHERE type = 'view'"
)

Row = tuple[Any, ...]


class Database:
    """An open run database. Close it."""

    def __init__(self, path: Path, options: str = "", *, temporary: bool = False) -> None:
        """`options`: what follows the path in SQLite's URI.

        One that is `temporary` is in no file that others see, and `path` only stands in messages.
        """
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise ArenaError(
                f"this Python has SQLite {sqlite3.sqlite_version}, and 3.38 or newer is needed"
            )
        self._path = path
        self._file = -1
        """Open on the file that is written, so that it can be told from another of its name."""
        place = "file:" if temporary else path.absolute().as_uri() + options
        with plainly(path):
            self._connection = sqlite3.connect(
                place, uri=True, timeout=PATIENCE, isolation_level=None
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
            # With O_PATH, as closing any other descriptor would drop SQLite's locks on the file.
            database._file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def to_read(cls, path: Path) -> "Database":
        """Opens the database as it is at this moment. Raises UserError where it is not a run's."""
        database = cls(path, _to_read(path))
        try:
            database.change("PRAGMA query_only = ON")
            database.change("BEGIN")  # all that is read comes from one moment
            if not database._has_tables():
                raise UserError(f"{shown(path)} is empty: nothing was run there")
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def to_try(cls, path: Path) -> "Database":
        """Opens what becomes of the database, records left out, if one is there.

        What is written is seen here alone, and gone at the end.
        """
        trial = cls(path, temporary=True)
        try:
            trial._create()
            if path.exists() and path.stat().st_size:
                with closing(cls.to_read(path)):  # so it is a run's
                    trial._copy_tables(path.absolute().as_uri() + _to_read(path))
        except BaseException:
            trial.close()
            raise
        return trial

    def _copy_tables(self, place: str) -> None:
        """Fills the tables, still empty, from the database at a URI, all as of one moment."""
        self.change("ATTACH ? AS other", (place,))
        with self.transaction():
            for table in TABLES:
                self.change(f"INSERT INTO {table} SELECT * FROM other.{table}")
        self.change("DETACH other")

    def copy_to(self, path: Path) -> None:
        """Writes all that is seen here to a new file; on its return the file is on the disk."""
        with plainly(path), closing(sqlite3.connect(path, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode = OFF")  # a copy that is cut off is thrown away
            copy.execute("PRAGMA synchronous = FULL")
            self._connection.backup(copy)

    def close(self) -> None:
        """Ends the use of the database."""
        self._connection.close()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def all(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """Every row of a query."""
        with self._plainly():
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
        with self._plainly():
            return self._connection.execute(sql, values).rowcount

    def change_for_each(self, sql: str, rows: Iterable[Row]) -> None:
        """Runs a statement for each row as the rows come."""
        with self._plainly():
            self._connection.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything within is done when it is left, or nothing if it is left by an exception.

        Within another it is a part of that.
        """
        if self._connection.in_transaction:
            yield
            return
        try:
            self.change("BEGIN IMMEDIATE")
            yield
            self.change("COMMIT")
        except BaseException:
            if self._file >= 0 and self._connection.in_transaction:
                self.change("ROLLBACK")
            raise

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Around every statement: also a file that was lost is told."""
        if self._file >= 0:
            self._check_place()
        with plainly(self._path):
            yield

    def _check_place(self) -> None:
        """Raises ArenaError where the file that is written has lost its name.

        SQLite would go on writing a file that was deleted, moved or replaced, and all that is
        played from then on would be lost with it.
        """
        written = os.fstat(self._file)
        try:
            if os.path.samestat(written, self._path.stat()):
                return
        except OSError:
            pass  # there is none of that name
        if written.st_nlink:
            self.close()
            raise ArenaError(
                f"{shown(self._path)} was moved, or its folder was, while the run went on. Move it"
                " back and run again: finished matches are in it"
            )
        saved = self._rescue()
        rename = "" if saved == self._path else f"rename it to {self._path.name} and "
        raise ArenaError(
            f"{shown(self._path)} was deleted or replaced while the run went on. What was played"
            f" is saved in {shown(saved)}: {rename}run again"
        )

    def _rescue(self) -> Path:
        """Saves a file that was deleted, as it lives while it is open, and closes it.

        Where another file has its name it is saved beside that. Returns where.
        """
        rescued = self._path.with_name(RESCUED)
        with plainly(rescued):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            rescued.parent.mkdir(parents=True, exist_ok=True)
            self._connection.execute("VACUUM INTO ?", (str(rescued.absolute()),))
            # SQLite lets the -wal file of a lost database lie, and would take it for the new one's.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.close()
        if self._path.exists():
            return rescued
        return rescued.rename(self._path)

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
        path = shown(self._path)
        if application != APPLICATION:
            raise UserError(f"{path} is another program's database: use another folder (-o)")
        if version < VERSION:
            raise UserError(
                f"{path} was made by an older spades-arena (tables of version {version}, now"
                f" {VERSION}): go on with that one, or use another folder (-o)"
            )
        if version > VERSION:
            raise UserError(
                f"{path} was made by a newer spades-arena (tables of version {version}, known"
                f" is {VERSION}): use that one"
            )
        self._check_tables()
        return True

    def _check_tables(self) -> None:
        """Raises Damaged where somebody has taken away what all statements go by."""
        with closing(sqlite3.connect(":memory:")) as new:
            new.executescript(_schema())
            lacking = set(new.execute(_COLUMNS)) - set(self.all(_COLUMNS))
        if lacking:
            raise Damaged(
                f"{shown(self._path)} is damaged: it has no {' '.join(min(lacking))}".rstrip()
            )

    def _create(self) -> None:
        with plainly(self._path):
            self._connection.executescript(
                f"BEGIN IMMEDIATE; {_schema()}"
                f"PRAGMA application_id = {APPLICATION};"
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )


def _schema() -> str:
    return files("tournaments.storage").joinpath("schema.sql").read_text()


def _to_read(path: Path) -> str:
    """How SQLite is to open a database that is not to be changed, so that no file is left there.

    In WAL mode it makes files beside a database even to read it. Whoever might write takes them
    away again; where nobody may, it must be told that nobody does. But who writes, or was killed,
    has a -wal file there, which is not ours to take away.
    """
    if path.with_name(f"{path.name}-wal").exists():
        return "?mode=ro"
    return "?mode=rw" if os.access(path.parent, os.W_OK) else "?mode=ro&immutable=1"
