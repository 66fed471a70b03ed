"""The sequential test: its numbers, what it does at the edges, and how it goes on pair by pair."""

from collections.abc import Sequence
from math import isfinite, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.gates.sequential import (
    FEWEST_PAIRS,
    LANDSLIDE,
    STAKE,
    Hypotheses,
    SequentialTest,
    Verdict,
    decide,
    elo_of,
    estimate,
    expected_score,
    log_likelihood_ratio,
    smoothed,
)

BETTER = Hypotheses(0, 20, 0.05, 0.05)
NOT_WORSE = Hypotheses(-20, 0, 0.05, 0.05)
BY_SCORE = Hypotheses(elo_of(0.47), 0, 0.05, 0.05)
ALL = [BETTER, NOT_WORSE, BY_SCORE, Hypotheses(-5, 40, 0.01, 0.2)]

counted = st.lists(st.integers(0, 60), min_size=5, max_size=5).filter(any)
hypotheses = st.sampled_from(ALL)


def mirrored(asked: Hypotheses) -> Hypotheses:
    """The same question, asked of the other bot: who is H1 there is H0 here."""
    return Hypotheses(-asked.elo1, -asked.elo0, asked.beta, asked.alpha)


def feed(test: SequentialTest, quarters: int, limit: int = 3_000) -> int:
    """Gives the test pairs that are all alike, and returns how many it took."""
    while test.decision.verdict is None:
        test.add(quarters)
        assert test.taken_in <= limit
    return test.taken_in


# The ratio


def test_the_ratio_is_that_of_the_published_example() -> None:
    counts = (13, 37, 50, 25, 3)
    assert log_likelihood_ratio(counts, 0.5, 0.50391) == pytest.approx(-0.538, abs=5e-4)


@pytest.mark.parametrize(
    ("counts", "s0", "s1", "ratio"),
    [
        # Two outcomes leave nothing to choose: the shares are 1 - s and s.
        ((3, 7), 0.5, 0.6, 3 * log(0.4 / 0.5) + 7 * log(0.6 / 0.5)),
        # What was not seen has the share that makes the mean.
        ((0, 0, 9), 0.5, 0.6, 9 * log(0.6 / 0.5)),
        ((9, 0, 0), 0.5, 0.6, 9 * log(0.4 / 0.5)),
        ((0, 0, 0, 0, 9), 0.25, 0.75, 9 * log(3)),
        ((0, 9, 0), 0.5, 0.6, 9 * log(0.8)),
        ((5, 5, 5), 0.4, 0.6, 0.0),
        ((0, 0, 0), 0.4, 0.6, 0.0),
    ],
)
def test_the_ratio_of_what_can_be_computed_by_hand(
    counts: Sequence[float], s0: float, s1: float, ratio: float
) -> None:
    assert log_likelihood_ratio(counts, s0, s1) == pytest.approx(ratio, abs=1e-9)


@given(counted, hypotheses)
def test_the_ratio_changes_its_sign_when_the_bots_change_places(
    pairs: list[int], asked: Hypotheses
) -> None:
    one, other = decide(pairs, asked), decide(pairs[::-1], mirrored(asked))
    assert one.llr == pytest.approx(-other.llr, abs=1e-6)
    turned = {"accepted": "rejected", "rejected": "accepted", None: None}
    bounds = asked.bounds
    if min(abs(one.llr - bound) for bound in bounds) > 1e-6:
        assert other.verdict == turned[one.verdict]


@given(counted, st.integers(0, 3), hypotheses)
def test_a_better_pair_never_makes_the_ratio_smaller(
    pairs: list[int], place: int, asked: Hypotheses
) -> None:
    pairs = [count + 1 for count in pairs]
    better = list(pairs)
    better[place] -= 1
    better[place + 1] += 1
    assert decide(better, asked).llr >= decide(pairs, asked).llr - 1e-9


@given(st.integers(1, 2_000), st.integers(0, 4), st.integers(0, 3), hypotheses)
def test_the_ratio_is_finite_and_no_pair_counts_more_than_it_can(
    count: int, place: int, others: int, asked: Hypotheses
) -> None:
    pairs = [others] * 5
    pairs[place] = count
    s0, s1 = expected_score(asked.elo0), expected_score(asked.elo1)
    most = max(log(s1 / s0), log((1 - s0) / (1 - s1)))
    for counts in (pairs, smoothed(pairs)):
        ratio = log_likelihood_ratio(counts, s0, s1)
        assert isfinite(ratio)
        assert abs(ratio) <= sum(counts) * most + 1e-6


# Verdicts


def test_bounds_come_from_the_error_rates() -> None:
    assert BETTER.bounds == pytest.approx((-log(19), log(19)))
    assert Hypotheses(0, 20, 0.01, 0.2).bounds == pytest.approx((log(0.2 / 0.99), log(80)))


def test_the_smallest_error_rates_have_finite_bounds_and_decide_nothing_at_once() -> None:
    strict = Hypotheses(0, 20, 1e-320, 1e-320)
    assert all(map(isfinite, strict.bounds))
    assert decide([0, 0, 0, 0, 20], strict).verdict is None


@pytest.mark.parametrize(
    ("asked", "quarters", "verdict", "pairs"),
    [
        (BETTER, 4, "accepted", 10),
        (BETTER, 0, "rejected", 9),
        (BETTER, 2, "rejected", 70),
        (NOT_WORSE, 4, "accepted", 9),
        (NOT_WORSE, 0, "rejected", 10),
        (NOT_WORSE, 2, "accepted", 70),
        (BY_SCORE, 2, "accepted", 67),
        (BY_SCORE, 0, "rejected", 10),
        (Hypotheses(0, 400, 0.05, 0.05), 4, "accepted", FEWEST_PAIRS),
        (Hypotheses(0, 400, 0.05, 0.05), 0, "rejected", FEWEST_PAIRS),
    ],
)
def test_clones_and_sweeps_are_decided_soon(
    asked: Hypotheses, quarters: int, verdict: Verdict, pairs: int
) -> None:
    test = SequentialTest(asked)
    assert feed(test, quarters) == pairs
    assert test.decision.verdict == verdict


def test_one_pair_lost_puts_a_landslide_off() -> None:
    test = SequentialTest(BETTER)
    test.add(0)
    assert 10 < feed(test, 4) < 30
    assert test.decision.landslide


@given(counted, hypotheses, st.integers(0, 2**32))
def test_what_pairs_say_does_not_depend_on_their_order(
    pairs: list[int], asked: Hypotheses, seed: int
) -> None:
    wide = Hypotheses(asked.elo0, asked.elo1, 1e-200, 1e-200)  # it goes on whatever comes
    scores = [quarters for quarters, count in enumerate(pairs) for _ in range(count)]
    Random(seed).shuffle(scores)
    test = SequentialTest(wide)
    for quarters in scores:
        test.add(quarters)
    assert test.pairs == pairs
    assert test.decision == decide(pairs, wide)


def test_quarters_are_outcomes_only_where_a_match_was_drawn() -> None:
    assert smoothed([1, 0, 2, 0, 3]) == [1.5, 2.5, 3.5]
    assert smoothed([1, 1, 2, 0, 3]) == [1.5, 1.5, 2.5, 0.5, 3.5]


@pytest.mark.parametrize("mean", [0.05, 0.47, 0.5, 0.9])
def test_nobody_expects_to_win_a_bet_on_a_landslide(mean: float) -> None:
    # Each pair multiplies the capital by a number that is 1 on average, whatever is drawn.
    factors = [1 + STAKE * (value / mean - 1) for value in (0, 0.5, 1)]
    assert min(factors) > 0
    for even in (0.0, 0.02):
        won = mean - even / 2
        shares = (1 - won - even, even, won)
        expected = sum(s * f for s, f in zip(shares, factors, strict=True))
        assert expected == pytest.approx(1)
    assert log(LANDSLIDE / 0.05) > BETTER.bounds[1]


# The estimate


def test_elo_and_score_are_each_others_inverse() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    for elo in (-1000, -20, 0, 35.5, 1000):
        assert elo_of(expected_score(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize(
    ("pairs", "least", "most"),
    [
        ([0, 0, 67, 0, 0], 0.0, 0.0),
        ([0, 0, 0, 0, 10], 300.0, 600.0),
        ([1000, 0, 0, 0, 0], -2_500.0, -1_000.0),
        ([200, 0, 500, 0, 300], 34.0, 36.0),
        ([0, 100, 0, 100, 0], -0.1, 0.1),
    ],
)
def test_the_estimate_is_finite_and_within_its_interval(
    pairs: list[int], least: float, most: float
) -> None:
    found = estimate(pairs)
    assert least <= found.elo <= most
    assert found.low < found.elo < found.high
    turned = estimate(pairs[::-1])
    assert (turned.elo, turned.low) == pytest.approx((-found.elo, -found.high))


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    random, within, rounds = Random(5), 0, 2_000
    weights = (0.2, 0.0, 0.5, 0.0, 0.3)
    for _ in range(rounds):
        drawn = random.choices(range(5), weights, k=150)
        found = estimate([drawn.count(quarters) for quarters in range(5)])
        within += found.low <= elo_of(0.55) <= found.high
    assert 0.93 < within / rounds < 0.97
