"""What a process did wrong, as a fault with a sentence for its author.

The sentences stand in records, so they must be the same in every run: limits and what was sent may
stand in them, but no time that was measured, no pid and no path of a folder that a run makes.
"""

import errno
import os
import re
import signal
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.bot import BotFault
from protocol.codec import quote
from protocol.messages import FaultKind

_FIRST_LINE_LIMIT: Final = 256

_NOT_STARTABLE: Final = {
    errno.EACCES: "permission denied - make it, and the interpreter in its first line, executable:"
    " chmod +x",
    errno.ENOEXEC: "it is neither a program for this machine nor a script with an interpreter -"
    " begin a script with a line such as #!/usr/bin/env python3",
    errno.ENOTDIR: "a part of its path is no folder - check the command",
    errno.ELOOP: "its links lead in a circle - check the command",
    errno.ENAMETOOLONG: "its path is too long - check the command",
    errno.E2BIG: "its arguments are too long - shorten the command",
    errno.ETXTBSY: "somebody still writes to it - let the build finish first",
    errno.EPERM: "the system forbids it - check who may run it",
    errno.ELIBBAD: "a library that it needs is damaged - build it on this machine",
    errno.EINVAL: "it is no program for this machine - build it on this machine",
}
"""What only the bot can be blamed for. Anything else, such as EMFILE, is the arena's trouble."""


_NOT_RUN: Final = {126: errno.EACCES, 127: errno.ENOENT}
"""A shell's exit status -> why it could not run a program."""

RUNNER: Final = "box"
"""What the shell calls itself in a box that is to run a bot's program."""

_FORK_REFUSED: Final = re.compile(
    r"[Cc]an(?:no|')t fork|\bfork: |\bfork/exec |\bfork\(2\)|\b_?fork_exec\(|\bos\.fork\("
    r"|\bspawn\w* .*EPERM|Cannot run program"
)
"""How the usual interpreters say that they could not start a process."""
_FILE_REFUSED: Final = re.compile(r"Too many open files|\bEMFILE\b")
"""How they say that they could not open a file."""

_KILLED: Final = (
    "it did that itself, or whoever runs the arena did, or a machine that has no memory left"
)
"""Who may send SIGKILL to a bot. No status tells them apart."""

LIMITS: Final = {
    "memory": (1_000_000, "MB of memory", "use less; sandbox: {memory: ...} allows more"),
    "disk": (1_000_000, "MB of disk", "write less; sandbox: {disk: ...} allows more"),
    "files": (1, "files and folders", "make fewer, and remove those no longer needed"),
    "processes": (1, "processes", "start fewer; sandbox: {processes: ...} allows more"),
    "threads": (1, "threads", "start fewer; sandbox: {threads: ...} allows more"),
}
"""What a bot may use so much of -> what a unit is, its name, and what to do."""

_REFUSED: Final = {
    "memory": re.compile(
        r"^MemoryError\b|\bbad_alloc\b|[Cc]annot allocate memory|out of memory"
        r"|memory allocation of \d+ bytes failed|OutOfMemoryError: Java heap space",
        re.MULTILINE,
    ),
    "file": re.compile(r"File too large|\bEFBIG\b"),
    "disk": re.compile(r"No space left on device|\bENOSPC\b"),
    "threads": re.compile(
        r"can't start new thread|failed to (?:create|spawn) thread|unable to create native thread"
        r"|pthread_create\b.*(?:failed|EAGAIN|unavailable)"
    ),
}
"""How the usual languages say that the system gave them no more of something in `LIMITS`; a `file`
is limited as the disk is."""

_LAST_WORDS: Final = 2000


def not_startable(
    command: Sequence[str], folder: str, error: OSError | ValueError
) -> BotFault | None:
    """What to say of a program that the system refused to start; None if it's not the bot's fault.

    Only the program's name is shown, as its folder may be a copy that a run makes.
    """
    program = Path(command[0])
    if isinstance(error, ValueError):
        reason = f"{error} - check the command and the variables of its environment"
    elif error.errno == errno.ENOENT:
        reason = _what_is_missing(program, Path(folder))
    elif error.errno == errno.EACCES and stat.S_ISDIR(mode_of(program)):
        reason = "it is a folder - name a program in it"
    elif error.errno in _NOT_STARTABLE:
        reason = _NOT_STARTABLE[error.errno]
    else:
        return None
    return BotFault("start", f"{quote(os.fsencode(program.name))} can't be started: {reason}")


def mode_of(path: Path) -> int:
    """The type and permissions of a file or folder; 0 if there is none to be had."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def _what_is_missing(program: Path, folder: Path) -> str:
    if not stat.S_ISDIR(mode_of(folder)):
        return "its folder does not exist - check the folder of the bot"
    if not mode_of(program):
        return "there is no such file - check the command, and that the build makes it"
    try:
        with program.open("rb") as file:
            first = file.readline(_FIRST_LINE_LIMIT)
    except OSError:
        first = b""  # it may be run, but not read
    if first.startswith(b"#!"):
        shown = quote(first.removesuffix(b"\n"))
        return (
            f"the interpreter in its first line {shown} does not exist - write a line such as"
            " #!/usr/bin/env python3, with no \\r at its end"
        )
    return "a loader or library that it needs is missing - build it on this machine"


def late(limit: str, *, hello: bool, unread: bool, deaf: bool, half: bool) -> BotFault:
    """A reply did not come in time.

    `limit` says within what. The bot did not read all that it was sent (`unread`), has closed its
    standard input (`deaf`), or has begun a line and not ended it (`half`).
    """
    if deaf:
        cause = ", and it has closed its standard input - read requests until it ends"
    elif unread:
        cause = (
            ", and it does not read its standard input - read each line, also those without an id"
        )
    elif half:
        cause = ", only the beginning of one - end each reply with a newline"
    elif hello:
        cause = " - answer every message that has an id, and flush standard output after each line"
    else:
        cause = " - answer sooner, and flush standard output after each line"
    return BotFault("start" if hello else "timeout", f"no complete line {limit}{cause}")


def not_run(
    command: Sequence[str], folder: str, status: os.waitid_result, log: str
) -> BotFault | None:
    """What to say of a program that could not be run inside a box, as `RUNNER` says in its log."""
    if status.si_status not in _NOT_RUN or not log.startswith(f"{RUNNER}: "):
        return None
    number = _NOT_RUN[status.si_status]
    return not_startable(command, folder, OSError(number, os.strerror(number)))


def gone(
    request: str,
    status: os.waitid_result | None,
    *,
    half: bool,
    log: str = "",
    one_process: bool = False,
) -> BotFault:
    """A process ended while a reply to `request` was owed, or (`status` None) closed its output.

    What it wrote to standard error (`log`) shows whether it wanted more than the `one_process` that
    it may have: if it died of that, the fault is `resource`.
    """
    kind: FaultKind = "exit"
    if status is None:
        what, cause = (
            "it closed its standard output but is still running",
            "keep it open until standard input ends",
        )
    elif status.si_code != os.CLD_EXITED:
        what = f"it was ended by {_signal_name(status.si_status)}"
        cause = _KILLED if status.si_status == signal.SIGKILL else "see its standard error"
    elif status.si_status == 0:
        what, cause = "it exited with status 0", "go on reading until standard input ends"
    elif status.si_status in (126, 127):
        what, cause = (
            f"it exited with status {status.si_status}",
            "a program or interpreter that it names is missing or not executable; see its standard"
            " error",
        )
    else:
        what, cause = f"it exited with status {status.si_status}", "see its standard error"
    if _FILE_REFUSED.search(log):
        cause = (
            "its standard error shows that it wanted more open files than it may have: close those"
            " no longer needed"
        )
    elif one_process and _FORK_REFUSED.search(log):
        cause = (
            "its standard error shows that it wanted to start a process, and a bot is one process"
            " here: use threads, or `exec` in a shell script; a tournament can allow more with"
            " sandbox: {processes: N}"
        )
        if status is not None and (status.si_code != os.CLD_EXITED or status.si_status != 0):
            kind = "resource"
    began = ", and the line that it began has no newline" if half else ""
    return BotFault(kind, f'{what} while a reply to "{request}" was owed{began} - {cause}')


def over(what: str, limit: int) -> BotFault:
    """It was ended as it used more than `limit` of something in `LIMITS`."""
    return _resource("it was ended for using more than", what, limit)


def near(what: str, limit: int) -> BotFault:
    """It died as it used nearly all that it may of something in `LIMITS`."""
    return _resource("it died at 90 % or more of its limit of", what, limit)


def wanted(what: str, limit: int) -> BotFault:
    """It died as it was refused more of something in `LIMITS`."""
    return _resource("it died when it wanted more than", what, limit)


def refused(log: str) -> str | None:
    """What of _REFUSED it was refused more of, as it last wrote to standard error."""
    last = log[-_LAST_WORDS:]
    return next((what for what, words in _REFUSED.items() if words.search(last)), None)


def busy_at_rest(ms: float) -> BotFault:
    """It worked while it was stopped, for more than `ms`."""
    return BotFault(
        "resource",
        f"it used the processor for more than {ms:.15g} ms while it was stopped - a bot is stopped"
        " from its reply to the next request, and must not have itself continued",
    )


def _resource(event: str, what: str, limit: int) -> BotFault:
    divisor, unit, mend = LIMITS[what]
    return BotFault("resource", f"{event} {limit / divisor:,.15g} {unit} - {mend}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
