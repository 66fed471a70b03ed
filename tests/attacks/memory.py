"""Attacks on memory: more than the limit, by each way that there is to get some."""

import ctypes
import mmap
import os
import time
from pathlib import Path

import kernel
from playing import play_one_of

MB = 1_000_000
HOLD_S = 0.5
"""So long what was got is kept, that whoever watches may see it."""


def _fills(got, size):
    """Touches every page, so that it is really there."""
    for start in range(0, size, 4096):
        got[start] = 1
    time.sleep(HOLD_S)
    return f"{size // MB} MB"


def fills_memory(megabytes):
    return f"{len(bytearray(megabytes * MB)) // MB} MB"


def fills_shared_memory(megabytes):
    """Anonymous memory that could be shared with children: no limit of a process counts it."""
    return _fills(mmap.mmap(-1, megabytes * MB), megabytes * MB)


def fills_a_file_in_memory(megabytes):
    fd = kernel.call("memfd_create", b"attack", 0)
    os.ftruncate(fd, megabytes * MB)
    return _fills(mmap.mmap(fd, megabytes * MB), megabytes * MB)


def fills_memory_with_children(megabytes):
    """Four children, each well below the limit."""
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            held = bytearray(megabytes * MB // 4)
            time.sleep(0.2)
            os._exit(0 if held else 1)
        children.append(child)
    if all(os.waitpid(child, 0)[1] == 0 for child in children):
        return f"{megabytes} MB"
    return None


def fills_the_shared_folder_in_memory():
    path = Path("/dev/shm/spades-attack")
    try:
        with open(path, "wb") as file:
            for _ in range(3):
                file.write(bytes(MB))
                file.flush()
        return "3 MB"
    finally:
        path.unlink(missing_ok=True)


def locks_memory():
    """What is locked can't be paged out, to the cost of everybody else."""
    size = 1_000_000
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mlock(ctypes.create_string_buffer(size), ctypes.c_size_t(size)) == 0:
        return f"{size} bytes"
    raise OSError(ctypes.get_errno(), "mlock")


def fills_pipes():
    """The kernel keeps what nobody reads, and counts it for no process."""
    ends, held, open_ones = [], 0, 80
    for _ in range(open_ones):
        ends.append(os.pipe2(os.O_NONBLOCK))
        held += os.write(ends[-1][1], bytes(65536))
    return f"{held} bytes"


if __name__ == "__main__":
    play_one_of(globals())
