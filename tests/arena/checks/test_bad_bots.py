"""Every program of tests/bad_bots fails the check that is named for what is bad about it."""

from itertools import count
from pathlib import Path

import pytest

from arena import process, running
from arena.checks import CHECKS, examine
from arena.checks.findings import BOXED_ONLY
from arena.deals import request_ids
from arena.events import Clocks
from tests.arena.programs import BAD_BOTS, PATIENT, bad_bot, children

LEAVING = Clocks(start_ms=60_000, move_ms=60_000, exit_ms=60_000)
"""For bots that answer, and leave: no busy machine makes them late."""
HASTY = Clocks(start_ms=60_000, move_ms=250, exit_ms=10)
"""For bots that don't answer once they have started."""
STARTS_LATE = Clocks(start_ms=250, exit_ms=10)
"""For bots that don't start."""

FAILS: dict[str, tuple[Clocks, str]] = {
    "answers_ahead": (LEAVING, "one_line_each"),
    "answers_late": (HASTY, "answers_in_time"),
    "answers_then_exits": (PATIENT, "stays_running"),
    "answers_twice": (PATIENT, "one_line_each"),
    "answers_what_asks_nothing": (LEAVING, "silent_unless_asked"),
    "bids_too_high": (PATIENT, "answers_bid"),
    "chatters": (HASTY, "answers_in_time"),
    "closes_everything": (PATIENT, "keeps_output_open"),
    "closes_input": (HASTY, "reads_input"),
    "closes_output": (PATIENT, "keeps_output_open"),
    "closes_output_at_start": (PATIENT, "starts"),
    "crashes": (PATIENT, "stays_running"),
    "crashes_at_each_bid": (PATIENT, "stays_running"),
    "daemon_holds_pipes": (PATIENT, "stays_running"),
    "debug_on_output": (PATIENT, "clean_output"),
    "debug_then_answers": (LEAVING, "clean_output"),
    "deep_json": (PATIENT, "json"),
    "does_not_follow": (PATIENT, "follows_suit"),
    "duplicate_keys": (PATIENT, "unique_keys"),
    "ended_by_a_signal": (PATIENT, "stays_running"),
    "exits_at_once": (PATIENT, "starts"),
    "exits_in_half_a_line": (PATIENT, "stays_running"),
    "float_for_a_bid": (PATIENT, "fields"),
    "floods_blank_lines": (PATIENT, "output_volume"),
    "floods_lines": (PATIENT, "clean_output"),
    "floods_log": (PATIENT, "log_volume"),
    "floods_output": (PATIENT, "line_length"),
    "fork_holds_pipes": (PATIENT, "stays_running"),
    "forks_many": (LEAVING, "leaves_nothing_behind"),
    "half_a_line": (HASTY, "complete_lines"),
    "huge_number": (PATIENT, "json"),
    "id_as_text": (PATIENT, "echoes_ids"),
    "kills_itself": (PATIENT, "stays_running"),
    "list_for_a_reply": (PATIENT, "json"),
    "long_line": (PATIENT, "line_length"),
    "mutters": (HASTY, "answers_in_time"),
    "nan": (PATIENT, "json"),
    "never_flushes": (Clocks(start_ms=500, exit_ms=60_000), "flushes"),
    "never_leaves": (PATIENT, "leaves_in_time"),
    "never_reads": (HASTY, "answers_in_time"),
    "no_id": (PATIENT, "echoes_ids"),
    "not_utf8": (PATIENT, "utf8"),
    "nul_bytes": (PATIENT, "clean_output"),
    "plays_no_card": (PATIENT, "answers_play"),
    "prints_a_banner": (PATIENT, "clean_output"),
    "runs_away": (LEAVING, "leaves_nothing_behind"),
    "silent": (HASTY, "answers_in_time"),
    "silent_at_start": (STARTS_LATE, "answers_hello"),
    "silent_once": (HASTY, "answers_in_time"),
    "single_quotes": (PATIENT, "json"),
    "starts_late": (STARTS_LATE, "answers_hello"),
    "starts_once": (PATIENT, "stays_running"),
    "stops_itself": (HASTY, "answers_in_time"),
    "talks_much": (Clocks(start_ms=60_000, move_ms=60_000, exit_ms=5_000), "log_volume"),
    "trickles": (HASTY, "complete_lines"),
    "true_for_a_bid": (PATIENT, "fields"),
    "utf16": (PATIENT, "utf8"),
    "wrong_field": (PATIENT, "fields"),
    "wrong_id": (PATIENT, "echoes_ids"),
}
"""Program -> the clock it is held to, and the only check that it fails."""

SOUND = {
    "proper": "there is nothing bad about it",
    "windows_text": "a byte order mark, blank lines and other line ends are tolerated",
    "closes_log": "nobody has to log",
    "locks_its_folder": "the folder is its own, and is removed whatever it has made of it",
    "swaps_its_folder": "the same",
}
"""Programs that pass, and why."""

BOTH = {"paints_the_terminal": {"name_and_version", "plain_notes"}}
"""What is wrong with its name is wrong with its notes."""

WITH_A_FILE = {"answers_late", "starts_late", "starts_once"}
"""They are given the name of a file that is not there."""


def failed(name: str, clock: Clocks, folder: Path) -> set[str]:
    """The checks that a program of tests/bad_bots fails; nothing else is wrong."""
    arguments = [str(folder / "file")] if name in WITH_A_FILE else []
    found = examine(bad_bot(name, *arguments), clock)
    assert [finding.name for finding in found] == [check.name for check in CHECKS]
    assert children() == []
    skipped = {finding.name for finding in found if finding.status == "skipped"}
    wrong = {finding.name for finding in found if finding.status == "failed"}
    if wrong & skipped or not wrong:
        assert skipped == BOXED_ONLY
    return wrong


@pytest.mark.parametrize("name", FAILS)
def test_a_bad_bot_fails_the_check_that_is_named_for_it_and_no_other(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, check = FAILS[name]
    # Most of them know the first ids; what counts ahead must not be able to.
    ids = request_ids if name == "answers_ahead" else lambda _: count(1)
    monkeypatch.setattr(process, "request_ids", ids)
    if check == "keeps_output_open":  # it does not end, and is not waited for
        monkeypatch.setattr(running, "LAST_MOMENT_MS", 50.0)
    # On a busy machine what runs away may be gone, or not yet there, when it is looked for.
    found = (failed(name, clock, tmp_path) for _ in range(3))
    assert next((checks for checks in found if checks), set()) == {check}


@pytest.mark.parametrize("name", SOUND)
def test_an_odd_bot_that_no_match_could_charge_is_sound(name: str, tmp_path: Path) -> None:
    assert failed(name, LEAVING, tmp_path) == set()


@pytest.mark.parametrize("name", BOTH)
def test_what_a_bot_writes_for_people_is_checked(name: str, tmp_path: Path) -> None:
    assert failed(name, LEAVING, tmp_path) == BOTH[name]


def test_every_bad_bot_is_checked() -> None:
    assert {file.stem for file in BAD_BOTS.glob("*.py")} == {*FAILS, *SOUND, *BOTH}
