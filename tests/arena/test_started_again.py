"""Child processes that have ended and are started again, alone and at a table."""

import os
import zlib
from collections import Counter
from pathlib import Path

import pytest
from msgspec import structs

from arena import process, reaper, running
from arena.bot import BotFault
from arena.deals import seed_root
from arena.events import BidMade, CardPlayed, Clocks, Faulted, FaultPolicy, Greeted
from arena.lines import LogLines
from arena.match import MatchResult, play, specify
from arena.process import UNBOXED, BotProcess, close_all
from arena.program import Program
from arena.record import judge, read
from arena.refeeding import refeed
from arena.sandbox import none
from arena.sent import sent
from protocol.cards import SEATS, Seat
from protocol.rules import Rules
from tests.arena.programs import (
    PATIENT,
    bad_bot,
    bid,
    children,
    echo,
    hello,
    note,
    open_files,
    processes_with,
    seated,
    written,
)
from tests.arena.tables import every

SOUND = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        card = message.get("legal", [None])[0]
        print(json.dumps({"id": message["id"], "bid": 3, "card": card}), flush=True)
"""

# One process


def test_a_later_hello_starts_the_program_anew(desk: Path, home: Path) -> None:
    what = "[os.getpid(), os.listdir(os.environ['HOME']), os.environ['HOME'], message.get('clock')]"
    program = echo(home, f"json.dumps({what})", "import os")
    with seated(desk, structs.replace(PATIENT, bank_ms=50_000), program) as [bot]:
        first = bot.ask(hello())
        (Path(note(first)[2]) / "notes").touch()
        spent = bot.ask(bid()).ms
        again, request = bot.ask(hello()), bid()
        last = bot.ask(request)
        assert len(children()) == 1
    assert [answer.reply.id for answer in (again, last)] == [1, 2]
    assert note(last)[0] == note(again)[0] != note(first)[0]
    assert note(again)[1] == []
    assert request.clock.bank_ms == pytest.approx(50_000 - spent, abs=0.01)
    assert request.clock.last_ms == again.ms


def first_fault(bot: BotProcess) -> str:
    """The kind of fault that it comes to from hello on."""
    for request in (hello(), bid(), bid()):
        try:
            bot.ask(request)
        except BotFault as fault:
            return fault.kind
    raise AssertionError("it is a sound bot")


ENDED = [
    "answers_then_exits",
    "closes_output",
    "crashes",
    "daemon_holds_pipes",
    "floods_output",
    "fork_holds_pipes",
    "long_line",
    "silent_at_start",
]


@pytest.mark.parametrize("name", ENDED)
def test_nothing_is_left_of_an_earlier_process_when_all_is_over(
    name: str, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LAST_MOMENT_MS", 50.0)
    clock = structs.replace(PATIENT, start_ms=250 if name == "silent_at_start" else 60_000)
    with seated(desk, clock, bad_bot(name)) as [bot]:
        descriptors = []
        for _ in range(3):
            assert first_fault(bot) in ("exit", "output", "start")
            descriptors.append(open_files())
            assert len(list(desk.iterdir())) == 1
        # Our end of its input is closed already where it was seen that nobody reads.
        assert max(descriptors) - min(descriptors) <= 1


def test_what_could_not_be_started_is_tried_again_by_a_later_hello(desk: Path, home: Path) -> None:
    file = home / "bot"
    with seated(desk, PATIENT, Program("bot", "", (str(file),), str(home))) as [bot]:
        for request in (hello(), bid(), hello()):
            with pytest.raises(BotFault, match="start: 'bot' can't be started: there is no such"):
                bot.ask(request)
        file.symlink_to("/bin/false")
        with pytest.raises(BotFault, match="exit: it exited with status 1"):
            bot.ask(hello())


def test_the_others_at_the_table_are_left_alone_with_all_that_they_started(
    desk: Path, home: Path
) -> None:
    daemon = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
"""
    (home / "other").mkdir()
    programs = [bad_bot("fork_holds_pipes"), written(home, daemon + SOUND)]
    with seated(desk, PATIENT, *programs) as [bot, other]:
        other.ask(hello())
        before = processes_with(str(desk))
        for _ in range(2):
            bot.ask(hello())
            with pytest.raises(BotFault, match="exit"):
                bot.ask(bid())
        assert set(before) <= set(processes_with(str(desk)))
        assert other.ask(bid()).reply.id == 2


def test_the_logs_of_all_its_processes_are_kept_to_a_bound(desk: Path, home: Path) -> None:
    program = written(home, "import sys; sys.stdin.readline(); sys.exit('a' * 8_000 + 'z')")
    bot = BotProcess(program, PATIENT, desk)
    for _ in range(4):
        with pytest.raises(BotFault, match="exit"):
            bot.ask(hello())
    close_all([bot], 10)
    assert bot.log.count("z\n\n[started again]\n") == 3
    assert bot.log.endswith("az\n")
    assert len(bot.log) < process.EARLIER_LOGS_KEPT + 8_100 < 4 * 8_000


def test_trouble_of_the_arena_s_own_at_a_second_start_is_no_fault(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_file_left(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    with seated(desk, PATIENT, echo(home, "''")) as [bot]:
        bot.ask(hello())
        monkeypatch.setattr(none, "Popen", no_file_left)
        with pytest.raises(OSError, match="Too many open files"):
            bot.ask(hello())


# Whole matches

THREE_DEALS = Rules(max_deals=3)


def table(
    folder: Path, offenders: dict[Seat, Program], policy: FaultPolicy, clock: Clocks = PATIENT
) -> MatchResult:
    """A match of sound bots with offenders among them; nothing is left of it."""
    sound = written(folder, SOUND)
    programs = {seat: offenders.get(seat, sound) for seat in SEATS}
    result = play(
        specify(
            "match",
            seed_root(1),
            programs,
            rules=THREE_DEALS,
            clock=clock,
            faults=policy,
            sandbox=UNBOXED,
        )
    )
    assert children() == []
    _, state = judge(zlib.decompress(result.record))
    assert (state.score, state.faults, state.deals) == (result.score, result.faults, result.deals)
    return result


def happened(result: MatchResult, seat: Seat) -> Counter[str]:
    """How often a seat was greeted, at fault, decided itself, and had the arena decide."""
    found: Counter[str] = Counter()
    for _, event in read(zlib.decompress(result.record)):
        match event:
            case Greeted() if event.seat == seat:
                found["hello"] += 1
            case Faulted() if event.seat == seat:
                found[event.kind] += 1
            case BidMade() | CardPlayed() if event.seat == seat:
                found["arena" if event.substituted else "own"] += 1
    return found


SEVERAL = Clocks(start_ms=60_000, move_ms=3_000, exit_ms=10)
UNGREETED = Clocks(start_ms=3_000, move_ms=60_000, exit_ms=10)

# program, clock, limit: what happens at its seat in three deals, or until it forfeits
TABLE: dict[str, tuple[str, Clocks, int, dict[str, int]]] = {
    "a crash a deal": (
        "crashes_at_each_bid", PATIENT, 4, {"hello": 4, "exit": 3, "arena": 3, "own": 39},
    ),
    "a crash a deal, the third forfeits": (
        "crashes_at_each_bid", PATIENT, 3, {"hello": 3, "exit": 3, "arena": 2, "own": 26},
    ),
    "late once": ("silent_once", SEVERAL, 3, {"hello": 1, "timeout": 1, "arena": 1, "own": 41}),
    "not greeted at first": ("starts_late", UNGREETED, 3, {"hello": 1, "start": 1, "own": 42}),
    "it starts no more": (
        "starts_once", PATIENT, 3, {"hello": 1, "exit": 3, "arena": 2, "own": 1},
    ),
    "it starts no more, and many faults are allowed": (
        "starts_once", PATIENT, 1000, {"hello": 1, "exit": 41, "arena": 41, "own": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLE)
def test_a_bad_bot_is_played_for_until_it_has_had_its_limit(case: str, home: Path) -> None:
    name, clock, limit, expected = TABLE[case]
    program = bad_bot(name, str(home / "was here"))
    result = table(home, {"E": program}, every("substitute", limit), clock)
    assert happened(result, "E") == expected
    assert set(result.faults) == {"E"}
    forfeits = sum(result.faults["E"].values()) == limit
    assert result.reason == ("forfeit" if forfeits else "max_deals")
    assert result.forfeited == ("EW" if forfeits else None)
    assert "arena" not in happened(result, "W")


def test_what_each_process_has_logged_is_kept_for_its_author(home: Path) -> None:
    program = bad_bot("starts_once", str(home / "was here"))
    result = table(home, {"E": program}, every("substitute"))
    assert result.logs == {"E": "no card for you\n\n[started again]\nI was here before\n"}


def test_all_four_may_crash_in_every_deal(home: Path) -> None:
    offenders = dict.fromkeys(SEATS, bad_bot("crashes_at_each_bid"))
    result = table(home, offenders, every("substitute", 4))
    assert result.reason == "max_deals"
    assert result.faults == {seat: {"exit": 3} for seat in SEATS}


ENDS_AT_A_CARD = """
import json, os, sys
sizes = {"output": 1 << 18, "exit": 0}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "play" and message["deal"] < 3:
        os.write(1, b"x" * sizes[sys.argv[1]])
        os._exit(3)
    if "id" in message:
        card = message.get("legal", [None])[0]
        print(json.dumps({"id": message["id"], "bid": 3, "card": card}), flush=True)
"""
"""By the fault that is its argument, but in the third deal."""


@pytest.mark.parametrize("kind", ["exit", "output"])
def test_a_process_that_ends_in_each_deal_is_set_in_each_and_started_for_the_next(
    kind: str, home: Path
) -> None:
    (home / "own").mkdir()
    program = written(home / "own", ENDS_AT_A_CARD)
    program = structs.replace(program, command=(*program.command, kind))
    result = table(home, {"E": program}, every("set"))
    assert (result.reason, result.faults) == ("max_deals", {"E": {kind: 2}})
    assert happened(result, "E") == {"hello": 3, kind: 2, "own": 3 + 13}
    record = zlib.decompress(result.record)
    answers = list(refeed(sent(record, "E"), program, LogLines()))
    assert not [refed for refed in answers if refed.differs]
    assert len(answers) == 3 + 3 + 2 + 13


def test_a_bot_that_forfeits_by_its_kind_is_not_started_again(home: Path) -> None:
    policy = FaultPolicy(timeout="substitute")
    result = table(home, {"E": bad_bot("crashes_at_each_bid")}, policy)
    assert (result.reason, result.faults) == ("forfeit", {"E": {"exit": 1}})
    assert happened(result, "E")["hello"] == 1


# The reaper


def test_one_bot_is_ended_with_its_session_and_nothing_else(desk: Path) -> None:
    with seated(desk, PATIENT, bad_bot("forks_many"), bad_bot("forks_many")) as [bot, other]:
        bot.ask(hello())
        one = set(children())
        other.ask(hello())
        two = set(children()) - one
        assert len(one) == len(two) == 1
        bot.ask(hello())
        assert two < set(children())
        assert not one & set(children())
        (pid,) = two
        assert os.getsid(pid) == pid
    reaper.kill_bots()
