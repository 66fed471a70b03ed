"""The filter of system calls that bots run under, as the classic BPF program that the kernel takes.

Whatever `syscalls` does not name is allowed: interpreters and virtual machines must run. With one
process a bot has one processor clock that it can't evade, and one target for signals.
"""

import errno
import os
import struct
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from arena.sandbox import syscalls

ARCHITECTURES: Final = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""Machine, as `uname` says -> the kernel's name for its ABI, and its column in `syscalls`."""

_LOAD: Final = 0x20  # ld [k]
_EQUAL: Final = 0x15  # jeq #k
_AT_LEAST: Final = 0x35  # jge #k
_ANY_OF: Final = 0x45  # jset #k
_AND: Final = 0x54  # and #k
_RETURN: Final = 0x06  # ret #k

# offsets in struct seccomp_data
_NUMBER: Final = 0
_ABI: Final = 4
_ARGUMENTS: Final = 16

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERROR: Final = 0x00050000
_REFUSE: Final = _ERROR | errno.EPERM
_MISS: Final = _ERROR | errno.ENOSYS
_NO_SUCH_FLAG: Final = _ERROR | errno.EOPNOTSUPP

_X32: Final = 0x40000000
"""From this number on they are of the x32 ABI, which shares its name with x86_64."""

_CLONE_THREAD: Final = 0x00010000
_CLONE_NAMESPACES: Final = 0x7E020080
_GROWS_DOWN: Final = 0x100  # MAP_GROWSDOWN; no limit counts such memory
_SHARED_ANONYMOUS: Final = 0x21  # MAP_SHARED | MAP_ANONYMOUS; nor such
_IOCTLS: Final = (
    0x5412,  # TIOCSTI, types into a terminal
    0x541C,  # TIOCLINUX
    0x8901,  # FIOSETOWN, whom a signal goes to
    0x8902,  # SIOCSPGRP
)
_FCNTLS: Final = (
    *(5, 6, 7, 36, 37, 38),  # locks: F_GETLK, F_SETLK, F_SETLKW, and the F_OFD_ ones
    *(8, 10, 15),  # F_SETOWN, F_SETSIG, F_SETOWN_EX: a signal of one's choice to a stopped bot
    *(1024, 1026),  # F_SETLEASE, F_NOTIFY
    1031,  # F_SETPIPE_SZ: all processes of a user share what pipes may hold
)
_PRIVATE: Final = 0x80  # FUTEX_PRIVATE_FLAG: between threads of one process
_OPERATION: Final = 0x7F
_WAIT, _WAIT_BITSET = 0, 9
_MADVICES: Final = (20, 21)  # MADV_COLD, MADV_PAGEOUT: out of everybody's memory
_AF_UNIX: Final = 1
_SOCKET_TYPE: Final = 0xF
_STREAM, _SEQPACKET = 1, 5


class Instruction(NamedTuple):
    """struct sock_filter."""

    code: int
    jump_true: int
    jump_false: int
    k: int


Program = list[Instruction]


def have(machine: str | None = None) -> bool:
    """Whether there is a filter for this machine, or the one named as by `uname`."""
    return (machine or os.uname().machine) in ARCHITECTURES


@cache
def compiled(one_process: bool, machine: str | None = None, *, workshop: bool = False) -> bytes:
    """The filter for this machine, or the one named, as bytes for `bwrap --seccomp`.

    With `one_process` threads can be started and processes can't; in a `workshop` files can be
    locked. Raises KeyError where there is no filter for the machine.
    """
    program = assemble(one_process, machine or os.uname().machine, workshop=workshop)
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def assemble(one_process: bool, machine: str, *, workshop: bool = False) -> Program:
    """The instructions of the filter."""
    abi, column = ARCHITECTURES[machine]
    program = [_load(_ABI), Instruction(_EQUAL, 1, 0, abi), _return(_KILL), _load(_NUMBER)]
    if machine == "x86_64":
        program += [Instruction(_AT_LEAST, 0, 1, _X32), _return(_MISS)]
    program += _outright(syscalls.REFUSED, column, _REFUSE)
    program += _outright(syscalls.MISSING, column, _MISS)
    if not workshop:
        program += _if(_EQUAL, syscalls.FLOCK[column], _MISS)
    program += _for_one_process(column) if one_process else _for_more_processes(column)
    uncounted = [_load_argument(3), *_if(_ANY_OF, _GROWS_DOWN, _REFUSE)]
    if one_process:  # then nobody is there to share it with
        uncounted += [Instruction(_AND, 0, 0, _SHARED_ANONYMOUS)]
        uncounted += _if(_EQUAL, _SHARED_ANONYMOUS, _REFUSE)
    program += _in(syscalls.MMAP[column], uncounted)
    refusals = (
        (syscalls.IOCTL, 1, _IOCTLS),
        (syscalls.FCNTL, 1, _FCNTLS),
        (syscalls.MADVISE, 2, _MADVICES),
    )
    for call, index, refused in refusals:
        tests = [_load_argument(index)]  # the kernel, too, looks at the low half alone
        for value in refused:
            tests += _if(_EQUAL, value, _REFUSE)
        program += _in(call[column], tests)
    # A read that does not wait tells whether another box has read the same.
    program += _in(
        syscalls.PREADV2[column], [_load_argument(5), *_unless(_EQUAL, 0, _NO_SUCH_FLAG)]
    )
    oneself = [_load_argument(0), *_unless(_EQUAL, 0, _REFUSE)]
    program += _in(syscalls.PRLIMIT64[column], oneself)
    # A pair of datagram sockets can send to any address.
    unix = [_load_argument(0), *_unless(_EQUAL, _AF_UNIX, _REFUSE)]
    unix += [_load_argument(1), Instruction(_AND, 0, 0, _SOCKET_TYPE)]
    unix += [Instruction(_EQUAL, 2, 0, _STREAM), *_unless(_EQUAL, _SEQPACKET, _REFUSE)]
    program += _in(syscalls.SOCKETPAIR[column], unix)
    return [*program, _return(_ALLOW)]


def _for_one_process(column: int) -> Program:
    """Threads, but no processes."""
    program = _outright(syscalls.FORKS, column, _REFUSE)
    program += _outright(syscalls.LOCKS, column, _MISS)
    threads_only = [_load_argument(0), *_unless(_ANY_OF, _CLONE_THREAD, _REFUSE)]
    program += _in(syscalls.CLONE[column], threads_only)
    # In a file that both see, one box could wake another. Waiting must be allowed: so a thread
    # waits for the end of another, and the kernel itself wakes it.
    waking = [_load_argument(1), *_if(_ANY_OF, _PRIVATE, _ALLOW)]
    waking += [Instruction(_AND, 0, 0, _OPERATION), *_if(_EQUAL, _WAIT, _ALLOW)]
    waking += _unless(_EQUAL, _WAIT_BITSET, _REFUSE)
    return program + _in(syscalls.FUTEX[column], waking)


def _for_more_processes(column: int) -> Program:
    no_namespace = [_load_argument(0), *_if(_ANY_OF, _CLONE_NAMESPACES, _REFUSE)]
    return _in(syscalls.CLONE[column], no_namespace)


def _load(offset: int) -> Instruction:
    return Instruction(_LOAD, 0, 0, offset)


def _load_argument(index: int) -> Instruction:
    """The low half; both machines are little-endian."""
    return _load(_ARGUMENTS + 8 * index)


def _return(action: int) -> Instruction:
    return Instruction(_RETURN, 0, 0, action)


def _if(test: int, value: int, action: int) -> Program:
    return [Instruction(test, 0, 1, value), _return(action)]


def _unless(test: int, value: int, action: int) -> Program:
    return [Instruction(test, 1, 0, value), _return(action)]


def _outright(calls: Mapping[str, tuple[int, int | None]], column: int, action: int) -> Program:
    numbers = [call[column] for call in calls.values()]
    return [step for n in numbers if n is not None for step in _if(_EQUAL, n, action)]


def _in(number: int, tests: Program) -> Program:
    """Tests of the arguments of one system call; it is allowed where none of them says no."""
    block = [*tests, _return(_ALLOW)]
    return [Instruction(_EQUAL, 0, len(block), number), *block]
