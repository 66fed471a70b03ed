"""What is counted of schedules is counted right: on worlds where it is known."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from benchmarks.needed import LEVEL, Look, Repetition, around, compare, needed, report
from benchmarks.worlds import GAP, WON, World
from tournaments.ratings.meetings import Meetings, Outcome
from tournaments.ratings.strength import strengths


def test_a_mirrored_encounter_has_the_chance_of_its_legs_and_less_variance() -> None:
    world = World("three", [2 * GAP, GAP, 0], 5)
    won = np.array(WON)
    for chance, ways in zip(world.chances, world.outcomes, strict=True):
        assert ways @ won == pytest.approx([chance, chance], abs=0.002)
    assert 0.3 < world.left < 0.95


def test_a_world_in_which_residuals_turn_the_order_over_is_refused() -> None:
    strengths_ = [4 * GAP, 2 * GAP, 0]
    refused = 0
    for seed in range(60):
        try:
            world = World("three", strengths_, seed, 0.3)
        except ValueError:
            refused += 1
        else:
            field = (world.chances - 0.5) @ world.sides
            assert list(field) == sorted(field, reverse=True)
    assert 0 < refused < 60


def test_wins_in_whole_cycles_stand_in_the_order_of_strengths() -> None:
    """So that round robins are compared by wins, with no strengths computed."""
    random, bots = np.random.default_rng(3), "abcdef"
    for _ in range(5):
        results, wins = Meetings("partners"), dict.fromkeys(bots, 0.0)
        for one in bots:
            for other in bots[bots.index(one) + 1 :]:
                for _cycle in range(4):
                    legs = [(0, 1) if random.uniform() < 0.6 else (1, 0) for _ in range(2)]
                    results.add([Outcome((one, other) * 2, places, None) for places in legs])
                    wins[one] += sum(places == (0, 1) for places in legs)
                    wins[other] += sum(places == (1, 0) for places in legs)
        found = strengths(bots, results.all())
        by_strength = [wins[bot] for bot in sorted(bots, key=found.elo, reverse=True)]
        assert by_strength == sorted(by_strength, reverse=True)


@pytest.mark.parametrize("mirror", [True, False])
def test_a_round_robin_is_right_more_often_the_longer_it_is(mirror: bool) -> None:
    world = World("four", [6 * GAP, 4 * GAP, 2 * GAP, 0], 1)
    looks = list(islice(around(world, 200, 1, mirror=mirror), 30))
    assert [look.matches for look in looks[:2]] == [12, 24]
    assert looks[0].order < 0.7 < looks[-1].order <= looks[-1].top


def test_what_is_needed_lies_between_the_first_look_that_is_right_and_the_last_that_is_not() -> (
    None
):
    def looks(*parts: float) -> Iterator[Look]:
        for number, part in enumerate([*parts, *[1.0] * 9], 1):
            yield Look(10 * number, part, 0.0)

    assert needed(looks(0.5, LEVEL, 0.9, 1), "order", 1e6) == pytest.approx((20 + 35) / 2)
    assert needed(looks(1), "order", 1e6) == pytest.approx(9.5)
    assert needed(looks(0.5), "top", 100) == float("inf")


def test_an_adaptive_repetition_stops_and_is_right_where_bots_are_far_apart() -> None:
    world = World("three", [12 * GAP, 6 * GAP, 0], 1)
    one = Repetition(world, None, np.random.default_rng(1))
    while one.stopped is None:
        one.play()
    assert one.stopped == one.matches
    assert one.right(None)


def test_adaptive_draws_need_fewer_matches_than_a_plain_round_robin() -> None:
    row = compare(World("six", [-3 * GAP * place for place in range(6)], 2), None, 12, 1)
    assert row.adaptive > 1
    assert row.stops.right > 0.5


def test_a_report_names_worlds_and_goals(capsys: pytest.CaptureFixture[str]) -> None:
    report(4, 1, quick=True)
    told = capsys.readouterr().out
    assert "the first 4, in order" in told
    assert told.count("times fewer  ") == 3
