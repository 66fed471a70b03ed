"""Strengths: what all results at once say of bots, and how sure it is."""

from collections.abc import Iterable
from itertools import combinations
from math import exp, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ratings.likelihood import ELO, PRIOR
from tournaments.ratings.meetings import Meeting
from tournaments.ratings.strength import strengths


def met(one: str, other: str, *gained: float, legs: int = 2) -> Meeting:
    """Encounters of two bots, of so many legs, and what the first has gained in each."""
    return Meeting(
        ((tuple(one), tuple(other), legs),),
        len(gained),
        [sum(gained)],
        [[sum(share * share for share in gained)]],
    )


MOSTLY = [2.0, 1.0, 1.0, 2.0, 0.0] * 6


def test_of_bots_that_have_met_nobody_nothing_is_known() -> None:
    found = strengths(["a", "b"], [])
    assert (found.elo("a"), found.superiority("a", "b")) == (0, 0.5)
    low, high = found.interval("a")
    assert -low == high > 500


def test_of_no_bots_there_is_nothing() -> None:
    strengths([], [])


def test_many_results_come_to_the_logarithm_of_the_odds() -> None:
    found = strengths(["a", "b"], [met("a", "b", *[2.0] * 600, *[1.0] * 300, *[0.0] * 100)])
    ahead, (low, high) = found.difference("a", "b")
    assert ahead == pytest.approx(ELO * log(0.75 / 0.25), rel=0.01)
    assert low < ahead < high
    assert found.elo("a") == pytest.approx(ahead / 2) == -found.elo("b")


def test_the_likeliest_strength_under_the_prior_by_a_grid() -> None:
    def likelihood(value: float) -> float:
        """Of a at `value` and b at its opposite."""
        chance = 1 / (1 + exp(-2 * value))
        return 5 * log(chance) + log(1 - chance) - value**2 / PRIOR**2

    best = max((i / 10_000 for i in range(30_000)), key=likelihood)
    found = strengths(["a", "b"], [met("a", "b", 2, 2, 1)])
    assert found.elo("a") == pytest.approx(best * ELO, abs=0.02)


def test_whoever_never_lost_has_a_finite_strength_and_a_wide_interval() -> None:
    found = strengths(["a", "b"], [met("a", "b", *[2.0] * 50)])
    ahead, (low, high) = found.difference("a", "b")
    assert 400 < ahead < 1500
    assert low > 0
    assert high - low > 200
    assert found.superiority("a", "b") > 0.999


def test_an_even_split_on_the_same_deals_says_more_than_on_others() -> None:
    split = strengths(["a", "b"], [met("a", "b", *[1.0] * 40)])
    mixed = strengths(["a", "b"], [met("a", "b", *[0.0, 2.0] * 20)])

    def width(found: tuple[float, tuple[float, float]]) -> float:
        return found[1][1] - found[1][0]

    assert width(split.difference("a", "b")) < 0.2 * width(mixed.difference("a", "b"))
    assert split.superiority("a", "b") == mixed.superiority("a", "b") == 0.5


def test_strength_goes_on_over_third_bots() -> None:
    found = strengths("abc", [met("a", "b", *MOSTLY), met("b", "c", *MOSTLY)])
    assert found.difference("a", "c")[0] == pytest.approx(2 * found.difference("a", "b")[0])
    assert found.superiority("a", "c") > found.superiority("a", "b") > 0.9


def test_partners_are_as_strong_as_they_are_on_average() -> None:
    """a is as much stronger than the others as c is weaker: with c it is even."""
    found = strengths(
        "abcd",
        [
            met("ac", "bd", *[1.0] * 50),
            met("ab", "cd", *[1.5] * 50),
            met("ad", "bc", *[1.5] * 50),
        ],
    )
    assert found.elo("a") == pytest.approx(-found.elo("c"))
    assert found.elo("b") == pytest.approx(found.elo("d"), abs=1e-6)
    assert found.elo("a") == pytest.approx(ELO * log(3), rel=0.02)


def solo(bots: str) -> Meeting:
    """One match that ended in this order."""
    order = sorted(bots)
    against = tuple(((one,), (other,), 1) for one, other in combinations(order, 2))
    gained = [float(bots.index(one) < bots.index(other)) for (one,), (other,), _ in against]
    return Meeting(against, 1, gained, [[x * y for y in gained] for x in gained])


def summed(meetings: Iterable[Meeting]) -> Meeting:
    first, *others = meetings
    for other in others:
        first.encounters += 1
        first.gained = [x + y for x, y in zip(first.gained, other.gained, strict=True)]
        rows = zip(first.products, other.products, strict=True)
        first.products = [[x + y for x, y in zip(*row, strict=True)] for row in rows]
    return first


def test_solo_places_are_comparisons_that_belong_together() -> None:
    random = Random(2)
    orders = ["".join(random.sample("abcd", 4)) for _ in range(400)]
    found = strengths("abcd", [summed(map(solo, orders))])
    low, high = found.interval("a")
    # Sums of three comparisons a match, each of variance 1/4 and correlated by 1/3.
    assert high - low == pytest.approx(2 * 1.96 * ELO * (1.25 / 400) ** 0.5 / (3 / 4 + 1 / 4), 0.1)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4)).filter(
            lambda met: met[0] != met[1]
        ),
        max_size=30,
    )
)
def test_whatever_the_results_numbers_are_finite_and_agree(
    results: list[tuple[int, int, int]],
) -> None:
    meetings = [met("abcd"[one], "abcd"[other], gained / 2) for one, other, gained in results]
    found = strengths("abcd", meetings)
    assert sum(map(found.elo, "abcd")) == pytest.approx(0, abs=1e-6)
    for one in "abcd":
        low, high = found.interval(one)
        assert -10_000 < low <= found.elo(one) <= high < 10_000
        for other in set("abcd") - {one}:
            likely = found.superiority(one, other)
            assert likely + found.superiority(other, one) == pytest.approx(1)
            assert (likely > 0.5) == (found.difference(one, other)[0] > 0) or likely == 0.5


def test_a_bot_that_is_not_named_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        strengths(["a"], [met("a", "b", 1.0)])


def test_units_scale_alike() -> None:
    """Ten times the results: intervals narrower by the root of ten, but for prior and borrowing."""
    few = strengths("ab", [met("a", "b", *[2.0, 1.0, 0.0, 1.0] * 25)])
    many = strengths("ab", [met("a", "b", *[2.0, 1.0, 0.0, 1.0] * 250)])
    (low, high), (lower, higher) = few.interval("a"), many.interval("a")
    assert (high - low) / (higher - lower) == pytest.approx(10**0.5, rel=0.05)


def test_superiorities_are_those_of_each_two_and_none_of_whoever_is_not_known() -> None:
    found = strengths("abc", [met("a", "b", *MOSTLY), met("b", "c", *MOSTLY)])
    table = found.superiorities(["c", "new", "a", "b"])
    for one, row in zip("c?ab", table, strict=True):
        for other, likely in zip("c?ab", row, strict=True):
            if one == other or "?" in (one, other):
                assert likely is None
            else:
                assert likely == pytest.approx(found.superiority(one, other), abs=1e-12)


def test_superiorities_where_nothing_was_played() -> None:
    assert list(strengths([], []).superiorities(["a", "b"])) == [[None, None], [None, None]]
    assert list(strengths([], []).superiorities([])) == []
    assert list(strengths("ab", []).superiorities("ab")) == [[None, 0.5], [0.5, None]]


def field(bots: int, times: int, **often: list[float]) -> list[Meeting]:
    """Each two bots met as often and came out as far as they stand apart; but for some pairs."""
    meetings = []
    for one, other in combinations("abcdefgh"[:bots], 2):
        chance = 1 / (1 + exp(-0.3 * (ord(other) - ord(one))))
        ones, twos = round(2 * chance * (1 - chance) * times), round(chance**2 * times)
        gained = [2.0] * twos + [1.0] * ones + [0.0] * (times - ones - twos)
        meetings.append(met(one, other, *often.get(one + other, gained)))
    return meetings


def test_who_has_met_one_far_more_often_is_judged_by_all_where_bots_are_intransitive() -> None:
    """e beats d, whom it met ten times as often; but all others say that it is behind."""
    beaten = [0.0, 1.0, 1.0, 1.0] * 50
    twisted = {"ah": [0.0, 1.0] * 10, "bg": [2.0] * 20, "ac": [2.0] * 20, "fh": [0.0] * 20}
    found = strengths("abcdefgh", field(8, 20, de=beaten, **twisted))
    assert found.counted("d", "e") == found.counted("e", "d") < 0.5
    assert found.counted("a", "c") == 1
    assert found.elo("d") > found.elo("e")


def test_where_strengths_say_all_the_more_often_met_count_fully() -> None:
    found = strengths("abcdefgh", field(8, 40, ab=[2.0, 1.0, 1.0, 1.0, 1.0, 0.0, 2.0] * 60))
    assert found.counted("a", "b") > 0.9


@pytest.mark.parametrize("often", [{}, {"ab": [0.0] * 20, "ah": [0.0] * 20}])
def test_where_all_have_met_equally_often_all_count_fully(often: dict[str, list[float]]) -> None:
    found = strengths("abcdefgh", field(8, 20, **often))
    assert {found.counted(*pair) for pair in combinations("abcdefgh", 2)} == {1}
