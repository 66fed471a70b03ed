"""Runs one attack at a table of its own, and looks at what came of it from outside.

As a program it runs the attacks that standard input names, for tests that need another user.
"""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.bot import BotFault
from arena.process import BotProcess, close_all
from arena.program import Program
from arena.sandbox import Sandbox
from protocol.codec import encode
from tests.arena.attack_table import ATTACKS, Attack, Shows
from tests.arena.programs import HASTY, PATIENT, bid, hello, processes_with

PROGRAMS = Path(__file__).parents[1] / "attacks"
BITS = [1, 0, 1, 0]
"""After the last, nothing that the sender made is there any more."""
AGED = 1_000_000_000
"""When the files were last read whose times of access tell something, in seconds."""
SETTLE_S = 1.0
"""So long a bot that is not on move is watched."""
THOUGHT_S = 0.05
"""So much of the processor's time is more than what a bot needs to fall asleep."""

BOXED: Final[dict[str, Any]] = {
    "allowed": 4,
    "devices": [],
    "disk_megabytes": 4,
    "files": 20_000,
    "forks": 100,
    "many": 200_000,
    "megabytes": 192,
    "pipes": 80,
    "threads": 8,
}
"""How much is attacked where limits hold, which are BOX."""
UNBOXED: Final[dict[str, Any]] = {
    "allowed": 3,
    "devices": ["kmsg"],
    "disk_megabytes": 2,
    "files": 100,
    "forks": 3,
    "many": 2_000,
    "megabytes": 64,
    "pipes": 20,
    "threads": 4,
}
"""How much where none may hold: no more than any machine can bear."""
BOX: Final = Sandbox("bubblewrap", memory=128_000_000, disk=4_000_000, threads=8)


class Outcome(msgspec.Struct):
    """What came of an attack."""

    shown: list[Shows]
    """How it showed that it succeeded; empty if it did not."""
    got: Any = None
    """What the bot got, by its own word."""
    why: str | None = None
    """Why it got nothing."""
    tried: bool = False
    """It told what came of its attempt, or was at fault for it."""
    fault: str | None = None
    """What it was found to have done wrong."""
    remains: list[str] = []
    """What was left of it when all was over."""


class Stage:
    """Things that are none of a bot's business, and eyes on them."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.token = secrets.token_hex(12)
        self.hidden = secrets.token_hex(12)
        self.opponent = secrets.token_hex(12)
        self.bot = folder / "bot"
        self.scratch = self._folder("scratch")
        self.precious = self._folder("precious")
        (self.precious / "kept").write_text("kept")
        self.secret = self._secret("run", "arena.db")
        self.other = self._secret("other", "model.bin")
        self.home = self._secret("home", "secret")
        self._make_bot()
        self._open_doors()
        self.witness = stack.enter_context(subprocess.Popen(["/bin/sleep", "600"]))
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

    def _make_bot(self) -> None:
        shutil.copytree(PROGRAMS, self.bot, ignore=shutil.ignore_patterns("__pycache__"))
        (self.bot / "words.txt").write_text("words")
        with open(self.bot / "ballast", "wb") as ballast:
            ballast.write(bytes((len(BITS) + 1) << 20))
            ballast.flush()
            os.fsync(ballast.fileno())
            os.posix_fadvise(ballast.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        aged = [self.bot / f"aged-{bit + 1}" for bit in range(len(BITS))]
        for file in aged:
            file.write_text("words")
        self._files = self._content()
        for file in aged:
            os.utime(file, (AGED, file.stat().st_mtime))

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
        """The process of somebody else is not as it was."""
        return self._of_the_witness() != self._before

    def _of_the_witness(self) -> tuple[object, ...]:
        pid = self.witness.pid
        with suppress(ProcessLookupError):
            return (
                self.witness.poll(),
                os.getpriority(os.PRIO_PROCESS, pid),
                os.sched_getaffinity(pid),
                Path(f"/proc/{pid}/limits").read_text(),
                _priority_of_disk(pid),
            )
        return ()


def _priority_of_disk(pid: int) -> str:
    asked = subprocess.run(["/usr/bin/ionice", "-p", str(pid)], capture_output=True, text=True)
    return asked.stdout


@contextmanager
def stage() -> Iterator[Stage]:
    """A stage in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder, ExitStack() as stack:
        yield Stage(Path(folder), stack)


def program(stage: Stage, attack: Attack, boxed: bool, **more: Any) -> Program:
    """The attack as a bot."""
    words = json.dumps({**stage.given(boxed), **more})
    file = stage.bot / f"{attack.group}.py"
    command = (sys.executable, "-S", "-E", "-B", str(file), attack.function, words)
    return Program(attack.name, "", command, str(stage.bot), {"OWN": stage.token})


def bystander(stage: Stage) -> Program:
    file = stage.bot / "bystander.py"
    command = (sys.executable, "-S", "-E", "-B", str(file), stage.opponent)
    return Program("bystander", "", command, str(stage.bot), {"SECRET": stage.opponent})


@contextmanager
def seated(
    stage: Stage, attack: Attack, backend: str, *programs: Program
) -> Iterator[list[BotProcess]]:
    clock = HASTY if attack.fault == "timeout" else PATIENT
    box = msgspec.structs.replace(BOX, processes=attack.processes)
    sandbox = Sandbox("none") if backend == "none" else box
    bots = [
        BotProcess(each, clock, stage.scratch, sandbox, seat) for seat, each in enumerate(programs)
    ]
    try:
        yield bots
    finally:
        close_all(bots, clock.exit_ms)


def run(attack: Attack, backend: str) -> Outcome:
    """Runs an attack: backend `bubblewrap` or `none`, or `bare`, which is without the arena.

    Raises ValueError for one that would harm this machine without a box.
    """
    if backend != "bubblewrap" and attack.dangerous:
        raise ValueError(f"{attack.name} must not be run without a box: {attack.dangerous}")
    with stage() as place:
        if backend == "bare":
            return _bare(place, attack)
        try:
            outcome = (_pair if attack.group == "collusion" else _single)(place, attack, backend)
        finally:
            remains = _remains(place)
        outcome.remains = remains
        facts: dict[Shows, Callable[[], bool]] = {
            "told": lambda: place.token in str(outcome.got),
            "done": lambda: outcome.got is not None,
            "arrived": place.arrived,
            "written": place.written,
            "felt": place.felt,
            "crossed": lambda: outcome.got == BITS,
            "thought": lambda: bool(outcome.shown),
            "fooled": lambda: not (outcome.fault or "").startswith(f"{attack.fault}:"),
            "remained": lambda: bool(remains),
        }
        outcome.shown = [attack.shows] if facts[attack.shows]() else []
        return outcome


def _single(stage: Stage, attack: Attack, backend: str) -> Outcome:
    boxed = backend != "none"
    programs = [program(stage, attack, boxed)]
    if attack.group == "spying":
        programs.append(bystander(stage))
    with (
        _secrets_of_the_arena(stage),
        seated(stage, attack, backend, *programs) as [bot, *others],
    ):
        for each in (*others, bot):
            each.ask(hello())
        try:
            note = json.loads(bot.ask(bid()).reply.note or "{}")
        except BotFault as fault:
            return Outcome([], fault=str(fault), tried=True)
        outcome = Outcome([], note.get("got"), note.get("why"), tried="got" in note)
        if attack.shows == "thought" and outcome.got and _thinks(stage, boxed):
            outcome.shown = ["thought"]
        return outcome


def _pair(stage: Stage, attack: Attack, backend: str) -> Outcome:
    boxed = backend != "none"
    roles = [program(stage, attack, boxed, role=role) for role in ("send", "hear")]
    heard: list[Any] = []
    with seated(stage, attack, backend, *roles) as bots:
        try:
            for bot in bots:
                bot.ask(hello())
            sender, listener = bots
            notes = [json.loads(bot.ask(bid()).reply.note or "{}") for bot in bots]
            for _ in BITS:
                notes.append(json.loads(sender.ask(bid()).reply.note or "{}"))
                notes.append(json.loads(listener.ask(bid()).reply.note or "{}"))
                heard.append(notes[-1].get("got"))
        except BotFault as fault:
            return Outcome([], fault=str(fault), tried=True)
    why = next((note["why"] for note in notes if note.get("why")), None)
    return Outcome([], heard, why, tried=all("got" in note for note in notes))


def _bare(stage: Stage, attack: Attack) -> Outcome:
    """As a careless arena would run it: with its environment, and all that it has open."""
    asked = bid()
    asked.id = 2
    first = hello()
    first.id = 1
    bot = program(stage, attack, boxed=False)
    with open(stage.secret) as inherited:
        os.set_inheritable(inherited.fileno(), True)
        ended = subprocess.run(
            bot.command,
            input=encode(first) + encode(asked),
            capture_output=True,
            close_fds=False,
            cwd=bot.folder,
            env={**os.environ, "HIDDEN": stage.hidden},
        )
    note = json.loads(json.loads(ended.stdout.splitlines()[1])["note"])
    return Outcome(["done"] if note["got"] is not None else [], note["got"], note.get("why"))


@contextmanager
def _secrets_of_the_arena(stage: Stage) -> Iterator[None]:
    """Something in its environment, and a file that it has open for whoever inherits it."""
    with open(stage.secret) as inherited:
        os.set_inheritable(inherited.fileno(), True)
        os.environ["HIDDEN"] = stage.hidden
        try:
            yield
        finally:
            del os.environ["HIDDEN"]


def _thinks(stage: Stage, boxed: bool) -> bool:
    """Whether it uses the processor while nobody asks it anything."""
    before = _seconds(stage)
    deadline = time.monotonic() + (SETTLE_S if boxed else 30)
    while (thought := _seconds(stage) - before) < THOUGHT_S and time.monotonic() < deadline:
        time.sleep(0.05)
    return thought >= THOUGHT_S


def _seconds(stage: Stage) -> float:
    """Processor time of all its processes."""
    ticks = 0
    for pid in processes_with(stage.token):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _remains(stage: Stage) -> list[str]:
    """What should be gone, and is there; what should be there, and is gone."""
    processes = [f"process {pid}" for pid in processes_with(stage.token)]
    for name in processes:
        with suppress(ProcessLookupError):
            os.kill(int(name.split()[1]), signal.SIGKILL)
    files = [str(path) for path in stage.scratch.iterdir()]
    kept = stage.precious / "kept"
    harmed = [] if kept.exists() and kept.read_text() == "kept" else [f"no {kept}"]
    return processes + files + harmed


def main() -> None:
    """A line of input is a backend and the name of an attack, one of output its outcome."""
    for line in sys.stdin:
        backend, name = line.split()
        print(msgspec.json.encode(run(ATTACKS[name], backend)).decode(), flush=True)


if __name__ == "__main__":
    main()
