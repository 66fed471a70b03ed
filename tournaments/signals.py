"""Ctrl-C and SIGTERM as an exception that unwinds, so that everything started is ended."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class Interrupted(BaseException):
    """The user, or the system, wants this to stop. Not an Exception: nothing may swallow it."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.exit_status = 128 + signum
        """What a shell expects of a program ended by that signal."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Within it, the first SIGINT or SIGTERM raises Interrupted.

    Any later one is ignored, to the end of the process: what is left to do is clean-up, which is
    bounded, so there is nothing that a second Ctrl-C should cut short.
    """
    signals = (signal.SIGINT, signal.SIGTERM)

    def stop(signum: int, frame: FrameType | None) -> NoReturn:
        for each in signals:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted(signum)

    before = {each: signal.signal(each, stop) for each in signals}
    try:
        yield
    finally:
        for each, handler in before.items():
            if signal.getsignal(each) is stop:
                signal.signal(each, handler)
