"""TrueSkill with our settings and our normal distribution, against known values."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.config import RatingSettings
from tournaments.rating import Ratings, environment

Gaussian = tuple[float, float]
"""mu and sigma."""
Teams = Sequence[Sequence[Gaussian]]

OURS = RatingSettings(mu=25, sigma=25 / 3, beta=50 / 3, tau=0)
PUBLISHED = RatingSettings(mu=25, sigma=25 / 3, beta=25 / 6, tau=25 / 300)
NEW = (25, 25 / 3)


def rate(
    settings: RatingSettings, draws: float, teams: Teams, ranks: Sequence[int]
) -> list[list[Gaussian]]:
    chosen = environment(settings, draws)
    groups = [tuple(chosen.create_rating(*rating) for rating in team) for team in teams]
    rated = chosen.rate(groups, ranks)
    return [[(rating.mu, rating.sigma) for rating in team] for team in rated]


def numbers(teams: Teams) -> Iterator[float]:
    for team in teams:
        for rating in team:
            yield from rating


@pytest.mark.parametrize(
    ("before", "ranks", "after"),
    [
        pytest.param(
            [[NEW], [NEW]],
            [0, 1],
            [[(29.39583202, 7.17147559)], [(20.60416798, 7.17147559)]],
            id="one beats one",
        ),
        pytest.param(
            [[NEW], [NEW]], [0, 0], [[(25, 6.45751966)], [(25, 6.45751966)]], id="one draws one"
        ),
        pytest.param(
            [[NEW], [(50, 12.5)]],
            [0, 0],
            [[(31.662, 7.137)], [(35.010, 7.910)]],
            id="a weak one draws a strong one",
        ),
        pytest.param(
            [[NEW] * 2] * 2,
            [0, 1],
            [[(28.108, 7.774)] * 2, [(21.892, 7.774)] * 2],
            id="two beat two",
        ),
        pytest.param([[NEW] * 2] * 2, [0, 0], [[(25, 7.455)] * 2] * 2, id="two draw two"),
        pytest.param(
            [[(15, 8), (20, 6)], [(25, 4), (30, 3)]],
            [0, 0],
            [[(21.570, 6.556), (23.696, 5.418)], [(23.357, 3.833), (29.075, 2.931)]],
            id="two weak ones draw two strong ones",
        ),
        pytest.param(
            [[(20, 8), (25, 6)], [(35, 7), (40, 5)]],
            [0, 1],
            [[(29.698, 7.008), (30.455, 5.594)], [(27.575, 6.346), (36.211, 4.768)]],
            id="two weak ones beat two strong ones",
        ),
        pytest.param(
            [[NEW] * 4] * 2,
            [0, 1],
            [[(27.198, 8.059)] * 4, [(22.802, 8.059)] * 4],
            id="four beat four",
        ),
        pytest.param(
            [[NEW], [NEW] * 2],
            [0, 1],
            [[(33.730, 7.317)], [(16.270, 7.317)] * 2],
            id="one beats two",
        ),
        pytest.param(
            [[(40, 6)], [(20, 7), (25, 8)]],
            [0, 1],
            [[(42.744, 5.602)], [(16.266, 6.359), (20.123, 7.028)]],
            id="a strong one beats two weak ones",
        ),
        pytest.param(
            [[NEW]] * 3,
            [0, 1, 2],
            [[(31.67535242, 6.65598538)], [(25, 6.20789664)], [(18.32464758, 6.65598538)]],
            id="three, each for itself",
        ),
        pytest.param(
            [[NEW]] * 4,
            [0, 1, 2, 3],
            [
                [(33.20668097, 6.34810917)],
                [(27.40145469, 5.78716293)],
                [(22.59854531, 5.78716293)],
                [(16.79331903, 6.34810917)],
            ],
            id="four, each for itself",
        ),
    ],
)
def test_published_ratings_come_out(before: Teams, ranks: list[int], after: Teams) -> None:
    found = rate(PUBLISHED, 0.10, before, ranks)
    assert list(numbers(found)) == pytest.approx(list(numbers(after)), abs=1e-3)


@pytest.mark.parametrize(
    ("teams", "quality"),
    [
        ([[NEW], [(50, 12.5)]], 0.110),
        ([[NEW] * 2] * 2, 0.447),
        ([[NEW], [NEW] * 2], 0.135),
    ],
)
def test_published_qualities_come_out(teams: Teams, quality: float) -> None:
    chosen = environment(PUBLISHED, 0.10)
    groups = [tuple(chosen.create_rating(*rating) for rating in team) for team in teams]
    assert chosen.quality(groups) == pytest.approx(quality, abs=1e-3)


@pytest.mark.parametrize(
    ("teams", "after"),
    [
        (
            [[NEW] * 2] * 2,
            [[(26.486770096794, 8.199631645612)] * 2, [(23.513229903206, 8.199631645612)] * 2],
        ),
        (
            [[NEW]] * 4,
            [
                [(28.838822595783, 7.896298336)],
                [(26.108306183935, 7.782831101)],
                [(23.891693816065, 7.782831101)],
                [(21.161177404217, 7.896298336)],
            ],
        ),
    ],
)
def test_our_settings_rate_teams_and_four_sides(teams: Teams, after: Teams) -> None:
    found = rate(OURS, 0, teams, range(len(teams)))
    assert list(numbers(found)) == pytest.approx(list(numbers(after)), abs=1e-8)


def test_a_bot_is_one_rating_and_wins_as_one() -> None:
    ratings = Ratings(OURS)
    ratings.win("a", "b")
    assert ratings.of("a") == pytest.approx((27.1026104350168, 8.063713400351164), abs=1e-12)
    assert ratings.of("b") == pytest.approx((22.8973895649832, 8.063713400351164), abs=1e-12)


def test_a_bot_without_results_has_the_rating_of_the_settings() -> None:
    settings = RatingSettings(mu=100, sigma=20, beta=10, tau=0)
    assert Ratings(settings).of("a") == (100, 20)


def test_results_are_folded_in_the_order_given() -> None:
    one, other = Ratings(OURS), Ratings(OURS)
    results = [("a", "b"), ("b", "c"), ("c", "a")]
    for winner, loser in results:
        one.win(winner, loser)
    for winner, loser in reversed(results):
        other.win(winner, loser)
    assert [one.of(bot) for bot in "abc"] != [other.of(bot) for bot in "abc"]
    for bot in "abc":
        assert one.of(bot) == pytest.approx(other.of(bot), abs=0.5)


@given(st.lists(st.permutations("abcd"), max_size=30))
def test_every_result_makes_the_winner_better_the_loser_worse_and_both_surer(
    results: list[list[str]],
) -> None:
    ratings = Ratings(OURS)
    for winner, loser, *rest in results:
        before = {bot: ratings.of(bot) for bot in "abcd"}
        ratings.win(winner, loser)
        after = {bot: ratings.of(bot) for bot in "abcd"}
        assert after[winner][0] > before[winner][0]
        assert after[loser][0] < before[loser][0]
        assert all(after[bot][1] < before[bot][1] for bot in (winner, loser))
        assert all(after[bot] == before[bot] for bot in rest)


def test_with_tau_a_rating_never_settles() -> None:
    settled, lively = (
        Ratings(OURS),
        Ratings(RatingSettings(mu=25, sigma=25 / 3, beta=50 / 3, tau=1)),
    )
    for _ in range(100):
        for ratings in (settled, lively):
            ratings.win("a", "b")
            ratings.win("b", "a")
    assert lively.of("a")[1] > settled.of("a")[1] + 1


@pytest.mark.parametrize("distance", [-1e6, -60.0, 60.0, 1e6])
def test_no_result_is_too_expected_or_too_surprising_to_be_rated(distance: float) -> None:
    winner, loser = (distance, 1.0), (0.0, 1.0)
    settings = RatingSettings(mu=25, sigma=25 / 3, beta=1e-3, tau=0)
    ((winner_after,), (loser_after,)) = rate(settings, 0, [[winner], [loser]], [0, 1])
    assert winner_after[0] >= winner[0]
    assert loser_after[0] <= loser[0]
    assert 0 < winner_after[1] <= 1


def test_tournaments_do_not_share_ratings_or_settings() -> None:
    first, second = Ratings(OURS), Ratings(PUBLISHED)
    first.win("a", "b")
    assert second.of("a") == NEW
    second.win("a", "b")
    assert first.of("a") != second.of("a")
