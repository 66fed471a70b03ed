"""Folders that the tests of processes share."""

from pathlib import Path

import pytest

from arena import lag


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is, a timeout is the bot's; `test_lag` tests what is otherwise."""
    monkeypatch.setattr(lag, "FORGIVEN_MS", float("inf"))


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """The folder in which processes get theirs."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of a program."""
    folder = tmp_path / "bot"
    folder.mkdir()
    return folder
