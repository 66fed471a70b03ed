"""Collusion by what has a name that two bots agree on."""

import os
import socket
import zlib
from contextlib import suppress
from pathlib import Path

import kernel
from channel import Channel, play_one_of
from playing import names_of_processes


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
        return int(self.name[:15] in names_of_processes())


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


if __name__ == "__main__":
    play_one_of(globals())
