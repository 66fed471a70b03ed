"""No box: limits that the kernel has, a clean environment and a folder; for one's own bots.

What it does not do: hide any file or process, or stop a bot from doing what the user may do.
"""

import os
import signal
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen
from typing import IO, Final

from arena import scratch
from arena.program import Program
from arena.sandbox.box import Box, Sandbox, Usage
from arena.sandbox.limits import impose, limits
from arena.sandbox.processes import descendants, memory_and_threads

GUARANTEES: Final = ("clean_environment", "closed_descriptors", "memory_limit", "own_session")
"""What holds for every bot, by short names that stand in records."""


class Unboxed(Box):
    """A bot that runs as a process like any other."""

    def __init__(self, pid: int, files: list[IO[bytes]], folder: Path) -> None:
        super().__init__(pid, pid, files)
        self._folder: Path | None = folder

    def processes(self) -> list[int]:
        """See `Box.processes`. What has left its parent is not seen."""
        return [] if self.ended() else [self.pid, *descendants(self.pid)]

    def usage(self) -> Usage:
        """See `Box.usage`."""
        pids = self.processes()
        memory, threads = memory_and_threads(pids)
        return Usage(memory, len(pids), threads, disk=None, files=None)

    def kill(self) -> None:
        """See `Box.kill`."""
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """See `Box.close`. Removes the bot's folder."""
        if self._folder is not None:
            scratch.remove(self._folder)
            self._folder = None


def start(sandbox: Sandbox, program: Program, parent: Path) -> Unboxed:
    """Starts a bot; its own folder is made in `parent`. Raises OSError or ValueError as Popen."""
    own = scratch.make(parent.absolute())
    try:
        child = Popen(
            program.command,
            bufsize=0,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=program.folder,
            env=_environment(program, str(own)),
            start_new_session=True,
        )
    except BaseException:
        scratch.remove(own)
        raise
    child.returncode = 0  # the reaper waits for it, nobody else may
    with suppress(ProcessLookupError):
        impose(child.pid, limits(sandbox))
    files = [file for file in (child.stdin, child.stdout, child.stderr) if file]
    return Unboxed(child.pid, files, own)


def _environment(program: Program, folder: str) -> dict[str, str]:
    """All that a bot's process finds in its environment; of ours only PATH."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        **program.env,
        "HOME": folder,
        "TMPDIR": folder,
    }
