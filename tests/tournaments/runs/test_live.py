"""The live view of a run: what its pictures show, at any size, and how it leaves the terminal."""

import pytest

from protocol.rules import Players
from tests.tournaments.conftest import Clock
from tests.tournaments.pictures import (
    ENTER,
    HIDE,
    LEAVE,
    SHOW,
    Terminal,
    news,
    result,
    seated,
    view,
)
from tests.tournaments.small_run import row
from tournaments.runs.progress import TOLD_SHOWN

NONE = {"NS": 0, "EW": 0}


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
        f"  to reproduce: spades-arena debug RUN {row(11).match} --seat E --until 0:1",
        "  its standard error: Traceback \\x00 \N{SNOWMAN}",
        f"match {row(12).match} is void, it is played again: OSError: [bold]no[/bold] \\x…",
        *[""] * 7,
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
        assert len(ranks) == size[1] - 10 - TOLD_SHOWN - 2
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
