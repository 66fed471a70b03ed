"""Standings: what is counted, and who is before whom."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from tests.tournaments.finished import RATING, bot, league, match, solo_match, stand
from tournaments.ratings.rating import Ratings
from tournaments.storage.results import FinishedMatch


def test_wins_draws_losses_and_points_are_counted_for_the_bot_at_the_side() -> None:
    found = stand(
        [
            match(0, "a", "b", "NS", (100.0, 40.0), deals=3),
            match(1, "b", "a", "NS", (50.0, 30.0), deals=2),
            match(2, "a", "b", "EW", (-10.0, 80.0), deals=4),
            match(3, "a", "b", None, (5.0, 5.0), deals=1),
        ]
    )
    a, b = bot(found, "a"), bot(found, "b")
    assert (a.played, a.won, a.drawn, a.lost) == (4, 1, 1, 2)
    assert (b.played, b.won, b.drawn, b.lost) == (4, 2, 1, 1)
    assert a.points_per_deal == (60 - 20 - 90 + 0) / 10
    assert b.points_per_deal == -a.points_per_deal


def test_ratings_are_the_fold_in_schedule_order_and_leave_draws_out() -> None:
    found = stand(
        [match(0, "a", "b"), match(1, "b", "c", None), match(2, "c", "a", "EW")], labels="abc"
    )
    ratings = Ratings(RATING)
    ratings.finish({("a",): 0, ("b",): 1})
    ratings.finish({("a",): 0, ("c",): 1})
    for each in found.bots:
        mu, sigma = ratings.of(each.name)
        assert each.mu == pytest.approx(mu, abs=1e-9)
        assert each.sigma == pytest.approx(sigma, abs=1e-9)
        assert each.rating == each.mu - 3 * each.sigma


def test_one_win_comes_to_the_reference_values() -> None:
    a, b = stand([match(0, "a", "b")]).bots
    assert (a.name, a.mu, a.sigma) == ("a", 27.102610435, 8.0637134)
    assert (b.name, b.mu, b.sigma) == ("b", 22.897389565, 8.0637134)


def test_equal_ratings_share_a_rank_and_stand_by_name() -> None:
    found = stand([match(0, "y", "x")], labels=["z", "m", "x", "y"])
    assert [(each.rank, each.name) for each in found.bots] == [
        (1, "y"),
        (2, "m"),
        (2, "z"),
        (4, "x"),
    ]


def test_before_the_first_match_all_are_first_and_nothing_is_made_up() -> None:
    found = stand([], labels="ba", scheduled=2)
    assert [(each.rank, each.name, each.played) for each in found.bots] == [
        (1, "a", 0),
        (1, "b", 0),
    ]
    assert {each.points_per_deal for each in found.bots} == {None}
    assert {each.points_per_deal_ci95 for each in found.bots} == {None}
    assert not found.complete


def test_faults_are_counted_for_the_bot_whose_seats_they_were() -> None:
    found = stand(
        [
            match(0, "a", "b", faults={"N": {"timeout": 2}, "S": {"timeout": 1, "exit": 1}}),
            match(1, "b", "a", faults={"N": {"illegal": 1}, "W": {"exit": 1}}),
        ]
    )
    assert bot(found, "a").faults == {"exit": 2, "timeout": 3}
    assert list(bot(found, "a").faults) == ["exit", "timeout"]
    assert bot(found, "b").faults == {"illegal": 1}


def test_a_forfeit_in_the_first_deal_counts_as_a_match_and_not_in_the_points() -> None:
    found = stand([match(0, "a", "b", "EW", deals=0)])
    assert (bot(found, "b").won, bot(found, "b").points_per_deal) == (1, None)
    later = match(1, "a", "b", "NS", (30.0, 10.0), deals=2)
    assert bot(stand([match(0, "a", "b", "EW", deals=0), later]), "a").points_per_deal == 10.0


@pytest.mark.parametrize(
    ("finished", "scheduled", "complete"),
    [(2, 2, True), (2, 3, False), (0, 1, False), (0, 0, False)],
)
def test_a_tournament_is_complete_when_all_is_finished(
    finished: int, scheduled: int, complete: bool
) -> None:
    found = stand((match(n, "a", "b") for n in range(finished)), scheduled=scheduled)
    assert found.complete == complete
    assert (found.matches.finished, found.matches.scheduled) == (finished, scheduled)


# The interval


@pytest.mark.parametrize(("pairs", "given"), [(9, False), (10, True)])
def test_an_interval_needs_ten_mirrored_pairs(pairs: int, given: bool) -> None:
    for each in stand(league(pairs)).bots:
        assert (each.points_per_deal_ci95 is not None) == given


def test_an_interval_holds_the_points_and_is_the_opponents_turned_over() -> None:
    found = stand(league(40))
    a, b = bot(found, "a"), bot(found, "b")
    assert a.points_per_deal is not None
    assert a.points_per_deal_ci95 is not None
    low, high = a.points_per_deal_ci95
    assert low < a.points_per_deal < high
    assert b.points_per_deal_ci95 == (-high, -low)


def test_the_luck_that_both_legs_share_is_not_taken_for_uncertainty() -> None:
    random = Random(3)
    luck = [random.gauss(0, 300) for _ in range(20)]
    finished = [
        match(2 * pair + leg, "ab"[leg], "ba"[leg], points=(each, 0.0), leg=leg)
        for pair, each in enumerate(luck)
        for leg in (0, 1)
    ]
    assert bot(stand(finished, mirror=True), "a").points_per_deal_ci95 == (0.0, 0.0)
    single = [replace(each, leg=0) for each in finished]
    low, high = bot(stand(single, mirror=False), "a").points_per_deal_ci95 or (0.0, 0.0)
    assert high - low > 10


def test_half_a_pair_is_no_unit_of_the_interval() -> None:
    whole = list(league(12))
    cut = [each for each in whole if each.number not in (3, 8)]
    assert (
        bot(stand(cut), "a").points_per_deal_ci95
        == bot(
            stand([each for each in whole if each.number not in (2, 3, 8, 9)]), "a"
        ).points_per_deal_ci95
    )


def test_without_mirror_each_match_is_a_unit() -> None:
    finished = [match(n, "a", "b", points=(float(n), 0.0)) for n in range(10)]
    assert bot(stand(finished, mirror=False), "a").points_per_deal_ci95 is not None
    assert bot(stand(finished[:9], mirror=False), "a").points_per_deal_ci95 is None


# Solo play


def test_in_solo_play_one_wins_three_lose_and_points_are_less_the_mean_of_the_others() -> None:
    found = stand(
        [solo_match(0, "abcd", (510, 300, -20, 300), points=(400, 250, -20, 300), deals=10)],
        labels="abcd",
        form="solo",
    )
    for name, counts, points in [
        ("a", (1, 0, 0), 400 - (250 - 20 + 300) / 3),
        ("b", (0, 0, 1), 250 - (400 - 20 + 300) / 3),
        ("c", (0, 0, 1), -20 - (400 + 250 + 300) / 3),
        ("d", (0, 0, 1), 300 - (400 + 250 - 20) / 3),
    ]:
        one = bot(found, name)
        assert (one.won, one.drawn, one.lost) == counts
        assert one.points_per_deal == pytest.approx(points / 10, abs=1e-9)
    assert sum(each.points_per_deal or 0 for each in found.bots) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize(
    ("score", "drawn", "lost"),
    [
        ((400, 400, 100, 50), "ab", "cd"),
        ((400, 50, 400, 400), "acd", "b"),
        ((7, 7, 7, 7), "abcd", ""),
        ((-90, -200, -90, -300), "ac", "bd"),
    ],
)
def test_level_at_the_top_at_max_deals_those_have_drawn_and_the_others_lost(
    score: tuple[int, ...], drawn: str, lost: str
) -> None:
    found = stand([solo_match(0, "abcd", score)], labels="abcd", form="solo")
    for each in found.bots:
        expected = (0, 1, 0) if each.name in drawn else (0, 0, 1)
        assert (each.won, each.drawn, each.lost) == expected
    if lost:
        assert min(bot(found, name).mu for name in drawn) > max(bot(found, n).mu for n in lost)


def test_in_solo_play_bots_are_rated_by_their_places_in_schedule_order() -> None:
    found = stand(
        [
            solo_match(0, "abcd", (510, 300, -20, 200)),
            solo_match(1, "dabc", (100, 100, 505, 502), leg=1),
            solo_match(2, "cdab", (5, 100, 9, 100), leg=2),
        ],
        labels="abcd",
        form="solo",
    )
    ratings = Ratings(RATING, "solo")
    ratings.finish({("a",): 0, ("b",): 1, ("c",): 3, ("d",): 2})
    ratings.finish({("d",): 2, ("a",): 2, ("b",): 0, ("c",): 1})
    ratings.finish({("c",): 3, ("d",): 0, ("a",): 2, ("b",): 0})
    for each in found.bots:
        assert (each.mu, each.sigma) == pytest.approx(ratings.of(each.name), abs=1e-8)


def test_a_winner_is_first_in_the_rating_whatever_the_score() -> None:
    by_forfeit = replace(match(0, "a", "b", "EW", forfeited="NS"), score={"NS": 400, "EW": -100})
    found = stand([by_forfeit])
    assert bot(found, "b").mu > 25 > bot(found, "a").mu
    assert (bot(found, "b").won, bot(found, "a").lost) == (1, 1)


def test_a_solo_forfeit_is_lost_by_the_offender_and_counts_for_nobody_else() -> None:
    found = stand(
        [
            solo_match(
                0,
                "abcd",
                (300, 0, 200, 100),
                points=(300, 0, 200, 100),
                deals=4,
                forfeited="N",
                faults={"N": {"timeout": 1}},
            )
        ],
        labels="abcd",
        form="solo",
    )
    a = bot(found, "a")
    assert (a.played, a.won, a.drawn, a.lost, a.faults) == (1, 0, 0, 1, {"timeout": 1})
    assert a.mu < 25
    assert a.points_per_deal == 50.0  # of the finished deals, in which it led
    for name in "bcd":
        other = bot(found, name)
        assert (other.played, other.mu, other.sigma) == (0, 25.0, round(25 / 3, 9))
        assert other.faults == {}


def test_in_solo_play_faults_are_those_of_the_bot_at_the_seat() -> None:
    found = stand(
        [
            solo_match(0, "abcd", (4, 3, 2, 1), faults={"E": {"illegal": 2}, "W": {"exit": 1}}),
            solo_match(1, "dabc", (4, 3, 2, 1), leg=1, faults={"S": {"illegal": 1}}),
        ],
        labels="abcd",
        form="solo",
    )
    assert {each.name: each.faults for each in found.bots} == {
        "a": {},
        "b": {"illegal": 3},
        "c": {},
        "d": {"exit": 1},
    }


def solo_league(encounters: int) -> Iterator[FinishedMatch]:
    """The four legs of each encounter: what a seat's cards are worth is the same in all of them."""
    random = Random(9)
    for encounter in range(encounters):
        luck = [random.gauss(0, 300) for _ in range(4)]
        for leg in range(4):
            order = "abcd"[leg:] + "abcd"[:leg]
            skill = [{"a": 40.0, "b": 10.0, "c": -10.0, "d": -40.0}[each] for each in order]
            points = [each + cards for each, cards in zip(skill, luck, strict=True)]
            yield solo_match(
                4 * encounter + leg, order, [round(p) for p in points], points=points, leg=leg
            )


@pytest.mark.parametrize(("encounters", "given"), [(9, False), (10, True)])
def test_in_solo_play_the_four_legs_of_an_encounter_are_one_unit_of_the_interval(
    encounters: int, given: bool
) -> None:
    found = stand(solo_league(encounters), labels="abcd", form="solo")
    for each in found.bots:
        assert (each.points_per_deal_ci95 is not None) == given
        if each.points_per_deal_ci95 is not None:
            # The luck of the cards went round the table: nothing is left of it.
            assert each.points_per_deal_ci95 == pytest.approx((each.points_per_deal,) * 2, abs=1e-5)


def test_in_solo_play_without_mirror_each_match_is_a_unit() -> None:
    finished = [each for each in solo_league(10) if each.number % 4 == 0]
    finished = [replace(each, number=each.number // 4) for each in finished]
    found = stand(finished[:10], labels="abcd", form="solo", mirror=False)
    low, high = bot(found, "a").points_per_deal_ci95 or (0.0, 0.0)
    assert high - low > 10
    fewer = stand(finished[:9], labels="abcd", form="solo", mirror=False)
    assert bot(fewer, "a").points_per_deal_ci95 is None


@pytest.mark.parametrize(
    "missing",
    [{0}, {3}, {5, 6}, {7, 8}, {3, 4}, {1, 2, 3}, {0, 1, 2, 3}, {4, 5, 6, 8, 9, 10}, {2, 47}],
)
def test_an_encounter_of_which_a_leg_is_missing_is_no_unit(missing: set[int]) -> None:
    whole = list(solo_league(12))
    torn = {number // 4 for number in missing}
    cut = [each for each in whole if each.number not in missing]
    sound = [each for each in whole if each.number // 4 not in torn]
    found, expected = (
        bot(stand(matches, labels="abcd", form="solo"), "a").points_per_deal_ci95
        for matches in (cut, sound)
    )
    assert found is not None
    assert found == expected
