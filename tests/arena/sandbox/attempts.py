"""A bot that tries what it may not do, and writes what came of it: {attempt: outcome} as JSON."""

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

libc = ctypes.CDLL(None, use_errno=True)

CALLS = {
    "clone": (56, 220),
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "keyctl": (250, 219),
    "ptrace": (101, 117),
    "timer_create": (222, 107),
    "unshare": (272, 97),
    "x32": (0x40000000 + 39, 0xFFFF),
}
"""Their numbers on x86_64 and on aarch64, where there is no x32."""


def call(name: str, *arguments: Any) -> str:
    """A system call."""
    number = CALLS[name][os.uname().machine == "aarch64"]
    ctypes.set_errno(0)
    result = libc.syscall(number, *arguments)
    return errno.errorcode[ctypes.get_errno()] if result < 0 else "done"


def write(path: str) -> bool:
    """Writes a file, or over one."""
    with open(path, "ab") as file:
        return file.write(b"x") == 1


def lock() -> None:
    with open("/tmp/lock", "w") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)


def end_the_init() -> bool:
    """Whether it lives on."""
    with contextlib.suppress(PermissionError):
        os.kill(1, signal.SIGKILL)
    return Path("/proc/1").exists()


def fill_memory() -> int:
    """Megabytes that it got."""
    kept = []
    with contextlib.suppress(MemoryError):
        while True:
            kept.append(b"x" * 5_000_000)
    return len(kept) * 5


def fill_disk() -> int:
    """Megabytes that it got."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    written = 0
    with contextlib.suppress(OSError):
        for number in range(10):
            with open(f"/tmp/{number}", "wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    written += file.write(b"x" * 100_000)
    for number in range(10):
        Path(f"/tmp/{number}").unlink()
    return written // 1_000_000


def start_threads() -> int:
    """How many there are then."""
    threading.stack_size(65_536)
    done, started = threading.Event(), 1
    with contextlib.suppress(RuntimeError):
        while True:
            threading.Thread(target=done.wait).start()
            started += 1
    done.set()
    return started


ATTEMPTS: dict[str, Callable[[], Any]] = {
    "descriptors": lambda: sorted(int(fd) for fd in os.listdir("/proc/self/fd"))[:-1],
    "fork": os.fork,
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "a socket": socket.socket,
    "a unix socket": lambda: socket.socket(socket.AF_UNIX),
    "a pair of datagram sockets": lambda: socket.socketpair(type=socket.SOCK_DGRAM),
    "a pair of sockets": lambda: bool(socket.socketpair()),
    "a pair of packet sockets": lambda: bool(socket.socketpair(type=socket.SOCK_SEQPACKET)),
    "shared memory": lambda: mmap.mmap(-1, 4096),
    "private memory": lambda: bool(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE)),
    "memory that grows down": lambda: mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | 0x100),
    "memory as a file": lambda: os.memfd_create("x"),
    "flock": lambda: fcntl.flock(0, fcntl.LOCK_EX),
    "a lock": lock,
    "a lease": lambda: fcntl.fcntl(0, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "another signal for input": lambda: fcntl.fcntl(0, fcntl.F_SETSIG, signal.SIGCONT),
    "another descriptor": lambda: bool(fcntl.fcntl(0, fcntl.F_DUPFD, 20)),
    "typing into a terminal": lambda: fcntl.ioctl(0, 0x5412, b"x"),
    "typing with high bits set": lambda: call("ioctl", 0, 0x100005412, b"x"),
    "own limits": lambda: resource.prlimit(0, resource.RLIMIT_NOFILE),
    "stack": lambda: resource.getrlimit(resource.RLIMIT_STACK),
    "raise own limits": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99)),
    "limits of others": lambda: resource.prlimit(1, resource.RLIMIT_NOFILE),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, 1),
    "affinity": lambda: os.sched_setaffinity(0, {0}),
    "namespaces": lambda: call("unshare", 0x10000000),
    "clone a process": lambda: call("clone", signal.SIGCHLD, 0, 0, 0, 0),
    "clone a namespace": lambda: call("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0),
    "clone3": lambda: call("clone3", 0, 0),
    "the x32 interface": lambda: call("x32"),
    "a timer": lambda: call("timer_create", 0, 0, 0),
    "a ring": lambda: call("io_uring_setup", 1, 0),
    "keys": lambda: call("keyctl", 0, -3, 0),
    "trace": lambda: call("ptrace", 0, 0, 0, 0),
    "write to its folder": lambda: write("/bot/x"),
    "write to /usr": lambda: write("/usr/x"),
    "write to /": lambda: write("/x"),
    "write to /dev": lambda: write("/dev/x"),
    "write where cores go": lambda: write("/proc/sys/kernel/core_pattern"),
    "write to /tmp": lambda: write("/tmp/x"),
    "write to /dev/shm": lambda: write("/dev/shm/x"),
    "the init's memory": lambda: os.open("/proc/1/mem", os.O_RDWR),
    "the init's environment": lambda: Path("/proc/1/environ").read_text(),
    "end the init": end_the_init,
    "etc": lambda: sorted(p for p in os.listdir("/etc") if "java" not in p),
    "passwords": lambda: Path("/etc/passwd").read_text(),
    "home folders": lambda: os.listdir("/home"),
    "processes": lambda: sorted(int(p) for p in os.listdir("/proc") if p.isdigit()),
    "devices": lambda: sorted(os.listdir("/dev")),
    "environment": lambda: sorted(os.environ),
    "folder": os.getcwd,
    "session": lambda: os.getsid(0) == os.getpid(),
    "host name": lambda: os.uname().nodename,
    "the protocol": lambda: bool(__import__("protocol.client").client),
    "memory": fill_memory,
    "disk": fill_disk,
    "threads": start_threads,
}


def outcome(attempt: Callable[[], Any]) -> Any:
    """What it gives, or the error as its name."""
    try:
        return attempt()
    except OSError as error:
        return errno.errorcode[error.errno] if error.errno else str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.read()
    wanted = sys.argv[1:] or ATTEMPTS
    print(json.dumps({name: outcome(ATTEMPTS[name]) for name in wanted}))
