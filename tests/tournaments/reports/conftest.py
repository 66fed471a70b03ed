"""Runs to gather a report from, made once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tournaments import reported
from tournaments.storage.store import Store


@pytest.fixture(scope="session")
def league_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of `reported.league`. Not to be changed."""
    return reported.league(tmp_path_factory.mktemp("reported") / "league")


@pytest.fixture
def league_store(league_folder: Path) -> Iterator[Store]:
    with Store.read(league_folder) as store:
        yield store
