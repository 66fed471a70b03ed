"""A run folder, and its store held by the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments import database
from tournaments.store import Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "league"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with Store.hold(folder) as held:
        yield held


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PAGE", 3)
