"""Leagues to fill and to read, and a store alone, held by the test."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena import ARENA
from tests.tournaments.bots.repository import SETTINGS, Repository, fill
from tests.tournaments.gates.gated import QUICK, bot
from tests.tournaments.here import HereExecutor
from tests.tournaments.league import League, Outcome
from tournaments.cli import main
from tournaments.storage import database
from tournaments.storage.store import Store


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    """An empty league, of which nothing may be left running."""
    league = League(tmp_path)
    yield league
    league.check_nothing_is_left()


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> League:
    """A league of three bots and 12 matches, played at one table. Not to be changed."""
    league = League(tmp_path_factory.mktemp("played"))
    league.write(league.three(), schedule={"rounds": 2})
    league.play("--jobs", "1")
    league.check_nothing_is_left()
    return league


@pytest.fixture
def run_copy(played: League, tmp_path: Path) -> Path:
    """A copy of its run folder, which may be changed."""
    return Path(shutil.copytree(played.run_folder, tmp_path / "copy"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run folder that does not exist yet."""
    return tmp_path / "runs" / "league"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    """The store of that folder, new and held."""
    with Store.hold(folder) as held:
        yield held


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store reads three rows at once, so that a few make many pages."""
    monkeypatch.setattr(database, "PAGE", 3)


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a repository with two versions of a bot. Not to be changed."""
    folder = tmp_path_factory.mktemp("filled")
    fill(folder)
    return folder


@pytest.fixture
def git_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """git as on a machine where nobody has set anything."""
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def repository(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git_settings: None
) -> Repository:
    """A copy of it in `Our Bots`, the current folder."""
    folder = shutil.copytree(filled, tmp_path / "Our Bots", symlinks=True)
    monkeypatch.chdir(folder)
    return Repository(folder)


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Outcome]:
    """Runs a command in this process."""

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", [ARENA.name, *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main()
        return Outcome(exit_.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def gated(league: League) -> League:
    """A league with two bots in its folder, the same program."""
    for name in ("cand", "base"):
        league.bot(name)
    return league


@pytest.fixture
def gate_here(
    gated: League, command: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Outcome]:
    """`gate` against `base`, played in this process: what the candidate is, and options."""
    monkeypatch.chdir(gated.folder)
    monkeypatch.setattr("tournaments.cli.gate_run.LocalExecutor", HereExecutor)

    def run(*typed: str) -> Outcome:
        return command("gate", typed[0], "--against", bot("base"), *QUICK, *typed[1:])

    return run


class Clock:
    """What live views take the time from."""

    now = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """One that stands still until it is set."""
    clock = Clock()
    monkeypatch.setattr("tournaments.runs.progress.time.monotonic", lambda: clock.now)
    return clock
