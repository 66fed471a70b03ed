"""What a run has left that was killed with all its workers at once: its next run clears it away.

Nobody is left then to end the bots. Those in boxes end by themselves, and others when they read
that their input has ended; but a bot without a box that was stopped at that moment stays so for
ever, and so does a box that was just being made. The folder for what bots write stays as well. Its
name tells whose run it was, and the variable HOME of a process whose folder.
"""

import os
import signal
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena import scratch

PATIENCE_S: Final = 10.0
"""Within this time everything must be gone. The kernel may keep a killed process for a while."""

_PAUSE_S: Final = 0.005


def prefix(run_folder: Path) -> str:
    """How the name of the folder begins that the bots of a run may write in.

    The run folder exists. A copy of it has another prefix.
    """
    place = run_folder.stat()
    return f"arena-{place.st_dev:x}-{place.st_ino:x}-"


def clear(run_folder: Path) -> None:
    """Ends the processes and removes the folders that earlier runs in a run folder have left.

    Whoever calls this holds the run folder, so that no other run goes on there. What is not ours,
    or stands in another temporary folder than the present one, is left alone.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix(run_folder)}*"):
        with suppress(OSError):
            place = folder.lstat()
            if stat.S_ISDIR(place.st_mode) and place.st_uid == os.geteuid():
                _end_all(folder)
                scratch.remove(folder)


def _end_all(folder: Path) -> None:
    """Kills every process whose home is below the folder, until there is none."""
    deadline = time.monotonic() + PATIENCE_S
    while sum(_end(pid, folder) for pid in _pids()) and time.monotonic() < deadline:
        time.sleep(_PAUSE_S)


def _pids() -> Iterator[int]:
    with os.scandir("/proc") as entries:
        yield from (int(entry.name) for entry in entries if entry.name.isdigit())


def _end(pid: int, folder: Path) -> bool:
    """Kills the process if its home is below the folder; whether it is."""
    with suppress(OSError):
        process = os.pidfd_open(pid)  # so that no other of that number is killed
        try:
            variables = b"\0" + Path(f"/proc/{pid}/environ").read_bytes()
            if f"\0HOME={folder}/".encode() in variables:
                signal.pidfd_send_signal(process, signal.SIGKILL)
                return True
        finally:
            os.close(process)
    return False
