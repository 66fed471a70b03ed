"""Runs a bot's build, and finds what a version manager's shim would run.

Child processes are otherwise the business of `arena.process` alone, which keeps clocks and
measures bots. These run before the tournament, speak no protocol, and are waited for.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from protocol.codec import printable
from tournaments.errors import UserError, quoted
from tournaments.signals import deferred

TIME_LIMIT: Final = 600.0
"""Seconds that a build may take."""
QUOTED_LINES: Final = 20
"""Of its output, when it fails."""
_QUOTED_BYTES: Final = 10_000
_WORDS_SHOWN: Final = 8
COMMAND_SHOWN: Final = 200
"""Characters of a command that a message shows."""
PYTHON: Final = "{python}"
"""Stands for the arena's own interpreter in a command."""


def with_python(command: Sequence[str]) -> list[str]:
    """The command with the interpreter's path put in."""
    return [word.replace(PYTHON, sys.executable) for word in command]


def as_a_list(word: str) -> str:
    """`: words are separated by commas: [cc, -O2]` for a word that is a whole line, or nothing."""
    words = word.split()
    more = ", ..." if len(words) > _WORDS_SHOWN else ""
    shown = ", ".join(words[:_WORDS_SHOWN]) + more
    return f": words are separated by commas: [{printable(shown)}]" if len(words) > 1 else ""


def run_build(command: Sequence[str], folder: Path, time_limit: float = TIME_LIMIT) -> None:
    """Runs a build in the bot's folder, without a box, with the arena's environment.

    Raises UserError, with the end of what it printed, if it fails. However this ends, also by an
    interruption, the build's process group does not go on.
    """
    with tempfile.TemporaryFile() as output:
        process = None
        try:
            with deferred():  # cut short, a start would leave its process to itself
                process = subprocess.Popen(
                    with_python(command),
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            status = process.wait(time_limit)
        except OSError as error:
            reason = _why_not_started(command[0], folder, error)
            raise UserError(f"the build {as_line(command)} cannot be started: {reason}") from None
        except subprocess.TimeoutExpired:
            printed = end_of(_printed(output))
            raise UserError(
                f"the build {as_line(command)} was stopped after {time_limit:g} seconds{printed}"
            ) from None
        finally:
            if process is not None and process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if status:
            printed = end_of(_printed(output))
            raise UserError(f"the build {as_line(command)} {how_it_ended(status)}{printed}")


def behind_shim(program: Path, folder: Path) -> Path:
    """What runs when a version manager's shim (of pyenv, asdf, mise, rbenv, ...) is run.

    A shim is slow, and at a loss in a bot's environment, whose HOME is an empty folder. So are the
    links that rustup makes to itself. Anything else is given back as it is.
    """
    if program.parent.name == "shims":
        manager = program.parent.parent.name.lstrip(".")
    elif program.name != "rustup" and program.resolve().name == "rustup":
        # A file in the bot's folder could make it fetch another toolchain.
        manager, folder = str(program.resolve()), Path("/")
    else:
        return program
    with suppress(OSError, subprocess.SubprocessError):
        answer = subprocess.run(
            [manager, "which", program.name],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
        found = Path(answer.stdout.strip())
        if found.is_absolute() and os.access(found, os.X_OK):
            return found
    return program


def _why_not_started(program: str, folder: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        if "/" not in program:
            return f"{quoted(program)} is not on PATH{as_a_list(program)}"
        if not (folder / program).exists():
            return f"{quoted(program)} does not exist{as_a_list(program)}"
    return error.strerror or str(error)


def as_line(command: Sequence[str]) -> str:
    """A command as messages show it: on one line, cut to a fair length."""
    shown = printable(" ".join(command)[: COMMAND_SHOWN + 1])
    return f"`{shown[:COMMAND_SHOWN]}...`" if len(shown) > COMMAND_SHOWN else f"`{shown}`"


def how_it_ended(status: int) -> str:
    """`ended with status 1`; of a negative status, by which signal."""
    return f"ended with status {status}" if status > 0 else f"ended with signal {-status}"


def _printed(output: IO[Any]) -> str:
    output.seek(max(0, output.seek(0, os.SEEK_END) - _QUOTED_BYTES))
    return str(output.read().decode(errors="replace"))


def end_of(output: str) -> str:
    """The last lines of what a build printed, indented, as text that a terminal does not obey."""
    lines = output.splitlines()[-QUOTED_LINES:]
    shown = [printable(line.expandtabs().rstrip()) for line in lines]
    return "".join(f"\n    | {line}" for line in shown) or " and printed nothing"
