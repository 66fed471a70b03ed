"""What comes out of Lines and Log does not depend on where the bytes were cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import lines
from arena.bot import BotFault
from arena.lines import (
    LINES_KEPT,
    LOG_KEPT,
    LOG_LIMIT,
    OUTPUT_LIMIT,
    Lines,
    Log,
    LogLines,
    last_words,
)
from protocol.messages import LINE_LIMIT

TAKEN = {
    b"": [],
    b"half": [],
    b"a\nb\n": [b"a", b"b"],
    b"a\nhalf": [b"a"],
    b"a\r\n": [b"a"],
    b"\n\r\n \t\n a b \n": [b"a b"],
    b"\xef\xbb\xbfa\n": [b"a"],
    b"\xef\xbb\xbf\r\na\n": [b"a"],
    b"\xef\xbb\xbf\n\xef\xbb\xbfa\n": [b"\xef\xbb\xbfa"],
    b"\xef\xbb\xbf\xef\xbb\xbfa\n": [b"\xef\xbb\xbfa"],
    b" \xef\xbb\xbfa\n": [b"\xef\xbb\xbfa"],
    b"a\n\xef\xbb\xbfb\n": [b"a", b"\xef\xbb\xbfb"],
    b"\0\n": [b"\0"],
}

chunks = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"a", b" ", b"\xef\xbb\xbf", b"b\nc", b"\xef", b"\xbb\xbf"])
    | st.binary(max_size=5)
    | st.sampled_from([b"x" * LINE_LIMIT, b"x" * (LINE_LIMIT - 1), b" " * LINE_LIMIT]),
    max_size=12,
)
"""Output in pieces."""


def take_all(source: Lines) -> list[bytes | str]:
    """The lines that stand there, and last the fault if there is one."""
    found: list[bytes | str] = []
    try:
        while (line := source.take()) is not None:
            found.append(line)
    except BotFault as fault:
        found.append(str(fault))
    return found


@pytest.mark.parametrize("output", TAKEN)
def test_lines_are_whole_and_not_blank(output: bytes) -> None:
    whole = Lines()
    whole.feed(output)
    assert take_all(whole) == TAKEN[output]
    bytewise = Lines()
    found = []
    for at in range(len(output)):
        bytewise.feed(output[at : at + 1])
        found += take_all(bytewise)
    assert found == TAKEN[output]


@given(chunks)
def test_lines_do_not_depend_on_how_they_come(output: list[bytes]) -> None:
    whole, pieces = Lines(), Lines()
    whole.feed(b"".join(output))
    found: list[bytes | str] = []
    for chunk in output:
        pieces.feed(chunk)
        found += take_all(pieces)
    at_once = take_all(whole)
    faults = [line for line in found if isinstance(line, str)]
    assert [line for line in found if isinstance(line, bytes)] == [
        line for line in at_once if isinstance(line, bytes)
    ]
    assert bool(faults) == any(isinstance(line, str) for line in at_once)
    if not faults:
        assert whole.half == pieces.half


@pytest.mark.parametrize(
    ("output", "half"),
    [(b"", False), (b"\n \n ", False), (b"\n x", True), (b"x\n", False), (b"x\ny", False)],
)
def test_half_a_line_has_begun_and_not_ended(output: bytes, half: bool) -> None:
    source = Lines()
    source.feed(output)
    assert source.half == half


def test_a_line_may_have_64_kib_and_no_more() -> None:
    source = Lines()
    source.feed(b"x" * (LINE_LIMIT - 1))
    assert take_all(source) == []
    source.feed(b"\n" + b"y" * LINE_LIMIT)
    assert source.take() == b"x" * (LINE_LIMIT - 1)
    for _ in range(2):
        with pytest.raises(BotFault, match="a line of more than 64 KiB: 'yyy") as caught:
            source.take()
        assert caught.value.raw is not None
        assert len(caught.value.raw) < 250


def test_lines_within_the_limit_of_the_output_count_and_later_ones_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lines, "OUTPUT_LIMIT", 10)
    for output, taken in [
        (b"abc\nefghi\n", [b"abc", b"efghi"]),
        (b"abc\nefghij\n", [b"abc"]),
        (b"\n" * 9 + b"a\n", []),
    ]:
        source = Lines()
        source.feed(output)
        assert [line for line in take_all(source) if isinstance(line, bytes)] == taken
        assert source.full == (len(output) > 10)
        if source.full:
            with pytest.raises(BotFault, match="of standard output in one match"):
                source.take()


def test_no_more_than_the_limit_is_kept() -> None:
    source = Lines()
    line = b"x" * 32_767 + b"\n"
    for _ in range(3):
        source.feed(line * (OUTPUT_LIMIT // 2 // len(line)))
    assert source.full
    *taken, fault = take_all(source)
    assert taken == [line[:-1]] * (OUTPUT_LIMIT // len(line))
    assert str(fault).startswith("output: more than 16 MiB of standard output")


@given(st.lists(st.binary(max_size=20) | st.just(b"0123456789" * 500), max_size=8))
def test_a_log_keeps_its_head_and_its_tail(output: list[bytes]) -> None:
    log, whole = Log(), b"".join(output)
    for chunk in output:
        log.feed(chunk)
    one_read = Log()
    one_read.feed(whole)
    assert log.text() == one_read.text()
    missing = len(whole) - 2 * LOG_KEPT
    assert (f"\n[... {missing} bytes left out ...]\n" in log.text()) == (missing > 0)
    assert not log.full


def test_a_log_is_printable() -> None:
    log = Log()
    log.feed(b"caf\xc3\xa9\tx\r\n\x1b[2J\x07 50%\r\xff\n")
    assert log.text() == "caf\xe9\tx\n\\x1b[2J\\x07 50%\\r\\xff\n"


def test_a_log_over_its_limit_is_a_fault() -> None:
    log = Log()
    log.feed(b"x" * LOG_LIMIT)
    log.check()
    log.feed(b"x")
    with pytest.raises(BotFault, match="output: more than 64 MiB of standard error"):
        log.check()
    assert len(log.text()) < 3 * LOG_KEPT


@given(st.lists(st.binary(max_size=9)), st.data())
def test_a_log_is_the_same_lines_wherever_it_was_cut(
    parts: list[bytes], data: st.DataObject
) -> None:
    whole = b"\n".join(parts)
    at = data.draw(st.integers(0, len(whole)))
    log, cut = LogLines(), LogLines()
    log.feed(whole)
    for piece in (whole[:at], whole[at:]):
        cut.feed(piece)
    assert cut.take() == log.take()
    assert cut.take(rest=True) == log.take(rest=True)
    assert cut.take(rest=True) == []


def test_of_a_flood_that_nobody_takes_the_first_lines_are_kept_and_the_rest_are_counted() -> None:
    log = LogLines()
    for _ in range(LINES_KEPT + 5):
        log.feed(b"x" * (2 * LOG_KEPT) + b"\x1b\r\n")
    *lines, last = log.take()
    assert len(lines) == LINES_KEPT
    assert {len(line) for line in lines} == {LOG_KEPT}
    assert last == "[... 5 lines left out ...]"
    log.feed(b"\x1b\n")
    assert log.take() == ["\\x1b"]


LAST_WORDS = {
    "nothing": ("\n \n", ""),
    "no error": ("one\ntwo\n\n", "two"),
    "all is indented": ("  one\n  two\n", "  two"),
    "Python": (
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: no card\n',
        "ValueError: no card",
    ),
    "JavaScript": (
        "a.mjs:20\n    f();\n    ^\n\nTypeError: no card\n    at f (a.mjs:20:47)\n\nNode.js v20\n",
        "TypeError: no card",
    ),
    "Java": (
        'Exception in thread "main" A: why\n\tat J.f(J:1)\nCaused by: B: no card\n\t... 1 more\n',
        "Caused by: B: no card",
    ),
    "Rust": (
        "thread 'main' panicked at src/main.rs:1:1:\nno card\nnote: run with `RUST_BACKTRACE=1`\n",
        "no card",
    ),
    "Go": (
        "panic: no card\n\ngoroutine 1 [running]:\nmain.f(...)\n\t/g.go:3\nmain.main()\n\t/g.go\n",
        "panic: no card",
    ),
    "Bash": (
        "main.sh: line 7: card: unbound variable\n",
        "main.sh: line 7: card: unbound variable",
    ),
}
"""What has written to a log, and what of it is told."""


@pytest.mark.parametrize("writer", LAST_WORDS)
def test_of_a_log_the_line_is_told_that_says_what_went_wrong(writer: str) -> None:
    log, told = LAST_WORDS[writer]
    assert last_words(log) == told
