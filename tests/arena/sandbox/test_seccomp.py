"""The filter of system calls: run on paper, and its numbers held against the kernel's headers."""

import errno
import re
from pathlib import Path

import pytest

from arena.sandbox import seccomp, syscalls
from arena.sandbox.seccomp import ARCHITECTURES, Program, assemble, compiled

ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, ENOSYS = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
EOPNOTSUPP = 0x50000 | errno.EOPNOTSUPP
MACHINES = list(ARCHITECTURES)


def run(program: Program, abi: int, number: int, *arguments: int) -> int:
    """What the filter says of a system call, by the rules of classic BPF."""
    words = {0: number, 4: abi}
    for index, value in enumerate(arguments):
        words[16 + 8 * index] = value & 0xFFFFFFFF
        words[20 + 8 * index] = value >> 32
    at = register = 0
    while True:
        code, jump_true, jump_false, k = program[at]
        at += 1
        match code:
            case 0x20:
                register = words.get(k, 0)
            case 0x54:
                register &= k
            case 0x06:
                return k
            case 0x15 | 0x35 | 0x45:
                holds = {0x15: register == k, 0x35: register >= k, 0x45: bool(register & k)}
                at += jump_true if holds[code] else jump_false
            case _:
                raise AssertionError(code)


THREAD = 0x003D0F00  # what a libc starts a thread with
FORK = 0x01200011
NEW_USER = 0x10000000

# call, arguments, with one process, with more
CALLS: list[tuple[tuple[int, int], tuple[int, ...], int, int]] = [
    (syscalls.CLONE, (THREAD,), ALLOW, ALLOW),
    (syscalls.CLONE, (FORK,), EPERM, ALLOW),
    (syscalls.CLONE, (FORK | NEW_USER,), EPERM, EPERM),
    (syscalls.CLONE, (1 << 40 | FORK,), EPERM, ALLOW),
    (syscalls.MMAP, (0, 4096, 3, 0x22), ALLOW, ALLOW),
    (syscalls.MMAP, (0, 4096, 3, 0x21), EPERM, ALLOW),
    (syscalls.MMAP, (0, 4096, 3, 0x23), EPERM, ALLOW),
    (syscalls.MMAP, (0, 4096, 3, 0x01, 5), ALLOW, ALLOW),
    (syscalls.MMAP, (0, 4096, 3, 0x122), EPERM, EPERM),
    (syscalls.IOCTL, (0, 0x5401), ALLOW, ALLOW),
    (syscalls.IOCTL, (0, 0x5412), EPERM, EPERM),
    (syscalls.IOCTL, (0, 1 << 32 | 0x5412), EPERM, EPERM),
    (syscalls.IOCTL, (0, 0x541C), EPERM, EPERM),
    (syscalls.FCNTL, (0, 3), ALLOW, ALLOW),
    (syscalls.FCNTL, (0, 6), EPERM, EPERM),
    (syscalls.FCNTL, (0, 1 << 32 | 10), EPERM, EPERM),
    (syscalls.FCNTL, (0, 1031), EPERM, EPERM),
    (syscalls.FUTEX, (0, 0x80), ALLOW, ALLOW),  # private: wait, wake, requeue
    (syscalls.FUTEX, (0, 0x81), ALLOW, ALLOW),
    (syscalls.FUTEX, (0, 0x84), ALLOW, ALLOW),
    (syscalls.FUTEX, (0, 0x109), ALLOW, ALLOW),  # the end of a thread
    (syscalls.FUTEX, (0, 0), ALLOW, ALLOW),
    (syscalls.FUTEX, (0, 1), EPERM, ALLOW),  # shared: wake, requeue, wake by bits
    (syscalls.FUTEX, (0, 4), EPERM, ALLOW),
    (syscalls.FUTEX, (0, 0x10A), EPERM, ALLOW),
    (syscalls.MADVISE, (0, 4096, 4), ALLOW, ALLOW),
    (syscalls.MADVISE, (0, 4096, 21), EPERM, EPERM),
    (syscalls.PREADV2, (3, 0, 1, 0, 0, 0), ALLOW, ALLOW),
    (syscalls.PREADV2, (3, 0, 1, 0, 0, 8), EOPNOTSUPP, EOPNOTSUPP),
    (syscalls.PRLIMIT64, (0, 7), ALLOW, ALLOW),
    (syscalls.PRLIMIT64, (1, 7), EPERM, EPERM),
    (syscalls.SOCKETPAIR, (1, 1), ALLOW, ALLOW),
    (syscalls.SOCKETPAIR, (1, 0x80005), ALLOW, ALLOW),
    (syscalls.SOCKETPAIR, (1, 2), EPERM, EPERM),
    (syscalls.SOCKETPAIR, (2, 1), EPERM, EPERM),
    (syscalls.FLOCK, (0, 2), ENOSYS, ENOSYS),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("case", range(len(CALLS)))
def test_arguments_decide(machine: str, case: int) -> None:
    call, arguments, one, more = CALLS[case]
    abi, column = ARCHITECTURES[machine]
    for one_process, expected in ((True, one), (False, more)):
        program = assemble(one_process, machine)
        assert run(program, abi, call[column], *arguments) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_the_tables_are_refused_and_all_others_allowed(machine: str) -> None:
    abi, column = ARCHITECTURES[machine]
    said: dict[int | None, int] = {
        **{call[column]: EPERM for call in syscalls.REFUSED.values()},
        **{call[column]: ENOSYS for call in syscalls.MISSING.values()},
    }
    alone = {call[column]: EPERM for call in syscalls.FORKS.values()}
    alone |= {call[column]: ENOSYS for call in syscalls.LOCKS.values()}
    argued = {call[column] for call, *_ in CALLS}
    for number in set(range(600)) - argued:
        assert run(assemble(True, machine), abi, number) == {**said, **alone}.get(number, ALLOW)
        assert run(assemble(False, machine), abi, number) == said.get(number, ALLOW)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_build_may_lock_files_and_has_no_other_right_more(machine: str) -> None:
    abi, column = ARCHITECTURES[machine]
    for_bots, for_builds = assemble(False, machine), assemble(False, machine, workshop=True)
    may = {n for n in range(600) if run(for_bots, abi, n) != run(for_builds, abi, n)}
    assert may == {syscalls.FLOCK[column]}
    assert run(for_builds, abi, syscalls.FLOCK[column], 3, 2) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_a_foreign_interface_ends_the_process(machine: str) -> None:
    program = assemble(True, machine)
    for abi in (0x40000003, 0x40000028, 0, *(abi for abi, _ in ARCHITECTURES.values())):
        allowed = abi == ARCHITECTURES[machine][0]
        assert run(program, abi, 500) == (ALLOW if allowed else KILL)


def test_the_x32_interface_is_missing() -> None:
    program, (abi, _) = assemble(True, "x86_64"), ARCHITECTURES["x86_64"]
    assert {run(program, abi, 0x40000000 + number) for number in (0, 57, 520)} == {ENOSYS}


@pytest.mark.parametrize("machine", MACHINES)
def test_it_is_as_long_as_its_instructions_and_fits_into_the_kernel(machine: str) -> None:
    for one_process in (True, False):
        program = assemble(one_process, machine)
        assert len(compiled(one_process, machine)) == 8 * len(program)
        assert len(program) <= 4096
        assert all(max(step.jump_true, step.jump_false) < 256 for step in program)


def test_there_is_none_for_other_machines() -> None:
    assert not seccomp.have("riscv64")
    with pytest.raises(KeyError):
        compiled(True, "riscv64")


HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    "aarch64": ("/usr/include/asm-generic/unistd.h",),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_kernel(machine: str) -> None:
    header = next((path for path in map(Path, HEADERS[machine]) if path.exists()), None)
    if header is None:
        pytest.skip("there are no headers of the kernel here")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text())
    numbers = {name: int(number) for name, number in found}
    _, column = ARCHITECTURES[machine]
    tables = {**syscalls.REFUSED, **syscalls.MISSING, **syscalls.FORKS, **syscalls.LOCKS}
    single = ["CLONE", "MMAP", "FUTEX", "IOCTL", "FCNTL", "MADVISE", "PREADV2"]
    single += ["PRLIMIT64", "SOCKETPAIR", "FLOCK"]
    tables |= {name.lower(): getattr(syscalls, name) for name in single}
    newest = {"open_tree_attr", "cachestat"}  # younger than most headers
    newest |= {"futex_wake", "futex_wait", "futex_requeue"}
    for name in tables.keys() - newest:
        assert tables[name][column] == numbers.get(name), name
