"""The benchmark of strength: intervals, rows, and a level that is played."""

from pathlib import Path

import pytest

from benchmarks import strength
from benchmarks.compiled import ROOT
from benchmarks.strength import Strength, interval, measure, row


@pytest.mark.parametrize(
    ("won", "matches", "low", "high"),
    [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763), (90, 100, 0.826, 0.945), (10, 10, 0.722, 1.0)],
)
def test_an_interval_is_wilsons(won: int, matches: int, low: float, high: float) -> None:
    assert interval(won, matches) == pytest.approx((low, high), abs=0.001)


def test_a_row_has_work_time_wins_and_points() -> None:
    found = Strength(30_000, 4.21, 100, 90, 25.3, (19.25, 31.4))
    assert row(found) == "| 30,000 | 4.2 | 100 | 90% (83% to 94%) | +25.3 (+19.2 to +31.4) |"
    assert "+25.3 |" in row(Strength(30_000, 4.21, 2, 2, 25.3, None))


def test_a_level_is_a_tournament_of_mirrored_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = ROOT / "sample_bots"
    monkeypatch.setattr(strength, "BOT", bots / "high_card")  # one that needs no compiler
    found = measure(tmp_path, 1, 1, bots / "random_legal", seed=1, jobs=1)
    assert (found.steps, found.matches) == (1, 2)
    assert found.won > 0
    assert found.ms > 0
