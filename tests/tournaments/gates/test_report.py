"""What a gate leaves for people and programs, whatever stands in names, sentences and logs."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tournaments.gates.test_gate import SETTINGS, gate, legs
from tests.tournaments.small_run import row
from tournaments.exports.junit import Case
from tournaments.exports.junit import to_junit as cases_to_junit
from tournaments.gates.gate import EXIT_STATUS, NO_REGRESSION, Gate, Verdict
from tournaments.gates.layout import FILES, FORMATS, to_json, to_junit, to_markdown, to_text
from tournaments.gates.report import Contestant, Fault, Report, report

BOTS = Contestant("a", "1" * 64), Contestant("b", "2" * 64)
FAULT = Fault(
    bot="a",
    kind="exit",
    detail="asked for bid; it exited with status 3",
    match="00aa",
    log="Traceback\nValueError: no",
    command="spades-arena debug runs/x 00aa --seat N --until 1:2",
)
SCORES = {
    "passed": "ww" * 10,
    "failed": "ll" * 10,
    "undecided": "wl" * 8,
    "broken": "a",
    "baseline_broken": "b",
}


def of(verdict: Verdict, fault: Fault | None = None, *, non_regression: bool = False) -> Report:
    """The report of a gate that came to this."""
    settings = replace(SETTINGS, max_pairs=8) if verdict == "undecided" else SETTINGS
    if non_regression:
        settings = replace(settings, hypotheses=NO_REGRESSION, non_regression=True)
    if verdict == "void":
        found = Gate(settings, "a")
        found.give_up(row(0), "OSError: no room")
    else:
        found = gate(legs(SCORES[verdict]), settings)
    assert found.verdict == verdict
    if fault is None and "broken" in verdict:
        fault = replace(FAULT, bot="b") if verdict == "baseline_broken" else FAULT
    return report(settings, BOTS, found, Path("runs/x"), fault=fault, played=3, seconds=1.5)


VERDICTS = list(EXIT_STATUS)


def parsed(xml: str) -> ElementTree.Element:
    """The only suite of a document, checked against the structure that readers of it share."""
    root = ElementTree.fromstring(xml)
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite"
    cases = list(suite)
    assert suite.get("name")
    assert float(suite.attrib["time"]) >= 0
    assert int(suite.attrib["tests"]) == len(cases)
    for counter, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.attrib[counter]) == len(suite.findall(f"testcase/{tag}"))
    for case in cases:
        assert case.tag == "testcase"
        assert case.get("name")
        assert case.get("classname")
        assert len(case) <= 1
        assert all(child.tag in ("failure", "error", "skipped") for child in case)
        assert all(child.get("message") for child in case)
    return suite


@pytest.mark.parametrize(
    ("verdict", "non_regression", "sentence"),
    [
        ("passed", False, "passed: a is better than b"),
        ("failed", False, "failed: a is not better than b"),
        ("passed", True, "passed: a is not worse than b"),
        ("failed", True, "failed: a is worse than b"),
        ("undecided", False, "undecided: 8 pairs don't tell whether a is better than b"),
        ("undecided", True, "undecided: 8 pairs don't tell whether a is not worse than b"),
        ("broken", False, "broken: a: exit in match 00aa"),
        (
            "baseline_broken",
            False,
            "baseline broken, so nothing can be said of a: b: exit in match 00aa",
        ),
        (
            "void",
            False,
            f"void, so nothing can be said of a: match {row(0).match} could not be played; run"
            " again to try it again",
        ),
    ],
)
def test_the_verdict_is_a_sentence_and_comes_first(
    verdict: Verdict, non_regression: bool, sentence: str
) -> None:
    found = of(verdict, non_regression=non_regression)
    assert found.sentence == sentence
    assert to_text(found).splitlines()[0] == sentence
    assert to_markdown(found).startswith("**")


def test_the_text_tells_what_the_verdict_rests_on() -> None:
    assert to_text(of("passed")) == (
        "passed: a is better than b\n"
        "  pairs    10: 10 won, 0 even, 0 lost\n"
        "  score    100.0%\n"
        "  Elo      +463, 95 % within +94 and +831\n"
        "  LLR      +0.58 between -2.94 and +2.94, and a landslide has decided (0 against 20 Elo)\n"
        "  matches  20; 3 played now, in 1.5 s\n"
        "  folder   runs/x\n"
    )
    assert to_text(of("broken")) == (
        "broken: a: exit in match 00aa\n"
        "  matches  1; 3 played now, in 1.5 s\n"
        "  folder   runs/x\n"
        "  | asked for bid; it exited with status 3\n"
        "  | its standard error ends:\n"
        "  | Traceback\n"
        "  | ValueError: no\n"
        "  | to reproduce: spades-arena debug runs/x 00aa --seat N --until 1:2\n"
    )
    assert to_text(of("void")).endswith("  | OSError: no room\n")


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_json_is_the_report(verdict: Verdict) -> None:
    found = json.loads(to_json(of(verdict)))
    assert list(found) == list(Report.__struct_fields__)
    assert (found["verdict"], found["exit_status"]) == (verdict, EXIT_STATUS[verdict])
    pairs = found["pairs"]
    assert pairs["won"] + pairs["even"] + pairs["lost"] == pairs["counted"]
    assert sum(pairs["by_quarters"]) == pairs["counted"]
    assert all((found[key] is None) == (not pairs["counted"]) for key in ("score", "elo"))
    assert (found["fault"] is None) == ("broken" not in verdict)
    assert (found["void"] is None) == (verdict != "void")


@pytest.mark.parametrize(
    ("verdict", "results"),
    [
        ("passed", [None, None]),
        ("failed", [None, "failure"]),
        ("undecided", [None, "error"]),
        ("broken", ["failure", "skipped"]),
        ("baseline_broken", ["skipped", "error"]),
        ("void", ["skipped", "error"]),
    ],
)
def test_in_junit_a_bot_is_sound_and_is_better(verdict: Verdict, results: list[str | None]) -> None:
    suite = parsed(to_junit(of(verdict)))
    assert [case.get("name") for case in suite] == ["a is sound", "a is better than b"]
    assert [case[0].tag if len(case) else None for case in suite] == results
    texts = "".join(child.text or "" for case in suite for child in case)
    assert ("ValueError: no" in texts) == ("broken" in verdict)


HOSTILE = "]]>&<b>\"'\x00\x1b[2J\x07\ud800\ufffe\u202e| **x** ```\n# @all\r\n\x85|---|"


@given(st.text(min_size=1, max_size=40) | st.just(HOSTILE))
def test_hostile_texts_are_shown_and_never_obeyed(text: str) -> None:
    fault = Fault(text, "exit", text, "00aa", text, text)
    found = replace(of("broken", fault), run=text, void=text, sentence=text)
    assert json.loads(to_json(replace(found, fault=None, run="", void="", sentence="-")))
    parsed(to_junit(found))
    shown = to_text(replace(found, sentence="-"))
    assert all(c.isprintable() or c == "\n" for c in shown)
    lines = to_markdown(found).splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 4
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in table)
    details = lines[lines.index("") + 1 :]
    details = details[details.index("") + 1 :]
    assert all(line.startswith("    ") for line in details)


def test_every_format_has_its_writer_and_every_file_its_format() -> None:
    assert list(FORMATS) == ["text", "json", "markdown", "junit"]
    assert set(FILES.values()) < set(FORMATS.values())


@given(st.lists(st.builds(Case, st.text('ab\x00&<"', min_size=1), st.just("c"))))
def test_a_suite_may_have_any_cases(cases: list[Case]) -> None:
    named = [case for case in cases if case.name]
    assert len(parsed(cases_to_junit("suite", named, 0.0))) == len(named)
