"""Who has met whom, and how that went: sums over meetings, counted by hand."""

import pytest

from tests.tournaments.ratings.test_meetings import LEVEL, LOST, WON, met, pairs, table
from tournaments.ratings.crosstable import Opponents, Partners, opponents, partners
from tournaments.ratings.meetings import Meeting


def test_wins_and_half_draws_of_the_bot_that_stands_higher() -> None:
    found = met(pairs("a", "b", WON, LEVEL), pairs("b", "a", WON, WON), pairs("a", "b", WON))
    assert opponents(found, "ab") == [Opponents("a", "b", 5, 2.5)]
    assert opponents(found, "ba") == [Opponents("b", "a", 5, 2.5)]
    (more,) = opponents(met(pairs("a", "b", WON, LEVEL)), "ba")
    assert more == Opponents("b", "a", 2, 0.5)


def test_each_two_that_have_met_stand_there_once_in_the_order_of_the_ranking() -> None:
    found = met(pairs("a", "b", WON, WON), pairs("c", "a", WON, LOST), pairs("d", "c", WON, WON))
    assert opponents(found, "dbca") == [
        Opponents("d", "c", 2, 2.0),
        Opponents("b", "a", 2, 0.0),
        Opponents("c", "a", 2, 1.0),
    ]


def test_of_partners_each_has_met_both_opponents() -> None:
    """a and c beat b and d, a and b beat c and d, a and d are level with b and c."""
    found = met([table("abcd", (0, 1))], [table("acbd", (0, 1))], [table("abdc", (0, 0))])
    assert opponents(found, "abcd") == [
        Opponents("a", "b", 2, 1.5),
        Opponents("a", "c", 2, 1.5),
        Opponents("a", "d", 2, 2.0),
        Opponents("b", "c", 2, 1.0),
        Opponents("b", "d", 2, 1.5),
        Opponents("c", "d", 2, 1.5),
    ]
    assert partners(found, "abcd") == [
        Partners("a", "b", 1, 1.0),
        Partners("a", "c", 1, 1.0),
        Partners("a", "d", 1, 0.5),
        Partners("b", "c", 1, 0.5),
        Partners("b", "d", 1, 0.0),
        Partners("c", "d", 1, 0.0),
    ]


def test_partners_are_named_in_the_order_of_the_ranking() -> None:
    found = met([table("abcd", (0, 1))])
    assert partners(found, "dcba") == [Partners("d", "b", 1, 0.0), Partners("c", "a", 1, 1.0)]


def test_a_forfeit_at_a_table_of_four_is_between_the_offender_and_its_opponents() -> None:
    found = met([table("abcd", (1, 0), "N")])
    assert opponents(found, "abcd") == [Opponents("a", "b", 1, 0.0), Opponents("a", "d", 1, 0.0)]
    assert partners(found, "abcd") == []


def test_in_solo_play_each_has_met_each_and_there_are_no_partners() -> None:
    found = met([table("abcd", (-1, 1, 1, 3))], players="solo")
    scores = {each.bot + each.opponent: each.score for each in opponents(found, "abcd")}
    assert scores == {"ab": 1, "ac": 1, "ad": 1, "bc": 0.5, "bd": 1, "cd": 1}
    assert partners(found, "abcd") == []


@pytest.mark.parametrize("none", [opponents([], ""), opponents([], "ab"), partners([], "ab")])
def test_without_meetings_nobody_has_met(none: list[object]) -> None:
    assert none == []


def test_a_bot_that_is_not_ranked_is_a_mistake_of_ours() -> None:
    found: list[Meeting] = met(pairs("a", "b", WON, LOST))
    with pytest.raises(KeyError):
        opponents(found, "a")
