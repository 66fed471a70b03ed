"""Which backend this machine has, found out by trying; and what to do where there is none."""

import os
from functools import cache
from typing import Final, Literal

from arena.program import Program
from arena.sandbox import bubblewrap
from arena.sandbox.box import Backend, Box, BoxFailed, NoSandbox, Sandbox
from arena.sandbox.places import Places, places

Wanted = Literal["auto", "bubblewrap", "none"]
"""What may be asked for."""

_APPARMOR: Final = (
    "AppArmor forbids user namespaces here: sudo sysctl -w"
    " kernel.apparmor_restrict_unprivileged_userns=0"
)
_CONTAINER: Final = (
    "this container forbids namespaces: start it with more rights (docker run --cap-add SYS_ADMIN"
    " --security-opt seccomp=unconfined --security-opt apparmor=unconfined)"
)
HINTS: Final = (
    ("Too many open files", "there are too many open files: raise the limit (ulimit -n)"),
    (
        "Resource temporarily unavailable",
        "no more processes can be started: raise the limit (ulimit -u), or end some",
    ),
    ("Cannot allocate memory", "no memory is left: end other programs, or play fewer tables"),
    (
        "bwrap is not found",
        "bubblewrap is not installed: apt-get install bubblewrap, or dnf install bubblewrap",
    ),
    ("setpriv is not found", "setpriv is missing: apt-get install util-linux"),
    ("setting up uid map: Permission denied", _APPARMOR),
    ("loopback: Failed RTM_NEWADDR", _APPARMOR),
    (
        "_namespaces exceeded",
        "user namespaces are switched off: sudo sysctl -w user.max_user_namespaces=10000",
    ),
    ("Unknown option --", "this bubblewrap is too old: 0.8 or newer is needed"),
    ("No permissions to creat", _CONTAINER),
    ("Creating new namespace failed", _CONTAINER),
    (
        "Can't mount proc",
        "this container hides parts of /proc: start it with --security-opt systempaths=unconfined",
    ),
    (
        "setresuid failed",
        "this container has too few user ids for bots of root: run as a normal user in it",
    ),
    (
        "setpriv:",
        "bots of root need setpriv of util-linux 2.33 or newer: update it, or run as a normal user",
    ),
)
"""What bwrap says as it fails, or a part of it -> what to do. The first that fits is said."""


def find(wanted: Wanted) -> Backend:
    """The backend to use. Raises NoSandbox where it can't be had; then nothing else is taken.

    `auto` is the safest that there is, which is never `none`.
    """
    if wanted == "none":
        return "none"
    if (reason := _why_not_bubblewrap()) is not None:
        raise NoSandbox(f"bots can't be boxed in: {reason}")
    return "bubblewrap"


def start(sandbox: Sandbox, places: Places, number: int) -> Box:
    """As `bubblewrap.start`; the failure to make a box says what to do, as far as that is known.

    What was found when it was tried may hold no more, for a reason that is none of the bot's.
    """
    try:
        return bubblewrap.start(sandbox, places, number)
    except (NoSandbox, BoxFailed) as error:
        raise BoxFailed(what_to_do(str(error))) from None


def what_to_do(words: str) -> str:
    """A failure of bwrap's in its own words, and the mend where it is known."""
    mend = next((mend for said, mend in HINTS if said in words), None)
    return words if mend is None else f"{mend} ({words})"


@cache
def _why_not_bubblewrap() -> str | None:
    """Tries it, once a process, just as a bot is started."""
    program = Program("probe", "", ("/bin/true",), "/usr/bin")
    try:
        box = start(Sandbox("bubblewrap"), places(program), 0)
    except (BoxFailed, OSError) as error:
        return str(error)
    try:
        ended = os.waitid(os.P_PID, box.pid, os.WEXITED)
    finally:
        box.kill()
        box.close()
        for file in box.files:
            file.close()
    if ended is None or ended.si_status != 0:
        return f"/bin/true ended with status {ended and ended.si_status} in a box"
    return None
