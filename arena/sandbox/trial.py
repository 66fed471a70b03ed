"""The guarantees of the box put to the test: an intruder runs in one and tells what it could do."""

import json
import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

from arena import reaper
from arena.diagnosis import mode_of
from arena.program import Program
from arena.sandbox import intruder, probe
from arena.sandbox.box import BoxFailed, Sandbox
from arena.sandbox.places import SHOWN, Places, places

BOX: Final = Sandbox("bubblewrap", memory=256_000_000, disk=4_000_000, threads=16)
"""Small enough that its limits are soon reached."""

_VARIABLES: Final = ("PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "PYTHONPATH", "LC_CTYPE")
_COMMAND: Final = (sys.executable, "-I", "-S", "intruder.py")
_PATIENCE_MS: Final = 30_000.0
_PIECE: Final = 65_536
_FILES: Final = 50
Verdict = tuple[bool | None, str]
"""Whether a guarantee holds (None: that can't be told), and what was seen where it does not."""


def try_guarantees() -> dict[str, Verdict]:
    """Guarantee -> verdict, of all that an intruder can try. Raises BoxFailed."""
    with TemporaryDirectory(prefix="doctor-") as place:
        secret, folder = Path(place) / "secret", Path(place) / "bot"
        secret.write_text("what no bot may read")
        folder.mkdir()
        program = folder / "intruder.py"
        program.write_bytes(Path(intruder.__file__).read_bytes())
        # Nothing but the box keeps the bot from writing there.
        program.chmod(0o666)
        folder.chmod(0o777)
        shown = places(Program("doctor", "", _COMMAND, str(folder)))
        private = (path for path in (secret, *_private()) if not _is_shown(path, shown))
        targets = {
            "variables": _VARIABLES,
            "arena": os.getpid(),
            "disk": BOX.disk,
            "memory": 2 * BOX.memory,
            "threads": BOX.threads,
            "files": [str(path) for path in private],
        }
        return _answer(shown, targets)


def _answer(shown: Places, targets: dict[str, Any]) -> dict[str, Verdict]:
    reaper.adopt_orphans()
    with closing(probe.start(BOX, shown, 0)) as box:
        try:
            with suppress(BrokenPipeError):  # it has ended, and its log says why
                box.files[0].write(json.dumps(targets).encode())
            box.files[0].close()
            told, log = (_all_of(file) for file in box.files[1:])
        finally:
            box.kill()
            reaper.kill_bots([box.pid])
            for file in box.files:
                file.close()
    try:
        return {name: (held, seen) for name, (held, seen) in json.loads(told).items()}
    except ValueError:
        words = log.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise BoxFailed(f"{sys.executable} does not run in a box: {words[-1]}") from None


def _all_of(file: IO[bytes]) -> bytes:
    """What comes until the end of a pipe, or until nothing has come for too long."""
    found, poll = b"", select.poll()
    poll.register(file, select.POLLIN)
    while poll.poll(_PATIENCE_MS) and (data := os.read(file.fileno(), _PIECE)):
        found += data
    return found


def _private() -> Iterator[Path]:
    """Files that are there, and that no bot has to do with."""
    folders = [Path.cwd()]
    with suppress(RuntimeError):  # one has no home
        folders.append(Path.home())
    found: list[Path] = []
    for folder in folders:
        with suppress(OSError):  # one may not look into it
            found += sorted(folder.iterdir())
    named = [Path("/etc/passwd"), Path("/etc/shadow"), Path("/etc/hostname")]
    return (path for path in [*named, *found[:_FILES]] if stat.S_ISREG(mode_of(path)))


def _is_shown(path: Path, shown: Places) -> bool:
    """A box shows it on purpose."""
    folders = (*SHOWN, *(Path(place) for _, place in shown.shown))
    return any(path.resolve().is_relative_to(folder) for folder in folders)
