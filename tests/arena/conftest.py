"""Folders that the tests of processes share."""

from itertools import count
from pathlib import Path

import pytest

from arena import lag, process


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is, a timeout is the bot's; `test_lag` tests what is otherwise."""
    monkeypatch.setattr(lag, "FORGIVEN_MS", float("inf"))


@pytest.fixture(autouse=True)
def numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are numbered 1, 2, 3, so that the programs of tests may know it."""
    monkeypatch.setattr(process, "request_ids", lambda seed: count(1))


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
