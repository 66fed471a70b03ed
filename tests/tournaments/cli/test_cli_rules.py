"""The commands `rules` and `judge`, as people and programs run them."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.rules import PRESETS, resolve
from arena.rules.words import DOCUMENTS, PRESET_WORDS, as_yaml, differences, in_words
from tests.arena.test_cases import DEALS, READINGS, RULE_CASES, Case
from tests.arena.test_questions import ANSWERED
from tournaments.files import source

COMMAND = [sys.executable, "-m", "tournaments.cli"]


def run(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *words], input=stdin, capture_output=True, timeout=300)


def judged(lines: Iterable[bytes | str]) -> list[dict[str, Any]]:
    """The answers of one process to these lines."""
    raw = [line if isinstance(line, bytes) else line.encode() for line in lines]
    ended = run("judge", stdin=b"\n".join(raw))
    assert (ended.returncode, ended.stderr) == (0, b"")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_one_process_answers_every_case() -> None:
    cases = [(kind, case) for kind, cases in RULE_CASES.items() for case in cases]
    questions = [
        {"kind": kind, **{k: v for k, v in case.items() if k not in ANSWERED[kind]}}
        for kind, case in cases
    ]
    due = [{key: case[key] for key in ("id", *ANSWERED[kind])} for kind, case in cases]
    assert judged(map(json.dumps, questions)) == due


def questions_of(deal: Case) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Everything that can be asked of a whole deal, with the right answers."""
    hands = {seat: list(cards) for seat, cards in deal["hands"].items()}
    table: list[str] = []
    leader, tricks, broken = 0, 0, False
    for seat, card, legal in deal["plays"]:
        question = {"kind": "legality", "hand": hands[seat], "trick": table, "broken": broken}
        yield json.loads(json.dumps(question)), {"legal": legal}
        hands[seat].remove(card)
        leader = leader if table else "NESW".index(seat)
        table = [*table, card]
        broken = broken or card[1] == "S"
        if len(table) == 4:
            winner = "NESW".index(deal["winners"][tricks])
            yield {"kind": "trick_winner", "cards": table}, {"winner": (winner - leader) % 4}
            table, tricks = [], tricks + 1
    for reading, options in READINGS.items():
        told = {key: deal[key] for key in ("bids", "tricks", "before")}
        yield {"kind": "scoring", "rules": options, **told}, deal[reading]


def test_one_process_answers_everything_that_can_be_asked_of_400_deals() -> None:
    asked = [each for deal in DEALS for each in questions_of(deal)]
    assert len(asked) > 20_000
    lines = (json.dumps({"id": i, **question}) for i, (question, _) in enumerate(asked))
    assert judged(lines) == [{"id": i, **due} for i, (_, due) in enumerate(asked)]


GOOD = '{"kind": "trick_winner", "id": "good", "cards": ["6C", "4C", "5C", "3S"]}'
ANSWER = {"id": "good", "winner": 3}


BAD = [
    (b"what?", "not JSON"),
    (b"[]", "not a JSON object"),
    (b'{"kind": "score"}', "found the text 'score': did you mean 'scoring'?"),
    (b'{"kind": "legality"}', "the key 'hand' is missing here"),
    (b'{"kind": "legality", "hand": ["1S"]}', "no card '1S'"),
    (b'{"kind": "bidding", "rules": "standart"}', "did you mean 'standard'?"),
    (b'{"kind": "bidding", "rules": %s}' % (b"[" * 60_000), "nested too deeply"),
    (b"\xff\x00\x1b[2J", "not JSON in UTF-8"),
    (b"x" * 65_537, "over 64 KiB"),
    (b"x" * 3_000_000, "over 64 KiB"),
    (b'{"id": 1, "x": "%s"}' % (b"x" * 3_000_000), "over 64 KiB"),
]


def test_a_bad_line_is_refused_and_the_next_is_answered() -> None:
    answers = judged(each for line, _ in BAD for each in (line, GOOD))
    assert answers[1::2] == [ANSWER] * len(BAD)
    for refused, (_, phrase) in zip(answers[::2], BAD, strict=True):
        assert refused["id"] is None
        assert phrase in refused["error"]


@pytest.mark.parametrize(("line", "phrase"), [BAD[0], BAD[-1]])
def test_a_last_line_without_an_end_is_a_line(line: bytes, phrase: str) -> None:
    answer, refused = judged([GOOD, line])
    assert answer == ANSWER
    assert phrase in refused["error"]


@pytest.mark.parametrize("ends", [b"\n", b"", b"\r\n"])
def test_a_byte_order_mark_before_the_first_line_does_no_harm_and_elsewhere_is_refused(
    ends: bytes,
) -> None:
    mark = b"\xef\xbb\xbf"
    assert judged([mark + GOOD.encode() + ends]) == [ANSWER]
    assert judged([mark, GOOD]) == [ANSWER]
    answer, refused = judged([GOOD, mark + GOOD.encode() + ends])
    assert answer == ANSWER
    assert "not JSON" in refused["error"]


@pytest.mark.parametrize("lines", [[GOOD, GOOD], [GOOD, "", "  ", GOOD + "\r", "\r", ""]])
def test_blank_lines_and_windows_ends_do_no_harm(lines: list[str]) -> None:
    assert judged(lines) == [ANSWER, ANSWER]


def test_nothing_asked_is_nothing_answered() -> None:
    assert judged([]) == []


def test_a_program_that_waits_for_each_answer_gets_it() -> None:
    with subprocess.Popen(
        [*COMMAND, "judge"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(GOOD[:30])  # a line may come in parts
            process.stdin.flush()
            process.stdin.write(GOOD[30:] + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == ANSWER
        process.stdin.close()
        assert process.stdout.read() == ""
    assert process.returncode == 0


def test_whoever_has_enough_answers_may_leave() -> None:
    with subprocess.Popen(
        [*COMMAND, "judge"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        process.stdout.close()
        _, errors = process.communicate((GOOD + "\n").encode())
    assert (process.returncode, errors) == (0, b"")


def test_a_closed_input_is_the_user_s_mistake() -> None:
    script = f'exec "{sys.executable}" -m tournaments.cli judge <&-'
    ended = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: standard input is closed")


@cache
def printed(*words: str) -> str:
    """What `rules` prints: it fits 80 columns and is plain text."""
    ended = run("rules", *words)
    assert (ended.returncode, ended.stderr) == (0, b"")
    text = ended.stdout.decode()
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
    return text


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_rules_lists_every_preset_in_a_sentence_with_its_source_and_what_differs() -> None:
    text = unwrapped(printed())
    for name, rules in PRESETS.items():
        differs = ", ".join(as_yaml(*each) for each in differences(rules).items())
        words = PRESET_WORDS[name]
        told = f"{words.sentence} source: {words.source} options: {differs or 'the defaults'}"
        assert f"{name} {told}" in text
    for label, document in DOCUMENTS.items():
        assert f"{label} {document.title}: {document.about}" in text


@pytest.mark.parametrize("name", PRESETS)
def test_rules_of_a_preset_has_it_in_words_and_as_yaml_that_can_be_pasted(name: str) -> None:
    text = printed(name)
    rules, words = PRESETS[name], PRESET_WORDS[name]
    assert unwrapped(text).startswith(f"{name} ({words.source}) {words.sentence} ")
    for section in in_words(rules):
        assert f"\n{section.number} {section.title}\n" in text
        for rule in section.rules:
            assert f"{rule.number} {rule.text} [" in unwrapped(text)
    for label, document in DOCUMENTS.items():
        assert f"{label} {document.title}: {document.about}" in unwrapped(text)

    _, _, after = text.partition("\nUnder `rules:` in a tournament file\n")
    pasted, _, _ = after.partition("\n\n")
    read = source.parse(Path("pasted.yaml"), f"rules:\n{pasted}\n").data["rules"]
    assert resolve(read) == rules
    assert set(read) == set(rules.__struct_fields__)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "standard"])
def test_rules_of_a_preset_begins_with_what_differs_from_standard(name: str) -> None:
    beginning = printed(name).partition("\nR1 ")[0]
    for key, value in differences(PRESETS[name]).items():
        usual = as_yaml(key, getattr(PRESETS["standard"], key))
        assert f"{as_yaml(key, value)} # standard: {usual}" in unwrapped(beginning)
    standard = {
        r.number: r.text for section in in_words(PRESETS["standard"]) for r in section.rules
    }
    for section in in_words(PRESETS[name]):
        for rule in section.rules:
            told = f"{rule.number} {rule.text}" in unwrapped(beginning)
            assert told == (rule.text != standard[rule.number]), rule.number


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("clasic", "there is no preset 'clasic': did you mean 'classic'?"),
        ("solo-short", "did you mean 'solo_short'?"),
        ("xyzzy", "there is no preset 'xyzzy': there are standard, classic, four_player"),
        ("\x1b[2J", r"there is no preset '\x1b[2J'"),
        ("", "there is no preset ''"),
    ],
)
def test_an_unknown_preset_is_the_user_s_mistake(typed: str, told: str) -> None:
    ended = run("rules", typed)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert told in ended.stderr.decode()


@pytest.mark.parametrize("command", ["rules", "judge"])
def test_the_help_fits_a_screen_and_has_an_example(command: str) -> None:
    text = run(command, "--help").stdout.decode()
    assert len(text.splitlines()) <= 24
    assert f"spades-arena {command}" in text
