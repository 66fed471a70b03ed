"""The benchmark of the report: runs to report on, and figures of their pages."""

import shutil
from pathlib import Path

import pytest

from benchmarks.report import figures_of, fill, play
from tournaments.store import Store
from tournaments.verify import verify_store

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")


def test_a_longer_run_has_the_results_of_a_shorter_one_and_its_page_has_figures(
    tmp_path: Path,
) -> None:
    played = play(tmp_path / "played", 2)
    more = fill(tmp_path / "more", 13, played)
    with Store.read(played / "run") as store:
        assert store.counts().finished == 12
        assert all(wrong is None for _, wrong in verify_store(store))
    with Store.read(more / "run") as store:
        assert store.counts().finished == 24
        assert {len(set(match.seats.values())) for match in store.finished()} == {2}
    figures = {figure.name: figure for figure in figures_of("24", more, 1)}
    assert figures["24: replays in it"].values == [24]
    assert figures["24: page"].reached
    assert all(value > 0 for figure in figures.values() for value in figure.values)
