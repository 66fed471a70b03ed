"""Attacks on memory: more than the limit, by each way that there is to get some."""

import ctypes
import mmap
import os
import resource
import time
from pathlib import Path

import kernel
from playing import play_one_of

MB = 1_000_000


def _fills(got, size, hold):
    """Touches every page, so that it is really there."""
    for start in range(0, size, 4096):
        got[start] = 1
    time.sleep(hold)
    return f"{size // MB} MB"


def fills_memory(megabytes):
    return f"{len(bytearray(megabytes * MB)) // MB} MB"


def fills_shared_memory(megabytes, hold):
    """Anonymous memory that could be shared with children: no limit of a process counts it."""
    return _fills(mmap.mmap(-1, megabytes * MB), megabytes * MB, hold)


def fills_memory_as_a_stack(megabytes, hold):
    """Memory that says it is a stack is no data to the kernel, and so not in the limit of data."""
    grows_down, size = 0x100, megabytes * MB
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | grows_down
    access = mmap.PROT_READ | mmap.PROT_WRITE
    found = libc.mmap(None, ctypes.c_size_t(size), access, flags, -1, ctypes.c_long(0))
    if found == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "mmap")
    ctypes.memset(found, 1, size)
    time.sleep(hold)
    return f"{megabytes} MB"


def fills_its_own_stack(megabytes, hold):
    """Its first thread may have one as large as the hard limit says."""
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))
    stack = next(
        line for line in Path("/proc/self/maps").read_text().splitlines() if "[stack]" in line
    )
    top = int(stack.split()[0].partition("-")[2], 16)
    for page in range(0, megabytes * MB, 4096):
        ctypes.c_char.from_address(top - 4096 - page).value = b"x"
    time.sleep(hold)
    return f"{megabytes} MB"


def fills_memory_that_is_read_only(megabytes, hold):
    """What can't be written to is no data to the kernel: it is filled piece by piece before."""
    piece = 8 << 20
    libc = ctypes.CDLL(None, use_errno=True)
    held = []
    for _ in range(megabytes * MB // piece):
        held.append(mmap.mmap(-1, piece, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
        address = ctypes.addressof(ctypes.c_char.from_buffer(held[-1]))
        ctypes.memset(address, 1, piece)
        libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(piece), mmap.PROT_READ)
    time.sleep(hold)
    return f"{len(held) * piece // MB} MB"


def writes_its_memory_as_a_file(megabytes, hold):
    """A debugger may write to what the program itself may only read; and so may the program."""
    size = megabytes * MB
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    found = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, flags, -1, ctypes.c_long(0))
    piece = bytes([1]) * (1 << 20)
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        for start in range(0, size - len(piece), len(piece)):
            memory.seek(found + start)
            memory.write(piece)
    time.sleep(hold)
    return f"{megabytes} MB"


def fills_a_file_in_memory(megabytes, hold):
    fd = kernel.call("memfd_create", b"attack", 0)
    os.ftruncate(fd, megabytes * MB)
    return _fills(mmap.mmap(fd, megabytes * MB), megabytes * MB, hold)


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


def fills_pipes(pipes):
    """The kernel keeps what nobody reads, and counts it for no process."""
    ends, held = [], 0
    for _ in range(pipes):
        ends.append(os.pipe2(os.O_NONBLOCK))
        held += os.write(ends[-1][1], bytes(65536))
    return f"{held} bytes"


if __name__ == "__main__":
    play_one_of(globals())
