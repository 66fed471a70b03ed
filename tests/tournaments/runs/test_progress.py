"""What people are told while a run goes on where there is no terminal: plain lines, or nothing."""

import re
import zlib
from collections import Counter
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from arena.events import Faulted
from arena.match import MatchResult
from protocol.cards import Seat
from protocol.messages import FaultKind
from tests.tournaments.league import League
from tests.tournaments.pictures import BEGUN
from tournaments.runs import progress
from tournaments.storage.results import ScheduledRow
from tournaments.storage.store import Store

ROW = ScheduledRow(
    number=0,
    key="0",
    match="0123",
    cycle=0,
    leg=0,
    seats={"N": "a", "E": "b", "S": "a", "W": "b"},
)


def result(log: str = "", **faults: list[FaultKind]) -> MatchResult:
    """A match in which the bots at these seats were at fault."""
    events = [
        Faulted(
            seat=cast("Seat", seat), kind=kind, request="bid", detail="why", raw=None, ruling="set"
        )
        for seat, kinds in faults.items()
        for kind in kinds
    ]
    whole: dict[str, Any] = dict.fromkeys(MatchResult.__struct_fields__)
    whole["faults"] = {seat: dict(Counter(kinds)) for seat, kinds in faults.items()}
    whole["logs"] = dict.fromkeys(faults, log)
    whole["record"] = zlib.compress(BEGUN + b"\n".join(map(msgspec.json.encode, events)))
    return MatchResult(**whole)


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_plain_lines_come_at_the_start_at_the_end_and_not_more_often_than_they_should(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("tournaments.runs.progress.time.monotonic", lambda: now)
    with progress.watch(False, store) as watcher:
        watcher.began(100, 40)
        assert told(capsys) == ["100 matches, 40 of them played before"]
        for _ in range(59):
            now += 1
            watcher.finished(ROW, result())
        middle = told(capsys)
        watcher.finished(ROW, result())
    assert middle == [f"{40 + i} of 100 matches, 60 a minute" for i in (10, 20, 30, 40, 50)]
    assert told(capsys) == ["100 of 100 matches, 61 a minute"]


def test_what_may_stop_earlier_is_told_as_the_most(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.runs.progress.PLAIN_SECONDS", 0)
    with progress.watch(False, store) as watcher:
        watcher.began(100, 0, at_most=True)
        watcher.finished(ROW, result())
    first, second = told(capsys)
    assert first == "at most 100 matches, 0 of them played before"
    assert second.startswith("1 of at most 100 matches, ")


def test_the_first_fault_of_a_kind_is_told_and_of_very_many_that_there_are_more(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.watch(False, store) as watcher:
        watcher.began(100, 0)
        for _ in range(3):
            watcher.finished(ROW, result(E=["timeout", "timeout", "exit"]))
        watcher.finished(ROW, result("so\nsaid\n\n", N=["timeout"]))
        few = told(capsys)
        for number in range(progress.FAULTS_SHOWN + 5):
            seats = ROW.seats | {"E": f"b{number}"}
            watcher.finished(replace(ROW, seats=seats), result(E=["exit"]))
    reproduced = f"  to reproduce: spades-arena debug {store.folder} 0123"
    assert few[1:] == [
        "b: timeout in match 0123: why",
        f"{reproduced} --seat E --until 0:1",
        "b: exit in match 0123: why",
        f"{reproduced} --seat E --until 0:3",
        "a: timeout in match 0123: why",
        f"{reproduced} --seat N --until 0:1",
        "  its standard error: said",
    ]
    many = told(capsys)
    assert many[-1] == "more bots are at fault: `export RUN --what faults` tells all"
    assert len(few[1:] + many) == 2 * progress.FAULTS_SHOWN + 2


@pytest.mark.parametrize("quiet", [False, True])
def test_what_the_arena_failed_is_told_also_when_it_is_to_be_quiet(
    quiet: bool, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.watch(quiet, store) as watcher:
        watcher.began(1, 0)
        watcher.finished(ROW, result(N=["exit"]))
        told(capsys)
        watcher.voided(ROW, "OSError: [bold]no[/bold] [0] space", 1)
        watcher.voided(ROW, "OSError: [bold]no[/bold] [0] space", 3)
    assert told(capsys) == [
        "match 0123 is void, it is played again: OSError: [bold]no[/bold] [0] space",
        "match 0123 is void, given up: OSError: [bold]no[/bold] [0] space",
    ]


def test_of_very_many_void_matches_the_first_are_told(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.watch(True, store) as watcher:
        watcher.began(100, 0)
        for _ in range(progress.VOIDS_SHOWN + 5):
            watcher.voided(ROW, "no room", 1)
    lines = told(capsys)
    assert lines[:-1] == ["match 0123 is void, it is played again: no room"] * progress.VOIDS_SHOWN
    assert lines[-1] == "more matches are void: the standings count those that are given up"


def test_a_quiet_run_prints_the_standings_only(league: League) -> None:
    league.write([league.bot("a"), league.bot("b", "raise SystemExit")])
    quiet = league.play("--quiet")
    assert quiet.stderr == ""
    assert "2 of 2 matches" in quiet.stdout
    again = league.play("--quiet", "-o", "other")
    assert again.stderr == ""
    assert "\x1b" not in quiet.stdout


def test_without_a_terminal_there_are_plain_lines(league: League) -> None:
    league.write([league.bot("a"), league.bot("b", "raise SystemExit")])
    result = league.play()
    assert result.stderr.splitlines()[1] == "2 matches, 0 of them played before"
    assert result.stderr.splitlines()[2].startswith("b: exit in match ")
    assert re.fullmatch(r"2 of 2 matches, \d+ a minute", result.stderr.splitlines()[-2])
    assert "\x1b" not in result.stdout + result.stderr


def test_nothing_is_drawn_into_a_pipe_whatever_the_environment_says(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")])
    league.environment |= {"FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"}
    result = league.play()
    assert "2 matches, 0 of them played before" in result.stderr
    assert "\x1b" not in result.stderr
