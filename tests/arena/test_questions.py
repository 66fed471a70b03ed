"""Questions about the rules: every rule case, what is wrong with a question, and its documents."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.answers import ERROR_LIMIT, refuse_long_line, reply
from arena.questions import KINDS
from arena.rules import PRESETS
from tests.arena.test_cases import RULE_CASES, Case

ANSWERED = {
    "scoring": {"delta", "bags"},
    "match_end": {"winner", "over"},
    "bidding": {"legal", "blind_nil_offered"},
    "legality": {"legal"},
    "trick_winner": {"winner"},
}
"""Kind -> the fields of its answer, as the cases have them."""
PAGE = (Path(__file__).parent.parent.parent / "docs/judge.md").read_text()


def asked(**question: Any) -> dict[str, Any]:
    """The answer to a question with the id 1."""
    answer: dict[str, Any] = json.loads(reply(json.dumps({"id": 1, **question}).encode()))
    return answer


EVERY_CASE = [(kind, case) for kind, cases in RULE_CASES.items() for case in cases]


@pytest.mark.parametrize(("kind", "case"), EVERY_CASE, ids=[case["id"] for _, case in EVERY_CASE])
def test_a_case_without_its_answer_is_answered_as_the_case_says(kind: str, case: Case) -> None:
    due = {key: case[key] for key in ("id", *ANSWERED[kind])}
    question = {key: value for key, value in case.items() if key not in ANSWERED[kind]}
    assert asked(kind=kind, **question) == due
    assert asked(kind=kind, **case) == due, "an answer that is left in does no harm"


def test_there_are_cases_of_every_kind_that_is_answered() -> None:
    assert tuple(RULE_CASES) == KINDS == tuple(ANSWERED)


BIDS = {"N": 3, "E": 3, "S": 2, "W": 3}
TRICKS = {"N": 4, "E": 3, "S": 3, "W": 3}


@pytest.mark.parametrize(
    ("short", "full"),
    [
        (
            {"kind": "scoring", "bids": BIDS, "tricks": TRICKS},
            {
                "rules": {"preset": "standard"},
                "before": {"score": {"NS": 0, "EW": 0}, "bags": {"NS": 0, "EW": 0}},
                "blind": [],
            },
        ),
        (
            {"kind": "scoring", "bids": BIDS, "tricks": TRICKS, "before": {}},
            {"before": {"score": None, "bags": {"NS": 0, "EW": 0}}},
        ),
        (
            {"kind": "match_end", "delta": {"NS": 500, "EW": 0}},
            {"rules": {}, "before": {"NS": 0, "EW": 0}},
        ),
        (
            {"kind": "bidding", "rules": "blind"},
            {"partner_bid": None, "score": {"NS": 7, "EW": 7}, "side": "EW"},
        ),
        ({"kind": "bidding", "rules": "solo"}, {"partner_bid": None, "side": "W"}),
        ({"kind": "legality", "hand": ["2S", "AH"]}, {"trick": [], "broken": False}),
    ],
)
def test_what_is_left_out_is_as_usual(short: dict[str, Any], full: dict[str, Any]) -> None:
    assert "error" not in asked(**short)
    assert asked(**short) == asked(**short | full)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_named_alone_or_in_a_mapping(name: str) -> None:
    short, full = (asked(kind="bidding", rules=rules) for rules in (name, {"preset": name}))
    assert short == full
    assert "legal" in short


@pytest.mark.parametrize("own", [0, -7, 2**60, "", "W01", "\N{SNOWMAN}"])
def test_an_answer_has_the_id_of_its_question(own: int | str) -> None:
    assert asked(kind="bidding", id=own)["id"] == own
    assert asked(kind="biding", id=own)["id"] == own
    assert asked(kind="legality", id=own, hand=["1S"])["id"] == own


def test_a_question_may_have_no_id() -> None:
    assert json.loads(reply(b'{"kind": "trick_winner", "cards": ["2C", "3C", "AC", "4C"]}')) == {
        "id": None,
        "winner": 2,
    }


@pytest.mark.parametrize(
    ("score", "offered"),
    [({"NS": 0, "EW": 100}, True), ({"NS": 0, "EW": 99}, False), ({"NS": 100, "EW": 0}, False)],
)
def test_blind_nil_is_offered_by_the_score_of_the_bidder_s_side(
    score: dict[str, int], offered: bool
) -> None:
    answer = asked(kind="bidding", rules="blind", score=score, side="NS")
    assert answer["blind_nil_offered"] is offered


def test_the_number_of_deals_is_not_asked_so_it_ends_no_match() -> None:
    answer = asked(kind="match_end", rules={"max_deals": 1}, delta={"NS": 10, "EW": 0})
    assert answer == {"id": 1, "over": False, "winner": None}


SCORING = {"kind": "scoring", "bids": BIDS, "tricks": TRICKS}
LEGALITY = {"kind": "legality", "hand": ["2D", "AS"]}
BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "`kind` is missing: it is one of scoring, match_end, bidding, legality, trick_winner"),
    ({"kind": "score"}, "`kind` 'score' is unknown: it is one of scoring"),
    ({"kind": 3}, "`kind` is missing"),
    ({"kind": "\x1b[2J"}, r"`kind` '\x1b[2J' is unknown"),
    ({"kind": "scoring"}, "missing required field `bids`"),
    ({"kind": "scoring", "bids": BIDS}, "missing required field `tricks`"),
    (SCORING | {"bids": {"N": 3}}, "`bids` must name the seats N, E, S and W"),
    (SCORING | {"bids": BIDS | {"X": 1}}, "'X'"),
    (SCORING | {"bids": BIDS | {"N": 14}}, "`int` <= 13"),
    (SCORING | {"bids": BIDS | {"N": -1}}, "`int` >= 0"),
    (SCORING | {"bids": BIDS | {"N": True}}, "got `bool`"),
    (SCORING | {"bids": BIDS | {"N": 3.0}}, "got `float`"),
    (SCORING | {"bids": [3, 3, 2, 3]}, "got `array`"),
    (SCORING | {"tricks": {"N": 13}}, "`tricks` must name the seats"),
    (SCORING | {"tricks": TRICKS | {"N": 3}}, "13 tricks, and `tricks` come to 12"),
    (SCORING | {"before": {"score": {"NS": 0}}}, "`before.score` must name the sides"),
    (SCORING | {"before": {"bags": {"NS": 0, "EW": 0, "N": 0}}}, "`before.bags` must name the sid"),
    (SCORING | {"before": {"bags": {"NS": -1, "EW": 0}}}, "`int` >= 0"),
    (SCORING | {"before": {"bags": {"NS": 10**12, "EW": 0}}}, "`int` <= 1000000000"),
    (
        SCORING | {"rules": "solo", "before": {"bags": {"NS": 0, "EW": 0}}},
        "of these rules, N, E, S",
    ),
    (SCORING | {"blind": ["N"]}, "there is no blind nil in these rules (R3.1)"),
    (SCORING | {"rules": "blind", "blind": ["N"]}, "its bid is 0"),
    (SCORING | {"blind": "N"}, "got `str`"),
    ({"kind": "match_end"}, "missing required field `delta`"),
    (
        {"kind": "match_end", "delta": {"NS": 1}},
        "`delta` must name the sides of these rules, NS, EW",
    ),
    ({"kind": "match_end", "delta": {"NS": 1, "EW": 1}, "before": {}}, "`before` must name"),
    ({"kind": "match_end", "delta": {"NS": 10**30, "EW": 1}}, "`int` <= 1000000000"),
    ({"kind": "bidding", "partner_bid": 14}, "`int` <= 13"),
    ({"kind": "bidding", "partner_bid": "3"}, "got `str`"),
    ({"kind": "bidding", "rules": "solo", "partner_bid": 3}, "nobody has a partner"),
    ({"kind": "bidding", "score": {"NS": 0, "EW": 0}}, "`side` is needed"),
    ({"kind": "bidding", "score": {"NS": 0}, "side": "NS"}, "`score` must name the sides"),
    ({"kind": "bidding", "side": "N"}, "`side` is one of NS, EW"),
    ({"kind": "legality"}, "missing required field `hand`"),
    (LEGALITY | {"hand": []}, "`hand` has 0"),
    (LEGALITY | {"hand": ["2D"] * 14}, "`hand` has 14"),
    (LEGALITY | {"hand": ["2D", "AS", "2D"]}, "2D stands there twice"),
    (LEGALITY | {"trick": ["3C", "3C"]}, "3C stands there twice"),
    (LEGALITY | {"trick": ["3C", "2D"]}, "2D stands there twice"),
    (LEGALITY | {"trick": ["3C", "4C", "5C", "6C"]}, "`trick` has 4"),
    (LEGALITY | {"hand": ["D2"]}, "no card 'D2'; a card is rank then suit, as in 'TD' (R1.1)"),
    (LEGALITY | {"hand": ["10D"]}, "no card '10D'"),
    (LEGALITY | {"hand": ["as"]}, "no card 'as'"),
    (LEGALITY | {"hand": ["BJ"]}, "no card 'BJ'"),
    (LEGALITY | {"hand": ["2C"], "rules": "nyc"}, "no card '2C'"),
    (LEGALITY | {"hand": ["A" * 9999]}, "no card 'AAA"),
    (LEGALITY | {"hand": [7]}, "got `int`"),
    (LEGALITY | {"hand": "2D"}, "got `str`"),
    (LEGALITY | {"broken": "no"}, "got `str`"),
    ({"kind": "trick_winner", "cards": ["2D", "3D", "4D"]}, "`cards` has 3"),
    ({"kind": "trick_winner", "cards": ["2D", "3D", "4D", "2D"]}, "2D stands there twice"),
    ({"kind": "trick_winner", "cards": ["2D", "3D", "4D", ""]}, "no card ''"),
    (LEGALITY | {"rules": "standart"}, "unknown preset 'standart': there are standard"),
    (LEGALITY | {"rules": "s" * 9999}, "unknown preset 'sss"),
    (LEGALITY | {"rules": {"preset": [[[[]]]]}}, "unknown preset [[[[]]]]"),
    (LEGALITY | {"rules": 7}, "`rules`"),
    (LEGALITY | {"rules": None}, "`rules`"),
    (LEGALITY | {"rules": []}, "`rules`"),
    (LEGALITY | {"rules": {"target": "500"}}, "target"),
    (LEGALITY | {"rules": {"tarjet": 500}}, "tarjet"),
    (LEGALITY | {"rules": {"preset": "min4", "players": "solo"}}, "min_team_bid needs partners"),
    (LEGALITY | {"rules": {"floor": 0}}, "floor"),
]


@pytest.mark.parametrize(("question", "phrase"), BAD)
def test_a_question_that_has_no_answer_is_told_why(question: dict[str, Any], phrase: str) -> None:
    answer = asked(**question)
    assert answer.keys() == {"id", "error"}
    assert answer["id"] == 1
    assert phrase in answer["error"]
    assert len(answer["error"]) <= ERROR_LIMIT
    assert answer["error"].isprintable()


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        (b"", "not JSON"),
        (b"what?", "not JSON"),
        (b'{"kind": "bidding"', "not JSON"),
        (b'{"kind": "bidding"} {}', "not JSON"),
        (b'{"kind": "bidding", "id": NaN}', "not JSON"),
        (b'{"kind": "bidding", "x": "\xff"}', "not JSON in UTF-8"),
        (b'{"kind": "bidding", "rules": "\xff"}', "not JSON in UTF-8"),
        ('{"kind": "bidding"}'.encode("utf-16"), "not JSON in UTF-8"),
        (b"\x00" * 50, "not JSON"),
        (b"[]", "not a JSON object"),
        (b"7", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'"bidding"', "not a JSON object"),
        (b'{"kind": "bidding", "id": 1.5}', "`id` is text or a whole number"),
        (b'{"kind": "bidding", "id": true}', "`id` is text or a whole number"),
        (b'{"kind": "bidding", "id": [1]}', "`id` is text or a whole number"),
        (b'{"kind": "bidding", "id": 1%s}' % (b"0" * 9999), "id"),
        (b'{"kind": "bidding", "rules": %s}' % (b"[" * 30_000), "nested too deeply"),
        (b'{"kind": "bidding", "x": %s%s}' % (b"[" * 30_000, b"]" * 30_000), "nested too deeply"),
    ],
)
def test_a_line_that_is_no_question_is_told_why(line: bytes, phrase: str) -> None:
    answer = json.loads(reply(line))
    assert answer["id"] is None
    assert phrase in answer["error"]
    assert len(answer["error"]) <= ERROR_LIMIT


@pytest.mark.parametrize("depth", range(100, 3000, 100))
@pytest.mark.parametrize("place", ['{"kind":"bidding","rules":{"preset":%s}}', '{"kind":%s}'])
def test_any_depth_is_answered(place: str, depth: int) -> None:
    answer = json.loads(reply((place % ("[" * depth + "]" * depth)).encode()))
    assert answer["error"]


def test_a_line_that_is_too_long_is_told_so() -> None:
    assert json.loads(refuse_long_line()) == {
        "id": None,
        "error": "the line is over 64 KiB: ask shorter questions",
    }


values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 20) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)
QUESTIONS = [{"kind": kind, **case} for kind, cases in RULE_CASES.items() for case in cases[:2]]


@given(question=st.sampled_from(QUESTIONS), data=st.data())
def test_a_question_with_any_value_in_any_field_is_answered_or_refused_with_a_sentence(
    question: dict[str, Any], data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(question)))
    answer = json.loads(reply(json.dumps({**question, key: data.draw(values)}).encode()))
    fields = {"error"} if "error" in answer else ANSWERED[question["kind"]]
    assert answer.keys() == {"id"} | fields
    assert all(answer[field] != "" for field in fields)


@given(line=st.binary(max_size=60))
def test_any_bytes_are_answered_with_one_line(line: bytes) -> None:
    answer = reply(line)
    assert b"\n" not in answer
    assert "error" in json.loads(answer)


def test_the_questions_of_the_docs_have_the_answers_of_the_docs() -> None:
    blocks = re.findall(r"```json\n(.*)\n(.*)\n```", PAGE)
    assert [json.loads(question)["kind"] for question, _ in blocks] == list(KINDS)
    for question, answer in blocks:
        assert json.loads(reply(question.encode())) == json.loads(answer)


@pytest.mark.parametrize("kind", KINDS)
def test_the_docs_name_every_field_of_a_question(kind: str) -> None:
    section = re.search(rf"^## `{kind}`.*?(?=^## |\Z)", PAGE, re.M | re.S)
    assert section
    case = RULE_CASES[kind][0]
    for field in case.keys() - {"id", "rules", "source"}:
        assert f"`{field}`" in section[0], field
