"""The walk through a match by keyboard, in a terminal that is real but for its window."""

import re
import signal
import termios
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path

import pytest

from arena.replay import Replay, replay
from tests.tournaments.league import ROOT
from tests.tournaments.replayed import RECORDS
from tests.tournaments.terminals import GIVEN_BACK, SHOWN, Terminal, in_terminal, settings
from tournaments.replays.keyboard import keys
from tournaments.replays.screen import HELP
from tournaments.replays.walk import Place, after_key


@cache
def whole(name: str) -> Replay:
    return replay(RECORDS[name]())


@pytest.mark.parametrize(
    ("typed", "due"),
    [
        ("\x1b[C", ["right"]),
        ("\x1bOC\x1b[D", ["right", "left"]),
        ("\x1b[H\x1b[1~\x1bOF\x1b[4~", ["home", "home", "end", "end"]),
        ("\x1b[5~q\x1b[6~", ["page up", "q", "page down"]),
        (" xX?", ["space", "x", "X", "?"]),
        ("\x1b[1;5C", ["\x1b[1;5C"]),  # with control: no key of ours
        ("\x1b", ["\x1b"]),
        ("\x1b[", ["\x1b", "["]),
        ("é\ufffd\n", ["é", "\ufffd", "\n"]),
    ],
)
def test_what_is_typed_is_keys(typed: str, due: list[str]) -> None:
    assert list(keys(typed)) == due


@pytest.mark.parametrize(
    ("pressed", "position"),
    [
        (["right"], "1/0/0"),
        (["space", "space", "left"], "1/0/0"),
        (["left"], "0"),
        (["page down", "down"], "1/1/4"),
        (["page down", "down", "down", "up"], "1/1/4"),
        (["page down", "page down"], "2/0/0"),
        (["page down", "page down", "page down"], "2/end"),
        (["end"], "2/end"),
        (["end", "right"], "2/end"),
        (["end", "page up"], "2/0/0"),
        (["end", "home"], "0"),
        (["x"], "1/0/3"),
        (["x", "x"], "1/8/4"),
        (["x", "x", "x", "X"], "1/0/3"),
        (["w", "\x1b", "["], "0"),
    ],
)
def test_a_key_leads_to_a_moment(pressed: list[str], position: str) -> None:
    place: Place | None = Place(0)
    for key in pressed:
        assert place
        place = after_key(whole("substituted"), place, key)
    assert place
    assert str(whole("substituted").moments[place.at].position) == position


def test_keys_change_the_view_show_help_and_quit() -> None:
    start, place = whole("fair"), Place(3)
    views = []
    for _ in range(5):
        place = after_key(start, place, "h") or place
        views.append(place.view)
    assert views == ["N", "E", "S", "W", None]
    helping = after_key(start, Place(3, "E"), "?")
    assert helping == Place(3, "E", helping=True)
    assert after_key(start, helping, "right") == Place(3, "E")
    assert after_key(start, helping, "q") is None
    assert after_key(start, Place(3), "q") is None


def test_the_page_on_replays_tells_the_same_keys() -> None:
    text = (ROOT / "docs" / "replay.md").read_text()
    told = re.findall(r"^\| (`.*`) \| (.*) \|$", text, re.M)
    page = [(re.findall("`(.*?)`", cell), does.partition(",")[0]) for cell, does in told]
    assert page == [(k.replace(" or ", " ").split(), d.partition(",")[0]) for k, d in HELP]


# In a terminal


START = """
import sys
from tournaments.cli import main
sys.argv[1:1] = ["replay"]
{}
main()
"""


def terminal(
    file: Path, *more: str, before: str = "", environment: dict[str, str] | None = None
) -> AbstractContextManager[Terminal]:
    return in_terminal(START.format(before), str(file), *more, environment=environment)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_bytes(RECORDS["fair"]())
    return path


def test_a_match_is_walked_through_and_the_terminal_given_back(file: Path) -> None:
    with terminal(file) as it:
        before = it.wait_for(lambda text: "the match begins" in text and text.endswith("\x1b[J"))
        assert before.startswith(SHOWN)
        it.press("\x1b[C")
        it.wait_for(lambda text: "deal 1, dealt by S" in text)
        it.press("  ")
        it.wait_for(lambda text: "N bids" in text)
        it.press("?")
        it.wait_for(lambda text: "any key goes back" in text)
        it.press("x\x1a\x1b[F")  # no fault; Ctrl-Z; the end
        it.wait_for(lambda text: "2/end" in text or " wins " in text)
        it.resize(40, 160)
        drawn = it.wait_for(lambda text: text.count("\r\r\n") >= 39 or text.count("\r\n") >= 39)
        assert re.search(r" {29}\S*match", drawn)
        it.press("q")
        assert it.wait_for(lambda text: GIVEN_BACK in text).endswith(GIVEN_BACK)
        assert it.status() == 0


@pytest.mark.parametrize(
    ("end", "status", "told"),
    [
        (lambda it: it.press("\x03"), 130, "interrupted by SIGINT"),
        (lambda it: it.kill(signal.SIGTERM), 143, "interrupted by SIGTERM"),
        (lambda it: it.press("h"), 3, "ZeroDivisionError: a bug"),
    ],
    ids=["Ctrl-C", "SIGTERM", "a bug"],
)
def test_the_terminal_is_given_back_however_it_ends(
    end: Callable[[Terminal], None], status: int, told: str, file: Path
) -> None:
    bug = (
        "import tournaments.replays.walk as walk; old = walk.after_key\n"
        "def after_key(replay, place, key):\n"
        "    if key == 'h': raise ZeroDivisionError('a bug')\n"
        "    return old(replay, place, key)\n"
        "walk.after_key = after_key\n"
    )
    with terminal(file, "--deal", "2", before=bug) as it:
        it.wait_for(lambda text: "deal 2, dealt by" in text and text.endswith("\x1b[J"))
        raw = settings(it.line)
        end(it)
        after = it.wait_for(lambda text: told in text)
        assert after.index(GIVEN_BACK) < after.index(told)
        assert it.status() == status
        given_back = settings(it.line)
        assert not raw[3] & (termios.ECHO | termios.ICANON)
        assert given_back[3] & termios.ECHO
        assert given_back[3] & termios.ICANON
        assert given_back[6][termios.VSUSP] == b"\x1a"


def test_without_colours_nothing_is_coloured(file: Path) -> None:
    with terminal(file, "--deal", "1", environment={"NO_COLOR": "1"}) as it:
        drawn = it.wait_for(lambda text: "deal 1, dealt by" in text and text.endswith("\x1b[J"))
        codes = {
            code for codes in re.findall(r"\x1b\[([\d;]*)m", drawn) for code in codes.split(";")
        }
        assert codes <= {"", "0", "1", "2", "4", "7"}
        it.press("q")
        assert it.status() == 0


def test_a_terminal_that_can_not_move_its_cursor_has_plain_text(file: Path) -> None:
    with terminal(file, environment={"TERM": "dumb"}) as it:
        text = it.wait_for(lambda text: "deal 2: NS" in text and "  EW  bid" in text[-80:])
        assert "\x1b" not in text
        assert it.status() == 0
