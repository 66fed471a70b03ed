"""Rotating partners: what a match says of each of four bots, and of one that forfeits."""

import math

import pytest
from msgspec.structs import replace

from protocol.cards import SEATS, Seat
from protocol.messages import FaultKind
from tests.tournaments.finished import RATING, bot, match, stand
from tournaments.ratings.crosstable import Opponents, Partners
from tournaments.ratings.rating import BETA, Ratings, environment
from tournaments.standings.standings import Standings
from tournaments.storage.results import FinishedMatch


def rotating_match(
    number: int,
    around: str,
    winner: str | None = "NS",
    *,
    points: tuple[float, float] = (0.0, 0.0),
    deals: int = 8,
    leg: int = 0,
    offender: Seat | None = None,
    faults: dict[Seat, dict[FaultKind, int]] | None = None,
) -> FinishedMatch:
    """One of four bots, each a letter, clockwise from N on."""
    forfeited = None if offender is None else "NS" if offender in "NS" else "EW"
    played = match(number, "", "", winner, points, deals, leg, faults, forfeited)
    seats = dict(zip(SEATS, around, strict=True))
    return replace(played, seats=seats, offender=offender)


def standings(*matches: FinishedMatch) -> Standings:
    return stand(matches, labels="abcd", form="rotating")


def test_both_partners_win_or_lose_and_the_points_are_their_side_s() -> None:
    found = standings(rotating_match(0, "acbd", "EW", points=(180, 300), deals=6))
    for name, won, points in [("a", 0, -20), ("b", 0, -20), ("c", 1, 20), ("d", 1, 20)]:
        one = bot(found, name)
        assert (one.won, one.drawn, one.lost) == (won, 0, 1 - won)
        assert one.points_per_deal == points


def test_a_side_is_rated_as_a_team_of_its_two_bots() -> None:
    found = standings(rotating_match(0, "acbd"), rotating_match(1, "cadb", "EW", leg=1))
    library = environment(replace(RATING, beta=RATING.beta * math.sqrt(2)))
    new = library.create_rating()
    one, other = library.rate([(new, new), (new, new)], ranks=[0, 1])
    one, other = library.rate([one, other], ranks=[0, 1])
    for name, rating in zip("abcd", (*one, *other), strict=True):
        assert (bot(found, name).mu, bot(found, name).sigma) == pytest.approx(
            (rating.mu, rating.sigma), abs=1e-8
        )


def test_two_against_two_come_to_the_reference_value_at_the_beta_that_it_was_made_with() -> None:
    ratings = Ratings(replace(RATING, beta=50 / 3 / BETA["rotating"]), "rotating")
    ratings.finish({("a", "b"): 0, ("c", "d"): 1})
    for name in "ab":
        assert ratings.of(name) == pytest.approx((26.486770096794, 8.199631645612), abs=1e-9)
    for name in "cd":
        assert ratings.of(name) == pytest.approx((50 - 26.486770096794, 8.199631645612), abs=1e-9)


@pytest.mark.parametrize("offender", SEATS)
def test_a_forfeit_is_lost_by_the_offender_and_costs_its_partner_nothing(offender: Seat) -> None:
    played = rotating_match(1, "acbd", None, offender=offender, faults={offender: {"exit": 1}})
    before = standings(rotating_match(0, "abcd"))
    found = standings(rotating_match(0, "abcd"), played)
    name = played.seats[offender]
    for other in set("abcd") - {name}:
        now, then = bot(found, other), bot(before, other)
        assert now == replace(then, rank=now.rank, elo=now.elo, elo_ci95=now.elo_ci95)
    after, earlier = bot(found, name), bot(before, name)
    assert (after.lost, after.won) == (earlier.lost + 1, earlier.won)
    assert after.mu < earlier.mu
    assert after.faults == {"exit": 1}


def test_the_offender_of_a_forfeit_is_rated_as_losing_to_each_of_its_two_opponents() -> None:
    found = standings(rotating_match(0, "acbd", "EW", offender="N"))
    library = environment(replace(RATING, beta=RATING.beta * BETA["rotating"]))
    loser = library.create_rating()
    for _ in range(2):
        _, (loser,) = library.rate([(library.create_rating(),), (loser,)])
    assert bot(found, "a").mu == pytest.approx(loser.mu, abs=1e-8)
    assert bot(found, "a").sigma == pytest.approx(loser.sigma, abs=1e-8)


def test_a_level_end_is_drawn_by_all_four_and_leaves_the_ratings() -> None:
    found = standings(rotating_match(0, "acbd", None))
    for one in found.bots:
        assert (one.drawn, one.played, one.mu) == (1, 1, 25)


def test_the_two_legs_of_the_same_partnerships_are_one_unit_of_the_interval() -> None:
    legs = [
        rotating_match(
            2 * number + leg,
            ("acbd", "cbda")[leg],
            points=(100.0 + number, 90.0),
            leg=leg,
        )
        for number in range(10)
        for leg in (0, 1)
    ]
    assert bot(standings(*legs), "a").points_per_deal_ci95 is not None
    assert bot(standings(*legs[:-1]), "a").points_per_deal_ci95 is None


def test_partners_and_opponents_stand_by_the_ranking_with_what_they_won_together() -> None:
    """a wins with b and with c, and is level with d."""
    found = standings(
        rotating_match(0, "acbd"), rotating_match(1, "abcd"), rotating_match(2, "abdc", None)
    )
    assert [one.name for one in found.bots] == ["a", "b", "c", "d"]
    assert found.partners == [
        Partners("a", "b", 1, 1.0),
        Partners("a", "c", 1, 1.0),
        Partners("a", "d", 1, 0.5),
        Partners("b", "c", 1, 0.5),
        Partners("b", "d", 1, 0.0),
        Partners("c", "d", 1, 0.0),
    ]
    assert found.crosstable == [
        Opponents("a", "b", 2, 1.5),
        Opponents("a", "c", 2, 1.5),
        Opponents("a", "d", 2, 2.0),
        Opponents("b", "c", 2, 1.0),
        Opponents("b", "d", 2, 1.5),
        Opponents("c", "d", 2, 1.5),
    ]
    elo = {one.name: one.elo or 0.0 for one in found.bots}
    assert elo["a"] > elo["b"] > elo["d"]
    assert elo["b"] == pytest.approx(elo["c"])


def test_who_left_after_a_forfeit_of_another_is_ranked_as_it_was_there() -> None:
    played = rotating_match(0, "acbd", "EW", offender="N", deals=0)
    found = stand([played], labels="abcd", form="rotating", statuses={"c": "withdrawn"})
    assert bot(found, "c").played == 0
    assert [(each.bot, each.opponent, each.score) for each in found.crosstable] == [
        ("c", "a", 1.0),
        ("d", "a", 1.0),
    ]
