"""What `trial` runs in a box as a bot would be: it tries what no bot may, and tells what it could.

It knows nothing of the arena and runs without it. Its input says what to try for, and its output is
an object: guarantee -> whether it held (null: that could not be found out), and what was seen.
"""

import contextlib
import errno
import fcntl
import json
import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

_MEGABYTE = 1_000_000


def clean_environment(targets: dict[str, Any]) -> str | None:
    foreign = sorted(os.environ.keys() - set(targets["variables"]))
    if foreign:
        return f"it finds the variables {', '.join(foreign)}"
    with contextlib.suppress(OSError):
        if Path("/proc/1/environ").read_bytes():
            return "it can read the arena's environment"
    return None


def closed_descriptors(_: dict[str, Any]) -> str | None:
    foreign = []
    for fd in range(3, 1024):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            foreign.append(fd)
    return f"it has inherited {len(foreign)} open files" if foreign else None


def disk_limit(targets: dict[str, Any]) -> str | None:
    with contextlib.ExitStack() as stack:
        most = targets["disk"] // _MEGABYTE + 2
        for _ in range(most):
            file = stack.enter_context(tempfile.TemporaryFile(buffering=0))
            try:
                file.write(bytes(_MEGABYTE))
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EFBIG):
                    return None
                raise
    return f"it could write {most} MB"


def memory_limit(targets: dict[str, Any]) -> str | None:
    try:
        bytearray(targets["memory"])
    except MemoryError:
        return None
    return f"it could have {targets['memory'] // _MEGABYTE} MB of memory"


def no_foreign_files(targets: dict[str, Any]) -> str | None:
    for path in targets["files"]:
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_RDONLY))
            return f"it can read {path}"
    return None


def no_foreign_processes(targets: dict[str, Any]) -> str | None:
    seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    foreign = set(seen) - {1, os.getpid(), os.getppid()}
    if foreign:
        return f"it can see {len(foreign)} processes"
    with contextlib.suppress(OSError):
        os.kill(targets["arena"], 0)
        return "it can send the arena a signal"
    return None


def no_network(_: dict[str, Any]) -> str | None:
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as link:
                if family == socket.AF_INET:
                    link.connect(("127.0.0.1", 9))
        except ConnectionRefusedError:
            return "it can reach the loopback network"
        except OSError:
            continue
        return f"it can make a socket of {family.name}"
    links = Path("/proc/self/net/dev").read_text().splitlines()[2:]
    cards = [line.split(":")[0].strip() for line in links]
    return None if set(cards) <= {"lo"} else f"it can see the network cards {', '.join(cards)}"


def own_session(_: dict[str, Any]) -> str | None:
    if os.getsid(0) == 0:
        return "it is in a session of the arena's"
    with contextlib.suppress(OSError):
        os.close(os.open("/dev/tty", os.O_RDWR))
        return "it can open the terminal"
    return None


def process_limit(_: dict[str, Any]) -> str | None:
    try:
        child = os.fork()
    except OSError:
        return None
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "it could start a process"


def read_only_bot(_: dict[str, Any]) -> str | None:
    for path in (__file__, "written", "/usr/written", "/written"):
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
        except OSError:
            continue
        return f"it could write to {path}"
    return None


def system_call_filter(_: dict[str, Any]) -> str | None:
    status = Path("/proc/self/status").read_text()
    if "\nSeccomp:\t2\n" not in status:
        return "there is no filter"
    with open(sys.executable, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH)
        except OSError:
            return None
    return "the filter lets a lock pass that two boxes could talk through"


def thread_limit(targets: dict[str, Any]) -> str | None:
    done, running = threading.Event(), 1
    threading.stack_size(65_536)  # so that it is not memory that ends
    try:
        while running <= targets["threads"]:
            threading.Thread(target=done.wait, daemon=True).start()
            running += 1
    except RuntimeError:
        return None
    finally:
        done.set()
    return f"it could start {running} threads"


def no_rights(_: dict[str, Any]) -> str | None:
    status = dict(line.split(":\t") for line in Path("/proc/self/status").read_text().splitlines())
    rights = {name for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[name], 16)}
    if rights:
        return f"it has the rights {', '.join(f'{name} {status[name]}' for name in sorted(rights))}"
    if status["NoNewPrivs"] != "1":
        return "it can get rights from a program that lends them"
    return None


TRIED: dict[str, Callable[[dict[str, Any]], str | None]] = {
    trial.__name__: trial
    for trial in (
        clean_environment,
        closed_descriptors,
        disk_limit,
        no_foreign_files,
        no_foreign_processes,
        no_network,
        no_rights,
        own_session,
        process_limit,
        read_only_bot,
        system_call_filter,
        thread_limit,
        memory_limit,
    )
}
"""Guarantee -> the attempt on it."""


def main() -> None:
    """Tries everything."""
    targets = json.load(sys.stdin)
    found: dict[str, tuple[bool | None, str]] = {}
    for name, attempt in TRIED.items():
        try:
            seen = attempt(targets)
        except Exception as error:
            found[name] = (None, f"the attempt failed by itself: {error!r}")
        else:
            found[name] = (seen is None, seen or "")
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
