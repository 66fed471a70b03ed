"""Asks git: it never prompts, and its answers are bounded in time and length."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import IO, Final

from protocol.codec import printable
from tournaments.errors import UserError

TIME_LIMIT: Final = 60.0
"""Seconds that git may take for an answer."""
ANSWER_LIMIT: Final = 1 << 26
"""Bytes of an answer."""
_ERROR_LIMIT: Final = 10_000

_ELSEWHERE: Final = frozenset(
    {
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_WORK_TREE",
    }
)
"""Variables with which git tells its hooks of a repository; ours is that of the folder."""

_OURS: Final = {
    "GIT_NO_REPLACE_OBJECTS": "1",  # a clone that replaces objects has the commit all the same
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class Refused(UserError):
    """git has ended with an error; the text is its own."""


def answer(folder: Path, *arguments: str) -> bytes:
    """What `git ARGUMENTS` prints in a folder.

    Raises Refused where it fails; UserError where there is no git, and over the limits.
    """
    with running(folder, *arguments) as output:
        text = output.read(ANSWER_LIMIT + 1)
        if len(text) > ANSWER_LIMIT:
            raise UserError(f"git {_asked(arguments)} says more than {ANSWER_LIMIT:,} bytes")
    return text


@contextmanager
def running(folder: Path, *arguments: str, typed: bytes = b"") -> Iterator[IO[bytes]]:
    """The output of `git ARGUMENTS` in a folder, to be read to its end; `typed` is its input.

    Raises as `answer` does, at the latest when the block ends. However that is left, git does not
    go on.
    """
    with TemporaryFile() as given, TemporaryFile() as errors:
        given.write(typed)
        given.seek(0)
        process = _start(folder, arguments, given, errors)
        assert process.stdout is not None
        late = Timer(TIME_LIMIT, _end, [process])
        late.start()
        try:
            yield process.stdout
            status = process.wait()
            if status:
                errors.seek(0)
                said = errors.read(_ERROR_LIMIT).decode(errors="replace").strip()
                shown = printable(said, but="\n\t")
                raise Refused(shown or f"git {_asked(arguments)} ended with status {status}")
        except UserError:
            if late.is_alive():
                raise
            raise UserError(
                f"git {_asked(arguments)} was stopped after {TIME_LIMIT:g} seconds: try it by hand"
            ) from None
        finally:
            late.cancel()
            _end(process)
            process.wait()
            process.stdout.close()


def _asked(arguments: Sequence[str]) -> str:
    """The command, behind the options of git's own."""
    return next(word for word in arguments if not word.startswith("-"))


def _start(
    folder: Path, arguments: tuple[str, ...], given: IO[bytes], errors: IO[bytes]
) -> "subprocess.Popen[bytes]":
    """git in a session of its own, which has no terminal to ask at."""
    kept = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    try:
        return subprocess.Popen(
            ["git", "-C", str(folder), *arguments],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=kept | _OURS,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise UserError("git is not installed: install it, or name a folder") from None
    except OSError as error:
        raise UserError(f"git can't be run: {error.strerror}") from None
    except ValueError:
        raise UserError("there is a character in it that no name of git's has") from None


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
