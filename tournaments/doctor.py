"""Whether this machine has what a run needs, found out by trying each thing for real."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from msgspec import Struct

from arena.sandbox import BoxFailed, NoSandbox, find, trial, workshop
from arena.sandbox.bubblewrap import GUARANTEES
from tournaments.errors import ArenaError
from tournaments.storage.database import Database

Status = Literal["holds", "does not hold", "can't be told", "missing"]
"""`missing` is what only some bots need."""

_SOURCE: Final = "int main(void) { return 0; }\n"
_BUILD_S: Final = 60.0
_MEND: Final = (
    "please report it with the versions of bubblewrap and of the kernel: bwrap --version; uname -r"
)


class Finding(Struct, frozen=True):
    """What was found out about one thing."""

    name: str
    status: Status
    seen: str
    """What was tried, or found."""
    mend: str | None = None
    """What to do where it does not hold."""


def examine() -> Iterator[Finding]:
    """Everything, one after the other; starts a few boxes."""
    yield from _machine()
    try:
        find("bubblewrap")
    except NoSandbox as error:
        yield Finding("bubblewrap", "does not hold", "no box can be had", str(error))
        for name in _promised({}):
            yield Finding(name, "can't be told", "there is no box to try it in")
        return
    user = "as root, bots as users without rights" if os.geteuid() == 0 else "as a normal user"
    yield Finding("bubblewrap", "holds", f"a box was started {user}")
    try:
        verdicts = trial.try_guarantees()
    except (BoxFailed, OSError, ValueError) as error:
        mend = (
            "install spades-arena with a Python outside the home folder, such as /usr/bin/python3"
        )
        yield Finding("bots_in_python", "does not hold", str(error), mend)
        verdicts = {}
    else:
        yield Finding("bots_in_python", "holds", f"{sys.executable} runs in a box")
    for name in _promised(verdicts):
        yield _guarantee(name, verdicts)
    yield from _builds()


def _promised(verdicts: Mapping[str, trial.Verdict]) -> list[str]:
    return sorted({*GUARANTEES, *verdicts})


def _guarantee(name: str, verdicts: Mapping[str, trial.Verdict]) -> Finding:
    held, seen = verdicts.get(name, (None, "no attempt on it was made"))
    if held is None:
        return Finding(name, "can't be told", seen)
    if not held:
        return Finding(name, "does not hold", f"an intruder was let into a box: {seen}", _MEND)
    return Finding(name, "holds", _ATTEMPTS.get(name, "an intruder tried in vain"))


_ATTEMPTS: Final = {
    "clean_environment": "a bot finds only the variables that it is given",
    "closed_descriptors": "it inherits no open file",
    "disk_limit": "it can't write more than its disk holds",
    "memory_limit": "it can't have more memory than its limit",
    "no_foreign_files": "it can't read files of the arena's, of /etc and of your home folder",
    "no_foreign_processes": "it sees no other process, and can't signal the arena",
    "no_network": "it can make no socket, and does not reach this machine's own network",
    "no_rights": "it has no capability, and can't get one",
    "own_session": "it has a session of its own and no terminal",
    "process_limit": "it can't start a process",
    "read_only_bot": "it can't write to its own files or to /usr",
    "system_call_filter": "its system calls are filtered",
    "thread_limit": "it can't start more threads than its limit",
}
"""Guarantee -> what an intruder has found."""


def _machine() -> Iterator[Finding]:
    version = f"{platform.python_version()}, {sys.executable}"
    yield Finding("python", "holds", version)
    yield Finding("kernel", "holds", f"{platform.release()} for {platform.machine()}")
    cores = len(os.sched_getaffinity(0))
    yield Finding("cores", "holds", f"{cores}, so up to {cores} tables at once")
    with TemporaryDirectory(prefix="doctor-") as place:
        try:
            Database.to_write(Path(place) / "arena.db").close()
        except ArenaError as error:
            yield Finding("store", "does not hold", str(error), "use a newer Python")
        else:
            yield Finding("store", "holds", f"a store can be made in {Path(place).parent}")
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if children.exists():
        yield Finding(
            "processes", "holds", f"{children.parents[3]} tells which processes a bot has"
        )
    else:
        mend = "use a kernel with CONFIG_PROC_CHILDREN, and mount /proc"
        yield Finding("processes", "does not hold", f"there is no {children}", mend)


def _builds() -> Iterator[Finding]:
    """Builds in a box, and whether bots in C can be built."""
    with TemporaryDirectory(prefix="doctor-") as place:
        yield _build("builds", ["/bin/sh", "-c", "echo > made"], Path(place))
    compiler = shutil.which("cc")
    if compiler is None:
        mend = "apt-get install gcc, or dnf install gcc"
        yield Finding("cc", "missing", "bots in C can't be built here", mend)
        return
    with TemporaryDirectory(prefix="doctor-") as place:
        Path(place, "made.c").write_text(_SOURCE)
        yield _build("cc", [compiler, "-o", "made", "made.c"], Path(place))


def _build(name: str, command: list[str], folder: Path) -> Finding:
    line = " ".join(command)
    try:
        made = workshop.make(command, folder, _BUILD_S)
    except (BoxFailed, OSError, ValueError) as error:
        return Finding(name, "does not hold", f"`{line}` in a box: {error}", _MEND)
    if made.status or made.stopped or not (folder / "made").exists():
        words = made.output.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        return Finding(name, "does not hold", f"`{line}` in a box failed: {words[-1]}", _MEND)
    return Finding(name, "holds", f"`{line}` works in a box")
