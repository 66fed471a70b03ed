"""A box for what makes a bot: one command, which may write to the folder that it runs in.

Builds are strangers' programs as bots are, but they start processes, and what they make stays. So
the folder is watched while they run, and what they left is made harmless afterwards.
"""

import os
import select
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import IO, Final

from msgspec import Struct, structs

from arena import reaper
from arena.program import Program
from arena.sandbox import bubblewrap, probe
from arena.sandbox.box import Box, Sandbox
from arena.sandbox.places import Places, places

LIMITS: Final = Sandbox(
    "bubblewrap",
    memory=4_000_000_000,
    disk=2_000_000_000,
    processes=1024,
    threads=1024,
    pause=False,
)
"""Memory is that of all its processes; disk is /tmp, and what stands in the folder."""
FILE_LIMIT: Final = 100_000
PATH_LIMIT: Final = 800
"""Bytes of a path below the folder, so that whoever reads the tree may do so with a stack."""
OUTPUT_KEPT: Final = 10_000
"""Bytes of what it printed, from the end."""

_TICK_S: Final = 0.1
_LOOK_S: Final = 1.0
"""So often what it has written is measured."""
_PIECE: Final = 65_536
_BLOCK: Final = 512  # of st_blocks


class Made(Struct, frozen=True):
    """How a command ended."""

    status: int
    """Of its exit; negative: the signal that ended it, and 0 where `stopped` says why."""
    stopped: str | None
    """Why we stopped it, such as `after 600 seconds`."""
    output: bytes
    """The end of what it printed."""


def make(
    command: Sequence[str],
    folder: Path,
    time_limit: float,
    *,
    toolchain: bool = False,
    limits: Sandbox = LIMITS,
) -> Made:
    """Runs a command in a box whose folder it may write to, and ends all that it has started.

    The first word is an absolute path; as a `toolchain` it was found on PATH, and the programs
    beside it are shown, too. `time_limit` is in seconds. Raises OSError or ValueError where it
    can't be started, as Popen does, BotFault where it may not be, and BoxFailed for the rest.
    """
    program = Program("build", "", tuple(command), str(folder))
    output = bytearray()
    with _lent(folder), _box(limits, _workshop(program, toolchain)) as box:
        stopped = _watch(box, folder, limits, time_limit, output)
        status = box.ended()
    stopped = stopped or _excess(folder, limits)
    if status is None or stopped:
        return Made(0, stopped, bytes(output))
    ended = status.si_status if status.si_code == os.CLD_EXITED else -status.si_status
    return Made(ended, None, bytes(output))


def _workshop(program: Program, toolchain: bool) -> Places:
    """Where things are: as for a bot, and what the arena finds on PATH below /usr is found."""
    found = places(program, trusted=toolchain)
    shown, first = set(found.shown), Path(os.path.normpath(program.command[0])).parent
    path = [p for p in os.environ.get("PATH", "").split(os.pathsep) if p.startswith("/usr/")]
    if toolchain and first.name == "bin" and not first.is_relative_to("/usr"):
        shown = {pair for pair in shown if not Path(pair[1]).is_relative_to(first)}
        shown.add((str(first), str(first)))  # with its links, over which nothing can be shown
        path.insert(0, str(first))
    env = {**found.env, "PATH": os.pathsep.join(dict.fromkeys([*path, found.env["PATH"]]))}
    return structs.replace(found, env=env, shown=_parents_first(shown), workshop=True)


def _parents_first(shown: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(shown, key=lambda pair: pair[1]))


@contextmanager
def _box(limits: Sandbox, shown: Places) -> Iterator[Box]:
    reaper.adopt_orphans()
    box = probe.start(limits, shown, 0)
    try:
        yield box
    finally:
        box.kill()
        reaper.kill_bots([box.pid])
        box.close()
        for file in box.files:
            file.close()


def _watch(
    box: Box, folder: Path, limits: Sandbox, time_limit: float, output: bytearray
) -> str | None:
    """Waits for the end of a command, and keeps what it prints; or says why it must be stopped."""
    box.files[0].close()
    pipes = {file.fileno(): file for file in box.files[1:]}
    began = looked = monotonic()
    while True:
        over = box.ended() is not None
        _read(pipes, output, 0 if over else _TICK_S)
        now = monotonic()
        if over:
            return None
        if now - began > time_limit:
            return f"after {time_limit:g} seconds"
        if box.usage().memory > limits.memory:
            return f"for using more than {limits.memory // 10**6:,} MB of memory"
        if now - looked > _LOOK_S:
            looked = now
            if (excess := _excess(folder, limits)) is not None:
                return excess


def _read(pipes: dict[int, IO[bytes]], output: bytearray, seconds: float) -> None:
    """Takes what there is to read, for one tick at most; a pipe at its end is left out."""
    until = monotonic() + seconds
    while True:
        ready, _, _ = select.select(list(pipes), [], [], max(0.0, until - monotonic()))
        for fd in ready:
            data = os.read(fd, _PIECE)
            output += data
            if not data:
                del pipes[fd]
        del output[:-OUTPUT_KEPT]
        if not ready or monotonic() > until:
            return


def _excess(folder: Path, limits: Sandbox) -> str | None:
    """What of the folder is more than may be there."""
    used = files = 0
    try:
        for path in _below(folder):
            with suppress(FileNotFoundError):
                used += path.lstat().st_blocks * _BLOCK
            files += 1
            if used > limits.disk:
                return f"for writing more than {limits.disk // 10**6:,} MB"
            if files > FILE_LIMIT:
                return f"for making more than {FILE_LIMIT:,} files"
            if _too_long(path, folder):
                return f"for making a path of more than {PATH_LIMIT} bytes"
    except PermissionError:
        return "for making a folder that can't be read"
    return None


def _below(folder: Path) -> Iterator[Path]:
    """The folder, then all below it; links are not followed, and no path that is too long."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        yield here
        if _too_long(here, folder):
            continue
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(here) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                else:
                    yield Path(entry.path)


def _too_long(path: Path, folder: Path) -> bool:
    return len(os.fsencode(path)) - len(os.fsencode(folder)) > PATH_LIMIT


@contextmanager
def _lent(folder: Path) -> Iterator[None]:
    """Gives a folder of root's to the user of a box for a while.

    No process of that user runs before or after. What was left there becomes our own, and nothing
    in it lends its owner's rights to others.
    """
    root = os.geteuid() == 0
    if root:
        _own(folder, bubblewrap.user_of(0), 0o755)
    try:
        yield
    finally:
        _own(folder, 0 if root else None, 0o700)


def _own(folder: Path, user: int | None, at_least: int) -> None:
    for path in _below(folder):
        if _too_long(path, folder):
            continue
        if user is not None:
            os.chown(path, user, user, follow_symlinks=False)
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode):
            add = at_least if stat.S_ISDIR(mode) else at_least & 0o666
            path.chmod(mode & 0o777 | add)
