"""Attacks on the disk: the own folder, one huge file, files without number."""

import os
import signal
import time
from pathlib import Path

from playing import play_one_of

MB = 1_000_000


def fills_its_folder(disk_megabytes):
    """Half as much again as a bot may have, in files that are each small enough."""
    folder = Path(os.environ["TMPDIR"])
    for name in range(3):
        (folder / str(name)).write_bytes(bytes(disk_megabytes * MB // 2))
    return sum(file.stat().st_size for file in folder.iterdir())


def writes_one_huge_file(disk_megabytes):
    """It is empty and uses no block, but whoever copies it fills a disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path = Path(os.environ["TMPDIR"], "huge")
    with open(path, "wb") as file:
        file.truncate(disk_megabytes * MB * 3 // 2)
    return path.stat().st_size


def makes_files_without_number(files, hold):
    """They are empty, so that no limit of bytes counts them."""
    folder = Path(os.environ["TMPDIR"], "many")
    folder.mkdir()
    for name in range(files):
        os.mknod(f"{folder}/{name}")
    time.sleep(hold)
    return len(os.listdir(folder))


if __name__ == "__main__":
    play_one_of(globals())
