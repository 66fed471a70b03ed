"""Folders that the tests of processes share."""

from pathlib import Path

import pytest


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
