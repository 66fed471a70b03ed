"""A bot that wanted a second process is told that it may have but one, in any language."""

import os

import pytest

from arena.diagnosis import gone

EXITED = os.waitid_result((1, 1, 17, 1, os.CLD_EXITED))
LEFT = os.waitid_result((1, 1, 17, 0, os.CLD_EXITED))

LOGS = {
    "dash": "/bot/s.sh: 3: Cannot fork",
    "bash": "/bot/b.sh: fork: Operation not permitted",
    "C": "fork: Operation not permitted",
    "Python": "    self.pid = _fork_exec(\n               ^^^\nPermissionError: [Errno 1] Opera",
    "multiprocessing": "    self.pid = os.fork()\nPermissionError: [Errno 1] Opera",
    "Node": "Error: spawn EPERM\n    at ChildProcess.spawn",
    "Node, in step": "Error: spawnSync true EPERM",
    "Java": 'java.io.IOException: Cannot run program "true": error=1, Operation not permitted',
    "Go": "panic: fork/exec /bin/true: operation not permitted",
    "Ruby": "bot.rb:1:in `fork': Operation not permitted - fork(2) (Errno::EPERM)",
    "Perl": "Can't fork: Operation not permitted at bot.pl line 3.",
}


@pytest.mark.parametrize("language", LOGS)
def test_its_standard_error_shows_it(language: str) -> None:
    fault = gone("bid", EXITED, half=False, log=LOGS[language], one_process=True)
    assert fault.kind == "resource"
    assert "it exited with status 1" in fault.detail
    assert "a bot is one process here: use threads" in fault.detail
    assert "sandbox: {processes: N}" in fault.detail


@pytest.mark.parametrize("log", ["", "IndexError: forks", "pitchfork: a tool", "spawned 3 threads"])
def test_other_words_do_not(log: str) -> None:
    assert (
        "see its standard error"
        in gone("bid", EXITED, half=False, log=log, one_process=True).detail
    )


@pytest.mark.parametrize("status", [None, LEFT], ids=["it lives", "it did not die"])
def test_who_has_not_died_of_it_is_at_fault_for_its_end(status: os.waitid_result | None) -> None:
    fault = gone("bid", status, half=False, log=LOGS["bash"], one_process=True)
    assert fault.kind == "exit"
    assert "a bot is one process here: use threads" in fault.detail


def test_nor_does_one_that_may_have_more() -> None:
    assert "one process" not in gone("bid", EXITED, half=False, log=LOGS["dash"]).detail
