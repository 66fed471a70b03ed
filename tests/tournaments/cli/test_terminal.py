"""Whole runs in a real terminal: drawn at its size, also a new one, and given back as it was."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tournaments.league import SLOW, League
from tests.tournaments.pictures import ENTER, HIDE, LEAVE, SHOW, pictures

BIDS = re.compile(r"^\w{8} +\d+ +-?\d+ : -?\d+ +(3\+3 : 4\+4|4\+4 : 3\+3) ", re.M)
"""A table in play whose bots have bid, as the bots of these tests do."""


class Running:
    """A command in a terminal of its own."""

    def __init__(self, league: League, *arguments: str, **environment: str) -> None:
        self._ours, self._theirs = pty.openpty()
        self.resize(80, 24)
        self._seen = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tournaments.cli", *arguments],
            cwd=league.folder,
            env=league.environment | {"TERM": "xterm"} | environment,
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            start_new_session=True,
        )
        os.close(self._theirs)

    def resize(self, columns: int, lines: int) -> None:
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, size)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def read_until(self, shown: Callable[[str], object]) -> str:
        """All that was shown, once it is enough; or once the command has ended."""
        end = time.monotonic() + 60
        while not shown(self.text):
            assert time.monotonic() < end, f"it never came to that: {self.text[-9999:]}"
            try:
                self._seen += os.read(self._ours, 1 << 16)
            except OSError:  # the other end is closed
                break
        return self.text

    def end(self) -> str:
        """All that was shown once it has ended."""
        self.read_until(lambda text: False)
        os.close(self._ours)
        self.process.wait(60)
        return self.text

    @property
    def text(self) -> str:
        return self._seen.decode(errors="replace")


@pytest.fixture
def endless(league: League) -> League:
    """Two bots whose matches don't end."""
    bots = [league.bot("low", SLOW), league.bot("high", SLOW, "-1", "4")]
    league.write(bots, rules={"max_deals": 1000, "target": 10_000, "floor": None})
    return league


@pytest.fixture
def started(endless: League) -> Iterator[Running]:
    running = Running(endless, "run", "league.yaml", "--jobs", "1")
    yield running
    running.process.kill()
    running.process.wait()


def whole(text: str) -> str:
    """The lines of the last picture that was certainly drawn to its end."""
    drawn = pictures(text)[:-1]
    return "\n".join(drawn[-1]) if drawn else ""


def check_given_back(text: str) -> str:
    """The terminal is as it was; what was written after that."""
    for once in (ENTER, HIDE, LEAVE, SHOW):
        assert text.count(once) == 1
    assert "Traceback" not in text
    drawn, _, after = text.partition(LEAVE)
    assert drawn.index(ENTER) < drawn.index(HIDE) < drawn.index(SHOW)
    assert "\x1b[" not in re.sub(r"\x1b\[[0-9;]*m", "", after)
    return re.sub(r"\x1b\[[0-9;]*m", "", after).replace("\r\n", "\n")


def test_tables_are_seen_at_play_at_any_size_and_ctrl_c_gives_the_terminal_back(
    started: Running,
) -> None:
    first = whole(started.read_until(lambda text: BIDS.search(whole(text))))
    assert "0 of 2 matches" in first
    assert {len(line) for line in first.splitlines()} == {80}
    assert len(first.splitlines()) == 24
    for columns, lines in ((200, 50), (40, 12)):
        started.resize(columns, lines)
        text = started.read_until(lambda text: len(whole(text).splitlines()) == lines)  # noqa: B023
        assert {len(line) for line in whole(text).splitlines()} == {columns}
    started.process.send_signal(signal.SIGINT)
    after = check_given_back(started.end())
    assert started.process.returncode == 130
    assert after.startswith("interrupted by SIGINT; 0 finished matches are kept")


def test_a_worker_that_is_killed_is_told_of_and_sigterm_gives_the_terminal_back(
    started: Running,
) -> None:
    started.read_until(lambda text: BIDS.search(whole(text)))
    (worker,) = workers(started.process.pid)
    os.kill(worker, signal.SIGKILL)
    text = started.read_until(lambda text: "1 void" in whole(text) and BIDS.search(whole(text)))
    assert "is void, it is played again: WorkerDied: the worker" in whole(text)
    started.process.send_signal(signal.SIGTERM)
    after = check_given_back(started.end())
    assert started.process.returncode == 143
    assert "void, it is played again: WorkerDied" in after.splitlines()[0]
    assert "interrupted by SIGTERM; 0 finished" in after


def workers(coordinator: int) -> list[int]:
    """The processes that this one has started for its tables."""
    tasks = Path(f"/proc/{coordinator}/task").glob("*/children")
    children = [pid for task in tasks for pid in task.read_text().split()]
    return [
        int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def test_a_run_ends_with_what_was_told_and_the_standings(league: League) -> None:
    league.write([league.bot("a"), league.bot("b", "raise SystemExit")])
    running = Running(league, "run", "league.yaml")
    after = check_given_back(running.end())
    assert running.process.returncode == 0
    assert re.match(r"b: exit in match \w+: it exited with status 0", after)
    assert "clocks: " in after
    assert "league: 2 of 2 matches" in after
    assert "1  a " in after


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [((), {"TERM": "dumb"}), (("--quiet",), {})],
)
def test_a_terminal_that_can_not_or_shall_not_be_drawn_on_is_not(
    arguments: tuple[str, ...], environment: dict[str, str], league: League
) -> None:
    league.write([league.bot("a"), league.bot("b")])
    text = Running(league, "run", "league.yaml", *arguments, **environment).end()
    assert not re.search(r"\x1b\[[^m]*[A-Zhl]", text)
    assert ("2 matches, 0 of them played before" in text) == (not arguments)
    assert "2 of 2 matches" in text


def test_without_colours_all_is_drawn_but_colours(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")])
    text = Running(league, "run", "league.yaml", NO_COLOR="1").end()
    check_given_back(text)
    assert "provisional standings" in text
    assert not re.search(r"\x1b\[[0-9;]*[34]\d", text)
