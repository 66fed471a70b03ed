"""The record in a file, and that which `FILE | RUN MATCH` names."""

from pathlib import Path
from typing import NamedTuple

from arena.turns import Source
from tournaments.errors import UserError, shown
from tournaments.sources import in_file, in_run
from tournaments.storage.records import RECORD_LIMIT
from tournaments.storage.store import Store


class Recorded(NamedTuple):
    """A match as it was played."""

    name: str
    """The file, or `match ID`: what messages call it."""
    record: bytes
    """JSON lines, not yet judged."""
    source: Source


def recorded(what: Path, match: str | None) -> Recorded:
    """The record in a file, or of a match in a run folder. Raises UserError."""
    if what.is_dir():
        with Store.read(what) as store:
            if match is None:
                raise UserError(
                    f"{shown(what)} is a run folder: name a match of it, as in `RUN MATCH`"
                )
            match = store.find(match)
            return Recorded(f"match {match}", store.record(match), in_run(what, match))
    if match is not None:
        raise UserError(f"{shown(what)} is a file, which has one match: leave out {match!r}")
    return Recorded(str(what), record_file(what), in_file(what))


def record_file(path: Path) -> bytes:
    """What a file has that is to be a record. Raises UserError for one too long to be any."""
    try:
        with path.open("rb") as file:
            record = file.read(RECORD_LIMIT + 1)
    except OSError as error:
        raise UserError(f"{shown(path)} can't be read: {error.strerror}") from None
    if len(record) > RECORD_LIMIT:
        raise UserError(f"{shown(path)} is over {RECORD_LIMIT >> 20} MiB: no record is")
    return record
