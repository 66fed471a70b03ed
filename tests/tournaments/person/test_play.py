"""`play` as it is typed: whole matches through a terminal, played by what stands on the screen."""

import json
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from arena.events import AnyEvent, BidMade, BlindNilAnswered, CardPlayed, CardsPassed, Faulted
from arena.record import follow
from arena.replay import replay
from tests.arena.programs import processes_with
from tests.tournaments.league import SOUND, Outcome, until
from tests.tournaments.terminals import GIVEN_BACK, SHOWN, Terminal, in_terminal, settings

START = """
import json, sys
from arena.rules import PRESETS
from protocol.rules import Rules
from tests.arena.programs import PATIENT
from tournaments.cli import main
from tournaments.person import game, person

PRESETS["quick"] = Rules(**json.loads(sys.argv.pop()))
game.Clocks = lambda: PATIENT
person.DECISION_SECONDS = person.TRICK_SECONDS = 0.0
sys.argv[1:1] = ["play", "--rules", "quick"]
main()
"""
"""The command with a preset of the test's, at a table where nobody waits or is late."""

FRAME = re.compile(r"\x1b\[H((?:(?!\x1b\[H).)*)\x1b\[J$", re.DOTALL)


def frame(text: str) -> str:
    """The last picture, if it is drawn to its end, without its colours."""
    found = FRAME.search(text)
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", found[1]) if found else ""


ANSWERS = (
    (r"Leave the table", "n"),
    (r"Do you bid blind nil", "y"),
    (r"Your bid, .*\? \d", "\n"),
    (r"Your bid, ", "3"),
    (r"Your card .*\)\? \S", "\n"),
    (r"Your card ", "\x1b[C"),
    (r"Pass 2 cards to N: \w+[♣♦♥♠] \w+[♣♦♥♠]", "\n"),
    (r"Pass 2 cards to N: ", "\x1b[C "),
    (r"Enter next deal", "\n"),
    (r"Enter ends", "\n"),
)
"""What stands on the screen, and the keys that a person presses then."""


def answer(text: str) -> str:
    shown = frame(text)
    return next((keys for asked, keys in ANSWERS if re.search(asked, shown)), "")


def play_on(it: Terminal, until_shown: str) -> str:
    """Plays until that stands on the screen, and gives what stands there."""
    for _ in range(200):
        shown = frame(it.wait_for(answer))
        if re.search(until_shown, shown):
            return shown
        keys = next(keys for asked, keys in ANSWERS if re.search(asked, shown))
        for key in re.findall(r"\x1b\[C|.", keys, re.DOTALL)[:-1]:
            it.press(key)
            it.wait_for(frame)
        it.press(keys[-1] if keys != "\x1b[C" else keys)
    raise AssertionError(f"it never came to that: {shown}")


class Table:
    """A bot, where the record goes, and the command."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.record = folder, folder / "evening.jsonl"
        self.bot("bot")

    def bot(self, name: str, source: str = SOUND) -> str:
        """Writes one, and gives its path."""
        path = self.folder / f"{name}.py"
        path.write_text(source)
        return str(path)

    def sit_down(
        self, *bots: str, before: str = "", **rules: object
    ) -> AbstractContextManager[Terminal]:
        """`before`: code that is run before the command."""
        words = [*(bots or [self.bot("bot")]), "-o", str(self.record), "--seed", "7"]
        return in_terminal(before + START, *words, json.dumps({"max_deals": 1, **rules}))

    def events(self) -> list[AnyEvent]:
        """Of the record, judged by the rules."""
        return [event for event, _ in follow(self.record.read_bytes())]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    yield Table(tmp_path)
    until(lambda: not processes_with(str(tmp_path)), 20)


def test_a_match_is_played_to_its_end_and_its_record_is_like_any_other(
    table: Table, command: Callable[..., Outcome]
) -> None:
    with table.sit_down(max_deals=2, blind_nil=200, blind_nil_exchange=2) as it:
        assert "4 cards, hidden" not in play_on(it, "blind nil")
        it.press("n")
        play_on(it, r"Your card")
        it.press("h")
        assert "bot would play " in it.wait_for(frame)
        it.press("?")
        assert "point at a card by its name" in it.wait_for(frame)
        it.press("?")
        it.wait_for(frame)
        it.resize(50, 200)
        it.wait_for(lambda text: re.search(r" {48}Spades to 500", frame(text)))
        it.resize(10, 30)
        it.wait_for(lambda text: "This window has 30x10" in frame(text))
        it.press("\n")  # nothing is played without being seen
        it.resize(24, 80)
        sheet = play_on(it, "Enter next deal")
        assert re.search(r"^ +1 ", sheet, re.M)
        it.press("w")
        it.wait_for(lambda text: "deal 1, dealt by" in frame(text))
        it.press("q")
        it.wait_for(answer)
        it.press("\n")
        assert "as all deals were played" in play_on(it, "Enter ends")
        it.press("\n")
        after = it.wait_for(lambda text: "after 2 deals (max_deals)" in text)
        head = "N bot  E bot  S person  W bot\r\nseed 7, "
        assert after.index(GIVEN_BACK) < after.index(head)
        assert it.status() == 0
    events = table.events()
    own = [event for event in events if getattr(event, "seat", "") == "S"]
    kinds = (BlindNilAnswered, BidMade, CardsPassed, CardPlayed)
    assert [sum(isinstance(event, kind) for event in own) for kind in kinds] == [2, 1, 1, 26]
    assert all(event.ms for event in own if isinstance(event, kinds))
    assert not any(isinstance(event, Faulted) for event in events)
    assert command("verify", table.record).status == 0


@pytest.mark.parametrize(
    ("leave", "status"),
    [
        (lambda it: (it.press("q"), it.wait_for(frame), it.press("y")), 0),
        (lambda it: it.press("\x03"), 130),
        (lambda it: it.kill(signal.SIGTERM), 143),
        (lambda it: it.kill(signal.SIGHUP), 129),
        (lambda it: it.press("\x04"), None),
    ],
    ids=["q", "Ctrl-C", "SIGTERM", "SIGHUP", "Ctrl-D does nothing"],
)
def test_who_leaves_forfeits_and_the_record_is_whole(
    leave: Callable[[Terminal], object], status: int | None, table: Table
) -> None:
    with table.sit_down() as it:
        play_on(it, r"deal 1, trick 3(?s:.*)Your card")
        raw = settings(it.line)
        leave(it)
        if status is None:
            it.resize(24, 90)
            assert "Your card" in it.wait_for(frame)
            it.press("\x03")
            status = 130
        it.wait_for(lambda text: GIVEN_BACK in text)
        assert it.status() == status
        assert settings(it.line)[3] != raw[3]
    fault = table.events()[-2]
    assert isinstance(fault, Faulted)
    assert (fault.seat, fault.kind) == ("S", "exit")
    assert fault.detail == "the person has left the table"
    found = replay(table.record.read_bytes())
    assert found.result.forfeited == "NS"
    assert max(moment.position.trick for moment in found.moments) >= 2


def test_the_terminal_that_vanishes_is_left(table: Table) -> None:
    with table.sit_down() as it:
        play_on(it, r"Your card")
    assert it.status() == 129
    assert table.events()


def test_ctrl_z_gives_the_terminal_back_and_takes_it_again(table: Table) -> None:
    with table.sit_down() as it:
        play_on(it, r"Your card")
        it.press("\x1a")
        again = it.wait_for(lambda text: "Your card" in frame(text))
        assert again.index(GIVEN_BACK) < again.index(SHOWN)
        it.press("\x03")
        it.wait_for(lambda text: GIVEN_BACK in text)
        assert it.status() == 130


def test_a_bot_that_errs_is_helped_and_one_that_ends_forfeits(table: Table) -> None:
    wrong = table.bot("wrong", SOUND.replace("' + bid", "99'"))
    ends = table.bot(
        "ends", SOUND.replace("    print(", "    assert 'legal\":[\"' not in line\n    print(")
    )
    with table.sit_down(wrong, table.bot("bot"), ends) as it:
        shown = play_on(it, "Enter ends")
        assert "EW forfeits" in shown
        assert "fault of W: exit, asked for play" in shown
        it.press("\n")
        told = it.wait_for(lambda text: "after 0 deals (forfeit)" in text)
        assert "N wrong  E bot  S person  W ends" in told
        assert "AssertionError" in told
        assert it.status() == 0
    faults = [event for event in table.events() if isinstance(event, Faulted)]
    assert [(fault.seat, fault.ruling) for fault in faults] == [
        ("N", "substitute"), ("W", "forfeit"),
    ]  # fmt: skip


@pytest.mark.parametrize("key", ["q", "\x03"])
def test_a_record_that_fails_to_be_written_is_told_after_the_result(key: str, table: Table) -> None:
    table.record = Path("/dev/full")
    with table.sit_down() as it:
        play_on(it, r"Your card")
        it.press(key)
        if key == "q":
            it.wait_for(frame)
            it.press("y")
        after = it.wait_for(lambda text: "error: /dev/full can't be written: No space" in text)
        assert ("after 0 deals (forfeit)" in after) == (key == "q")
        assert it.status() == 2


LATE_IN_THE_SECOND_TRICK = """
from arena.lag import ArenaLag
from arena.process import BotProcess
ask = BotProcess.ask
def late(self, request):
    if getattr(request, "tricks", ()):
        raise ArenaLag(33.0)
    return ask(self, request)
BotProcess.ask = late
"""


def test_of_a_match_that_is_void_the_record_is_kept_as_far_as_it_went(
    table: Table, command: Callable[..., Outcome]
) -> None:
    with table.sit_down(before=LATE_IN_THE_SECOND_TRICK) as it:
        play_on(it, "Your card")
        it.press("\x1b[C")
        it.wait_for(frame)
        it.press("\n")
        after = it.wait_for(lambda text: "as far as it went" in text)
        assert "arena error: the match is void: a clock ran out" in after.partition(GIVEN_BACK)[2]
        assert it.status() == 3
    found = command("verify", table.record)
    assert found.status == 1
    assert "the record is cut off" in found.out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["BOT", "BOT"], "a person plays with one bot or with three, not 2"),
        (["nobody"], "'nobody' is no folder, no file"),
        (["BOT", "--hint", "nobody", "-o", "o"], "'nobody' is no folder, no file"),
        (["BOT", "-o", "none/o"], "none/o can't be written: No such file"),
        (["BOT", "--sandbox", "bubble"], "did you mean 'bubblewrap'?"),
    ],
)
def test_a_mistake_is_told_before_anything_is_drawn(
    typed: list[str],
    told: str,
    table: Table,
    command: Callable[..., Outcome],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(table.folder)
    words = ["bot.py" if word == "BOT" else word for word in typed]
    without = command("play", *words)
    assert (without.status, without.out) == (2, "")
    assert "play needs a terminal" in without.err
    monkeypatch.setattr("tournaments.cli.play.at_a_screen", lambda: True)
    found = command("play", *words)
    assert (found.status, found.out) == (2, "")
    assert told in found.err
    assert not (table.folder / "o").exists()
