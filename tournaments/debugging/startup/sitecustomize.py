"""Lets a bot in Python stop in pdb on a terminal, as its own streams carry the protocol.

The bot's interpreter imports this as it starts, of whatever version that is: so it uses no more
than Python 3.7 has, and of this project nothing.
"""

import os
import signal
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

TERMINAL = "SPADES_ARENA_TERMINAL"
"""The variable with the path of the terminal."""
HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
WAITING = (
    *("protocol", "protocol.*", "msgspec.*", "codecs", "encodings.*", "json", "json.*"),
    *("queue", "selectors", "threading", "asyncio", "asyncio.*", "bdb", "pdb", __name__),
)
"""Modules that are passed through between a line and the bot's own code."""


def _pdb():  # type: ignore[no-untyped-def]
    """The library's, whatever files the bot has: a bot's `cmd.py` is no part of it."""
    before = list(sys.path)
    sys.path.insert(0, os.path.dirname(os.__file__))  # noqa: PTH120
    try:
        import pdb
    finally:
        sys.path[:] = before
    return pdb


def at_terminal():  # type: ignore[no-untyped-def]
    """A pdb that talks to the terminal. To quit it ends the bot."""

    class AtTerminal(_pdb().Pdb):  # type: ignore[misc]
        def set_quit(self):  # type: ignore[no-untyped-def]
            os._exit(1)

    terminal = os.open(os.environ[TERMINAL], os.O_RDWR | os.O_NOCTTY)
    read, written = os.fdopen(terminal, "r"), os.fdopen(os.dup(terminal), "w")
    return AtTerminal(stdin=read, stdout=written, skip=WAITING)


def breakpoint_at_terminal(*args, **kwargs):  # type: ignore[no-untyped-def]
    """What `breakpoint()` calls."""
    at_terminal().set_trace(sys._getframe(1))  # type: ignore[no-untyped-call]


def _stop(number, frame):  # type: ignore[no-untyped-def]
    at_terminal().set_trace(frame)  # type: ignore[no-untyped-call]


def _other():  # type: ignore[no-untyped-def]
    """Runs the module of this name that would have been found without this one."""
    found = PathFinder.find_spec("sitecustomize", sys.path)
    if found is not None and found.loader is not None:
        found.loader.exec_module(module_from_spec(found))


sys.path[:] = [place for place in sys.path if os.path.abspath(place) != HERE]  # noqa: PTH100
if TERMINAL in os.environ:
    signal.signal(signal.SIGRTMAX, _stop)
_other()  # type: ignore[no-untyped-call]
