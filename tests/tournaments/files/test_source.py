"""YAML to data and positions."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.errors import UserError
from tournaments.files.positions import SHOWN_COLUMNS, SHOWN_PROBLEMS, Source, SourceError
from tournaments.files.source import SIZE_LIMIT, found_later, parse, read

FILE = Path("league.yaml")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("yes", "yes"),
        ("12:30", "12:30"),
        ("2026-11-29", "2026-11-29"),
        ("1_000", "1_000"),
        ("0b1", "0b1"),
        ("<<", "<<"),
        ("10s", "10s"),
        ("25/3", "25/3"),
        ("'true'", "true"),
        ("'5'", "5"),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("010", 10),
        ("-7", -7),
        ("+7", 7),
        ("0x1f", 31),
        ("0o17", 15),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-.inf", -math.inf),
    ],
)
def test_a_plain_scalar_means_what_the_core_schema_of_yaml_1_2_says(
    written: str, value: object
) -> None:
    found = parse(FILE, f"key: {written}").data["key"]
    assert found == value
    assert type(found) is type(value)


def test_every_key_and_value_has_its_line_and_column_from_1() -> None:
    source = parse(
        FILE, "# a comment\nname: x\nclock: {start: 10s}\nbots:\n  - a\n  - {n: 1}\nend:\n"
    )
    assert source.data == {
        "name": "x",
        "clock": {"start": "10s"},
        "bots": ["a", {"n": 1}],
        "end": None,
    }
    assert source.keys == {
        ("name",): (2, 1),
        ("clock",): (3, 1),
        ("clock", "start"): (3, 9),
        ("bots",): (4, 1),
        ("bots", 1, "n"): (6, 6),
        ("end",): (7, 1),
    }
    assert source.values == {
        (): (2, 1),
        ("name",): (2, 7),
        ("clock",): (3, 8),
        ("clock", "start"): (3, 16),
        ("bots",): (5, 3),
        ("bots", 0): (5, 5),
        ("bots", 1): (6, 5),
        ("bots", 1, "n"): (6, 9),
        ("end",): (7, 5),
    }


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a: *x", "1:4: anchors (&) and aliases (*) are not taken: write it out"),
        ("a: &x 1", "1:4: anchors (&) and aliases (*) are not taken: write it out"),
        ("a: &x [*x]", "1:4: anchors (&) and aliases (*) are not taken: write it out"),
        ("a: !!str 1", "1:4: the tag 'tag:yaml.org,2002:str' is not taken: remove it"),
        ("a: !!python/object:os.system x", "1:4: the tag 'tag:yaml.org,2002:python/object:os.syst"),
        ("a: 1\nb: 2\na: 3", "3:1: the key 'a' stands twice, first in line 1"),
        ("a:\n  b: 1\n  b: 2", "3:3: the key 'b' stands twice, first in line 2"),
        ("a: 1\n2: b", "2:1: a key must be text: put 2 in quotes"),
        ("a: 1\ntrue: b", "2:1: a key must be text: put true in quotes"),
        ("? \n: x", "1:2: a key must be text: there is none before ':'"),
        ("? [a]\n: b", "1:3: a key must be text, not a list or a mapping"),
        ("a: 1\n---\nb: 2", "2:1: a second document: a file has one, so remove this '---'"),
        ("a: " + "9" * 50, "1:4: a number of over 40 characters"),
        ("a: 1\nb: \x07", "2:4: a control character (U+0007): remove it"),
        ('a: "\\e[31m"', "1:4: a control character in '\\x1b[31m': remove it"),
        ('a: "\\ud800"', "1:4: a control character in '\\ud800': remove it"),
        ('a: "\\UFFFFFFFF"', "1:7: not YAML: a number that is out of range"),
        ("%YAML " + "9" * 5000 + ".1\n--- 1", "1:7: not YAML: a number that is out of range"),
        ("a: [1, 2", "1:4: this bracket is never closed"),
        ("a: 1\nb: [", "2:5: the file ends inside a bracket"),
        ("a: 1\nb: 'x", "2:4: this quote is never closed"),
        ("a: 1\n\tb: 2", "2:1: a tab: indent with spaces"),
        ("a: @x", "1:4: text can't begin with this character: put it in quotes"),
        ("a: b: c", "1:5: a ': ' that is out of place: put the text in quotes, or mind how far"),
        ("a:\n  - b\n  c: 1", "3:3: out of place: mind how far the line is indented"),
        ("key: [a\nb: c]", "2:2: a ',' or the closing bracket is missing before this"),
        ("{a: 1} b", "1:8: text after the end: there is one value in a file"),
        ("[" * 20_000, "1:33: nested over 32 deep"),
        ("{a: " * 20_000, "1:129: nested over 32 deep"),
        ("- " * 20_000, "1:65: nested over 32 deep"),
    ],
)
def test_what_is_no_yaml_or_refused_names_line_and_column(text: str, error: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse(FILE, text).raise_problems()
    assert str(caught.value).startswith(f"league.yaml:{error}")


def test_an_error_shows_the_line_and_a_caret() -> None:
    with pytest.raises(SourceError) as caught:
        parse(FILE, "name: ü\nclock: {start: *x}\n")
    assert str(caught.value) == (
        "league.yaml:2:16: anchors (&) and aliases (*) are not taken: write it out\n"
        "    clock: {start: *x}\n"
        "                   ^"
    )


def test_of_a_very_long_line_the_error_shows_the_part_around_the_caret() -> None:
    text = f"[{'x, ' * 1000}*here, {'y, ' * 1000}]"
    with pytest.raises(SourceError) as caught:
        parse(FILE, text)
    head, line, caret = str(caught.value).split("\n")
    assert head.startswith("league.yaml:1:3002: ")
    assert len(line) <= SHOWN_COLUMNS + 4
    assert line[caret.index("^") :].startswith("*here")


def test_what_a_terminal_would_obey_is_not_shown() -> None:
    with pytest.raises(SourceError) as caught:
        parse(FILE, "a: \x1b[2J *x")
    assert "\x1b" not in str(caught.value)


def test_depth_up_to_the_limit_is_taken() -> None:
    assert parse(FILE, "[" * 32 + "]" * 32).data is not None


def test_duplicate_keys_are_noted_together_with_later_problems() -> None:
    source = parse(FILE, "a: {x: 1}\nb: 1\na: {x: 2}\nb: 2\n")
    source.add(("a", "x"), "too small")
    with pytest.raises(SourceError) as caught:
        source.raise_problems()
    heads = [line for line in str(caught.value).split("\n") if line.startswith("league")]
    assert heads == [
        "league.yaml:3:1: the key 'a' stands twice, first in line 1",
        "league.yaml:3:8: too small",
        "league.yaml:4:1: the key 'b' stands twice, first in line 2",
    ]


def test_a_place_is_sound_unless_something_is_wrong_at_it_or_below() -> None:
    source = parse(FILE, "a: {x: 1, y: 2}\nb: 1\n")
    source.add(("a", "x"), "wrong")
    assert not source.sound("a")
    assert not source.sound("a", "x")
    assert source.sound("a", "y")
    assert source.sound("b")


def test_a_missing_place_is_shown_at_the_value_around_it() -> None:
    source = parse(FILE, "a: 1\nb: {x: 1}\n")
    source.add(("b", "y"), "the key 'y' is missing here")
    with pytest.raises(SourceError, match=r"^league\.yaml:2:4: the key 'y' is missing here"):
        source.raise_problems()


def test_of_a_flood_of_problems_some_are_shown_and_the_others_counted() -> None:
    source = parse(FILE, "\n".join(f"- {n}" for n in range(SHOWN_PROBLEMS + 7)))
    for n in range(SHOWN_PROBLEMS + 7):
        source.add((n,), "wrong")
    with pytest.raises(SourceError) as caught:
        source.raise_problems()
    assert str(caught.value).count(": wrong") == SHOWN_PROBLEMS
    assert str(caught.value).endswith("league.yaml: and 7 more such mistakes")


def refusal(reading: Callable[[], Source]) -> str:
    """Why it is refused, or a stand-in where it is not."""
    try:
        return f"{reading().path}: taken"
    except UserError as error:
        return str(error)


@given(st.text(max_size=200))
def test_any_text_is_data_or_a_mistake_of_the_user(text: str) -> None:
    assert refusal(lambda: parse(FILE, text)).startswith("league.yaml:")


@given(st.text(alphabet="ab:-?[]{},&*!|>'\"%@`#~\\ux0 \t\n.", max_size=60))
def test_any_text_of_yaml_signs_is_data_or_a_mistake_of_the_user(text: str) -> None:
    assert refusal(lambda: parse(FILE, text)).startswith("league.yaml:")


@given(st.binary(max_size=100))
def test_any_bytes_are_data_or_a_mistake_of_the_user(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(raw)
    assert refusal(lambda: read(path)).startswith(f"{path}:")


def test_a_file_that_is_not_utf_8_is_refused_at_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: x\nauthor: J\xf6rg\n")
    with pytest.raises(SourceError) as caught:
        read(path)
    head, line, caret = str(caught.value).split("\n")
    assert head == f"{path}:2:10: not UTF-8 (the byte 0xf6): save the file as UTF-8"
    assert line.startswith("    author: J")
    assert caret.index("^") == len("    author: J")


def test_a_byte_order_mark_and_windows_line_ends_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "windows.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    source = read(path)
    assert source.data == {"a": 1, "b": 2}
    assert source.keys[("b",)] == (2, 1)


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    path.write_bytes(b"#" * (SIZE_LIMIT + 1))
    with pytest.raises(UserError, match="over 1,000,000 bytes"):
        read(path)


def test_what_is_no_readable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read: No such file"):
        read(tmp_path / "missing.yaml")
    with pytest.raises(UserError, match="not a file"):
        read(tmp_path)


def test_what_comes_up_later_has_its_place_as_far_as_the_file_has_one(tmp_path: Path) -> None:
    path = tmp_path / "league.yaml"
    path.write_text("name: x\nsandbox: {backend: auto}\n")
    exact = found_later(path, ("sandbox", "backend"), "none here")
    assert str(exact) == (
        f"{path}:2:20: none here\n    sandbox: {{backend: auto}}\n                       ^"
    )
    around = found_later(path, ("sandbox", "memory"), "too little")
    assert str(around).startswith(f"{path}:2:10: too little\n")
    assert str(found_later(path, ("cores",), "too few")) == f"{path}: too few"
    assert str(found_later(tmp_path / "gate", ("cores",), "too few")) == "too few"
