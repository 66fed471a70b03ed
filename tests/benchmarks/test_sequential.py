"""The simulation of the sequential test: what it draws, and that it finds too many errors."""

import pytest

from benchmarks.sequential import TESTED, VARIANCES, Found, Scenario, chances, row, simulate

SMALL = Scenario("score .45 / .50", 0, 0.5, gates=300, max_pairs=400, seed=1)


@pytest.mark.parametrize("score", [0.45, 0.5, 0.53])
@pytest.mark.parametrize("variance", VARIANCES)
def test_pairs_have_the_mean_and_the_variance_that_are_asked_for(
    score: float, variance: float
) -> None:
    weights = chances(score, variance)
    assert sum(weights) == pytest.approx(1)
    assert all(0 <= weight <= 1 for weight in weights)
    mean = sum(w * s for w, s in zip(weights, (0, 0.5, 1), strict=True))
    spread = sum(w * (s - mean) ** 2 for w, s in zip(weights, (0, 0.5, 1), strict=True))
    assert mean == pytest.approx(score)
    assert spread == pytest.approx(variance * score * (1 - score) / 2)


def test_gates_side_by_side_end_with_few_errors_and_the_same_ones_again() -> None:
    found = simulate(SMALL)
    assert found == simulate(SMALL)
    assert found.errors < 0.12  # of 300, ten standard errors over what it is
    assert 250 < found.accepted + found.rejected <= 300
    assert 100 < found.pairs / 300 < 220
    assert row(found).startswith("| score .45 / .50 | H0 | 0.5 | 0.0")


@pytest.mark.parametrize(("errors", "reached"), [(1_000, True), (1_240, True), (1_300, False)])
def test_too_many_errors_are_found(errors: int, reached: bool) -> None:
    scenario = Scenario(next(iter(TESTED)), 1, 1.0, gates=20_000, max_pairs=9, seed=1)
    assert Found(scenario, 0, errors, 0, 0).reached == reached
