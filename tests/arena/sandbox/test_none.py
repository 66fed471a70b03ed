"""Bots without a box: limits, and what can be told of them all the same."""

import os
import resource
import signal
from pathlib import Path

import pytest

from arena import reaper
from arena.program import Program
from arena.sandbox import Box, Sandbox, describe, start
from arena.sandbox.limits import WIDE, impose, limits
from arena.sandbox.processes import descendants, memory_and_threads
from tests.arena.programs import PATIENT, bad_bot, bid, echo, hello, note, seated

UNBOXED = Sandbox("none", memory=300_000_000, disk=5_000_000)


def test_limits_are_those_of_the_settings(desk: Path, home: Path) -> None:
    names = ["DATA", "AS", "FSIZE", "NOFILE", "CORE", "MSGQUEUE", "MEMLOCK", "NICE", "RTPRIO"]
    tell = f"json.dumps([resource.getrlimit(getattr(resource, 'RLIMIT_' + n)) for n in {names}])"
    with seated(desk, PATIENT, echo(home, tell, "import resource"), sandbox=UNBOXED) as [bot]:
        bot.ask(hello())
        found = note(bot.ask(bid()))
    wanted = [300_000_000, WIDE, 5_000_000, 64, 0, 0, 65_536, 0, 0]
    assert [soft for soft, _ in found] == wanted
    assert [hard for _, hard in found] == wanted


def test_a_process_that_has_lower_limits_keeps_them() -> None:
    child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(0)
    try:
        resource.prlimit(child, resource.RLIMIT_NOFILE, (20, 20))
        impose(child, limits(UNBOXED))
        assert resource.prlimit(child, resource.RLIMIT_NOFILE) == (20, 20)
        assert resource.prlimit(child, resource.RLIMIT_CORE) == (0, 0)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_what_a_bot_and_its_children_use_is_told(desk: Path) -> None:
    box = started(desk, "fork_holds_pipes")
    try:
        assert box.bot == box.pid == box.processes()[0]
        usage = box.usage()
        assert usage.processes == len(box.processes()) >= 1
        assert usage.threads >= usage.processes
        assert usage.memory > 1_000_000
        assert (usage.disk, usage.files) == (None, None)
        assert box.ended() is None
    finally:
        box.kill()
        status = os.waitid(os.P_PID, box.pid, os.WEXITED | os.WNOWAIT)
        assert status is not None
        assert status.si_status == signal.SIGKILL
        assert box.processes() == []
        assert box.usage().memory == 0
        reaper.kill_bots([box.pid])
        box.close()
        for file in box.files:
            file.close()
    assert list(desk.iterdir()) == []


def started(desk: Path, name: str) -> Box:
    reaper.adopt_orphans()
    program: Program = bad_bot(name)
    box = start(UNBOXED, program, desk, 0)
    box.files[0].write(b'{"type": "hello", "id": 1}\n')
    assert box.files[1].readline()
    return box


def test_of_processes_that_are_gone_nothing_is_told() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    assert descendants(child) == []
    assert memory_and_threads([child]) == (0, 0)


@pytest.mark.parametrize("backend", ["none", "bubblewrap"])
def test_a_record_says_the_settings_and_what_holds(backend: str) -> None:
    sandbox = Sandbox("none") if backend == "none" else Sandbox("bubblewrap", threads=9)
    said = describe(sandbox)
    guarantees = said.pop("guarantees")
    assert said == {
        "backend": backend,
        "memory": 512_000_000,
        "disk": 64_000_000,
        "processes": 1,
        "threads": sandbox.threads,
        "pause": True,
    }
    assert guarantees == sorted(guarantees)
    assert ("no_network" in guarantees) == (backend != "none")
