"""Attacks on whoever reads what a bot writes, and on whoever cleans up after it."""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from playing import play_one_of

LINE = b"x" * 70_000


def floods_both_outputs():
    for fd in (1, 2):
        os.set_blocking(fd, False)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for fd in (1, 2):
            with suppress(BlockingIOError):
                os.write(fd, LINE)


def falls_silent_in_half_a_line():
    sys.stdout.write('{"id": 2, "bid"')
    sys.stdout.flush()
    time.sleep(60)


def never_reads_again():
    time.sleep(60)


def nests_its_reply():
    sys.stdout.write("[" * 60_000 + "\n")
    sys.stdout.flush()


def poisons_its_reply():
    sys.stdout.write('{"id": 2, "bid": 3, "bid": NaN, "__proto__": 1e999}\n')
    sys.stdout.flush()


def lays_traps_in_its_folder(precious):
    """Folders without permissions, links that lead out, and a path too long to be named."""
    home = Path(os.environ["TMPDIR"])
    (home / "out").symlink_to(precious)
    (home / "file").symlink_to(Path(precious, "kept"))
    locked = home / "locked" / "inner"
    locked.mkdir(parents=True)
    (locked / "out").symlink_to(precious)
    start = Path.cwd()
    os.chdir(home)
    deep = Path("deep-deep-deep-deep")
    for _ in range(300):
        deep.mkdir()
        os.chdir(deep)
    os.chdir(start)
    for folder in (locked, locked.parent):
        folder.chmod(0)
    return "laid"


if __name__ == "__main__":
    play_one_of(globals())
