"""Collusion by numbers that the kernel keeps for a user, or for the whole machine."""

import ctypes
import os
import resource
import signal
import socket
import threading
from pathlib import Path

import kernel
from channel import Channel, play_one_of

BIG = 80_000_000


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
    play_one_of(globals())
