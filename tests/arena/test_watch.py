"""What bots use, and what is held against them: with real processes, and the rule of rest alone."""

import errno
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from arena import watch
from arena.bot import BotFault
from arena.process import BotProcess, close_all
from arena.sandbox import Box, Sandbox, Usage
from arena.watch import Watch, Watched
from tests.arena.boxes import BACKENDS, sandbox
from tests.arena.programs import PATIENT, bid, echo, hello, seated

MB = 1_000_000
LIMITED = {"memory": 120 * MB, "disk": 8 * MB}

IMPORTS = """
import mmap, os, signal, sys, threading, time
from pathlib import Path
home = Path(os.environ["HOME"])
"""


def acts(home: Path, act: str) -> Any:
    """A bot that does something when it is asked for its first bid, and then thinks for long."""
    source = IMPORTS + f"def act():\n    global held\n    {act}\n    time.sleep(10)\n"
    return echo(home, 'json.dumps(message["id"] == 2 and act())', source)


FILLS_SHARED = (
    "held = mmap.mmap(-1, 300_000_000);"
    "[held.__setitem__(n, 1) for n in range(0, 300_000_000, 4096)]"
)
MAKES_FILES = "[os.mknod(home / str(n)) for n in range(20_000)]"
HOLDS_MUCH = "held = b'x' * 110_000_000; time.sleep(1);"
OVER_MEMORY = "it was ended for using more than 120 MB of memory - use less; sandbox: {memory: ..."
WANTED_MEMORY = "it died when it wanted more than 120 MB of memory - use less"

# backend and its processes, what the bot does, what is said
AT_FAULT = {
    "shared memory": ("none", 1, FILLS_SHARED, OVER_MEMORY),
    "shared memory in a box": ("bubblewrap", 2, FILLS_SHARED, OVER_MEMORY),
    "memory": ("none", 1, "held = bytearray(300_000_000)", WANTED_MEMORY),
    "memory in a box": ("bubblewrap", 1, "held = bytearray(300_000_000)", WANTED_MEMORY),
    "memory by and by": ("none", 1, "held = [bytes(1 << 16) for _ in range(5000)]", WANTED_MEMORY),
    "death with much memory": (
        *("none", 1, f"{HOLDS_MUCH} os._exit(1)"),
        "it died at 90 % or more of its limit of 120 MB of memory - ",
    ),
    "files": (
        *("bubblewrap", 1, MAKES_FILES),
        "it was ended for using more than 10,000 files and folders - make fewer",
    ),
    "death with much on its disk": (
        *(
            "bubblewrap",
            1,
            "(home / 'a').write_bytes(bytes(7_800_000)); time.sleep(1); os.abort()",
        ),
        "it died at 90 % or more of its limit of 8 MB of disk - write less",
    ),
    "a large file": (
        "none",
        1,
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL); (home / 'a').write_bytes(bytes(9_000_000))",
        "it died when it wanted more than 8 MB of disk",
    ),
    "a large file, in its own words": (
        *("none", 1, "(home / 'a').write_bytes(bytes(9_000_000))"),
        "it died when it wanted more than 8 MB of disk",
    ),
    "a disk that is full": (
        *("bubblewrap", 1, "[(home / str(n)).write_bytes(bytes(3_000_000)) for n in range(9)]"),
        "it died when it wanted more than 8 MB of disk - write less",
    ),
    "threads without end": (
        "bubblewrap",
        1,
        "threading.stack_size(1 << 18);"
        "[threading.Thread(target=time.sleep, args=(9,), daemon=True).start() for _ in range(99)]",
        "it died when it wanted more than 64 threads - start fewer",
    ),
    "processes": (
        *("bubblewrap", 2, "[os.fork() and time.sleep(10) for _ in range(3)]"),
        "it was ended for using more than 2 processes - start fewer",
    ),
    "a thread too many": (
        "bubblewrap",
        1,
        "threading.stack_size(1 << 18);"
        "[threading.Thread(target=time.sleep, args=(10,)).start() for _ in range(60)];"
        "time.sleep(1); os.abort()",
        "it died at 90 % or more of its limit of 64 threads - start fewer",
    ),
}


@pytest.mark.parametrize("case", AT_FAULT)
def test_a_bot_that_uses_too_much_is_told_of_what(case: str, desk: Path, home: Path) -> None:
    backend, processes, act, sentence = AT_FAULT[case]
    limited = sandbox(backend, processes=processes, **LIMITED)
    with seated(desk, PATIENT, acts(home, act), sandbox=limited) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault) as caught:
            bot.ask(bid())
        with pytest.raises(BotFault) as again:
            bot.ask(bid())
    assert str(caught.value).startswith(f"resource: {sentence}")
    assert str(again.value) == str(caught.value)


# what the bot does, what is said
NO_SUCH_FAULT = {
    "a death with little": ("os._exit(1)", "exit: it exited with status 1"),
    "an exit with much": (f"{HOLDS_MUCH} os._exit(0)", "exit: it exited with status 0"),
    "a death with what is left": (
        f"{HOLDS_MUCH} held = None; time.sleep(1); os.abort()",
        "exit: it was ended by SIGABRT",
    ),
}


@pytest.mark.parametrize("case", NO_SUCH_FAULT)
def test_other_deaths_are_no_fault_of_a_limit(case: str, desk: Path, home: Path) -> None:
    act, sentence = NO_SUCH_FAULT[case]
    with seated(desk, PATIENT, acts(home, act), sandbox=sandbox("none", **LIMITED)) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault) as caught:
            bot.ask(bid())
    assert str(caught.value).startswith(sentence)


def test_who_uses_too_much_while_others_are_on_move_is_ended_then_and_charged_at_its_next_request(
    desk: Path, home: Path, tmp_path: Path
) -> None:
    hog = f"{IMPORTS}def fill():\n    global held\n    {FILLS_SHARED}\n"
    hog += "later = threading.Timer(0.1, fill); later.daemon = True; later.start()"
    other = tmp_path / "other"
    other.mkdir()
    patient = echo(other, "json.dumps(time.sleep(0.1))", "import time")
    unpaused = structs.replace(sandbox("none", **LIMITED), pause=False)
    with seated(desk, PATIENT, echo(home, "''", hog), patient, sandbox=unpaused) as bots:
        for bot in bots:
            bot.ask(hello())
        running = bots[0]._running
        assert running is not None
        while running.box.ended() is None:
            bots[1].ask(bid())
        with pytest.raises(BotFault, match=f"resource: {OVER_MEMORY[:40]}"):
            bots[0].ask(bid())
        bots[1].ask(bid())


def test_a_bot_is_watched_also_while_it_leaves(desk: Path, home: Path) -> None:
    leaves = f"import atexit\n{IMPORTS}atexit.register(lambda: ({MAKES_FILES}, time.sleep(60)))"
    bot = BotProcess(echo(home, "''", leaves), PATIENT, desk, sandbox("bubblewrap"))
    try:
        bot.ask(hello())
        running = bot._running
        assert running is not None
    finally:
        close_all([bot], 60_000)
    assert str(running.watched.fault).startswith(f"resource: {AT_FAULT['files'][-1]}")


# Processor time


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_processor_time_of_a_decision_is_that_of_all_threads(
    backend: str, desk: Path, home: Path
) -> None:
    source = """
import threading, time
def burn():
    end = time.thread_time() + 0.05
    while time.thread_time() < end: pass
def burn_twice():
    both = [threading.Thread(target=burn) for _ in range(2)]
    for thread in both: thread.start()
    for thread in both: thread.join()
"""
    think = 'json.dumps(burn_twice() if message["id"] == 2 else time.sleep(0.3))'
    with seated(desk, PATIENT, echo(home, think, source), sandbox=sandbox(backend)) as [bot]:
        bot.ask(hello())
        thought, slept = bot.ask(bid()), bot.ask(bid())
    assert thought.cpu_ms is not None
    assert thought.cpu_ms >= 100
    assert slept.cpu_ms is not None
    assert slept.cpu_ms < slept.ms / 2


# The rule of rest


class FakeBox(Box):
    """Of a bot that uses what it is told to."""

    def __init__(self) -> None:
        super().__init__(0, 0, [])
        self.signals: list[int] = []
        self.killed = False

    def processes(self) -> list[int]:
        return [0]

    def usage(self) -> Usage:
        return Usage(1, 1, 1, None, None)

    def signal(self, number: int) -> None:
        self.signals.append(number)

    def kill(self) -> None:
        self.killed = True

    def close(self) -> None:
        pass


# at each look: processor time, that in its own code, have all its threads stopped; is it ended?
RESTS = {
    "rests": ([(0, 0, True), (0, 0, True), (0, 0, True)], False),
    "takes a while to stop": ([(13, 13, False), (19, 19, False), (19, 19, True)], False),
    "stops late, then rests": ([(60, 60, False), (60, 60, True), (60, 60, True)], False),
    "is in a long system call": ([(50, 0, False), (300, 0, False), (300, 0, True)], False),
    "ends, and the kernel tidies up": ([(25, 20, True), (500, 20, True)], False),
    "works a little": ([(25, 20, True), (44, 40, True)], False),
    "works": ([(25, 20, True), (45, 40, True)], True),
    "works, and is never seen stopped": ([(50, 50, False), (100, 100, False)], True),
    "works on after a system call": ([(50, 0, False), (70, 20, False), (95, 40, False)], True),
}


@pytest.mark.parametrize("case", RESTS)
def test_only_work_after_all_threads_have_stopped_or_in_its_own_code_is_held_against_a_bot(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, guilty = RESTS[case]
    box = FakeBox()
    bot = Watched(box, Sandbox("none"))
    now = [(0, 0, False)]
    monkeypatch.setattr("time.clock_gettime_ns", lambda _: now[0][0] * 1_000_000)
    monkeypatch.setattr(watch, "user_ns", lambda _: now[0][1] * 1_000_000)
    monkeypatch.setattr(watch, "halted", lambda _: now[0][2])
    bot.stop()
    for look in looks:
        assert not box.killed
        now[0] = look
        bot.look()
    assert box.killed == guilty


def test_what_it_used_in_an_earlier_rest_is_not_added_to_a_later_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used = iter(range(0, 1000 * MB, 15 * MB))
    monkeypatch.setattr("time.clock_gettime_ns", lambda _: next(used))
    monkeypatch.setattr(watch, "user_ns", lambda _: 0)
    monkeypatch.setattr(watch, "halted", lambda _: True)
    bot = Watched(box := FakeBox(), Sandbox("none"))
    for _ in range(10):
        assert bot.stop() is not None
        bot.look()
        bot.check()
        bot.go()
    assert not box.killed


@pytest.mark.parametrize(("pause", "processes"), [(False, 1), (True, 2)])
def test_a_bot_that_is_not_to_rest_gets_no_signal(pause: bool, processes: int) -> None:
    bot = Watched(box := FakeBox(), Sandbox("none", pause=pause, processes=processes))
    bot.go()
    bot.stop()
    bot.go()
    assert box.signals == []


def test_a_clock_that_cannot_be_read_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: int) -> int:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr("time.clock_gettime_ns", gone)
    bot = Watched(box := FakeBox(), Sandbox("none"))
    assert bot.stop() is None
    bot.look()
    bot.check()
    assert box.signals == [signal.SIGSTOP]


def test_a_watch_looks_at_all_its_bots_until_they_are_removed() -> None:
    class Counted(FakeBox):
        looks = 0

        def usage(self) -> Usage:
            Counted.looks += 1
            return super().usage()

    match = Watch()
    bots = [match.add(Counted(), Sandbox("none")) for _ in range(2)]
    match.look(1_000)
    assert match.due == 1_000 + 50 * 1_000_000
    match.remove(bots[0])
    match.look(2_000)
    assert Counted.looks == 3
