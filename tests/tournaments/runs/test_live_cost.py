"""When the live view of a run is drawn, and that no match and no picture costs more than others."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace

from tests.tournaments.conftest import Clock
from tests.tournaments.finished import league
from tests.tournaments.pictures import Terminal, as_result, news, result, view
from tests.tournaments.small_run import row
from tournaments.runs import progress
from tournaments.runs.progress import REDRAW_SECONDS, REST

# When one is drawn


def test_pictures_are_drawn_now_and_then_however_many_matches_end(clock: Clock) -> None:
    terminal = Terminal()
    live = view(terminal)
    live.began(1000, 0)
    for number in range(100):
        clock.now += REDRAW_SECONDS / 10
        live.finished(row(number), result(number))
        live.look((), ())
    assert len(terminal.pictures()) == pytest.approx(11, abs=1)


def test_a_picture_that_takes_long_is_drawn_less_often(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    def slowly(self: object, picture: object) -> None:
        drawn.append(clock.now)
        clock.now += 1

    monkeypatch.setattr("tournaments.runs.screen.Display.draw", slowly)
    live = view(Terminal())
    live.began(1000, 0)
    for _ in range(200):
        clock.now += 0.5
        live.look((), ())
    assert drawn == [1000.0, 1000.0 + 1 + REST, 1000.0 + 2 * (1 + REST)]


# What it costs


def test_the_thousandth_match_costs_as_many_calls_as_the_tenth(clock: Clock) -> None:
    live = view(Terminal())
    live.began(1000, 0)
    calls = []
    for number, each in enumerate(league(500)):
        faults: Any = {"N": {"timeout": 1}, "E": {"exit": 1}}
        ended = as_result(replace(each, faults=faults))
        now = replace(row(number), seats=each.seats, leg=each.leg)
        told = news(number + 1, number + 1, {"NS": number, "EW": -number}, 1, 2, 3, 4)
        if number % 100 not in range(10, 20):
            live.finished(now, ended)
            live.look([row(number + 1)], [told])
            continue
        clock.now += 1  # so that a picture is drawn
        with counted() as count:
            live.finished(now, ended)
            live.look([row(number + 1)], [told])
        calls.append(count())
    assert len(calls) == 100
    assert min(calls) > 1000
    assert sum(calls[-10:]) <= 1.01 * sum(calls[:10])


@contextmanager
def counted() -> Iterator[Callable[[], int]]:
    """How many functions are called within it."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield lambda: calls
    finally:
        sys.setprofile(before)


def test_a_record_is_opened_only_where_it_tells_something_new(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[bytes] = []
    live = view(Terminal())
    live.began(9, 0)
    live._told = {("a", "timeout"), ("b", "timeout")}

    def read(record: bytes) -> Iterator[Any]:
        opened.append(record)
        return iter(())

    monkeypatch.setattr(progress, "faults_in", read)
    live.finished(row(0), result(0))
    assert opened == []
    live.finished(row(1), replace(result(1), faults={"E": {"exit": 1}}))
    assert len(opened) == 1
