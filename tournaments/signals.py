"""Ctrl-C, SIGTERM and a closed terminal as an exception that unwinds: all that was started ends."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, NoReturn

STOPS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends a command. SIGHUP says that its terminal is gone."""


class Interrupted(BaseException):
    """The user, or the system, wants this to stop. Not an Exception: nothing may swallow it."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.exit_status = 128 + signum
        """What a shell expects of a program ended by that signal."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Within it, the first of STOPS raises Interrupted; SIGHUP not under `nohup`.

    Any later one is ignored, to the end of the process: what is left to do is clean-up, which is
    bounded, so there is nothing that a second Ctrl-C should cut short.
    """

    def stop(signum: int, frame: FrameType | None) -> NoReturn:
        for each in STOPS:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted(signum)

    before = _handled()
    for each in before:
        signal.signal(each, stop)
    try:
        yield
    finally:
        for each, handler in before.items():
            if signal.getsignal(each) is stop:
                signal.signal(each, handler)


@contextmanager
def deferred() -> Iterator[Callable[[], bool]]:
    """Within it the first of STOPS is noted, and raises Interrupted at its end.

    What is given tells whether one has come, so that whoever is at work can come to a good end. A
    second one raises Interrupted at once.
    """
    noted: list[int] = []

    def note(signum: int, frame: FrameType | None) -> None:
        noted.append(signum)
        if len(noted) > 1:
            for each in before:
                signal.signal(each, signal.SIG_IGN)
            raise Interrupted(signum)

    before = _handled()
    try:
        for each in before:
            signal.signal(each, note)
        yield lambda: bool(noted)
    finally:
        for each, handler in before.items():
            if signal.getsignal(each) is note:
                signal.signal(each, handler)
    if noted:
        raise Interrupted(noted[0])


def _handled() -> dict[signal.Signals, Any]:
    """The signals that are ours to take, each with its handler so far."""
    handlers = {each: signal.getsignal(each) for each in STOPS}
    if handlers[signal.SIGHUP] is signal.SIG_IGN:  # `nohup` is to outlive its terminal
        del handlers[signal.SIGHUP]
    return handlers


def stop_job() -> None:
    """Stops this process and what was started with it at the shell, until the shell goes on."""
    os.kill(0, signal.SIGTSTP)
