"""Bots that are stopped while others are on turn: who rests, who is caught not resting, who leaves.

The bots are real processes. Nothing here depends on how long anything takes on this machine.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import structs

from arena.bot import BotFault
from arena.events import Clocks
from arena.process import BotProcess
from arena.program import Program
from arena.sandbox import Sandbox
from arena.sandbox.processes import halted
from tests.arena.boxes import BACKENDS, sandbox
from tests.arena.programs import PATIENT, bad_bot, bid, echo, hello, match_end, note, seated

SPIN = "import threading\ndef spin():\n    while True: pass\n"
SPINNER = SPIN + "threading.Thread(target=spin, daemon=True).start()"
BUSY = """
import hashlib, threading
def work():
    while True: hashlib.sha256(bytes(1 << 20))
for _ in range(8): threading.Thread(target=work, daemon=True).start()
"""
"""Eight threads that really run at once."""


@pytest.fixture
def rival_home(tmp_path: Path) -> Path:
    """The folder of a second program."""
    folder = tmp_path / "rival"
    folder.mkdir()
    return folder


def thinker(home: Path, seconds: float = 0.15) -> Program:
    """It thinks without using the processor, so that others could."""
    return echo(home, f"json.dumps(time.sleep({seconds}))", "import time")


def pid_of(bot: BotProcess) -> int:
    assert bot._running is not None
    return bot._running.box.bot


def clock_of(bot: BotProcess) -> int:
    return time.clock_gettime_ns((~pid_of(bot) << 3) | 2)


def ask_in_turn(bots: list[BotProcess], rounds: int) -> None:
    for _ in range(rounds):
        for bot in bots:
            bot.ask(bid())


def await_rest(bot: BotProcess) -> None:
    while not halted(pid_of(bot)):
        time.sleep(0.001)


@contextmanager
def load(programs: int) -> Iterator[None]:
    """So many busy programs beside."""
    command = [sys.executable, "-S", "-E", "-c", "while True: pass"]
    busy = [subprocess.Popen(command) for _ in range(programs)]
    try:
        yield
    finally:
        for program in busy:
            program.kill()
            program.wait()


# Rest


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bot_rests_from_its_reply_to_the_next_request(
    backend: str, desk: Path, home: Path
) -> None:
    with seated(desk, PATIENT, echo(home, "''", SPINNER), sandbox=sandbox(backend)) as [bot]:
        bot.ask(hello())
        for _ in range(3):
            await_rest(bot)
            before = clock_of(bot)
            time.sleep(0.05)
            assert clock_of(bot) == before
            bot.ask(bid())


@pytest.mark.parametrize("backend", BACKENDS)
def test_without_the_pause_it_does_not(backend: str, desk: Path, home: Path) -> None:
    unpaused = structs.replace(sandbox(backend), pause=False)
    with seated(desk, PATIENT, echo(home, "''", SPINNER), sandbox=unpaused) as [bot]:
        bot.ask(hello())
        before = clock_of(bot)
        while clock_of(bot) < before + 50_000_000:
            time.sleep(0.01)
        bot.ask(bid())


def test_three_opponents_do_not_think_on_the_time_of_the_fourth(
    desk: Path, home: Path, rival_home: Path
) -> None:
    """All share a core, so that what they use is what it has to wait for."""
    burn = "json.dumps([0 for _ in range(400_000)] and None)"
    programs = [echo(home, burn), *[echo(rival_home, "''", SPINNER)] * 3]
    used, taken = {}, {}
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        for pause in (True, False):
            with seated(desk, PATIENT, *programs, sandbox=Sandbox("none", pause=pause)) as bots:
                for bot in bots:
                    bot.ask(hello())
                for bot in bots if pause else ():
                    await_rest(bot)
                before = [clock_of(bot) for bot in bots]
                for _ in range(9):
                    bots[0].ask(bid())
                used[pause], *rivals = (
                    clock_of(bot) - earlier for bot, earlier in zip(bots, before, strict=True)
                )
                taken[pause] = sum(rivals)
    finally:
        os.sched_setaffinity(0, cores)
    assert taken[True] == 0
    assert taken[False] > used[False]


def test_what_is_told_while_it_rests_waits_for_it(desk: Path, home: Path) -> None:
    """Also more than its pipe can hold."""
    program = echo(home, "str(len(told))", "told = []").command
    file = Path(program[-1])
    file.write_text(file.read_text().replace("message = ", "told.append(line); message = "))
    told = Program("told", "", program, str(home))
    with seated(desk, PATIENT, told, sandbox=sandbox("none")) as [bot]:
        bot.ask(hello())
        await_rest(bot)
        for _ in range(2000):
            bot.tell(match_end())
        assert note(bot.ask(bid())) == 2002


# Honest bots


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_honest_bot_with_many_threads_is_never_charged_however_busy_the_machine_is(
    backend: str, desk: Path, home: Path, rival_home: Path
) -> None:
    programs = [echo(home, "''", BUSY), thinker(rival_home)]
    with load(3), seated(desk, PATIENT, *programs, sandbox=sandbox(backend)) as bots:
        for bot in bots:
            bot.ask(hello())
        ask_in_turn(bots, 6)


def test_an_honest_virtual_machine_with_its_own_threads_is_never_charged(
    desk: Path, home: Path, rival_home: Path
) -> None:
    """It makes much garbage, which is collected by other threads after the reply."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node.js on this machine")
    file = home / "bot.js"
    file.write_text(GARBAGE)
    program = Program("node", "", (node, str(file)), str(home))
    roomy = Sandbox("none", memory=4_000_000_000)
    with load(3), seated(desk, PATIENT, program, thinker(rival_home), sandbox=roomy) as bots:
        for bot in bots:
            bot.ask(hello())
        ask_in_turn(bots, 6)


def test_work_in_the_kernel_that_a_stop_does_not_interrupt_is_never_charged(
    desk: Path, home: Path, rival_home: Path
) -> None:
    """It gives back much memory after each reply, which takes a while and can't be stopped."""
    source = "import mmap\nheld = None\ndef hold():\n    global held\n"
    source += "    held = mmap.mmap(-1, 150_000_000, mmap.MAP_PRIVATE)\n"
    source += "    for place in range(0, 150_000_000, 4096): held[place] = 1\n"
    program = echo(home, "json.dumps(hold())", source)
    with seated(desk, PATIENT, program, thinker(rival_home), sandbox=sandbox("none")) as bots:
        for bot in bots:
            bot.ask(hello())
        ask_in_turn(bots, 3)


GARBAGE = """
const lines = require("readline").createInterface({input: process.stdin});
let kept = [];
lines.on("line", line => {
    const message = JSON.parse(line);
    if (!("id" in message)) return;
    kept = Array.from({length: 300000}, (_, n) => ({n, text: "x" + n}));
    console.log(JSON.stringify({id: message.id, bid: 3}));
    kept = kept.filter(one => one.n % 2).map(one => [one]);
});
"""

# Cheats

EACH_MILLISECOND = (
    """
import os, signal, time
me = os.getpid()
if os.fork() == 0:
    os.setsid()
    while os.getppid() == me:
        os.kill(me, signal.SIGCONT)
        PAUSE
"""
    + SPINNER
)
ON_A_TIMER = """
import ctypes, signal, threading
signal.signal(signal.SIGCONT, lambda *_: None)
libc = ctypes.CDLL(None)
timer = ctypes.c_void_p()
event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0)
assert libc.timer_create(1, event, ctypes.byref(timer)) == 0
soon = (ctypes.c_long * 4)(0, 0, 0, 5_000_000)
def spin():
    while True:
        assert libc.timer_settime(timer, 0, soon, None) == 0
threading.Thread(target=spin, daemon=True).start()
"""
CHEATS = {
    "a timer": ON_A_TIMER,
    "a child now and then": EACH_MILLISECOND.replace("PAUSE", "time.sleep(0.001)"),
    "a child all the time": EACH_MILLISECOND.replace("PAUSE", "pass"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_bot_that_has_itself_continued_is_found(
    cheat: str, desk: Path, home: Path, rival_home: Path
) -> None:
    programs = [echo(home, "''", CHEATS[cheat]), thinker(rival_home)]
    with seated(desk, PATIENT, *programs, sandbox=sandbox("none")) as bots:
        for bot in bots:
            bot.ask(hello())
        with pytest.raises(BotFault) as caught:
            ask_in_turn(bots, 200)
        with pytest.raises(BotFault) as again:
            bots[0].ask(bid())
        assert bots[1].ask(bid())
    assert str(caught.value) == str(again.value)
    assert str(caught.value).startswith(
        "resource: it used the processor for more than 20 ms while it was stopped - a bot is"
    )


# Stopped and ended


def test_a_bot_that_stops_itself_is_late_and_goes_on_at_the_next_request(
    desk: Path, home: Path
) -> None:
    stop = 'json.dumps(message["id"] == 2 and os.kill(os.getpid(), signal.SIGSTOP))'
    clock = Clocks(start_ms=60_000, move_ms=800, exit_ms=10)
    program = echo(home, stop, "import os, signal")
    with seated(desk, clock, program, sandbox=sandbox("none")) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault, match="timeout: no complete line within 800 ms"):
            bot.ask(bid())
        assert bot.ask(bid()).reply.id == 3


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bot_that_dies_while_it_rests_is_charged_at_its_next_request(
    backend: str, desk: Path, home: Path
) -> None:
    with seated(desk, PATIENT, echo(home, "''"), sandbox=sandbox(backend)) as [bot]:
        bot.ask(hello())
        os.kill(pid_of(bot), signal.SIGKILL)
        for _ in range(2):
            with pytest.raises(BotFault, match="exit: it was ended by SIGKILL while a reply to"):
                bot.ask(bid())


def test_how_a_bot_ended_is_told_although_it_was_stopped_on_its_way_out(desk: Path) -> None:
    with seated(desk, PATIENT, bad_bot("answers_then_exits"), sandbox=sandbox("none")) as [bot]:
        bot.ask(hello())
        bot.ask(bid())
        with pytest.raises(BotFault, match="exit: it exited with status 0 while a reply to"):
            bot.ask(bid())


def test_a_bot_that_rests_can_leave_when_its_match_ends(
    desk: Path, home: Path, tmp_path: Path
) -> None:
    left = tmp_path / "left"
    program = echo(home, "''", f"import atexit; atexit.register(lambda: open({str(left)!r}, 'w'))")
    clock = structs.replace(PATIENT, exit_ms=60_000)
    with seated(desk, clock, program, sandbox=sandbox("none")) as [bot]:
        bot.ask(hello())
        await_rest(bot)
        bot.tell(match_end())
    assert left.exists()
