"""What people see while a gate goes on: its ratio between its bounds, live or in plain lines."""

import re

import pytest

from tests.tournaments.gates.test_gate import gate, legs
from tests.tournaments.pictures import Terminal
from tests.tournaments.small_run import result, row
from tournaments.gates.gate import Gate
from tournaments.gates.progress import LiveGate, watch_gate


@pytest.fixture
def one_sided() -> Gate:
    """A gate after seven pairs, all of them won."""
    return gate(legs("ww" * 7))


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_a_gate_has_a_plain_line_now_and_then_with_its_ratio(
    one_sided: Gate, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("tournaments.runs.progress.time.monotonic", lambda: now)
    with watch_gate(False, one_sided) as watcher:
        watcher.began(4000, 14)
        for _ in range(25):
            now += 1
            watcher.finished(row(0), result(0))
        watcher.voided(row(0), "no [bold]room", 3)
    ratio = "LLR +0.41 between -2.94 and +2.94"
    assert told(capsys) == [
        f"7 pairs known, {ratio}",
        f"7 pairs, {ratio}, 60 a minute",
        f"7 pairs, {ratio}, 60 a minute",
        f"match {row(0).match} is void, given up: no [bold]room",
    ]
    with watch_gate(True, one_sided) as watcher:
        watcher.began(4000, 14)
        watcher.finished(row(0), result(0))
    assert told(capsys) == []


@pytest.mark.parametrize("columns", [80, 200])
def test_in_a_terminal_a_gate_is_a_gauge_above_its_tables(columns: int) -> None:
    whole = gate(legs("ww" * 10 + "w"))
    whole.test.pairs[4] += 1_000_000  # as wide as it can get
    terminal = Terminal(columns)
    live = LiveGate(terminal.display, whole)
    live.began(4000, 20)
    live.finished(row(20), result(20))
    live._next = 0.0
    live.look([row(21)], ())
    gauge, words, empty, _, table, *_ = (line.rstrip() for line in terminal.pictures()[-1])
    assert re.fullmatch(r"LLR -2\.94 ━+╸? +\+2\.94", gauge)
    assert re.fullmatch(r"LLR \+0\.58, 1,000,010 pairs, \d+ a minute, 0:00:00 so far", words)
    assert empty == ""
    assert table.startswith(row(21).match[:8])
