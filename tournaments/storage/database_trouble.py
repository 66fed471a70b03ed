"""What SQLite refuses, in words: what is wrong with the file, and what to do about it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tournaments.errors import ArenaError, Damaged, UserError, shown

_ADVICE: Final = {
    sqlite3.SQLITE_FULL: "the disk is full. Make room and run again: finished matches are kept",
    sqlite3.SQLITE_BUSY: "another program keeps it locked. End that program and run again",
    sqlite3.SQLITE_LOCKED: "another program keeps it locked. End that program and run again",
    sqlite3.SQLITE_READONLY: "it can't be written. Mend the permissions, or use another folder",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened. Mend the permissions, or copy the folder; or too"
    " many files are open (ulimit -n)",
    sqlite3.SQLITE_PERM: "it can't be opened. Mend the permissions, or copy the folder",
    sqlite3.SQLITE_IOERR: "the disk fails, or is full, or a file is at its limit (ulimit -f). Mend"
    " that, or copy the folder to a sound, local disk, and run again: finished matches are kept",
    sqlite3.SQLITE_NOMEM: "no memory is left. End other programs and run again",
    sqlite3.SQLITE_CONSTRAINT: "what is to be written contradicts what is there. It was changed by"
    " another program, which `verify` may name, or this is a bug of the arena's",
    sqlite3.SQLITE_CORRUPT: "it is damaged. `sqlite3 arena.db .recover` saves what can be saved",
}


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Turns a failure outside the program into an ArenaError, or a UserError, in words."""
    try:
        yield
    except sqlite3.Error as error:
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest of the code is detail
        if kind == sqlite3.SQLITE_NOTADB:
            raise UserError(
                f"{shown(path)} is no SQLite database: use another folder (-o)"
            ) from None
        if kind == 0 and isinstance(error, sqlite3.OperationalError):  # a text is no UTF-8
            raise Damaged(f"{shown(path)} is damaged: {error}") from error
        if kind in _ADVICE:
            raise ArenaError(f"{shown(path)}: {_ADVICE[kind]} ({error})") from error
        raise
