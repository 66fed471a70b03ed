"""A copy of a run that may be going on, whole or not there, from which it can be gone on with."""

import os
from pathlib import Path
from typing import Final

from tournaments.errors import UserError, shown
from tournaments.storage import hold
from tournaments.storage.reader import Reader
from tournaments.storage.records import DATABASE

PART: Final = f"{DATABASE}.part"
"""What a copy is called until it is whole. One that was cut off is taken for nothing."""


def back_up(store: Reader, folder: Path) -> None:
    """Copies what is seen of a run, its database, to a folder that is new or empty.

    Everything else in a run folder is made of that. Raises UserError where the folder has something
    in it or can't be made, and ArenaError where the disk fails; then no run is there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = hold.take(folder)
    except OSError as error:
        raise UserError(
            f"{shown(folder)} can't be made ({error.strerror}): choose another"
        ) from None
    part = folder / PART
    try:
        if {path.name for path in folder.iterdir()} - {PART}:
            raise UserError(f"{shown(folder)} has something in it: choose a new or an empty folder")
        part.unlink(missing_ok=True)
        store.copy_to(part)
        part.rename(folder / DATABASE)
        os.fsync(held)  # of the folder: its new name is on the disk as well
    finally:
        part.unlink(missing_ok=True)
        hold.release(held)
