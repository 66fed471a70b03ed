"""The live view of a run: what its pictures show, when one is drawn, and that none costs more."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.events import Faulted
from arena.match import MatchResult
from arena.news import News
from protocol.cards import SEATS
from protocol.rules import Players
from tests.tournaments import small_run
from tests.tournaments.finished import RATING, league, match, stand
from tests.tournaments.pictures import ENTER, HIDE, LEAVE, SHOW, Terminal, as_result
from tests.tournaments.small_run import row
from tournaments import progress
from tournaments.progress import REDRAW_SECONDS, REST, LiveRun
from tournaments.provisional import Provisional
from tournaments.results import ScheduledRow
from tournaments.tally import Tally


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> "Clock":
    clock = Clock()
    monkeypatch.setattr("tournaments.progress.time.monotonic", lambda: clock.now)
    return clock


class Clock:
    now = 1000.0


def view(terminal: Terminal, bots: int = 2, players: Players = "partners") -> LiveRun:
    """Of bots that are letters and, from the 27th on, names of two."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    labels = [(letters[i // 26 - 1] if i > 25 else "") + letters[i % 26] for i in range(bots)]
    field = Provisional(Tally(RATING, mirror=True), dict.fromkeys(labels, "playing"))
    return LiveRun(terminal.display, players, field)


def result(number: int) -> MatchResult:
    """A match in which the bot at E was late, as small as can be."""
    late = Faulted(
        seat="E", kind="timeout", request="bid", detail="no \x1b reply", raw=None, ruling="forfeit"
    )
    return small_run.result(number, record=msgspec.json.encode(late))


def seated(number: int, around: str) -> ScheduledRow:
    return replace(row(number), seats=dict(zip(SEATS, around.split(), strict=True)))


def news(number: int, deal: int, score: dict[str, int], *bids: int) -> News:
    return News(row(number).match, deal, score, dict(zip(SEATS, bids, strict=False)))


NONE = {"NS": 0, "EW": 0}


# What they show


def test_a_picture_shows_how_far_it_is_who_leads_what_is_played_and_who_was_at_fault(
    clock: Clock,
) -> None:
    terminal = Terminal()
    live = view(terminal)
    live.began(40, 10)
    clock.now += 65
    live.finished(row(10), result(10))
    live.finished(row(11), result(11))
    live.voided(row(12), "OSError: [bold]no[/bold] \x1b room\nand more", 1)
    live.look(
        [seated(12, "a b a b"), seated(13, "b a b a")],
        [news(12, 7, {"NS": 210, "EW": 186}, 3, 0, 4, 2)],
    )
    picture = [line.rstrip() for line in terminal.pictures()[-1]]
    assert picture[1:] == [
        "12 of 40 matches, 2 a minute, 0:01:05 so far, about 15 minutes left, 1 void",
        "",
        "provisional standings, rated in the order in which matches end",
        "#  bot  rating  played      w-d-l  points/deal  faults",
        "1  b       1.7       2      1-0-1         +0.0       1",
        "2  a       1.5       2      1-0-1         +0.0       1",
        "",
        "match     deal        score  bids             at the table",
        f"{row(12).match[:8]}     7    210 : 186  3+4 : nil+2      a : b",
        f"{row(13).match[:8]}                     starting         b : a",
        "",
        "faults: a 1 timeout, b 1 timeout",
        f"a: timeout in match {row(11).match}: no \\x1b reply",
        "  its standard error ends: Traceback \\x00 \N{SNOWMAN}",
        f"match {row(12).match} is void, it is played again: OSError: [bold]no[/bold] \\x…",
        *[""] * 8,
    ]


@pytest.mark.parametrize(
    ("players", "around", "score", "bids", "shown"),
    [
        ("partners", "a b c d", NONE, (3, 4, 0, 2), "0 : 0  3+nil : 4+2      a+c : b+d"),
        ("partners", "a b a b", NONE, (), "0 : 0  bidding          a : b"),
        (
            "solo",
            "a b c d",
            {"N": 9, "E": -120, "S": 33, "W": 0},
            (1, 2, 3, 0),
            "9 : -120 : 33 : 0  1 : 2 : 3 : nil  a : b : c : d",
        ),
    ],
)
def test_a_table_is_shown_by_its_sides(
    players: Players,
    around: str,
    score: dict[str, int],
    bids: tuple[int, ...],
    shown: str,
    clock: Clock,
) -> None:
    terminal = Terminal()
    live = view(terminal, players=players)
    live.began(1, 0)
    clock.now += 1
    live.look([seated(0, around)], [news(0, 1, score, *bids)])
    assert any(line.rstrip().endswith(shown) for line in terminal.pictures()[-1])


def test_a_table_keeps_its_place_while_others_end_and_begin(clock: Clock) -> None:
    terminal = Terminal()
    live = view(terminal)
    live.began(9, 0)
    seen = []
    for playing in ([0, 1, 2], [1, 2], [3, 1, 2], [3, 4, 1], [1], [1, 5, 6, 7]):
        clock.now += 1
        live.look([row(number) for number in playing], ())
        ids = {row(number).match[:8]: number for number in range(9)}
        lines = terminal.pictures()[-1][9:13]
        seen.append([ids.get(line[:8]) for line in lines])
    assert seen == [
        [0, 1, 2, None],
        [None, 1, 2, None],
        [3, 1, 2, None],
        [3, 1, 4, None],
        [None, 1, None, None],
        [5, 1, 6, 7],
    ]


def test_a_match_that_begins_again_has_no_news_yet(clock: Clock) -> None:
    terminal = Terminal()
    live = view(terminal)
    live.began(9, 0)
    live.look([row(0)], [news(0, 7, NONE)])
    live.voided(row(0), "the worker process ended", 1)
    clock.now += 1
    live.look([row(0)], [news(8, 1, NONE)])  # and of one that is not played nothing is kept
    assert any("starting" in line for line in terminal.pictures()[-1])
    assert live._in_play._news == {}


@pytest.mark.parametrize("size", [(80, 24), (200, 50), (40, 10), (20, 3), (1, 1)])
def test_a_picture_is_as_large_as_the_terminal_and_shows_the_top_of_the_field(
    size: tuple[int, int], clock: Clock
) -> None:
    terminal = Terminal(*size)
    live = view(terminal, bots=100)
    live.began(9000, 0)
    clock.now += 1
    for number in range(8):
        live.finished(row(number), result(number))
    live.look([seated(9, "a b a b"), seated(10, " ".join(["x" * 64, "y" * 64] * 2))], ())
    picture = terminal.pictures()[-1]
    assert len(picture) == size[1]
    assert max(map(len, picture)) <= size[0]
    ranks = [line for line in picture if line[:3].strip().isdigit()]
    if size[1] >= 24:
        assert len(ranks) == size[1] - 10 - 3 - 2
        assert any(line.startswith("faults: ") for line in picture)
        assert all("0-0-0" in line or "1-0-" in line or "-0-" in line for line in ranks)


def test_another_size_is_taken_at_the_next_picture(clock: Clock) -> None:
    terminal = Terminal()
    live = view(terminal, bots=100)
    live.began(9, 0)
    terminal.console.size = (120, 30)
    clock.now += 1
    live.look((), ())
    small, large = terminal.pictures()
    assert [len(small), len(small[0])] == [24, 80]
    assert [len(large), len(large[0])] == [30, 120]


def test_what_is_told_is_printed_when_the_terminal_is_given_back(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal()
    live = view(terminal)

    def fail() -> None:
        live.began(9, 0)
        live.voided(row(0), "no room", 1)
        assert capsys.readouterr().err == ""
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), live.shown():
        fail()
    assert capsys.readouterr().err == f"match {row(0).match} is void, it is played again: no room\n"
    sent = terminal.getvalue()
    assert sent.startswith(ENTER + HIDE)
    assert sent.endswith(SHOW + LEAVE)


def test_the_terminal_is_given_back_also_by_who_was_interrupted_in_the_middle_of_a_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    live = view(terminal)

    def be_interrupted() -> None:
        terminal.console._enter_buffer()  # by a signal, before what leaves it again
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), live.shown():
        be_interrupted()
    assert terminal.getvalue().endswith(SHOW + LEAVE)


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

    monkeypatch.setattr("tournaments.screen.Display.draw", slowly)
    live = view(Terminal())
    live.began(1000, 0)
    for _ in range(100):
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
    assert sum(calls[-10:]) <= 1.1 * sum(calls[:10])


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

    monkeypatch.setattr(progress, "read", read)
    live.finished(row(0), result(0))
    assert opened == []
    live.finished(row(1), replace(result(1), faults={"E": {"exit": 1}}))
    assert len(opened) == 1


# The standings that move


def test_what_is_taken_in_in_schedule_order_comes_to_the_standings() -> None:
    field = Provisional(Tally(RATING, mirror=True), dict.fromkeys("abc", "playing"))
    matches = list(league(20))
    for each in matches:
        field.add(replace(row(each.number), seats=each.seats, leg=each.leg), as_result(each))
    exact = stand(matches, labels="abc").bots
    assert field.leaders(3) == exact
    assert field.leaders(2) == exact[:2]


def test_in_any_other_order_all_but_ratings_are_the_same() -> None:
    field = Provisional(Tally(RATING, mirror=False), dict.fromkeys("abc", "playing"))
    matches = [match(0, "a", "b"), match(1, "b", "c"), match(2, "c", "a"), match(3, "a", "c")]
    for each in reversed(matches):
        field.add(replace(row(each.number), seats=each.seats, leg=0), as_result(each))
    counted = {bot.name: (bot.won, bot.lost, bot.played) for bot in field.leaders(3)}
    assert counted == {"a": (2, 1, 3), "b": (1, 1, 2), "c": (1, 2, 3)}
