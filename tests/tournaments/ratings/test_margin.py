"""Points a deal: the streaming sums against the formula written out, and the interval's honesty."""

from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ratings.margin import (
    FEWEST_UNITS,
    Margin,
    Margins,
    interval,
    student_quantile,
    together,
)

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
    ends = interval([found])
    assert ends is not None
    low, high = ends
    assert found.per_deal == pytest.approx(ratio, abs=1e-9)
    assert (low + high) / 2 == pytest.approx(ratio, abs=1e-6)
    assert (high - low) / 2 == pytest.approx(student_quantile(n - 1) * error, rel=1e-6, abs=1e-3)


def test_longer_units_weigh_more() -> None:
    assert margin([(10.0, 1), (0.0, 9)]).per_deal == 1.0


@pytest.mark.parametrize(
    ("units", "enough"),
    [
        ([], False),
        ([(5.0, 2)] * (FEWEST_UNITS - 1), False),
        ([(5.0, 2)] * FEWEST_UNITS, True),
        ([(5.0, 2)] * (FEWEST_UNITS - 1) + [(0.0, 0)], False),
    ],
)
def test_an_interval_needs_ten_units_with_deals(
    units: list[tuple[float, int]], enough: bool
) -> None:
    assert (interval([margin(units)]) is not None) == enough


@pytest.mark.parametrize("per_deal", [0.1, 7.7, -30.0])
def test_units_that_all_agree_leave_no_width(per_deal: float) -> None:
    # At 7.7 rounding takes the sum of these squares below 0.
    units = [(per_deal * deals, deals) for deals in (20, 7, 20, 2, 19, 22, 6, 14, 21, 13)]
    assert interval([margin(units)]) == pytest.approx((per_deal, per_deal), abs=1e-6)


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
        low, high = interval([margin(list(zip(points, deals, strict=True)))]) or (0, 0)
        held += low <= 2.0 <= high
    assert 930 <= held <= 970


def width(margins: list[Margin]) -> float:
    low, high = interval(margins) or (0.0, 0.0)
    return high - low


def test_that_one_opponent_is_weaker_than_another_makes_no_interval_wider() -> None:
    """Twelve encounters with each: about +50 and -50 a deal, give or take 5."""
    strong = [margin([(10 * (50.0 + d), 10) for d in (-5, 5) * 6])]
    weak = [margin([(10 * (-50.0 + d), 10) for d in (-5, 5) * 6])]
    alone = width(strong)
    assert width([*strong, *weak]) == pytest.approx(alone / sqrt(2), rel=0.06)
    assert width([together([*strong, *weak])]) > 5 * alone


@given(st.lists(UNITS, min_size=1, max_size=4))
def test_an_interval_over_tables_is_that_of_the_residuals_about_the_mean_of_each(
    tables: list[list[tuple[float, int]]],
) -> None:
    everything = [unit for table in tables for unit in table]
    deals = sum(deals for _, deals in everything)
    ratio = sum(points for points, _ in everything) / deals
    variance = 0.0
    for units in tables:
        off = [points - ratio * deals for points, deals in units]
        mean = sum(off) / len(off)
        variance += sum((each - mean) ** 2 for each in off) * len(off) / (len(off) - 1)
    degrees = sum(len(units) - 1 for units in tables)
    half = student_quantile(degrees) * sqrt(variance) / deals
    found = interval(map(margin, tables))
    assert found == pytest.approx((ratio - half, ratio + half), rel=1e-5, abs=1e-2)


@pytest.mark.parametrize("tables", [1, 2, 3, 6])
def test_where_few_units_are_at_many_tables_all_are_taken_together(tables: int) -> None:
    units = [(random.gauss(0, 50), 9) for random in [Random(2)] for _ in range(12)]
    apart = [margin(units[i::tables]) for i in range(tables)]
    as_one = width([margin(units)])
    assert (width(apart) == pytest.approx(as_one)) == (tables in (1, 6))


def test_tables_that_were_met_once_are_taken_together() -> None:
    units = [(float(points), 5) for points in (3, -8, 20, 11, -14, 6, 2, -9, 0, 15, 40)]
    assert interval(margin([unit]) for unit in units) == interval([margin(units)])
    repeated = margin([(30.0, 5), (34.0, 5), (26.0, 5)])
    both = width([repeated, *(margin([unit]) for unit in units)])
    assert both == pytest.approx(width([repeated, margin(units)]))
    alone = width([repeated, margin(units[:-1]), margin(units[-1:])])
    assert alone == pytest.approx(width([together([repeated, margin(units)])]))


def test_margins_are_those_of_teams_at_the_same_table() -> None:
    found = Margins()
    found.add({("a",): 30.0, ("b",): -30.0}, 8)
    found.add({("b",): 10.0, ("a",): -10.0}, 9)
    found.add({("a", "c"): 5.0, ("b", "d"): -5.0}, 7)
    of_bots = found.of_bots()
    assert of_bots["a"] == [margin([(30.0, 8), (-10.0, 9)]), margin([(5.0, 7)])]
    assert of_bots["d"] == [margin([(-5.0, 7)])]
    assert together(of_bots["b"]).points == -25.0
