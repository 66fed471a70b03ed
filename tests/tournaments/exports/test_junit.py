"""JUnit's XML: counts, structure, and texts that no XML can hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.junit_reader import read, result
from tournaments.exports.junit import Case, to_junit


def test_a_suite_counts_its_cases_and_holds_what_is_told_of_each() -> None:
    cases = [
        Case("sound", "a"),
        Case("fast", "a", "failure", "it is slow", "2 s\n3 s", kind="timeout", output="log\n"),
        Case("strong", "a", "error", "nobody knows", kind="void"),
        Case("rich", "a", "skipped", "not asked", kind="left out"),
    ]
    suite = read(to_junit("league", cases, 1.5))
    assert suite.attrib == {
        **{"name": "league", "tests": "4", "failures": "1", "errors": "1", "skipped": "1"},
        "time": "1.500",
    }
    assert [result(case) for case in suite] == ["passed", "failure", "error", "skipped"]
    failure, output = suite[1]
    assert failure.attrib == {"message": "it is slow", "type": "timeout"}
    assert failure.text == "2 s\n3 s"
    assert output.text == "log\n"
    assert suite[3][0].attrib == {"message": "not asked"}
    assert "time" not in read(to_junit("league", [])).attrib


cases = st.builds(
    Case,
    st.text(min_size=1),
    st.text(),
    st.sampled_from(["passed", "failure", "error", "skipped"]),
    *[st.text()] * 4,
)


@given(st.text(min_size=1), st.lists(cases, max_size=4))
def test_any_texts_make_a_document_that_is_one(name: str, cases: list[Case]) -> None:
    assert len(read(to_junit(name, cases))) == len(cases)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("]]></failure><x/>", "]]></failure><x/>"),
        ("&amp;<!--", "&amp;<!--"),
        ("\x00\x1b[2J\x9b", "\\x00\\x1b[2J\\x9b"),
        ("\u202eabc\ud800\ufffe", "\\u202eabc\\ud800\\ufffe"),
        ("a\r\n\tb", "a\\r\n\tb"),
        ('"quoted"', '"quoted"'),
    ],
)
def test_a_text_is_shown_as_text_wherever_it_stands(text: str, shown: str) -> None:
    case = Case(text, text, "failure", text, text, kind=text, output=text)
    suite = read(to_junit(text, [case]))
    ((failure, output),) = suite
    texts = [suite.get("name"), suite[0].get("name"), suite[0].get("classname"), failure.text]
    texts += [failure.get("message"), failure.get("type"), output.text]
    assert texts == [shown] * 7
