"""Standings: what all results say whatever their order, and who has met whom."""

from random import Random

import pytest
from msgspec.structs import replace

from tests.tournaments.finished import bot, league, match, solo_match, stand
from tournaments.ratings.crosstable import Opponents
from tournaments.ratings.meetings import Meeting
from tournaments.ratings.strength import strengths
from tournaments.standings.standings import Standings


def test_strengths_are_those_of_all_results_about_their_mean() -> None:
    found = stand(league(40))
    a, b = bot(found, "a"), bot(found, "b")
    expected = strengths("ab", [scored(found)])
    assert a.elo == pytest.approx(expected.elo("a"), abs=1e-8)
    assert a.elo_ci95 == pytest.approx(expected.interval("a"), abs=1e-8)
    assert b.elo == -(a.elo or 0.0)
    assert b.elo_ci95 == tuple(-end for end in reversed(a.elo_ci95 or ()))
    assert found.superiority == [
        [None, pytest.approx(expected.superiority("a", "b"), abs=1e-4)],
        [pytest.approx(expected.superiority("b", "a"), abs=1e-4), None],
    ]


def scored(found: Standings) -> Meeting:
    """The one meeting of the bots of `league`, counted anew."""
    legs = [1.0 if each.winner == ("NS", "EW")[each.leg] else 0.0 for each in league(40)]
    gained = [one + other for one, other in zip(legs[::2], legs[1::2], strict=True)]
    squares = sum(each * each for each in gained)
    return Meeting(((("a",), ("b",), 2),), len(gained), [sum(gained)], [[squares]])


def test_in_whatever_order_results_come_all_but_the_rating_is_the_same() -> None:
    random = Random(8)
    whole = [
        match(2 * number + leg, pair[leg], pair[1 - leg], winner, leg=leg)
        for number in range(60)
        for pair in [random.sample("abcd", 2)]
        for leg in (0, 1)
        for winner in [random.choice(["NS", "EW", None])]
    ]
    once = stand(whole, labels="abcd")
    encounters = [whole[place : place + 2] for place in range(0, len(whole), 2)]
    random.shuffle(encounters)
    other = stand(
        [
            replace(each, number=2 * number + leg)
            for number, legs in enumerate(encounters)
            for leg, each in enumerate(legs)
        ],
        labels="dbca",
    )
    names = [each.name for each in once.bots]
    assert {(each.name, each.elo, each.elo_ci95) for each in once.bots} == {
        (each.name, each.elo, each.elo_ci95) for each in other.bots
    }
    places = [[each.name for each in other.bots].index(name) for name in names]
    assert once.superiority == [[other.superiority[i][j] for j in places] for i in places]
    met = {(each.bot, each.opponent): each.score for each in other.crosstable}
    met |= {(each.opponent, each.bot): each.played - each.score for each in other.crosstable}
    assert len(once.crosstable) == 6
    for each in once.crosstable:
        assert each.score == met[each.bot, each.opponent]
        assert names.index(each.bot) < names.index(each.opponent)


def test_the_crosstable_has_wins_half_draws_and_forfeits() -> None:
    found = stand(
        [
            match(0, "a", "b", "NS"),
            match(1, "b", "a", None, leg=1),
            match(2, "a", "b", "NS", forfeited="EW", deals=0),
        ]
    )
    assert found.crosstable == [Opponents("a", "b", 3, 2.5)]
    assert (found.format, found.partners) == ("pairs", None)


def test_of_a_bot_that_has_met_nobody_nothing_is_claimed_and_nothing_changes() -> None:
    found, without = stand(league(10), labels="abc"), stand(league(10))
    new = bot(found, "c")
    assert (new.elo, new.elo_ci95) == (None, None)
    for name in "ab":
        assert bot(found, name).elo == bot(without, name).elo
    assert [each.name for each in found.bots] == ["a", "b", "c"]
    likely = without.superiority
    assert found.superiority == [
        [None, likely[0][1], None],
        [likely[1][0], None, None],
        [None, None, None],
    ]
    assert found.crosstable == without.crosstable


def test_before_the_first_match_there_are_no_strengths() -> None:
    found = stand([], labels="ba")
    assert [(each.elo, each.elo_ci95) for each in found.bots] == [(None, None)] * 2
    assert found.superiority == [[None, None], [None, None]]
    assert found.crosstable == []
    assert stand([], labels="").superiority == []


def test_who_has_left_counts_and_who_is_disqualified_does_not_stand_there() -> None:
    finished = [*league(10), match(20, "a", "c"), match(21, "c", "a", leg=1)]
    found = stand(finished, labels="abcde", statuses={"c": "superseded", "d": "disqualified"})
    names = [each.name for each in found.bots]
    assert sorted(names) == ["a", "b", "c", "e"]
    assert {(each.bot, each.opponent) for each in found.crosstable} == {
        tuple(sorted(pair, key=names.index)) for pair in ("ab", "ac")
    }
    assert len(found.superiority) == 4


def test_solo_places_are_scores_against_each_of_the_three() -> None:
    found = stand(
        [solo_match(0, "abcd", (510, 300, -20, 300)), solo_match(1, "dabc", (9, 9, 9, 9), leg=1)],
        labels="abcd",
        form="solo",
    )
    assert (found.format, found.partners) == ("solo", None)
    assert [(e.bot + e.opponent, e.played, e.score) for e in found.crosstable] == [
        ("ad", 2, 1.5),
        ("ab", 2, 1.5),
        ("ac", 2, 1.5),
        ("db", 2, 1.0),
        ("dc", 2, 1.5),
        ("bc", 2, 1.5),
    ]


def test_a_solo_forfeit_is_a_loss_to_each_of_the_three_and_nobody_elses() -> None:
    played = solo_match(0, "abcd", (300, 0, 200, 100), forfeited="E")
    found = stand([played], labels="abcd", form="solo")
    assert {(e.bot, e.opponent, e.score) for e in found.crosstable} == {
        ("a", "b", 1.0), ("c", "b", 1.0), ("d", "b", 1.0)
    }  # fmt: skip
