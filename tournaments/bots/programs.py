"""The program that a command names, found on PATH or in a folder, and a bot's name by it."""

import os
import re
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

from arena.diagnosis import mode_of
from protocol.codec import printable
from tournaments.bots.builds import PYTHON, as_a_list, behind_shim, with_python
from tournaments.errors import UserError, did_you_mean, near, quoted


def find_program(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The command to run, its first word an absolute path. Raises UserError if it can't be run."""
    program, *rest = with_python(command)
    return (str(_locate(program, folder)), *rest)


def _locate(program: str, folder: Path) -> Path:
    path = folder / program
    if "/" not in program:
        found = shutil.which(program)
        if found is None:
            raise UserError(f"{quoted(program)} is not on PATH{_instead(program, path)}")
        return behind_shim(Path(found).absolute(), folder)
    mode = mode_of(path)
    if not mode:
        raise UserError(f"{quoted(program)} does not exist{as_a_list(program) or near(path)}")
    if not stat.S_ISREG(mode):
        raise UserError(f"{quoted(program)} is not a file")
    if not os.access(path, os.X_OK):
        interpreter = f'"{PYTHON}"' if path.suffix == ".py" else "its interpreter"
        raise UserError(
            f"{quoted(program)} is not executable: run chmod +x on it, or put {interpreter}"
            " before it in the command"
        )
    return path.absolute()


def _instead(program: str, path: Path) -> str:
    """What to write for a bare word that is no program on PATH."""
    if not stat.S_ISREG(mode_of(path)):
        return as_a_list(program) or did_you_mean(program, [PYTHON])
    if path.suffix == ".py":
        return f': put "{PYTHON}" before it in the command'
    return f": write ./{printable(program)} for the file in the bot's folder"


def named_after(command: Sequence[str], folder: Path) -> str:
    """The word that a bot is called by: the first file in a command, or else the program.

    A program that PATH has as well, such as `/usr/bin/python3`, is no bot's.
    """
    program, *others = command
    files = others if shutil.which(Path(program).name) else command
    return next((word for word in files if stat.S_ISREG(mode_of(folder / word))), program)


def name_of(program: str) -> str:
    """A bot's name by the file, folder or program that it is."""
    stem = Path(program.replace(PYTHON, "python")).stem.lower()
    return re.sub(r"[^a-z0-9._-]+", "-", stem).strip("-._")[:64] or "bot"
