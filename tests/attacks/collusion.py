"""Two bots of one table that try to tell each other something: one sends bits, the other hears.

At the first bid both get ready; at each later one the sender is asked first. What the two share is
the folder that they run from, as partners do, and the files of the system.
"""

import ctypes
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
import zlib
from contextlib import suppress
from pathlib import Path

import kernel
from playing import play

F_OFD_GETLK, F_OFD_SETLK, F_SETLEASE, F_GETLEASE = 36, 37, 1024, 1025
BIG = 80_000_000


class Channel:
    """What a sender and a listener do; `name` is one that only the two of them know."""

    def __init__(self, given):
        self.name = given["name"]
        self.given = given
        self.shared = os.path.realpath(sys.executable)
        """A file of the system that every bot can read."""
        self.own = Path(__file__).with_name("words.txt")
        """A file of the folder that partners run from."""
        self.turn = 0

    def ready(self):
        """Called once, before the first bit."""

    def send(self, bit):
        raise NotImplementedError

    def hear(self):
        """1, 0, or raises OSError."""
        raise NotImplementedError


class Files(Channel):
    paths = ["/tmp/{}", "/var/tmp/{}", "/dev/shm/{}"]

    def __init__(self, given):
        super().__init__(given)
        self.files = [Path(path.format(self.name)) for path in self.paths]

    def send(self, bit):
        for file in self.files:
            with suppress(OSError):
                file.touch() if bit else file.unlink()

    def hear(self):
        return int(any(file.exists() for file in self.files))


class FolderOfTheBot(Files):
    paths = [f"{Path(__file__).parent}/{{}}"]


class NamesOfProcesses(Channel):
    def send(self, bit):
        Path("/proc/self/comm").write_text(self.name[:15] if bit else "python3")

    def hear(self):
        names = [path.read_text().strip() for path in Path("/proc").glob("[0-9]*/comm")]
        return int(self.name[:15] in names)


class Loopback(Channel):
    family, bound = socket.AF_INET, None

    def address(self):
        return ("127.0.0.1", self.given["port"])

    def send(self, bit):
        if bit:
            self.bound = socket.socket(self.family)
            self.bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.bound.bind(self.address())
            self.bound.listen()
        elif self.bound:
            self.bound.close()

    def hear(self):
        with socket.socket(self.family) as caller:
            return int(caller.connect_ex(self.address()) == 0)


class AbstractSockets(Loopback):
    family = socket.AF_UNIX

    def address(self):
        return f"\0{self.name}"


class SystemV(Channel):
    """What exists under a key that both know."""

    get, control, sizes, found = "", "", (), None
    CREATE, REMOVE = 0o1000, 0

    def key(self):
        return zlib.crc32(self.name.encode()) >> 1 | 1

    def send(self, bit):
        if bit:
            self.found = kernel.call(self.get, self.key(), *self.sizes, self.CREATE | 0o666)
        elif self.found is not None:
            places = (0,) if self.get == "semget" else ()
            kernel.call(self.control, self.found, *places, self.REMOVE, None)

    def hear(self):
        try:
            kernel.call(self.get, self.key(), *self.sizes, 0)
        except FileNotFoundError:
            return 0
        return 1


class SharedMemory(SystemV):
    get, control, sizes = "shmget", "shmctl", (4096,)


class Semaphores(SystemV):
    get, control, sizes = "semget", "semctl", (1,)


class Messages(SystemV):
    get, control = "msgget", "msgctl"


class PosixQueues(Channel):
    def send(self, bit):
        if bit:
            kernel.call("mq_open", self.name.encode(), os.O_CREAT | os.O_RDWR, 0o666, None)
        elif self.turn > 1:
            with suppress(FileNotFoundError):
                kernel.call("mq_unlink", self.name.encode())

    def hear(self):
        try:
            os.close(kernel.call("mq_open", self.name.encode(), os.O_RDONLY, 0, None))
        except FileNotFoundError:
            return 0
        return 1


class Opened(Channel):
    """A channel through one file that both have open."""

    def ready(self):
        self.file = open(self.shared, "rb")  # noqa: SIM115 - it stays open


class WholeLocks(Opened):
    def send(self, bit):
        fcntl.flock(self.file, fcntl.LOCK_EX if bit else fcntl.LOCK_UN)

    def hear(self):
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return 1
        fcntl.flock(self.file, fcntl.LOCK_UN)
        return 0


class RecordLocks(Opened):
    """A lock for reading needs no more than a file that can be read."""

    set, ask = fcntl.F_SETLK, fcntl.F_GETLK

    def lock(self, kind):
        return struct.pack("hhqqixxxx", kind, os.SEEK_SET, 0, 1, 0)

    def send(self, bit):
        fcntl.fcntl(self.file, self.set, self.lock(fcntl.F_RDLCK if bit else fcntl.F_UNLCK))

    def hear(self):
        answer = fcntl.fcntl(self.file, self.ask, self.lock(fcntl.F_WRLCK))
        return int(struct.unpack_from("h", answer)[0] != fcntl.F_UNLCK)


class LocksOfOpenFiles(RecordLocks):
    set, ask = F_OFD_SETLK, F_OFD_GETLK


class Leases(Channel):
    """Who owns a file may have a lease of it, unless somebody else has it open."""

    fd = None

    def send(self, bit):
        if bit:
            self.fd = os.open(self.own, os.O_RDONLY)
        elif self.fd is not None:
            os.close(self.fd)

    def hear(self):
        fd = os.open(self.own, os.O_RDONLY)
        try:
            fcntl.fcntl(fd, F_SETLEASE, fcntl.F_WRLCK)
        except BlockingIOError:
            return 1
        finally:
            os.close(fd)
        return 0


class WatchedFiles(Channel):
    fd = -1

    def ready(self):
        if self.given["role"] == "hear":
            self.fd = kernel.call("inotify_init1", os.O_NONBLOCK)
            kernel.call("inotify_add_watch", self.fd, os.fsencode(self.own), 0x20)

    def send(self, bit):
        if bit:
            self.own.read_bytes()

    def hear(self):
        try:
            return int(bool(os.read(self.fd, 4096)))
        except BlockingIOError:
            return 0


class Keys(Channel):
    USER_KEYRING, SEARCH, INVALIDATE = -4, 10, 21
    key = None

    def send(self, bit):
        if bit:
            name = self.name.encode()
            self.key = kernel.call("add_key", b"user", name, b"bit", 3, self.USER_KEYRING)
        elif self.key is not None:
            kernel.call("keyctl", self.INVALIDATE, self.key)

    def hear(self):
        name = self.name.encode()
        try:
            kernel.call("keyctl", self.SEARCH, self.USER_KEYRING, b"user", name, 0)
        except OSError as error:
            if error.errno in (126, 128):  # ENOKEY, EKEYREVOKED
                return 0
            raise
        return 1


class TimesOfAccess(Channel):
    """Reading a file moves its time of access, once a day: a file for each bit."""

    def file(self):
        return self.own.with_name(f"aged-{self.turn}")

    def send(self, bit):
        if bit:
            self.file().read_bytes()

    def hear(self):
        return int(self.file().stat().st_atime > self.given["aged"] + 1)


class CachedPages(Channel):
    """A page that somebody has read is in memory; one that nobody has, is not."""

    NO_WAIT = 8

    def ready(self):
        self.fd = os.open(self.own.with_name("ballast"), os.O_RDONLY)

    def offset(self):
        return self.turn << 20

    def send(self, bit):
        if bit:
            os.pread(self.fd, 4096, self.offset())

    def hear(self):
        into = bytearray(1)
        try:
            os.preadv(self.fd, [into], self.offset(), self.NO_WAIT)
        except BlockingIOError:
            return 0
        return 1


class WaitingThreads(Channel):
    """A thread that waits at an address in a file can be woken from any program that maps it."""

    WAIT, WAKE = 0, 1

    def ready(self):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        fd = os.open(self.shared, os.O_RDONLY)
        size = ctypes.c_size_t(4096)
        found = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, fd, ctypes.c_long(0))
        self.word = ctypes.c_void_p(found)
        self.value = ctypes.c_uint32.from_address(found).value

    def send(self, bit):
        if bit:
            kernel_waits = (self.word, self.WAIT, self.value, None, None, 0)
            waits = threading.Thread(target=self._wait, args=kernel_waits, daemon=True)
            waits.start()
            time.sleep(0.05)

    def _wait(self, *arguments):
        with suppress(OSError):
            kernel.call("futex", *arguments)

    def hear(self):
        return int(kernel.call("futex", self.word, self.WAKE, 9, None, None, 0) > 0)


class FilesInFlight(Channel):
    """How many files a user may have on their way through sockets is one number for all."""

    LIMIT = 60

    def ready(self):
        self.pair = None
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.LIMIT, hard))

    def send(self, bit):
        if bit:
            self.pair = socket.socketpair()
            socket.send_fds(self.pair[0], [b"x"], [0] * 250)
        elif self.pair:
            for end in self.pair:
                end.close()

    def hear(self):
        one, other = socket.socketpair()
        with one, other:
            try:
                socket.send_fds(one, [b"x"], [0])
            except OSError as error:
                if error.errno == 109:  # ETOOMANYREFS
                    return 1
                raise
        return 0


class SignalsInQueues(Channel):
    """How many signals of a user may wait is one number for all."""

    NUMBER = signal.SIGRTMIN + 1

    def ready(self):
        signal.pthread_sigmask(signal.SIG_BLOCK, [self.NUMBER])
        self.libc = ctypes.CDLL(None, use_errno=True)
        if self.given["role"] == "hear":
            limit = min(self.given["many"] // 2, *resource.getrlimit(resource.RLIMIT_SIGPENDING))
            hard = resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]
            resource.setrlimit(resource.RLIMIT_SIGPENDING, (limit, hard))

    def queue(self):
        return self.libc.sigqueue(os.getpid(), self.NUMBER, None) == 0

    def drain(self):
        while signal.sigtimedwait([self.NUMBER], 0):
            pass

    def send(self, bit):
        if not bit:
            self.drain()
            return
        for _ in range(self.given["many"]):
            if not self.queue():
                break

    def hear(self):
        full = not self.queue()
        self.drain()
        return int(full)


class Counted(Channel):
    """A number of the whole machine that one bot moves and another reads."""

    least = 1

    def ready(self):
        self.before = self.count() if self.given["role"] == "hear" else None

    def count(self):
        raise NotImplementedError

    def hear(self):
        return int(self.count() - self.before >= self.least)


class TerminalsCounted(Counted):
    ends = ()

    def count(self):
        return int(Path("/proc/sys/kernel/pty/nr").read_text())

    def send(self, bit):
        if bit:
            self.ends = os.openpty()
        else:
            for end in self.ends:
                os.close(end)


class RequestsCounted(Counted):
    """Room for reads and writes that go on in the background."""

    least = 500
    context = None

    def count(self):
        return int(Path("/proc/sys/fs/aio-nr").read_text())

    def send(self, bit):
        if bit:
            self.context = ctypes.c_ulong(0)
            kernel.call("io_setup", 1000, ctypes.byref(self.context))
        elif self.context:
            kernel.call("io_destroy", self.context)


class ThreadsCounted(Counted):
    least = 4
    leave = None

    def count(self):
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])

    def send(self, bit):
        if bit:
            self.leave = threading.Event()
            for _ in range(6):
                threading.Thread(target=self.leave.wait, daemon=True).start()
        elif self.leave:
            self.leave.set()


class MemoryInUse(Counted):
    """What one bot takes, within its limit, stands in a figure of the whole machine."""

    least = BIG // 2
    held = b""

    def count(self):
        lines = Path("/proc/meminfo").read_text().splitlines()
        (line,) = [each for each in lines if each.startswith("AnonPages:")]
        return int(line.split()[1]) * 1024

    def send(self, bit):
        self.held = b"\1" * BIG if bit else b""


if __name__ == "__main__":
    given = json.loads(sys.argv[2])
    channel = globals()[sys.argv[1]](given)

    def attempt(turn):
        channel.turn = turn
        if turn == 0:
            return channel.ready()
        if given["role"] == "hear":
            return channel.hear()
        return channel.send(given["bits"][turn - 1])

    play(attempt)
