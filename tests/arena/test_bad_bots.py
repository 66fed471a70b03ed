"""Every program of tests/bad_bots gets its fault and its sentence, and leaves nothing behind."""

from pathlib import Path

import pytest

from arena import process, running
from arena.bot import BotFault
from arena.deals import request_ids
from arena.events import Clocks
from tests.arena.programs import BAD_BOTS, HASTY, PATIENT, bad_bot, bid, hello, seated

STARTS_LATE = Clocks(start_ms=100, exit_ms=10)

# program: clock, number of the request that it fails at, kind of fault, part of its sentence
FAULTY = {
    "silent_at_start": (STARTS_LATE, 1, "start", "no complete line within 100 ms of its start -"),
    "never_flushes": (STARTS_LATE, 1, "start", "flush standard output after each line"),
    "exits_at_once": (PATIENT, 1, "exit", 'status 3 while a reply to "hello" was owed -'),
    "closes_output_at_start": (PATIENT, 1, "exit", "it exited with status 4"),
    "prints_a_banner": (PATIENT, 1, "malformed", "'My Bot 1.0' - expected one line such as"),
    "silent": (HASTY, 2, "timeout", "no complete line within 250 ms - answer sooner, and flush"),
    "half_a_line": (HASTY, 2, "timeout", "250 ms, only the beginning of one - end each reply with"),
    "trickles": (HASTY, 2, "timeout", "only the beginning of one"),
    "chatters": (HASTY, 2, "timeout", "no complete line within 250 ms - answer sooner, and flush"),
    "mutters": (HASTY, 2, "timeout", "no complete line within 250 ms - answer sooner, and flush"),
    "stops_itself": (HASTY, 2, "timeout", "no complete line within 250 ms - answer sooner"),
    "closes_input": (HASTY, 2, "timeout", "it has closed its standard input - read requests"),
    "crashes": (PATIENT, 2, "exit", 'status 1 while a reply to "bid" was owed - see its standard'),
    "ended_by_a_signal": (PATIENT, 2, "exit", "it was ended by SIGTERM"),
    "kills_itself": (PATIENT, 2, "exit", "it was ended by SIGKILL while a reply to"),
    "exits_in_half_a_line": (PATIENT, 2, "exit", "status 5 while a reply to"),
    "answers_then_exits": (PATIENT, 3, "exit", "status 0 while a reply to"),
    "closes_output": (PATIENT, 2, "exit", "it closed its standard output but is still running"),
    "closes_everything": (PATIENT, 2, "exit", "it closed its standard output but is still running"),
    "fork_holds_pipes": (PATIENT, 2, "exit", "it exited with status 6"),
    "daemon_holds_pipes": (PATIENT, 2, "exit", "it exited with status 7"),
    "long_line": (PATIENT, 2, "output", 'a line of more than 64 KiB: \'{"id": 2, "bid": 3, "note'),
    "floods_output": (PATIENT, 2, "output", "a line of more than 64 KiB: 'xxx"),
    "floods_blank_lines": (PATIENT, 2, "output", "more than 16 MiB of standard output"),
    "floods_lines": (PATIENT, 2, "malformed", "not JSON: "),
    "floods_log": (PATIENT, 2, "output", "more than 64 MiB of standard error"),
    "debug_on_output": (PATIENT, 2, "malformed", "'thinking...' - expected one line such as"),
    "single_quotes": (PATIENT, 2, "malformed", "not JSON (keys must be in double quotes): "),
    "not_utf8": (PATIENT, 2, "malformed", "not UTF-8 (byte 0xe9 at position 32)"),
    "utf16": (PATIENT, 2, "malformed", "not UTF-8 (byte 0xff at position 0)"),
    "nul_bytes": (PATIENT, 2, "malformed", "not JSON"),
    "nan": (PATIENT, 2, "malformed", "not JSON"),
    "deep_json": (PATIENT, 2, "malformed", "nested too deeply"),
    "huge_number": (PATIENT, 2, "malformed", '\'{"id": 2, "bid": 999'),
    "duplicate_keys": (PATIENT, 2, "malformed", "the key 'bid' stands twice"),
    "true_for_a_bid": (PATIENT, 2, "malformed", '"bid" must be a whole number, and is true: '),
    "float_for_a_bid": (PATIENT, 2, "malformed", '"bid" must be a whole number, and is 3.0: '),
    "list_for_a_reply": (PATIENT, 2, "malformed", "not a JSON object: '[2, 3]'"),
    "no_id": (PATIENT, 2, "malformed", 'the field "id" is missing'),
    "id_as_text": (PATIENT, 2, "malformed", '"id" must be the integer 2: \'{"id": "2"'),
    "wrong_id": (PATIENT, 2, "malformed", '"id" is 1, and that of the request is 2: \'{"id": 1'),
    "wrong_field": (PATIENT, 2, "malformed", 'the field "bid" is missing: '),
    "answers_twice": (
        PATIENT,
        3,
        "malformed",
        '"id" is 2, and that of the request is 3: \'{"id": 2',
    ),
    "answers_ahead": (PATIENT, 2, "malformed", "and that of the request is"),
}

PROPER = [
    "proper",
    "windows_text",
    "closes_log",
    "talks_much",
    "paints_the_terminal",
    "never_leaves",
    "forks_many",
    "runs_away",
    "locks_its_folder",
    "swaps_its_folder",
]

AT_A_TABLE = [
    "answers_what_asks_nothing",
    "bids_too_high",
    "does_not_follow",
    "plays_no_card",
]
"""Tested in whole matches only."""

TESTED_ELSEWHERE = [
    "answers_late",
    "crashes_at_each_bid",
    "debug_then_answers",
    "never_reads",
    "silent_once",
    "starts_late",
    "starts_once",
    *AT_A_TABLE,
]


@pytest.mark.parametrize("name", FAULTY)
def test_a_bad_bot_gets_its_fault(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, request, kind, sentence = FAULTY[name]
    if name == "answers_ahead":
        monkeypatch.setattr(process, "request_ids", request_ids)  # what it can't foresee
    if "running" in sentence:
        monkeypatch.setattr(running, "LAST_MOMENT_MS", 50.0)
    faults = []
    with seated(tmp_path, clock, bad_bot(name), bad_bot(name)) as bots:
        for bot in bots:
            requests = [hello(), bid(), bid()]
            for proper in requests[: request - 1]:
                bot.ask(proper)
            with pytest.raises(BotFault) as caught:
                bot.ask(requests[request - 1])
            faults.append(caught.value)
    one, other = faults
    assert one.kind == kind
    assert sentence in one.detail
    assert (one.detail, one.raw) == (other.detail, other.raw)
    assert (one.raw is None) == (
        kind in ("start", "timeout", "exit") or one.detail[:9] == "more than"
    )


@pytest.mark.parametrize("name", PROPER)
def test_an_odd_bot_that_answers_properly_is_not_at_fault(name: str, tmp_path: Path) -> None:
    with seated(tmp_path, PATIENT, bad_bot(name)) as [bot]:
        bot.ask(hello())
        for _ in range(3):
            assert bot.ask(bid()).reply.id > 1
    assert BAD_BOTS.is_dir()
    assert (BAD_BOTS / f"{name}.py").is_file()


def test_every_bad_bot_is_tested() -> None:
    tested = {*FAULTY, *PROPER, *TESTED_ELSEWHERE}
    assert {file.stem for file in BAD_BOTS.glob("*.py")} == tested
