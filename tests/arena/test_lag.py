"""A clock that runs out while the arena itself is late: whose doing it was."""

import pickle
import time
from pathlib import Path
from typing import Any

import pytest

from arena import lag, process, watch
from arena.bot import BotFault
from arena.events import Clocks
from arena.lag import FORGIVEN_MS, STALE_NS, ArenaLag, LagWatch
from arena.pipes import Pipes
from arena.process import BotProcess
from arena.sandbox.none import Unboxed
from arena.thinking_time import NS_PER_MS
from tests.arena.boxes import BACKENDS, sandbox
from tests.arena.programs import bad_bot, bid, echo, hello, seated

CLOCK = Clocks(start_ms=60_000, move_ms=300, exit_ms=10)
SPIN = """
import time
def spin(message):
    end = time.monotonic() + 2
    while message["id"] == 2 and time.monotonic() < end:
        pass
    return ""
"""
"""Computes for two seconds when it is asked for its bid."""


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here lag counts, and the arena waits once for a line."""
    monkeypatch.setattr(watch, "EVERY_MS", 60_000.0)


def late_arena(monkeypatch: pytest.MonkeyPatch, ms: float) -> None:
    """Every wait of the arena ends so late, with what had happened until then."""
    wait = Pipes.wait

    def oversleep(pipes: Pipes, limit: float) -> None:
        time.sleep(limit / 1000 + ms / 1000)
        wait(pipes, 0)

    monkeypatch.setattr(Pipes, "look", lambda pipes: None)
    monkeypatch.setattr(Pipes, "wait", oversleep)


def ask_late(bot: BotProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    bot.ask(hello())
    with monkeypatch.context() as patched:
        late_arena(patched, 200)
        bot.ask(bid())


def test_a_reply_in_time_that_a_late_arena_reads_too_late_is_no_fault(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seated(desk, CLOCK, echo(home, "''")) as [bot]:
        with pytest.raises(ArenaLag) as caught:
            ask_late(bot, monkeypatch)
        assert caught.value.late_ms > 199
        assert bot.lag_ms == caught.value.late_ms


def test_a_bank_that_runs_out_while_the_arena_is_late_is_no_fault(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clocks(start_ms=60_000, move_ms=60_000, bank_ms=300, exit_ms=10)
    with seated(desk, clock, echo(home, "''")) as [bot], pytest.raises(ArenaLag):
        ask_late(bot, monkeypatch)


def test_a_start_that_runs_out_while_the_arena_is_late_is_no_fault(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clocks(start_ms=1500, move_ms=60_000, exit_ms=10)
    with seated(desk, clock, echo(home, "''")) as [bot]:
        late_arena(monkeypatch, 200)
        with pytest.raises(ArenaLag):
            bot.ask(hello())


def passes(monkeypatch: pytest.MonkeyPatch, where: object, name: str) -> None:
    """Whenever this is called the arena's clock goes on by twice the time that a start may take."""
    passed_ns, real = 0, getattr(where, name)

    def slow(*arguments: Any) -> Any:
        nonlocal passed_ns
        passed_ns += int(2 * CLOCK.start_ms * NS_PER_MS)
        return real(*arguments)

    monkeypatch.setattr(process, "monotonic_ns", lambda: time.monotonic_ns() + passed_ns)
    monkeypatch.setattr(where, name, slow)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_it_takes_to_set_a_process_up_is_no_time_of_the_bots_at_any_start(
    backend: str, desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes(monkeypatch, process, "start")
    with seated(desk, CLOCK, echo(home, "''"), sandbox=sandbox(backend)) as [bot]:
        assert max(bot.ask(hello()).ms for _ in range(2)) < CLOCK.start_ms


def test_a_hello_that_a_late_arena_sends_too_late_is_no_fault(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes(monkeypatch, Pipes, "send")
    with seated(desk, CLOCK, echo(home, "''")) as [bot], pytest.raises(ArenaLag):
        bot.ask(hello())


def test_a_bot_that_answers_soon_after_a_late_arena_has_looked_is_believed(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = echo(home, "time.sleep(0.55 * (message['id'] > 1))", "import time")
    with seated(desk, CLOCK, program) as [bot], pytest.raises(ArenaLag):
        ask_late(bot, monkeypatch)


def test_half_a_line_is_no_answer_whoever_is_late(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = pytest.raises(BotFault, match=r"timeout: .*, only the beginning of one")
    with seated(desk, CLOCK, bad_bot("trickles")) as [bot], half:
        ask_late(bot, monkeypatch)


def test_a_bot_that_sleeps_is_late_also_where_the_arena_always_is(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = echo(home, "time.sleep(60 * (message['id'] > 1))", "import time")
    with seated(desk, CLOCK, program) as [bot]:
        with pytest.raises(BotFault, match="timeout: no complete line within 300 ms - "):
            ask_late(bot, monkeypatch)
        assert bot.lag_ms > 199


def test_a_bot_that_computes_past_its_clock_is_late_whatever_the_arena_is(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lag, "BUSY_SHARE", 0.05)  # others may want this core as well
    with seated(desk, CLOCK, echo(home, "spin(message)", SPIN)) as [bot]:
        with pytest.raises(BotFault, match="timeout: no complete line within 300 ms"):
            ask_late(bot, monkeypatch)
        assert bot.lag_ms > 199


def test_what_a_bot_had_computed_before_the_request_is_not_held_against_it(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = echo(home, "''", "import time\nwhile time.process_time() < 0.7: pass")
    with seated(desk, CLOCK, program) as [bot], pytest.raises(ArenaLag):
        ask_late(bot, monkeypatch)


def test_a_bot_that_is_late_by_itself_is_late(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lag, "FORGIVEN_MS", 500.0)  # this machine may be busy
    with seated(desk, CLOCK, echo(home, "time.sleep(message['id'] > 1)", "import time")) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault, match="timeout"):
            bot.ask(bid())
        assert 0 < bot.lag_ms < 500


@pytest.mark.parametrize(
    ("late_ms", "used_ms", "elapsed_ms", "excused"),
    [
        (FORGIVEN_MS, 0, 1000, False),
        (FORGIVEN_MS + 1, 0, 1000, True),
        (FORGIVEN_MS + 1, 499, 1000, True),
        (FORGIVEN_MS + 1, 500, 1000, False),
        (5000, 400, 6000, True),
        (5000, 3000, 6000, False),
    ],
)
def test_a_timeout_is_excused_by_lag_unless_the_bot_was_busy(
    late_ms: float,
    used_ms: int,
    elapsed_ms: int,
    excused: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used = iter([7_000_000, 7_000_000 + used_ms * NS_PER_MS])
    monkeypatch.setattr(time, "clock_gettime_ns", lambda clock: next(used))
    watch = LagWatch(Unboxed(1, [], Path()))
    watch.look(0)
    late_ns, elapsed_ns = int(late_ms * NS_PER_MS), elapsed_ms * NS_PER_MS
    assert watch.suspects_arena(late_ns, elapsed_ns) == excused
    assert watch.longest_ms == late_ms


def test_a_process_that_is_gone_has_used_nothing_more() -> None:
    watch = LagWatch(Unboxed(2**22 + 1, [], Path()))  # more than any pid
    assert watch.suspects_arena(STALE_NS * 5, STALE_NS * 6)


def test_lag_is_told_by_a_worker_as_it_was() -> None:
    there = pickle.loads(pickle.dumps(ArenaLag(1234.0)))
    assert isinstance(there, ArenaLag)
    assert there.late_ms == 1234
    assert str(there) == str(ArenaLag(1234.0))


def test_the_arena_looks_how_late_it_wakes_at_most_once_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, slept = 1000.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds + 0.0305

    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(lag, "_probed_at", 0.0)
    assert lag.probe() == pytest.approx(30.5)
    now += 0.9
    assert lag.probe() == 0
    now += 0.1
    assert lag.probe() == pytest.approx(30.5)
    assert slept == [0.001, 0.001]
