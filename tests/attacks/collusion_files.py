"""Collusion by a file that two bots can only read: locks, and traces of reading."""

import ctypes
import fcntl
import mmap
import os
import struct
import threading
import time
from contextlib import suppress

import kernel
from channel import Channel, play_one_of

F_OFD_GETLK, F_OFD_SETLK, F_SETLEASE = 36, 37, 1024


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
    at = 0
    """Where in the file the word is that is waited for."""

    def ready(self):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        fd = os.open(self.shared, os.O_RDONLY)
        size = ctypes.c_size_t(4096)
        found = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, fd, ctypes.c_long(0))
        self.word = ctypes.c_void_p(found + self.at)
        self.value = ctypes.c_uint32.from_address(found + self.at).value

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


class EndingThreads(WaitingThreads):
    """The kernel wakes whoever waits at an address that a thread has named, when it ends."""

    woken = 0

    def ready(self):
        super().ready()
        if self.given["role"] == "hear":
            threading.Thread(target=self._listen, daemon=True).start()
            time.sleep(0.05)

    def _listen(self):
        while True:
            self._wait(self.word, self.WAIT, self.value, None, None, 0)
            self.woken = 1

    def send(self, bit):
        if bit:
            ending = threading.Thread(target=self.wake_by_ending)
            ending.start()
            ending.join()
            time.sleep(0.05)

    def wake_by_ending(self):
        kernel.call("set_tid_address", self.word)

    def hear(self):
        woken, self.woken = self.woken, 0
        return woken


class EndingOwners(EndingThreads):
    """A thread that ends while it says that it releases a lock has the next one woken for it.

    It is looked at after a list of locks, which may be long and lie in files: so the thread ends
    late, when its process is stopped already and somebody else is on turn.
    """

    at = 8
    """In the header of a program these bytes are 0: the lock is free."""

    def wake_by_ending(self):
        self.locks = (ctypes.c_void_p * 3)(0, 0, self.word)
        self.locks[0] = ctypes.addressof(self.locks)  # the list has no other
        kernel.call("set_robust_list", self.locks, ctypes.sizeof(self.locks))


if __name__ == "__main__":
    play_one_of(globals())
