"""Checks that no program of tests/bad_bots fails: a small bot for each, wrong in that alone."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.checks import Finding, examination, examine, measures
from arena.checks.plans import (
    AGAIN,
    BANK,
    BASIC,
    CORNERS,
    ENDED_DEAL,
    NUMBERS,
    PARTNERS,
    PLANS,
    TOLERANCE,
    WHOLE,
    Plan,
)
from arena.events import Clocks
from arena.program import Program
from arena.sandbox import Sandbox
from tests.arena.programs import written

CLOCK = Clocks(start_ms=60_000, move_ms=60_000, exit_ms=60_000)

BOT = """
import json, os, sys, time
from pathlib import Path

BEFORE
for line in sys.stdin:
    m = json.loads(line)
    kind, number, legal = m["type"], m.get("id"), m.get("legal")
    trick = m.get("trick", {}).get("cards", [])
    reply = {"id": number}
    if kind == "bid": reply["bid"] = 3
    if kind == "play": reply["card"] = legal[0]
    WRONG
    if number is not None: print(json.dumps(reply), flush=True)
AFTER
"""
"""A sound bot, with places for what is wrong with it."""


def bot(folder: Path, wrong: str = "", before: str = "", after: str = "") -> Program:
    source = BOT.replace("WRONG", wrong).replace("BEFORE", before).replace("AFTER", after)
    return written(folder, source)


def held(
    program: Program, monkeypatch: pytest.MonkeyPatch, *plans: Plan, clock: Clocks = CLOCK
) -> dict[str, Finding]:
    """The findings of these conversations, after that of BASIC."""
    monkeypatch.setattr(examination, "PLANS", (BASIC, *plans))
    return {finding.name: finding for finding in examine(program, clock)}


def of_preset(name: str) -> Plan:
    (plan,) = (plan for plan in PLANS if plan.name == f"the preset {name}")
    return plan


FORCED = "if kind == 'play' and not trick and not m['broken'] and legal[0][1] == 'S'"

WRONG: dict[str, tuple[str, Plan]] = {
    "answers_play": ("if kind == 'play': reply['card'] = legal[0].lower()", BASIC),
    "unbroken_spades": (
        "if kind == 'play' and not trick: reply['card'] = m['hand'][-1]",
        of_preset("solo"),
    ),
    "next_deal": ("if m.get('deal') == 2: sys.exit('two deals?')", BASIC),
    "lasts": ("if m.get('deal') == 4: sys.exit('still not over?')", WHOLE),
    "ended_deal": ("if kind == 'deal_end': len(m['tricks']) == 13 or sys.exit(1)", ENDED_DEAL),
    "forced_spade_lead": (f"{FORCED}: sys.exit('no card to lead')", CORNERS),
    "void": (
        "if trick and not m['bids']['S'] and trick[0][1] not in {c[1] for c in legal}: sys.exit(1)",
        CORNERS,
    ),
    "unknown_fields": ("if 'later' in m: sys.exit('what is later?')", TOLERANCE),
    "unknown_values": (
        "if m.get('ruling', 'set') not in ('set', 'substitute'): sys.exit(1)",
        TOLERANCE,
    ),
    "unknown_messages": ("if kind == 'weather': print(json.dumps(reply), flush=True)", TOLERANCE),
    "unknown_requests": ("if kind == 'claim': sys.exit('what claim?')", TOLERANCE),
    "fault_messages": ("if kind == 'fault': sys.exit('not me')", TOLERANCE),
    "two_at_once": ("", PARTNERS),
    "bank": ("if kind == 'bid' and m['clock']['bank_ms'] is not None: sys.exit(1)", BANK),
    "large_numbers": ("if (number or 0) >= 2**21: reply['id'] = number % 2**21", NUMBERS),
    "answers_blind_nil": (
        "if kind == 'blind_nil': reply['blind_nil'] = 'no'",
        of_preset("playingcards"),
    ),
    "answers_exchange": (
        "if kind == 'exchange': reply['cards'] = m['hand'][:1]",
        of_preset("blind"),
    ),
    "joker_decks": (
        "if kind == 'bid': {'AS': 1, **{c: 1 for c in m['hand'] if c[1] in 'CDHS'}}[m['hand'][-1]]",
        of_preset("barmore"),
    ),
    "solo_play": ("if kind == 'hello': m['partner'].lower()", of_preset("solo")),
    "every_preset": ("if kind == 'hello' and m['rules']['floor']: sys.exit(1)", of_preset("app")),
    "same_answers": (
        "if kind == 'play': reply['card'] = legal[time.time_ns() // 1000 % len(legal)]",
        AGAIN,
    ),
    "note_length": ("reply['note'] = 'x' * 1001", BASIC),
    "plain_notes": ("reply['note'] = 'two\\nlines'", BASIC),
    "name_and_version": ("reply['version'] = '1.' * 51", BASIC),
    "output_volume": ("reply['more'] = 'x' * 20_000", BASIC),
}
"""Check -> a line of a bot, and the conversation in which that is found."""


@pytest.mark.parametrize("name", WRONG)
def test_a_bot_with_one_wrong_line_fails_one_check(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, plan = WRONG[name]
    alone = ("Path('lock').touch(exist_ok=False)", "Path('lock').unlink()")
    around = alone if name == "two_at_once" else ("", "")
    plans = () if plan == BASIC else (plan,)
    found = held(bot(tmp_path, wrong, *around), monkeypatch, *plans)
    assert {each.name for each in found.values() if each.status == "failed"} == {name}
    failure = found[name]
    assert failure.mend
    assert failure.seen


DEEPER = [
    ("hello", "m['rules']"),
    ("hello", "m['clock']"),
    ("hello", "m['arena']"),
    ("bid", "m['clock']"),
    ("play", "m['trick']"),
    ("play", "m['clock']"),
    ("play", "(m['tricks'] or [{}])[0]"),
    ("deal_end", "m"),
    ("deal_end", "m['tricks'][12]"),
]
"""Type of a message, and where in it a later version may have more fields."""


@pytest.mark.parametrize(("kind", "where"), DEEPER)
def test_a_bot_that_breaks_on_a_field_inside_an_object_is_found(
    kind: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = f"if kind == '{kind}' and 'later' in {where}: sys.exit('what is later?')"
    found = held(bot(tmp_path, wrong), monkeypatch, TOLERANCE)
    assert [each.name for each in found.values() if each.status == "failed"] == ["unknown_fields"]


def test_a_bot_that_breaks_on_a_reason_is_found_where_it_else_ends_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = "if m.get('reason', 'forfeit') != 'forfeit': sys.exit(7)"
    found = held(bot(tmp_path, broken), monkeypatch, TOLERANCE)
    assert [each.name for each in found.values() if each.status == "failed"] == ["unknown_values"]
    assert found["unknown_values"].seen == 'status 7 after a match_end with "reason":"walkover"'
    found = held(bot(tmp_path, after="sys.exit(7)"), monkeypatch, TOLERANCE)
    assert [each.name for each in found.values() if each.status == "failed"] == ["exit_status"]


@pytest.mark.parametrize(
    ("wrong", "plans", "name"),
    [
        ("if len(line) > 900: sys.exit('too long')", (), "longest_request"),
        ("if len(line) > 900: reply = {'id': 0}", (), "longest_request"),
        ("if kind == 'deal_end' and len(line) > 1060: sys.exit(1)", (), "next_deal"),
        ("if len(line) > 1060: sys.exit('too long')", (), "longest_request"),
        ("if len(line) > 1090: kind == 'deal_end' or sys.exit(1)", (NUMBERS,), "longest_request"),
        ("if len(m.get('tricks', ())) == 9: sys.exit('a trick?')", (), "stays_running"),
        ("if len(m.get('tricks', ())) == 9: reply['card'] = 'XX'", (), "answers_play"),
        ("if len(m.get('tricks', ())) == 9 or 'later' in m: sys.exit(1)", (), "stays_running"),
    ],
)
def test_a_fault_at_a_long_line_is_told_from_one_late_in_a_deal(
    wrong: str,
    plans: tuple[Plan, ...],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = held(bot(tmp_path, wrong), monkeypatch, *plans)
    assert [each.name for each in found.values() if each.status == "failed"] == [name]
    shorter = "every line that is shorter was read" in found[name].seen
    assert shorter == (name == "longest_request")


@pytest.mark.parametrize(
    ("after", "name", "seen"),
    [
        ("print('bye')", "silent_at_end", "it wrote 'bye' when nothing was owed"),
        ("sys.exit(3)", "exit_status", "status 3"),
        ("os.kill(os.getpid(), 15)", "exit_status", "status -15"),
    ],
)
def test_how_a_bot_ends_is_checked(
    after: str, name: str, seen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = held(bot(tmp_path, after=after), monkeypatch)
    assert {each.name: each.seen for each in found.values() if each.status == "failed"} == {
        name: seen
    }


def test_a_bot_that_leaves_late_is_warned_and_one_that_stays_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = bot(tmp_path, after="time.sleep(0.3)")
    found = held(slow, monkeypatch, clock=replace(CLOCK, exit_ms=250))["leaves_in_time"]
    assert found.status == "warning"
    assert "a match kills it after 0.25 s" in found.seen
    found = held(slow, monkeypatch, clock=replace(CLOCK, exit_ms=1))["leaves_in_time"]
    assert found.status == "failed"


def test_more_than_its_share_of_a_limit_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heavy = bot(tmp_path, before="ballast = b'x' * 60_000_000")
    monkeypatch.setattr(examination, "PLANS", (BASIC,))
    limits = Sandbox("none", memory=100_000_000, pause=False)
    found = {each.name: each.status for each in examine(heavy, CLOCK, limits)}
    assert found["memory"] == "warning"
    assert found["start_time"] == found["decision_time"] == "passed"
    monkeypatch.setattr(measures, "WARN_SHARE", 0.0)
    found = {each.name: each.status for each in examine(heavy, CLOCK)}
    assert found["start_time"] == found["decision_time"] == found["memory"] == "warning"


def test_a_failure_shows_what_was_sent_and_answered_and_the_end_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "if kind == 'bid': print('hm', file=sys.stderr); reply['bid'] = 14"
    failure = held(bot(tmp_path, wrong), monkeypatch)["answers_bid"]
    assert failure.status == "failed"
    assert failure.request is not None
    assert failure.request.startswith('{"type":"bid","id":')
    assert failure.reply == """'{"id":2,"bid":14}'"""
    assert "illegal: the bid 14 is not legal" in failure.seen
    assert failure.log == "hm\n"


def test_who_thinks_long_plays_no_whole_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = replace(WHOLE, patience_ms=0.0)
    found = held(bot(tmp_path, "assert m.get('deal') != 4"), monkeypatch, soon)
    assert found["lasts"].status == "passed"
    assert int(found["lasts"].seen.split()[0]) < 10


def test_what_errs_in_a_position_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, _ = WRONG["void"]
    wrong = f"if m.get('deal') == 3: sys.exit(1)\n    {wrong}"
    found = held(bot(tmp_path, wrong), monkeypatch, WHOLE, CORNERS)
    assert found["lasts"].status == "skipped"
    assert [each.name for each in found.values() if each.status == "failed"] == ["void"]


def test_what_one_failure_keeps_from_being_tried_is_skipped_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = held(bot(tmp_path, "if kind == 'play': sys.exit(1)"), monkeypatch, *PLANS[1:])
    assert [each.name for each in found.values() if each.status == "failed"] == ["stays_running"]
    assert found["bank"].status == "skipped"
    assert found["bank"].seen == "not reached: see stays_running"
    assert found["answers_hello"].status == "passed"
