"""Intervals hold the truth about as often as they say, by the benchmark on a small scale."""

import numpy as np
import pytest

from benchmarks import intervals
from benchmarks.intervals import Kind, coverage, coverage_of_points, kinds


@pytest.mark.parametrize(
    ("kind", "tournaments"),
    [
        (Kind("pairs", 0.0, False, "close", 4, 12), 200),
        (Kind("pairs", None, True, "equal", 8, 12), 80),
        (Kind("pairs", None, True, "wide", 2, 40), 400),
        (Kind("rotating", None, True, "close", 6, 12), 100),
        (Kind("solo", None, True, "close", 5, 8), 70),
    ],
)
def test_strengths_and_differences_lie_in_their_intervals(kind: Kind, tournaments: int) -> None:
    found = coverage(kind, tournaments, np.random.default_rng(3))
    assert 0.92 < found.elo < 0.985
    assert 0.92 < found.differences < 0.985


@pytest.mark.parametrize("luck", [0.0, None])
def test_points_per_deal_lie_in_their_intervals(luck: float | None) -> None:
    kind = Kind("pairs", luck, luck is None, "equal", 2, 20)
    assert 0.92 < coverage_of_points(kind, 600, np.random.default_rng(3)) < 0.985


def test_too_narrow_intervals_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.ratings.strength.student_quantile", lambda degrees: 1.28)
    kind = Kind("pairs", None, True, "close", 4, 20)
    assert coverage(kind, 100, np.random.default_rng(3)).elo < 0.88


def test_bots_that_play_alike_split_each_encounter_and_are_never_told_apart() -> None:
    kind = Kind("pairs", 1.0, True, "equal", 3, 10)
    assert coverage(kind, 20, np.random.default_rng(3)) == (1, 1)


def test_each_kind_is_a_tournament_that_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = [kind for kind in kinds((2, 4), (1, 100)) if kind.rounds == 1 or kind.form == "pairs"]
    assert len(chosen) == 3 * 3 * 2 * 2 + 2 * 3
    intervals._print(chosen[:4], lambda kind: str(kind.rounds * kind.bots))
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["rounds", "2", "4"],
        [*["pairs,", "unmirrored,", "equal"], "1", "2", "4"],
        [*["pairs,", "unmirrored,", "equal"], "100", "200", "400"],
    ]
