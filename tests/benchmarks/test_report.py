"""The benchmark of the report: runs to report on, and figures of their pages."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.report import figures_of, fill, play
from tournaments.storage.store import Store
from tournaments.verification.verify import verify_store

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")


def test_a_longer_run_has_the_results_of_a_shorter_one_and_its_page_has_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "BOTS", 2)
    played = play(tmp_path / "played", 1)
    more = fill(tmp_path / "more", 3, played)
    with Store.read(played / "run") as store:
        assert store.counts().finished == 2
        assert all(wrong is None for _, wrong in verify_store(store))
    with Store.read(more / "run") as store:
        assert store.counts().finished == 4
        assert {len(set(match.seats.values())) for match in store.finished()} == {2}
    with ThreadPoolExecutor(1) as other:  # one thread drives one browser, and tests have another
        found = other.submit(figures_of, "4", more, 1).result()
    figures = {figure.name: figure for figure in found}
    assert figures["4: replays in it"].values == [4]
    assert figures["4: page"].reached
    assert all(value > 0 for figure in figures.values() for value in figure.values)
