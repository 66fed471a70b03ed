"""What a record says that a seat was sent is what a bot in that match has read, line by line."""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena import process
from arena.bot import BotFault
from arena.deals import request_ids, seed_root
from arena.events import Clocks, Faulted, FaultPolicy
from arena.lines import LogLines
from arena.match import play, specify
from arena.process import UNBOXED
from arena.record import read, strip_times
from arena.refeeding import refeed
from arena.sent import Asked, sent
from arena.turns import Turn, Turns
from protocol.cards import SEATS, Seat
from protocol.codec import encode
from protocol.rules import Rules
from tests.arena.programs import written
from tests.tournaments.replayed import RECORDS

LOGGING = """
import json, os, sys, time

wrong = dict(zip(sys.argv[2::2], sys.argv[3::2]))  # number of the line -> what to do there
log = open(sys.argv[1], "a")
log.write("started\\n")
before = open(sys.argv[1]).read().count("\\n") - 1
for number, line in enumerate(sys.stdin, before + 1):
    log.write(line)
    log.flush()
    m = json.loads(line)
    if "id" not in m:
        continue
    reply = {"id": m["id"], "bid": 3, "cards": m.get("hand", [])[-2:], "blind_nil": True}
    if m["type"] == "play":
        reply["card"] = m["legal"][0]
    do = wrong.get(str(number))
    if do == "exit":
        os._exit(3)
    if do == "late":
        time.sleep(1.2)
    if do == "illegal":
        reply |= {"card": "2X", "bid": 99, "cards": ["2X"]}
    print("thinking" if do == "malformed" else json.dumps(reply), flush=True)
"""
"""Keeps what it reads in a file, and goes wrong where it is told to."""


def lines(record: bytes, seat: Seat) -> list[dict[str, Any]]:
    messages = (each.request if isinstance(each, Asked) else each for each in sent(record, seat))
    return [json.loads(encode(message)) for message in messages]


def log(file: Path) -> list[list[dict[str, Any]]]:
    """What each process has read, one after the other."""
    parts = file.read_text().split("started\n")[1:]
    return [[json.loads(line) for line in part.splitlines()] for part in parts]


RULES = {
    "cards are passed": Rules(
        max_deals=2, blind_nil=100, blind_nil_deficit=0, blind_nil_exchange=2
    ),
    "each for itself": Rules(max_deals=2, players="solo", min_bid=1, nil=0),
}
FAULTS = {
    "all is well": [],
    "a line that is none": ["4", "malformed"],
    "what is illegal, and again": ["3", "illegal", "9", "illegal"],
    "a clock that runs out": ["4", "late"],
    "an end, and another after it was started again": ["5", "exit", "11", "exit"],
    "an end at the beginning": ["1", "exit"],
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("wrong", FAULTS.values(), ids=FAULTS)
def test_the_lines_are_those_that_a_bot_in_the_match_has_read(
    rules: Rules, wrong: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "request_ids", request_ids)  # as in a match
    program = written(tmp_path, LOGGING)
    programs = {
        seat: replace(
            program,
            name=f"bot-{seat}",
            command=(*program.command, str(tmp_path / seat), *(wrong if seat == "E" else [])),
        )
        for seat in SEATS
    }
    kinds = dict.fromkeys(("start", "timeout", "exit", "malformed", "illegal"), "substitute")
    move_ms = 1_000 if "late" in wrong else 60_000
    spec = specify(
        "match",
        seed_root(3),
        programs,
        rules=rules,
        clock=Clocks(start_ms=60_000, move_ms=move_ms, bank_ms=600_000, exit_ms=5_000),
        faults=FaultPolicy(limit=100, **kinds),  # type: ignore[arg-type]
        sandbox=UNBOXED,
    )
    record = zlib.decompress(play(spec).record)
    assert b'"ms":' not in strip_times(record)
    for seat in SEATS:
        whole = lines(record, seat)
        starts = [i for i, line in enumerate(whole) if line["type"] == "hello"]
        due = [whole[i:j] for i, j in zip(starts, [*starts[1:], len(whole)], strict=True)]
        read_ = log(tmp_path / seat)
        assert len(read_) == len(due)
        for was, is_ in zip(read_, due, strict=True):
            assert was == is_[: len(was)]  # a process that has ended reads no more
        assert len(read_[-1]) == len(due[-1]) or wrong

    again = tmp_path / "again"
    program = replace(programs["E"], command=(*program.command, str(again), *wrong))
    answers = list(refeed(sent(record, "E"), program, LogLines()))
    assert not [refed for refed in answers if refed.differs]
    assert sum(isinstance(refed.now, BotFault) for refed in answers) == wrong.count("exit") + sum(
        word in ("illegal", "malformed") for word in wrong
    )
    assert log(again) == log(tmp_path / "E")


@pytest.mark.parametrize("name", RECORDS)
def test_each_turn_is_told_from_the_others_and_counts_up(name: str) -> None:
    record = RECORDS[name]()
    for seat in SEATS:
        turns = [each.turn for each in sent(record, seat) if isinstance(each, Asked)]
        assert turns == sorted(set(turns))
        assert turns[:1] == [Turn(0, 1)][: len(turns)]
        for deal in {turn.deal for turn in turns}:
            numbers = [turn.number for turn in turns if turn.deal == deal]
            assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("name", ["substituted", "renege", "forfeit", "hostile", "nobody_starts"])
def test_a_fault_has_the_turn_at_which_it_was_recorded(name: str) -> None:
    record, turns = RECORDS[name](), Turns()
    found = [(event, turns.take(event)) for _, event in read(record)]  # type: ignore[arg-type]
    faults = [(event, turn) for event, turn in found if isinstance(event, Faulted)]
    assert faults
    for fault, turn in faults:
        (asked,) = (
            each
            for each in sent(record, fault.seat)
            if isinstance(each, Asked) and each.turn == turn
        )
        assert asked.recorded == fault


def test_a_record_without_times_is_sent_without_them() -> None:
    record = strip_times(RECORDS["fair"]())
    clocks = [line["clock"] for line in lines(record, "N") if "legal" in line]
    assert {clock["last_ms"] for clock in clocks} == {None}


def test_a_seat_that_was_not_started_was_sent_nothing() -> None:
    record = RECORDS["nobody_starts"]()
    assert [line["type"] for line in lines(record, "N")] == ["hello", "fault", "match_end"]
    assert lines(record, "W") == []
