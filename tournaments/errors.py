"""The two kinds of failure that end a command, and the words for a user's mistake."""

import errno
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from protocol.codec import printable

QUOTE_LIMIT: Final = 80
"""Characters of a user's text that a message quotes."""

_TROUBLE: Final = {
    errno.ENOSPC: "the disk is full: make room",
    errno.EDQUOT: "the disk quota is used up: make room",
    errno.EFBIG: "a file has grown to the limit of a file's size: raise it (ulimit -f)",
    errno.EROFS: "the disk is mounted read-only: mount it for writing, or use another",
    errno.EIO: "the disk fails: use a sound one",
    errno.EACCES: "permission denied: mend the permissions",
    errno.EPERM: "the system forbids it: mend the permissions",
    errno.ENOENT: "a file or folder has vanished: put it back",
    errno.EMFILE: "there are too many open files: raise the limit (ulimit -n)",
    errno.ENFILE: "all of this machine's programs have too many open files: end some of them",
    errno.EAGAIN: "no more processes can be started: raise the limit (ulimit -u), or end some",
    errno.ENOMEM: "no memory is left: end other programs, or play fewer tables (--jobs)",
}
"""What the machine may refuse, in words, and what its owner can do about it."""


class UserError(Exception):
    """A mistake in what was typed or in a file; its text says which, where, and what to do."""


class ArenaError(Exception):
    """The arena's own failure: nobody's mistake but ours or the machine's."""


class Damaged(ArenaError):
    """What is kept in a file was changed or spoilt; its text says where."""


def machine_trouble(error: BaseException) -> str | None:
    """What the machine has refused and how that is mended; None if the error looks like a bug."""
    from arena.sandbox.box import BoxFailed  # here: few commands need boxes, all need this module

    if isinstance(error, BoxFailed):
        return f"a bot can't be boxed in: {error}: ask `spades-arena doctor`"
    if isinstance(error, MemoryError):
        return _TROUBLE[errno.ENOMEM]
    if not isinstance(error, OSError) or error.errno not in _TROUBLE:
        return None
    if error.filename is None:  # then nothing says that a missing file is one that was there
        return None if error.errno == errno.ENOENT else _TROUBLE[error.errno]
    return f"{shown(error.filename)}: {_TROUBLE[error.errno]}"


def shown(path: object) -> str:
    """A path as messages show it, on one line: strangers give names to folders, too."""
    return printable(str(path))


def quoted(text: str) -> str:
    """The text in quotes, on one line, cut to a fair length."""
    return repr(text) if len(text) <= QUOTE_LIMIT else f"{text[:QUOTE_LIMIT]!r}..."


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """`: did you mean 'seed'?` for the nearest of `words`, or nothing if none is near."""
    known = {each.casefold(): each for each in words}
    found = get_close_matches(word[:QUOTE_LIMIT].casefold(), known, n=1)
    return f": did you mean {known[found[0]]!r}?" if found else ""


def near(path: Path) -> str:
    """The file or folder beside it that was meant, perhaps."""
    with suppress(OSError):
        return did_you_mean(path.name, [near.name for near in path.parent.iterdir()])
    return ""
