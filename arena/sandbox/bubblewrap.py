"""A box of bubblewrap: namespaces, a file system of its own, a filter of system calls, limits.

bwrap runs a process outside, which is our child, and one inside, the box's init, whose child the
bot is. Both hold what bwrap was given as standard input and output, so the bot's pipes go in under
other numbers, or the bot's closing them would not close them. A shell puts them in their places as
the last step before the bot; a line that it writes first says that the box stands.
"""

import errno
import json
import os
import resource
import select
import shutil
import signal
import tempfile
from contextlib import ExitStack, suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl
from functools import cache
from io import FileIO
from subprocess import PIPE, Popen
from typing import IO, Final

from msgspec import structs

from arena.sandbox import seccomp
from arena.sandbox.arguments import SHARED, Descriptors, Tools, command_line
from arena.sandbox.box import Box, BoxFailed, NoSandbox, Sandbox, Usage
from arena.sandbox.limits import WORKSHOP_DESCRIPTORS, impose, limits
from arena.sandbox.places import OWN, Places
from arena.sandbox.processes import descendants, memory_and_threads

GUARANTEES: Final = (
    "clean_environment",
    "closed_descriptors",
    "disk_limit",
    "memory_limit",
    "no_foreign_files",
    "no_foreign_processes",
    "no_network",
    "own_session",
    "process_limit",
    "read_only_bot",
    "system_call_filter",
    "thread_limit",
)
"""What holds for every bot, by short names that stand in records."""

STACK: Final = 8 * 2**20
"""Bytes of a stack, which is no part of RLIMIT_DATA. Set when the init waits: a program that is
just being started would set it back."""

PATIENCE_MS: Final = 30_000.0
"""A box that does not stand within this time has failed."""

_MOVE_PIPES: Final = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
_FREE: Final = 10
"""The shell has a use for the numbers below."""
_ANYBODY: Final = 0o666
"""Root's bots, too, may open their pipes by such names as /dev/stderr. Nobody else sees them."""
_FIRST_UID: Final = 0x70000000
"""From here on user ids are given to nobody, neither by hand nor by any system."""
_SEATS: Final = 4
_SIGNALLED: Final = 128
"""bwrap's exit status for a bot that a signal ended, less the signal's number."""
_PIECE: Final = 4096


class Boxed(Box):
    """A bot in a box."""

    def __init__(
        self,
        pid: int,
        bot: int,
        files: list[IO[bytes]],
        *,
        init: int,
        pidfds: tuple[int, int],
        one_process: bool,
    ) -> None:
        """`pidfds` are of the init and of the bot."""
        super().__init__(pid, bot, files)
        self._one_process = one_process
        self._init = init
        self._pidfd, self._bot_pidfd = pidfds

    def processes(self) -> list[int]:
        """See `Box.processes`: what has lost its parent is the init's child."""
        last = self._bot_pidfd if self._one_process else self._pidfd
        if last < 0 or select.select([last], [], [], 0)[0]:
            return []
        return [self.bot] if self._one_process else descendants(self._init)

    def usage(self) -> Usage:
        """See `Box.usage`."""
        pids = self.processes()
        memory, threads = memory_and_threads(pids)
        disk = files = 0
        for folder, there in ((str(OWN), 2), (SHARED, 1)):  # it, and what is in it anyway
            with suppress(FileNotFoundError, ProcessLookupError):
                seen = os.statvfs(f"/proc/{self._init}/root{folder}")
                disk += (seen.f_blocks - seen.f_bfree) * seen.f_frsize
                files += seen.f_files - seen.f_ffree - there
        return Usage(memory, len(pids), threads, disk, files)

    def signal(self, number: int) -> None:
        """See `Box.signal`: to its first process."""
        if self._bot_pidfd >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._bot_pidfd, number)

    def kill(self) -> None:
        """See `Box.kill`: with its init all of a box ends."""
        if self._pidfd >= 0:
            with suppress(OSError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def ended(self) -> os.waitid_result | None:
        """See `Box.ended`."""
        status = super().ended()
        if status is None or status.si_code != os.CLD_EXITED:
            return status
        number = status.si_status - _SIGNALLED
        if not 0 < number <= signal.SIGRTMAX:
            return status
        return os.waitid_result(
            (status.si_pid, status.si_uid, status.si_signo, number, os.CLD_KILLED)
        )

    def close(self) -> None:
        """See `Box.close`."""
        if self._pidfd >= 0:
            os.close(self._pidfd)
            os.close(self._bot_pidfd)
            self._pidfd = self._bot_pidfd = -1


@cache
def tools() -> Tools:
    """The programs that a box is made with. Raises NoSandbox where one is missing."""
    if not seccomp.have():
        raise NoSandbox(f"there is no filter of system calls for {os.uname().machine}")
    path = os.pathsep.join([os.environ.get("PATH", ""), os.defpath])
    bwrap, setpriv = shutil.which("bwrap", path=path), shutil.which("setpriv", path=path)
    if bwrap is None:
        raise NoSandbox("bwrap is not found")
    if os.geteuid() != 0:
        return Tools(bwrap, None)
    if setpriv is None:
        raise NoSandbox("setpriv is not found")
    return Tools(bwrap, setpriv)


def start(sandbox: Sandbox, places: Places, number: int) -> Boxed:
    """Starts a bot in a box, and returns just before its program runs.

    `number`, 0 to 3, tells apart the boxes that this process has at one time. Raises BoxFailed, and
    OSError (E2BIG) where the bot's command or environment is too long.
    """
    try:
        return _start(sandbox, places, number)
    except OSError as error:
        if error.errno == errno.E2BIG:
            raise
        raise BoxFailed(f"a box can't be made: {error}") from error


def _start(sandbox: Sandbox, places: Places, number: int) -> Boxed:
    with ExitStack() as ours, ExitStack() as failed:
        theirs = ours.enter_context(ExitStack())
        info, info_end = _pipe(ours, theirs)
        block_end, block = _pipe(theirs, ours)
        filter_end, filter_ = _pipe(theirs, ours)
        filter_.write(seccomp.compiled(sandbox.processes == 1, workshop=places.workshop))
        filter_.close()
        fds = Descriptors(info_end.fileno(), block_end.fileno(), filter_end.fileno())
        child = _spawn(command_line(tools(), sandbox, places, fds, user_of(number)), fds)
        failed.callback(_end, child.pid)
        files = [file for file in (child.stdin, child.stdout, child.stderr) if file]
        for file in files:
            failed.enter_context(file)
            os.fchmod(file.fileno(), _ANYBODY)
        theirs.close()
        init = _init_of(info, files)
        pidfd = os.pidfd_open(init)
        failed.callback(os.close, pidfd)
        own = {resource.RLIMIT_NPROC: _tasks(sandbox), resource.RLIMIT_STACK: STACK}
        if places.workshop:
            own[resource.RLIMIT_NOFILE] = WORKSHOP_DESCRIPTORS
        impose(init, limits(sandbox) | own)
        block.write(b"\n")
        _await_box(files)
        inside = descendants(init)
        if not inside:
            raise _failure(files)
        bot_pidfd = os.pidfd_open(inside[0])
        failed.callback(os.close, bot_pidfd)
        files[0].write(b"\n")
        failed.pop_all()
    return Boxed(
        child.pid,
        inside[0],
        files,
        init=init,
        pidfds=(pidfd, bot_pidfd),
        one_process=sandbox.processes == 1,
    )


def user_of(number: int) -> int:
    """The user id, and group id, of root's box of this number: nobody else's."""
    return _FIRST_UID + os.getpid() * _SEATS + number


def _pipe(reading: ExitStack, writing: ExitStack) -> tuple[FileIO, FileIO]:
    """Both ends of a new pipe under numbers that the shell leaves alone, each owned by a stack."""
    with ExitStack() as low:
        ends = os.pipe()
        for fd in ends:
            low.callback(os.close, fd)
        reader = FileIO(fcntl(ends[0], F_DUPFD_CLOEXEC, _FREE), "rb")
        reading.enter_context(reader)
        writer = FileIO(fcntl(ends[1], F_DUPFD_CLOEXEC, _FREE), "wb")
        writing.enter_context(writer)
    return reader, writer


def _spawn(line: list[str], fds: Descriptors) -> "Popen[bytes]":
    """Starts bwrap. It and the init have nothing of our environment, as a bot could come to see it.

    They have a mark: where an init is left waiting, as we and bwrap were killed before it was told
    to go on, nothing else would tell whose it is.
    """
    child = Popen(
        ["/bin/sh", "-c", _MOVE_PIPES, "box", *line],
        bufsize=0,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd="/",
        env={"HOME": f"{tempfile.gettempdir()}/"},
        pass_fds=structs.astuple(fds),
        start_new_session=True,
    )
    child.returncode = 0  # the reaper waits for it, nobody else may
    return child


def _init_of(info: FileIO, files: list[IO[bytes]]) -> int:
    """The pid of the box's init. It waits until it is told to go on."""
    _await(info, files, 0)  # its end alone: it comes in many pieces
    try:
        return int(json.loads(info.read())["child-pid"])
    except ValueError:
        raise _failure(files) from None


def _await_box(files: list[IO[bytes]]) -> None:
    _await(files[1], files, select.POLLIN)
    if not os.read(files[1].fileno(), 1):
        raise _failure(files)


def _await(file: IO[bytes] | FileIO, files: list[IO[bytes]], events: int) -> None:
    """Waits for these events, or for the end of a pipe. Raises BoxFailed if that takes too long."""
    poll = select.poll()
    poll.register(file, events)
    if not poll.poll(PATIENCE_MS):
        raise _failure(files)


def _failure(files: list[IO[bytes]]) -> BoxFailed:
    """What bwrap or setpriv said as it failed."""
    log = files[2]
    words = b""
    while select.select([log], [], [], 1.0)[0] and (data := os.read(log.fileno(), _PIECE)):
        words += data
        if len(words) > _PIECE:
            break
    said = words.decode(errors="replace").strip()
    return BoxFailed(said or f"the box did not stand within {PATIENCE_MS / 1000:g} s")


def _tasks(sandbox: Sandbox) -> int:
    """What the kernel counts as the bot's, each thread as one."""
    tasks = max(sandbox.threads, sandbox.processes)
    return tasks if os.geteuid() == 0 else tasks + 1  # the init is of the same user


def _end(pid: int) -> None:
    """Kills what was started, which nobody else knows of yet, and waits for it."""
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
