"""What the kernel would say to running a program, and which other programs that takes.

A box is started by a program that is no bot's, so what a bot is to blame for is found before.
"""

import errno
import os
import shutil
import stat
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_LINKS: Final = 40  # so many the kernel follows
_READ: Final = 256  # so much the kernel reads of a file to see what it is
_NESTED: Final = 5  # so many interpreters of interpreters it follows
_MACHINES: Final = {"x86_64": 62, "aarch64": 183}
_HEADER: Final = struct.Struct("<4sBB10xHHIQQQIHHHHHH")
_SEGMENT: Final = struct.Struct("<IIQQQQQQ")
_SEGMENTS: Final = 64
_INTERPRETER: Final = 3


def programs_of(program: Path, folder: Path) -> list[Path]:
    """The program, then the interpreter or loader that it needs, and so on; absolute paths.

    Raises the OSError that starting it in the folder would.
    """
    if not stat.S_ISDIR(folder.stat().st_mode):
        raise _error(errno.ENOTDIR, folder)
    found = [program]
    while (needed := _needed(found[-1])) is not None:
        found.append(folder / needed)
        if len(found) > _NESTED:
            raise _error(errno.ELOOP, program)
    return found


def found_by_env(program: Path) -> Path | None:
    """What a first line such as `#!/usr/bin/env python3` finds on PATH.

    Shims of version managers are passed over: in a box they would be at a loss.
    """
    words = _first_line(program)
    if len(words) < 2 or Path(words[0]).name != "env":
        return None
    names = [w for w in words[1].split() if not w.startswith("-") and "=" not in w]
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(folder for folder in folders if Path(folder).name != "shims")
    found = shutil.which(names[0], path=path) if names else None
    return None if found is None else Path(found).absolute()


def links(program: Path) -> Iterator[Path]:
    """A path, and where its links lead, one after the other; the last is where it really is."""
    for _ in range(_LINKS):
        yield program
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(program.parent / program.readlink()))
    yield program.resolve()


def is_on_path(program: Path) -> bool:
    """It is in a folder of PATH, or is of our own Python, or of a version manager on PATH."""
    folders = [Path(os.path.normpath(p)) for p in os.environ.get("PATH", "").split(os.pathsep) if p]
    own = [Path(prefix) / "bin" for prefix in (sys.prefix, sys.base_prefix)]
    managers = {folder.parent for folder in folders if folder.name == "shims"}
    return program.parent in [*folders, *own] or not managers.isdisjoint(program.parents)


def _needed(program: Path) -> str | None:
    """The interpreter or loader that a program names."""
    if not stat.S_ISREG(program.stat().st_mode) or not os.access(program, os.X_OK):
        raise _error(errno.EACCES, program)
    try:
        file = os.open(program, os.O_RDONLY | os.O_CLOEXEC)
    except PermissionError:
        return None  # it may be run, but not read
    try:
        if os.pread(file, 2, 0) != b"#!":
            return _loader(file, program)
    finally:
        os.close(file)
    words = _first_line(program)
    if not words:
        raise _error(errno.ENOEXEC, program)
    return words[0]


def _loader(file: int, program: Path) -> str | None:
    """The loader of a program in machine code; None where it needs none."""
    try:
        header = _HEADER.unpack(os.pread(file, _HEADER.size, 0))
        magic, bits, order, _, machine = header[:5]
        start, size, count = header[7], header[11], header[12]
        if (magic, bits, order) != (b"\x7fELF", 2, 1) or machine != _MACHINES[os.uname().machine]:
            raise _error(errno.ENOEXEC, program)
        for index in range(min(count, _SEGMENTS)):
            segment = os.pread(file, _SEGMENT.size, start + index * size)
            kind, _, offset, _, _, length, _, _ = _SEGMENT.unpack(segment)
            if kind == _INTERPRETER:
                return os.fsdecode(os.pread(file, min(length, _READ), offset).rstrip(b"\0"))
    except (struct.error, OverflowError, KeyError):
        raise _error(errno.ENOEXEC, program) from None
    return None


def _first_line(program: Path) -> list[str]:
    """The words after `#!` as the kernel takes them: an interpreter and at most one argument."""
    try:
        with program.open("rb") as file:
            head = file.read(_READ)
    except OSError:
        return []
    if not head.startswith(b"#!"):
        return []
    return os.fsdecode(head[2:].partition(b"\n")[0].strip(b" \t")).split(maxsplit=1)


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
