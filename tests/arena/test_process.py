"""Child processes as bots: clocks, ids, late lines, messages that want no reply."""

import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from arena import process, running, watch
from arena.bot import BotFault
from arena.deals import request_ids
from arena.events import Clocks
from arena.pipes import Pipes
from arena.process import BotProcess
from arena.program import Program
from arena.sandbox import Sandbox
from protocol.messages import BidReply
from tests.arena.programs import (
    HASTY,
    PATIENT,
    bad_bot,
    bid,
    echo,
    hello,
    match_end,
    note,
    processes_with,
    seated,
    written,
)

LATE = Clocks(start_ms=60_000, move_ms=800, exit_ms=10)
"""For bots that are late once, and then answer."""

# Requests and clocks


def test_ids_grow_from_one_and_each_request_says_what_is_left(desk: Path, home: Path) -> None:
    clock = structs.replace(PATIENT, bank_ms=50_000)
    with seated(desk, clock, echo(home, 'json.dumps(message["clock"])')) as [bot]:
        answers = [bot.ask(hello())]
        requests = [bid(), bid(), bid()]
        answers += [bot.ask(request) for request in requests]
    assert [answer.reply.id for answer in answers] == [1, 2, 3, 4]
    bank = 50_000.0
    for request, answer, previous in zip(requests, answers[1:], answers, strict=False):
        assert note(answer) == {
            "move_ms": 60_000,
            "bank_ms": request.clock.bank_ms,
            "last_ms": previous.ms,
        }
        assert request.clock.bank_ms == pytest.approx(bank, abs=0.01)
        bank -= answer.ms


def test_without_a_bank_its_clock_is_null(desk: Path, home: Path) -> None:
    with seated(desk, PATIENT, echo(home, 'json.dumps(message["clock"])')) as [bot]:
        bot.ask(hello())
        assert note(bot.ask(bid()))["bank_ms"] is None


def test_thinking_time_is_measured_and_the_start_is_none_of_the_bank(
    desk: Path, home: Path
) -> None:
    slow = echo(home, "time.sleep(0.05)", "import time; time.sleep(0.2)")
    with seated(desk, structs.replace(PATIENT, bank_ms=30_000), slow) as [bot]:
        assert bot.ask(hello()).ms >= 250
        request = bid()
        assert bot.ask(request).ms >= 50
        assert request.clock.bank_ms == 30_000


FAULTS = {
    "exit": ("os._exit(3)", "exit"),
    "its output is closed": ("os.close(1); time.sleep(60)", "exit"),
    "output": ("os.write(1, bytes(1 << 17)); time.sleep(60)", "output"),
    "resource": (
        "held = mmap.mmap(-1, 300_000_000);"
        "[held.__setitem__(n, 1) for n in range(0, 300_000_000, 4096)]",
        "resource",
    ),
    "malformed": ("os.write(1, b'thinking\\n')", "malformed"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_the_time_until_a_fault_is_charged_whatever_its_kind(
    case: str, desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, kind = FAULTS[case]
    monkeypatch.setattr(running, "LAST_MOMENT_MS", 300.0)
    source = f"import mmap, os, time\ndef act():\n    time.sleep(0.05)\n    {act}\n"
    program = echo(home, 'json.dumps(message["id"] == 2 and act())', source)
    clock = structs.replace(PATIENT, bank_ms=50_000)
    with seated(desk, clock, program, sandbox=Sandbox("none", memory=120_000_000)) as [bot]:
        bot.ask(hello())
        begin = time.monotonic()
        with pytest.raises(BotFault) as caught:
            bot.ask(bid())
        elapsed = 1000 * (time.monotonic() - begin)
        bot.ask(hello())
        request = bid()
        with pytest.raises(BotFault):
            bot.ask(request)
    assert caught.value.kind == kind
    assert caught.value.ms is not None
    assert 50 <= caught.value.ms <= elapsed - (300 if "closed" in case else 0)
    assert request.clock.bank_ms == pytest.approx(50_000 - caught.value.ms, abs=1e-9)


def test_a_bank_that_is_used_up_is_a_timeout(desk: Path, home: Path) -> None:
    program = echo(home, 'time.sleep(60 if message["id"] == 3 else 0)', "import time")
    clock = Clocks(start_ms=60_000, move_ms=60_000, bank_ms=700, exit_ms=10)
    with seated(desk, clock, program) as [bot]:
        bot.ask(hello())
        bot.ask(bid())
        with pytest.raises(BotFault) as caught:
            bot.ask(bid())
        last = bid()
        with pytest.raises(BotFault):
            bot.ask(last)
    assert caught.value.kind == "timeout"
    assert "before its 700 ms for the whole match were used up" in caught.value.detail
    assert last.clock.bank_ms == 0


def test_a_reply_that_is_read_after_the_deadline_is_late_whatever_it_says(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seated(desk, PATIENT, echo(home, "''")) as [bot]:
        bot.ask(hello())
        with monkeypatch.context() as patched:
            times = iter([0, 0, 60_000 * 1_000_000 + 1])
            patched.setattr(process, "monotonic_ns", lambda: next(times))
            patched.setattr(Pipes, "look", lambda pipes: None)
            with pytest.raises(BotFault, match="timeout: no complete line within 60000 ms - "):
                bot.ask(bid())
            times = iter([0, 0, 60_000 * 1_000_000])
            assert bot.ask(bid()).ms == 60_000


def test_a_reply_that_came_while_its_request_was_sent_is_late_after_the_deadline(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seated(desk, PATIENT, echo(home, "''")) as [bot]:
        bot.ask(hello())
        with monkeypatch.context() as patched:
            patched.setattr(Pipes, "look", lambda pipes: pipes.wait(60_000))
            times = iter([0, 60_000 * 1_000_000])
            patched.setattr(process, "monotonic_ns", lambda: next(times))
            assert bot.ask(bid()).ms == 60_000
            times = iter([0, 60_000 * 1_000_000 + 1, 60_000 * 1_000_000 + 2])
            with pytest.raises(BotFault, match="timeout: no complete line within 60000 ms - "):
                bot.ask(bid())


def test_bytes_that_trickle_do_not_extend_the_deadline(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = []
    wait = Pipes.wait
    monkeypatch.setattr(watch, "EVERY_MS", 60_000.0)

    def spy(pipes: Pipes, ms: float) -> None:
        waits.append(ms)
        wait(pipes, ms)

    with seated(desk, LATE, bad_bot("trickles")) as [bot]:
        bot.ask(hello())
        monkeypatch.setattr(Pipes, "wait", spy)
        with pytest.raises(BotFault, match="timeout"):
            bot.ask(bid())
    assert len(waits) > 2
    assert all(later < earlier for earlier, later in pairwise(waits))


# Late lines


def test_debug_output_before_a_reply_is_charged_once(desk: Path) -> None:
    with seated(desk, PATIENT, bad_bot("debug_then_answers")) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault, match="malformed: not JSON"):
            bot.ask(bid())
        reply = bot.ask(bid()).reply
        assert isinstance(reply, BidReply)
        assert (reply.id, reply.bid) == (3, 3)


@pytest.mark.parametrize("when", ["before the next request", "after it"])
def test_a_late_reply_is_dropped_once(when: str, desk: Path, tmp_path: Path) -> None:
    signal = tmp_path / "signal"
    with seated(desk, LATE, bad_bot("answers_late", str(signal))) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault, match="timeout"):
            bot.ask(bid())
        if when == "after it":
            threading.Timer(0.05, signal.touch).start()
        else:
            signal.touch()
            while signal.exists():
                time.sleep(0.01)
        reply = bot.ask(bid()).reply
        assert isinstance(reply, BidReply)
        assert (reply.id, reply.bid) == (3, 3)
        with pytest.raises(BotFault, match='malformed: "id" is 2, and that of the request is 4'):
            bot.ask(bid())


def test_half_of_a_late_reply_may_be_completed(desk: Path, home: Path) -> None:
    source = """
import sys
sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, ', end="", flush=True)
sys.stdin.readline()
print('"bid": 12}')
print('{"id": 3, "bid": 3}', flush=True)
"""
    with seated(desk, LATE, written(home, source)) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault, match="timeout"):
            bot.ask(bid())
        assert bot.ask(bid()).reply.id == 3


def test_a_reply_that_stands_there_before_its_request_is_no_reply(
    desk: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "request_ids", request_ids)
    signal = tmp_path / "signal"
    source = f"""
import sys, time
sys.stdin.readline()
print('{{"id": 1}}', flush=True)
time.sleep(0.02)
print('{{"id": 2, "bid": 3}}', flush=True)
open({str(signal)!r}, "w")
sys.stdin.read()
"""
    with seated(desk, PATIENT, written(home, source)) as [bot]:
        bot.ask(hello())
        while not signal.exists():
            time.sleep(0.01)
        with pytest.raises(BotFault, match='malformed: "id" is 2, and that of') as caught:
            bot.ask(bid())
    assert caught.value.raw == '\'{"id": 2, "bid": 3}\''


@pytest.mark.parametrize("when", ["before the next request", "after it"])
def test_a_bot_sees_every_request_whenever_its_unasked_lines_come(
    when: str, desk: Path, home: Path, tmp_path: Path
) -> None:
    signal = tmp_path / "signal"
    second = 2 if when == "before the next request" else 3
    source = f"""
import json, sys
for number, line in enumerate(sys.stdin, 1):
    if number == 2:
        print("thinking", flush=True)
    if number == {second}:
        print("still thinking", flush=True)
    reply = {{"id": json.loads(line)["id"], "bid": 3, "note": str(number)}}
    print(json.dumps(reply), flush=True)
    if number == 2:
        open({str(signal)!r}, "w")
"""
    with seated(desk, PATIENT, written(home, source)) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault, match=r"malformed: not JSON.*'thinking'"):
            bot.ask(bid())
        while not signal.exists():
            time.sleep(0.01)
        with pytest.raises(BotFault, match=r"malformed: not JSON.*'still thinking'"):
            bot.ask(bid())
        answer = bot.ask(bid())
        assert (answer.reply.id, note(answer)) == (4, 4)


# Messages without a reply


def test_tell_never_raises_and_what_it_sent_is_read(desk: Path, home: Path) -> None:
    program = echo(home, "str(count)", "count = 0")
    counting = (home / "bot.py").read_text().replace("message =", "count += 1; message =")
    (home / "bot.py").write_text(counting)
    with seated(desk, PATIENT, program) as [bot]:
        bot.tell(match_end())  # not started yet
        bot.ask(hello())
        for _ in range(3000):  # more than a pipe holds
            bot.tell(match_end())
        assert note(bot.ask(bid())) == 3002


def test_a_bot_that_does_not_read_is_late(desk: Path) -> None:
    with seated(desk, HASTY, bad_bot("never_reads")) as [bot]:
        bot.ask(hello())
        for _ in range(3000):
            bot.tell(match_end())
        with pytest.raises(BotFault) as caught:
            bot.ask(bid())
    assert caught.value.kind == "timeout"
    assert "within 250 ms, and it does not read its standard input" in caught.value.detail


def test_telling_the_dead_and_the_deaf_is_no_fault(desk: Path) -> None:
    with seated(desk, HASTY, bad_bot("exits_at_once"), bad_bot("closes_input")) as [dead, deaf]:
        with pytest.raises(BotFault, match="exit"):
            dead.ask(hello())
        deaf.ask(hello())
        for bot in (dead, deaf):
            bot.tell(match_end())
        with pytest.raises(BotFault, match="exit"):
            dead.ask(bid())


def test_an_end_that_nobody_waits_for_is_charged_at_the_next_request(
    desk: Path, home: Path
) -> None:
    source = """
import sys
sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
sys.exit(9)
"""
    with seated(desk, PATIENT, written(home, source)) as [bot]:
        bot.ask(hello())
        bot.tell(match_end())
        while processes_with(str(desk)):
            time.sleep(0.01)
        bot.tell(match_end())
        for _ in range(2):
            with pytest.raises(BotFault, match='exit: it exited with status 9 while a reply to "b'):
                bot.ask(bid())


# Anything at all

line = st.sampled_from(
    [
        b'{"id": 1}\n',
        b'{"id": 2, "bid": 3}\n',
        b'{"id": 3, "bid": 3}\r\n',
        b"\xef\xbb\xbf",
        b"\n",
        b"\n" * 3000,
        b"x" * 70_000,
    ]
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(output=st.lists(line | st.binary(max_size=20), max_size=8), log=st.binary(max_size=20))
def test_whatever_a_program_writes_ends_in_answers_or_a_fault(
    output: list[bytes], log: bytes, desk: Path, home: Path
) -> None:
    for name, content in [("out", b"".join(output)), ("err", log)]:
        (home / name).write_bytes(content)
    program = Program("cat", "", ("/bin/sh", "-c", "cat err >&2; cat out"), str(home))
    with seated(desk, PATIENT, program) as [bot]:
        fault = first_fault(bot)
    assert fault.kind in ("malformed", "exit", "output")
    assert len(fault.detail) < 2_000


def first_fault(bot: BotProcess) -> BotFault:
    for number, request in enumerate([hello(), bid(), bid(), bid()], 1):
        try:
            answer = bot.ask(request)
        except BotFault as fault:
            return fault
        assert answer.reply.id == number
    raise AssertionError("it has no more to say")
