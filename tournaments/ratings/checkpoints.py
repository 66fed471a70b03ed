"""Where the tally of a run has been before, so that it goes on from there and not from the start.

Rating a match takes forty times as long as reading it, so what was known after some matches is
kept, in a file beside the database. The file is derived: it may be missing, old, damaged or of
another version at any time, is written by whoever can, and is never believed. A checkpoint holds
for exactly the rows that it was computed from, by exactly this code: it has a digest over all of
that, and nobody goes on from it who has not read the same rows again and come to the same digest.
What does not hold is dropped without a word, since nothing is lost but time.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from arena import ARENA
from tournaments.bots.fingerprint import of_modules
from tournaments.files.vocabulary import Format
from tournaments.ratings.rating import LIBRARY
from tournaments.ratings.tally import Tally, TallyState
from tournaments.storage.database import Row
from tournaments.storage.reader import Reader
from tournaments.tournament import RatingSettings

FILE: Final = "checkpoints.json"
STRIDE: Final = 1000
"""Matches from one checkpoint to the next: a quarter of a second."""
MOST: Final = 16
"""Checkpoints that are kept. Of more every second goes, so that the latest lie close together: in
a run that goes on, a match that others have overtaken still comes, and those after it don't hold.
"""
LIMIT: Final = 1 << 26
"""Bytes of the file that are read: more than the checkpoints of a thousand bots."""
COMPUTED_BY: Final = (
    "ratings.beta",
    "ratings.rating",
    "ratings.tally",
    "storage.results",
    "tournament",
)
"""The modules whose text a tally depends on: `tally` and what it imports of `tournaments`."""


class Checkpoint(Struct, frozen=True):
    """What was known after some matches."""

    number: int
    """The place in the schedule of the last of them."""
    link: str
    """In hex, of the chain of SHA-256 over all that the state follows from: each link is over the
    one before and the row of a match, the first over settings and code."""
    state: TallyState


def _ignore(row: Row) -> None:
    """Nobody is told."""


def tally_of(store: Reader, seen: Callable[[Row], None] = _ignore) -> Tally:
    """The tally of all finished matches of a run, from the last checkpoint that holds.

    Leaves new checkpoints for the next time, where the folder can be written. `seen` is told of
    every row in schedule order; after a checkpoint that does not hold, of some again.
    """
    kept = _holding(store, seen)
    tally, link, number = _tally(store), _first_link(store), -1
    if kept:
        last = kept[-1]
        tally, link, number = _tally(store, last.state), bytes.fromhex(last.link), last.number
    grown = False
    for row in store.finished_rows(number):
        link = _next_link(link, row)
        tally.add(store.finished_match(row))
        seen(row)
        if tally.matches % STRIDE == 0:
            kept.append(Checkpoint(row[0], link.hex(), tally.state()))
            grown = True
            if len(kept) > MOST:
                del kept[:-1:2]
    if grown:
        _write(store.folder / FILE, kept)
    return tally


def false_checkpoint(store: Reader) -> str | None:
    """What is wrong with the checkpoints, as a sentence: whether one that holds was made up.

    Everything is computed from the first match on.
    """
    tally, finished = _tally(store), store.finished()
    for checkpoint in _holding(store):
        matches = checkpoint.state.matches
        for match in islice(finished, matches - tally.matches):
            tally.add(match)
        if tally.state() != checkpoint.state:
            return (
                f"is not what the first {matches} results come to, and standings go on from it:"
                " delete it"
            )
    return None


def _tally(store: Reader, after: TallyState | None = None) -> Tally:
    return Tally(*settings_of(store), after)


def settings_of(store: Reader) -> tuple[RatingSettings, Format]:
    """What the tally of a run is made with: how it rates, and the format."""
    stored = store.tournament()
    return stored.changing.rating, stored.form


def _holding(store: Reader, seen: Callable[[Row], None] = _ignore) -> list[Checkpoint]:
    """The checkpoints that hold. After one that does not none does."""
    holding: list[Checkpoint] = []
    rows, link, matches, number = store.finished_rows(), _first_link(store), 0, -1
    for checkpoint in _read(store.folder / FILE):
        for row in islice(rows, max(0, checkpoint.state.matches - matches)):
            link, matches, number = _next_link(link, row), matches + 1, row[0]
            seen(row)
        place = checkpoint.state.matches, checkpoint.number, checkpoint.link
        if place != (matches, number, link.hex()):
            break
        holding.append(checkpoint)
    return holding


def _first_link(store: Reader) -> bytes:
    code = [ARENA, LIBRARY, sys.version, os.uname().machine, of_modules(COMPUTED_BY)]
    return sha256(msgspec.json.encode([*code, settings_of(store)])).digest()


def _next_link(link: bytes, row: Row) -> bytes:
    return sha256(link + msgspec.json.encode(row)).digest()


def _read(path: Path) -> list[Checkpoint]:
    """The checkpoints of a file as they were written, or none."""
    with suppress(OSError, msgspec.DecodeError):
        if path.is_file():  # to open a pipe would be to wait for a writer
            with path.open("rb") as file:
                seal, _, text = file.read(LIMIT).partition(b"\n")
            if seal == _seal(text):
                return msgspec.json.decode(text, type=list[Checkpoint])
    return []


def _write(path: Path, checkpoints: list[Checkpoint]) -> None:
    """Replaces the file at once or not at all; where that can't be done nothing is lost."""
    text = msgspec.json.encode(checkpoints)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        file = new.open("xb")  # never through a link that somebody has laid there
        try:
            with file:
                file.write(_seal(text) + b"\n" + text)
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def _seal(text: bytes) -> bytes:
    return sha256(text).hexdigest().encode()
