"""A run and who watches it: tables tell only where somebody looks, and nothing depends on it."""

import json
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future
from typing import Any, TypeVar

import pytest

from arena.news import News
from tests.tournaments.here import HereExecutor
from tests.tournaments.league import League, Outcome, records
from tests.tournaments.pictures import Terminal
from tournaments.runs.progress import LiveRun
from tournaments.storage.results import ScheduledRow

T = TypeVar("T")
Command = Callable[..., Outcome]


class TellingExecutor(HereExecutor):
    """Plays here, and tells."""

    submitted: list[int] = []
    """How many arguments each call had."""
    told: list[News] = []

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        self.submitted.append(len(args))
        return super().submit(fn, *args, **kwargs)

    def tell(self, news: News) -> None:
        self.told.append(news)

    def heard(self) -> list[News]:
        heard = self.told[:]
        self.told.clear()
        return heard


@pytest.fixture
def small(league: League, monkeypatch: pytest.MonkeyPatch) -> League:
    """A league of two matches of a deal, which is played here."""
    league.write([league.bot("a"), league.bot("b")])
    monkeypatch.chdir(league.folder)
    monkeypatch.setattr(TellingExecutor, "submitted", [])
    monkeypatch.setattr(TellingExecutor, "told", [])
    return league


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[list[News]]:
    """The news of each look of a live view; there is a terminal to look at."""
    looks: list[list[News]] = []
    look = LiveRun.look

    def listen(self: LiveRun, playing: Collection[ScheduledRow], news: Iterable[News]) -> None:
        looks.append(list(news))
        look(self, playing, looks[-1])

    monkeypatch.setattr("tournaments.runs.progress.terminal", lambda: Terminal().display)
    monkeypatch.setattr(LiveRun, "look", listen)
    return looks


def play(command: Command, executor: type, monkeypatch: pytest.MonkeyPatch, *more: str) -> Any:
    """The standings of a run that is played by this executor."""
    monkeypatch.setattr("tournaments.cli.run.LocalExecutor", executor)
    ended = command("run", "league.yaml", "--jobs", "1", *more)
    assert ended.status == 0, ended.err
    return json.loads(command("standings", "runs/league", "--format", "json").out)


def test_news_are_asked_for_only_where_somebody_looks(
    small: League,
    looked: list[list[News]],
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live = play(command, TellingExecutor, monkeypatch)
    assert TellingExecutor.submitted == [2, 2]
    before, first, second = looked
    assert before == []
    assert [(news.deal, len(news.bids)) for news in first] == [(1, 0), (1, 4)]
    assert [news.match for news in second] == [second[0].match] * 2 != [first[0].match] * 2
    watched = records(small.run_folder)
    small.run_folder.rename(small.folder / "watched")
    assert play(command, TellingExecutor, monkeypatch, "--quiet") == live
    assert TellingExecutor.submitted == [2, 2, 1, 1]
    assert len(looked) == 3
    assert records(small.run_folder) == watched


def test_an_executor_without_a_line_to_its_tables_plays_and_shows_none(
    small: League,
    looked: list[list[News]],
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play(command, HereExecutor, monkeypatch)
    assert looked == [[], [], []]
