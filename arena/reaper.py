"""Ends whole process trees: all that a bot started, however it tried to slip away.

The rule: *a child of this process in a session other than this process's own derives from a bot.*

- Every bot is started as the leader of a session of its own, and a process can leave a session
  only for a new one: so nothing that derives from a bot is ever in our session. Nothing else that
  we start leaves our session; a program that does start such things can't use this module.
- Whatever loses its parent becomes our child, as `adopt_orphans` makes this process the subreaper
  of its descendants: daemons of bots, and the bots of a worker process that died.

Only children are ever signalled, with the process groups that they are in (a signal to a group
misses nothing that is just being forked). A dead child keeps its pid until we wait for it, and
nobody else can, so the pid can't be a stranger's by then; and while anything of a bot's tree is
left, some ancestor of it is our child, living or dead. So: kill the children, wait for them, look
again, until there are none.
"""

import ctypes
import os
import signal
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

PATIENCE_S: Final = 10.0
"""Within this time everything must be gone. The kernel may keep a killed process for a while."""

_PR_SET_CHILD_SUBREAPER: Final = 36
_PAUSE_S: Final = 0.0005
_DEAD: Final = frozenset({b"Z", b"X"})
"""States of a process that has ended."""

_libc: Final = ctypes.CDLL(None, use_errno=True)


def adopt_orphans() -> None:
    """Makes this process the parent of descendants that lose theirs. May be called again."""
    if _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"prctl(PR_SET_CHILD_SUBREAPER): {os.strerror(error)}")


def kill_bots(first: Iterable[int] = (), keep: Collection[int] = ()) -> None:
    """Kills every child of ours in another session and all that descends from it, and waits.

    `first` are pids of bots of ours that nobody has waited for: where they are all there is, /proc
    need not be read. `keep` are pids of bots that are passed over as they still play, with what is
    in their sessions; what has left such a session and lost its parent is killed all the same.
    Children in our own session are neither killed nor waited for. A process that coordinates
    workers calls this without arguments, for the bots of a worker that died.

    Raises RuntimeError for what is still there after PATIENCE_S.
    """
    spared = {os.getsid(0), *keep}
    _kill_all(first, lambda session: session not in spared)


def kill_bot(pid: int) -> None:
    """Kills a bot of ours that nobody has waited for, with all in its session, and waits.

    What has left that session is passed over, as it can't be told from what other bots started.
    Raises RuntimeError as `kill_bots` does.
    """
    _kill_all([pid], lambda session: session == pid)


def left_behind(but: Collection[int]) -> set[int]:
    """Living children of ours in other sessions, without these: what bots have left behind."""
    me = os.getsid(0)
    return {
        pid
        for pid, _, session, state in _children()
        if session != me and pid not in but and state not in _DEAD
    }


def _kill_all(first: Iterable[int], condemned: Callable[[int], bool]) -> None:
    """Kills the children in condemned sessions, until there are none."""
    deadline = time.monotonic() + PATIENCE_S
    strays = list(first)
    for pid in strays:
        _kill_group(pid)
    while True:
        _wait(strays, deadline)
        if _childless():
            return
        strays = []
        for pid, group, session, _ in _children():
            if condemned(session):
                _kill_group(group)
                strays.append(pid)
        if not strays:
            return
        if time.monotonic() > deadline:
            raise RuntimeError(f"processes of bots can't be ended: {sorted(strays)}")


def _childless() -> bool:
    """There is no child of any kind, so /proc need not be read."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def _children() -> Iterator[tuple[int, int, int, bytes]]:
    """Pid, process group, session and state of each child, living or dead.

    Newest pids first: of a chain of processes that fork and exit, that is the living one.
    """
    me = os.getpid()
    with os.scandir("/proc") as entries:
        pids = [int(entry.name) for entry in entries if entry.name.isdigit()]
    for pid in sorted(pids, reverse=True):
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                stat = file.read()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # pid (name) state parent group session ...; the name may hold spaces and brackets
        state, parent, group, session = stat[stat.rindex(b")") + 1 :].split(maxsplit=4)[:4]
        if int(parent) == me:
            yield pid, int(group), int(session), state


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass
    except PermissionError:  # it runs as somebody else; it may end by itself in time
        pass


def _wait(pids: list[int], deadline: float) -> None:
    """Waits for children that were killed, or until the deadline."""
    while (pids := [pid for pid in pids if not _reaped(pid)]) and time.monotonic() < deadline:
        time.sleep(_PAUSE_S)


def _reaped(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True
