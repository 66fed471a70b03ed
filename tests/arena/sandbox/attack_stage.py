"""What attacks are aimed at: things that are none of a bot's business, and eyes on them."""

import ctypes
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

PROGRAMS = Path(__file__).parents[2] / "attacks"
SHARED = ["bystander", "channel", "kernel", "playing"]
"""Programs, less their endings, that are no attacks."""
BITS = [1, 0, 1, 0]
"""After the last, nothing that the sender made is there any more."""
AGED = 1_000_000_000
"""When the files were last read whose times of access tell something, in seconds."""
LOOKS, LOOK_SECONDS = 10, 0.02
"""At a process that may be about to end."""

BOXED: Final[dict[str, Any]] = {
    "allowed": 4,
    "devices": [],
    "disk_megabytes": 4,
    "files": 20_000,
    "forks": 100,
    "hold": 0.5,
    "many": 200_000,
    "megabytes": 192,
    "pipes": 80,
    "threads": 8,
}
"""How much is attacked where limits hold, which are BOX."""
UNBOXED: Final[dict[str, Any]] = {
    "allowed": 3,
    "devices": ["kmsg", "fuse", "loop-control"],
    "disk_megabytes": 2,
    "files": 100,
    "forks": 3,
    "hold": 0,
    "many": 2_000,
    "megabytes": 64,
    "pipes": 20,
    "threads": 4,
}
"""How much where none may hold: no more than any machine can bear."""


class Stage:
    """Things that are none of a bot's business, and eyes on them."""

    def __init__(self, folder: Path, stack: ExitStack, groups: tuple[str, ...]) -> None:
        self.folder = folder
        self.stack = stack
        self.token = secrets.token_hex(12)
        self.hidden = secrets.token_hex(12)
        self.opponent = secrets.token_hex(12)
        self.scratch = self._folder("scratch")
        self.precious = self._folder("precious")
        (self.precious / "kept").write_text("kept")
        self.secret = self._secret("run", "arena.db")
        self.other = self._secret("other", "model.bin")
        self.home = self._secret("home", "secret")
        self._make_bot(groups)
        self._open_doors()
        self.witness = stack.enter_context(subprocess.Popen(["sleep", "600"]))
        stack.callback(self.witness.kill)
        self._before = self._of_the_witness()

    def _folder(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir()
        return folder

    def _secret(self, folder: str, name: str) -> Path:
        """A file that anybody may read who can see it: only a box hides it."""
        file = self._folder(folder) / name
        file.write_text(self.token)
        return file

    def _make_bot(self, groups: tuple[str, ...]) -> None:
        self.bot = self._folder("bot")
        for name in (*SHARED, *groups):
            shutil.copy(PROGRAMS / f"{name}.py", self.bot)
        (self.bot / "words.txt").write_text("words")
        aged = [self.bot / f"aged-{bit + 1}" for bit in range(len(BITS))]
        if "collusion_files" in groups:
            self._make_ballast()
            for file in aged:
                file.write_text("words")
        self._files = self._content()
        for file in aged:
            if file.exists():
                os.utime(file, (AGED, file.stat().st_mtime))

    def _make_ballast(self) -> None:
        """A file that is in no memory."""
        with open(self.bot / "ballast", "wb") as ballast:
            ballast.write(bytes((len(BITS) + 1) << 20))
            ballast.flush()
            os.fsync(ballast.fileno())
            os.posix_fadvise(ballast.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def _content(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.bot)): path.read_bytes()
            for path in sorted(self.bot.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts and path.name != "ballast"
        }

    def _open_doors(self) -> None:
        """Sockets and a terminal that nobody is to reach."""
        self.tcp, self.udp = self._listen(("127.0.0.1", 0)), self._receive(("127.0.0.1", 0))
        self.unix = self._listen(str(self.folder / "socket"), socket.AF_UNIX)
        self.abstract = self._listen(f"\0{self.token}-stream", socket.AF_UNIX)
        self.datagrams = self._receive(f"\0{self.token}-datagrams", socket.AF_UNIX)
        self.screen, self.keyboard = os.openpty()
        for fd in (self.screen, self.keyboard):
            os.set_blocking(fd, False)
            self.stack.callback(os.close, fd)
        with socket.socket() as door:
            door.bind(("127.0.0.1", 0))
            self.port = int(door.getsockname()[1])

    def _listen(self, address: Any, family: int = socket.AF_INET) -> socket.socket:
        door = self._bound(address, family, socket.SOCK_STREAM)
        door.listen()
        return door

    def _receive(self, address: Any, family: int = socket.AF_INET) -> socket.socket:
        return self._bound(address, family, socket.SOCK_DGRAM)

    def _bound(self, address: Any, family: int, kind: int) -> socket.socket:
        door = self.stack.enter_context(socket.socket(family, kind))
        door.bind(address)
        door.setblocking(False)
        return door

    def given(self, boxed: bool) -> dict[str, Any]:
        """All that attacks are told, as if they had guessed it."""
        return {
            **(BOXED if boxed else UNBOXED),
            "abstract": f"{self.token}-stream",
            "abstract_datagrams": f"{self.token}-datagrams",
            "aged": AGED,
            "backwards": self.opponent[::-1],
            "bits": BITS,
            "hidden_backwards": self.hidden[::-1],
            "home": str(self.home),
            "name": f"spades-{self.token[:6]}",
            "other": str(self.other),
            "port": self.port,
            "precious": str(self.precious),
            "processor": min(os.sched_getaffinity(0)),
            "secret": str(self.secret),
            "target": str(self.folder / "run" / "written"),
            "tcp": self.tcp.getsockname()[1],
            "terminal": os.ttyname(self.keyboard),
            "token": self.token[::-1],
            "udp": self.udp.getsockname()[1],
            "unix": str(self.folder / "socket"),
            "witness": self.witness.pid,
        }

    def arrived(self) -> bool:
        """Something came through a door."""
        words = b""
        for door in (self.tcp, self.unix, self.abstract):
            with suppress(BlockingIOError):
                caller, _ = door.accept()
                with caller:
                    caller.settimeout(5)
                    words += caller.recv(1000)
        for door in (self.udp, self.datagrams):
            with suppress(BlockingIOError):
                words += door.recv(1000)
        with suppress(BlockingIOError):
            words += os.read(self.screen, 1000)
        with suppress(BlockingIOError):
            words += os.read(self.keyboard, 1000)
        return self.token[::-1].encode() in words or b"typed" in words

    def written(self) -> bool:
        """The bot's folder has changed, or a file was made where none may be."""
        return self._content() != self._files or (self.folder / "run" / "written").exists()

    def felt(self) -> bool:
        """The process of somebody else is not as it was; what ends it takes a moment."""
        for _ in range(LOOKS):
            if self._of_the_witness() != self._before:
                return True
            time.sleep(LOOK_SECONDS)
        return False

    def _of_the_witness(self) -> tuple[object, ...]:
        pid = self.witness.pid
        with suppress(ProcessLookupError):
            return (
                self.witness.poll(),
                os.getpriority(os.PRIO_PROCESS, pid),
                os.sched_getscheduler(pid),
                os.sched_getaffinity(pid),
                Path(f"/proc/{pid}/limits").read_text(),
                _priority_of_disk(pid),
            )
        return ()


def _priority_of_disk(pid: int) -> int:
    number, whose_process = {"x86_64": 252, "aarch64": 31}[os.uname().machine], 1
    return int(ctypes.CDLL(None).syscall(number, whose_process, pid))


@contextmanager
def stage(*groups: str) -> Iterator[Stage]:
    """A stage for these programs of attacks, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder, ExitStack() as stack:
        yield Stage(Path(folder), stack, groups)
