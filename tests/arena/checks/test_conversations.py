"""What the conversations of a check ask, and that every check is reached."""

import json
import pickle

import msgspec
import pytest

from arena.checks.catalogue import CHECKS, ONE_ANSWER_SHOWS
from arena.checks.conversation import converse
from arena.checks.measures import MEASURES
from arena.checks.plans import LONGER, NUMBERS, PLANS, Plan
from arena.checks.transcript import Transcript
from arena.process import UNBOXED
from arena.rules import PRESETS
from protocol.codec import decode_message
from protocol.messages import Hello, Request
from tests.arena.programs import PATIENT, bad_bot, children


@pytest.fixture(scope="module")
def held() -> dict[str, Transcript]:
    """Every conversation with a proper bot, by its name."""
    return {plan.name: converse(plan, bad_bot("proper"), PATIENT, UNBOXED) for plan in PLANS}


def test_names_are_stable_words_and_texts_fit_a_line() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
    for check in CHECKS:
        assert check.name.replace("_", "").isalnum()
        assert check.name.islower()
        assert len(check.name) <= 21
        assert len(check.title) <= 53
        assert len(check.mend) <= 90


def test_no_conversation_with_a_proper_bot_has_a_fault(held: dict[str, Transcript]) -> None:
    assert list(held) == [plan.name for plan in PLANS]
    for transcript in held.values():
        assert transcript.failed is None
        assert all(left.lines == () for left in transcript.departures.values())
    assert children() == []


def test_every_check_is_reached_by_an_answer_or_measured(held: dict[str, Transcript]) -> None:
    marked = {name for each in held.values() for step in each.steps for name in step.marks}
    assert ONE_ANSWER_SHOWS - set(MEASURES) <= marked
    assert marked | set(MEASURES) <= {check.name for check in CHECKS}
    assert set(MEASURES) <= {check.name for check in CHECKS}


def test_every_preset_greets_a_bot_and_every_seat_is_sat_in(held: dict[str, Transcript]) -> None:
    hellos = [s.request for t in held.values() for s in t.steps if isinstance(s.request, Hello)]
    greeted = {msgspec.json.encode(hello.rules) for hello in hellos}
    assert {msgspec.json.encode(rules) for rules in PRESETS.values()} <= greeted
    assert {hello.seat for hello in hellos} == {"N", "E", "S", "W"}


def test_what_is_sent_are_messages_of_the_protocol(held: dict[str, Transcript]) -> None:
    asked = {step.line for transcript in held.values() for step in transcript.steps}
    assert len(asked) > 100
    unknown = [line for line in asked if decode_message(line) is None]
    assert [json.loads(line)["type"] for line in unknown] == ["claim"]


def test_ids_grow(held: dict[str, Transcript]) -> None:
    for transcript in held.values():
        for seat in transcript.plan.seats:
            ids = [step.request.id for step in transcript.steps if step.seat == seat]
            assert ids == sorted(set(ids))


def test_the_conversation_of_large_numbers_has_them(held: dict[str, Transcript]) -> None:
    lines = [json.loads(step.line) for step in held[NUMBERS.name].steps]
    assert lines[0]["seed"] == 2**53 - 1
    assert lines[1]["id"] > 3_000_000
    assert lines[1]["deal"] == 1000
    assert min(lines[1]["score"].values()) < -100_000
    assert lines[-1]["exchange"] is not None


def test_what_is_made_long_is_as_long_as_any_request(held: dict[str, Transcript]) -> None:
    longest = max(len(step.line) for each in held.values() for step in each.steps)
    transcript = converse(LONGER, bad_bot("proper"), PATIENT, UNBOXED)
    assert transcript.failed is None
    assert len(transcript.steps[max(LONGER.odd)].line) >= longest
    last = held[NUMBERS.name].steps[-1]
    assert len(last.line) == longest
    assert "last_trick" in last.marks


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_a_conversation_is_short(plan: Plan, held: dict[str, Transcript]) -> None:
    assert len(held[plan.name].steps) <= (20 if plan.patience_ms is None else 141)


def test_a_bot_that_does_not_start_is_a_transcript_too() -> None:
    nowhere = msgspec.structs.replace(bad_bot("proper"), command=("/nowhere/bot",))
    transcript = converse(PLANS[0], nowhere, PATIENT, UNBOXED)
    assert transcript.departures == {}
    assert transcript.failed is not None
    assert isinstance(transcript.failed.request, Request)
    assert "there is no such file" in str(transcript.failed.fault)
    copied = pickle.loads(pickle.dumps(transcript))  # as worker processes hand it over
    assert str(copied.failed.fault) == str(transcript.failed.fault)
