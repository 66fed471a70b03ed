"""Points a deal: the streaming sums against the formula written out, and the interval's honesty."""

from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.margin import FEWEST_UNITS, Margin, student_quantile

UNITS = st.lists(
    st.tuples(st.integers(-20_000, 20_000).map(lambda n: n / 10), st.integers(1, 60)),
    min_size=FEWEST_UNITS,
    max_size=50,
)


def margin(units: list[tuple[float, int]]) -> Margin:
    found = Margin()
    for points, deals in units:
        found.add(points, deals)
    return found


@given(UNITS)
def test_the_streamed_interval_is_that_of_the_residuals(units: list[tuple[float, int]]) -> None:
    n, deals = len(units), sum(deals for _, deals in units)
    ratio = sum(points for points, _ in units) / deals
    residuals = [points - ratio * deals for points, deals in units]
    error = sqrt(n / (n - 1) * sum(r * r for r in residuals)) / deals
    found = margin(units)
    interval = found.interval()
    assert interval is not None
    low, high = interval
    assert found.per_deal == pytest.approx(ratio, abs=1e-9)
    assert (low + high) / 2 == pytest.approx(ratio, abs=1e-6)
    assert (high - low) / 2 == pytest.approx(student_quantile(n - 1) * error, rel=1e-6, abs=1e-3)


def test_longer_units_weigh_more() -> None:
    assert margin([(10.0, 1), (0.0, 9)]).per_deal == 1.0


@pytest.mark.parametrize(
    ("units", "interval"),
    [
        ([], False),
        ([(5.0, 2)] * (FEWEST_UNITS - 1), False),
        ([(5.0, 2)] * FEWEST_UNITS, True),
        ([(5.0, 2)] * (FEWEST_UNITS - 1) + [(0.0, 0)], False),
    ],
)
def test_an_interval_needs_ten_units_with_deals(
    units: list[tuple[float, int]], interval: bool
) -> None:
    assert (margin(units).interval() is not None) == interval


@pytest.mark.parametrize("per_deal", [0.1, 7.7, -30.0])
def test_units_that_all_agree_leave_no_width(per_deal: float) -> None:
    # At 7.7 rounding takes the sum of these squares below 0.
    units = [(per_deal * deals, deals) for deals in (20, 7, 20, 2, 19, 22, 6, 14, 21, 13)]
    assert margin(units).interval() == pytest.approx((per_deal, per_deal), abs=1e-6)


def test_without_deals_there_are_no_points_a_deal() -> None:
    assert margin([]).per_deal is None
    assert margin([(0.0, 0)]).per_deal is None


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(9, 2.2622), (14, 2.1448), (29, 2.0452), (120, 1.9799)]
)
def test_the_quantile_is_students(degrees: int, quantile: float) -> None:
    assert student_quantile(degrees) == pytest.approx(quantile, abs=1e-3)


def test_the_interval_of_twelve_pairs_holds_the_truth_about_95_times_in_100() -> None:
    random = Random(1)
    held = 0
    for _ in range(1000):
        deals = [random.randrange(10, 26) for _ in range(12)]
        points = [2.0 * n + random.gauss(0, 65) * sqrt(n) for n in deals]
        low, high = margin(list(zip(points, deals, strict=True))).interval() or (0, 0)
        held += low <= 2.0 <= high
    assert 930 <= held <= 970
