"""Keys while a program is in a debugger on the terminal: whose they are."""

import signal
import subprocess

import pytest

from tests.tournaments.league import until
from tournaments.debugging import handover
from tournaments.debugging.handover import Handover


def test_ctrl_z_stops_the_program_as_well_for_as_long_as_debug_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTSTP)
    stopped: list[int] = []

    def state() -> str:
        return handover._activity(program.pid)[0]

    def stop_job() -> None:  # a test must not stop
        until(lambda: state() == "T")
        stopped.append(program.pid)

    monkeypatch.setattr(handover, "stop_job", stop_job)
    program = subprocess.Popen(["sleep", "1000"])
    try:
        keys = Handover(lambda line: None)
        keys._pass_on_keys(program.pid)
        for _ in range(2):
            signal.raise_signal(signal.SIGTSTP)
            until(lambda: state() != "T")
        assert stopped == [program.pid] * 2
        signal.raise_signal(signal.SIGINT)
        assert program.wait() == -signal.SIGINT
        signal.raise_signal(signal.SIGINT)  # it has ended: nobody is told
        keys.end()
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTSTP)) == before
    finally:
        program.kill()
        program.wait()
        keys.end()
