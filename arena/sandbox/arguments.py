"""What bwrap is told: the command line of a box, as a normal user and as root.

Order matters: bwrap does one after the other. As root the box has no user namespace, in which the
bot would still be root outside; it gets a user id that nobody else has, and no rights.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from arena.diagnosis import RUNNER
from arena.sandbox.box import Sandbox
from arena.sandbox.places import BOT, HOME, OWN, Places, folders_above, system

SHARED: Final = "/dev/shm"
SHARED_BYTES: Final = 1_048_576

_DEVICES: Final = ("null", "full", "random", "urandom")
_STREAMS: Final = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}
_RUN: Final = (
    "unset PWD OLDPWD SHLVL; echo >&4; read go <&3;"
    ' while [ "$1" != -- ]; do export "$1"; shift; done; shift;'
    ' exec "$@" <&3 >&4 3<&- 4>&-'
)
"""Says that the box stands, waits for a line, and becomes the bot. Only then does the environment
hold what the bot names, such as LD_PRELOAD: it is not for what prepares the box."""
_ANYBODY: Final = ("--perms", "1777")
_PASSABLE: Final = ("--perms", "0755")


class Tools(Struct, frozen=True):
    """Programs that a box is made with, absolute paths."""

    bwrap: str
    setpriv: str | None
    """None as a normal user."""


class Descriptors(Struct, frozen=True):
    """Numbers that bwrap inherits."""

    info: int
    block: int
    seccomp: int


def command_line(
    tools: Tools, sandbox: Sandbox, places: Places, fds: Descriptors, uid: int
) -> list[str]:
    """The whole command, from bwrap to the bot's program. `uid` is a user id for root's bots."""
    root = tools.setpriv is not None
    line = [tools.bwrap, *_namespaces(root), "--hostname", "bot", "--clearenv"]
    for arguments in (*system(), *_kernel(root), *_own(sandbox), *_shown(places)):
        line += arguments
    line += ["--remount-ro", "/", "--chdir", str(BOT)]
    line += ["--info-fd", str(fds.info), "--block-fd", str(fds.block)]
    line += ["--seccomp", str(fds.seccomp), "--"]
    if tools.setpriv is not None:
        line += [tools.setpriv, f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
        line += ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"]
        line += ["--no-new-privs", "--"]
    line += ["/bin/sh", "-c", _RUN, RUNNER]
    return [*line, *(f"{k}={v}" for k, v in places.env.items()), "--", *places.command]


def _namespaces(root: bool) -> list[str]:
    line = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    line += ["--unshare-cgroup", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if root:
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            line += ["--cap-add", capability]
        return line
    return [*line, "--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"]


def _kernel(root: bool) -> Iterator[tuple[str, ...]]:
    """/proc and /dev, with no more than programs need."""
    yield ("--proc", "/proc")
    if root:
        yield ("--ro-bind", "/proc/sys", "/proc/sys")
    # The box's init runs under no filter, and as a normal user it is the same user as the bot:
    # through its memory the bot could rule it, and its environment is ours.
    yield ("--perms", "0555", "--size", "4096", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1")
    yield (*_PASSABLE, "--dir", "/dev")
    # /dev/zero would give shared memory that no limit counts, /dev/ptmx terminals.
    for device in _DEVICES:
        yield ("--dev-bind", f"/dev/{device}", f"/dev/{device}")
    for name, target in _STREAMS.items():
        yield ("--symlink", f"/proc/self/fd{target}", f"/dev/{name}")


def _own(sandbox: Sandbox) -> Iterator[tuple[str, ...]]:
    """What the bot may write to."""
    yield (*_ANYBODY, "--size", str(sandbox.disk), "--tmpfs", str(OWN))
    yield (*_ANYBODY, "--dir", str(HOME))
    yield (*_ANYBODY, "--size", str(SHARED_BYTES), "--tmpfs", SHARED)


def _shown(places: Places) -> Iterator[tuple[str, ...]]:
    made = set()
    for source, place in places.shown:
        for folder in folders_above(place):
            if folder not in made:
                made.add(folder)
                yield (*_PASSABLE, "--dir", folder)
        own = places.workshop and place == str(BOT)
        yield ("--bind" if own else "--ro-bind", source, place)
    if str(BOT) not in {place for _, place in places.shown}:
        yield (*_PASSABLE, "--dir", str(BOT))
