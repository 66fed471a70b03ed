"""What matches say of who is better, encounter by encounter, whatever the order."""

from collections.abc import Sequence
from random import Random

import pytest

from protocol.cards import SEATS, Seat
from tournaments.ratings.meetings import Meeting, Meetings, Outcome


def pairs(one: str, other: str, *places: tuple[int, int]) -> list[Outcome]:
    """The legs of an encounter: sides changed over, places of the two in each."""
    legs = []
    for leg, (mine, theirs) in enumerate(places):
        turned = leg % 2 == 1
        bots = (other, one, other, one) if turned else (one, other, one, other)
        legs.append(Outcome(bots, (theirs, mine) if turned else (mine, theirs), None))
    return legs


def table(bots: str, places: Sequence[int], offender: Seat | None = None) -> Outcome:
    return Outcome(tuple(bots), tuple(places), offender)


def met(*encounters: list[Outcome], players: str = "partners") -> list[Meeting]:
    found = Meetings("solo" if players == "solo" else "partners")
    for legs in encounters:
        found.add(legs)
    return found.all()


WON, LOST, LEVEL = (0, 1), (1, 0), (0, 0)


@pytest.mark.parametrize(
    ("legs", "gained"),
    [
        ([WON, WON], 2.0),
        ([WON, LOST], 1.0),
        ([LOST, WON], 1.0),
        ([LOST, LOST], 0.0),
        ([LEVEL, WON], 1.5),
        ([WON], 1.0),
    ],
)
def test_the_legs_of_an_encounter_are_one_result(
    legs: list[tuple[int, int]], gained: float
) -> None:
    expected = Meeting((((("a",), ("b",), len(legs))),), 1, [gained], [[gained**2]])
    assert met(pairs("a", "b", *legs)) == [expected]


def test_who_is_named_first_makes_no_difference() -> None:
    assert met(pairs("b", "a", WON, LEVEL)) == met(pairs("a", "b", LOST, LEVEL))


def test_encounters_of_the_same_bots_are_summed_and_half_ones_stand_apart() -> None:
    found = met(
        pairs("a", "b", WON, WON), pairs("a", "b", LOST, LOST), pairs("a", "b", WON, LOST),
        pairs("b", "a", WON),
    )  # fmt: skip
    assert found == [
        Meeting(((("a",), ("b",), 1),), 1, [0.0], [[0.0]]),
        Meeting(((("a",), ("b",), 2),), 3, [3.0], [[4.0 + 0.0 + 1.0]]),
    ]


def test_partners_are_a_team_in_whatever_order_they_sit() -> None:
    (meeting,) = met([table("dbca", (0, 1)), table("bdac", (1, 0))])
    assert meeting.comparisons == ((("a", "b"), ("c", "d"), 2),)
    assert meeting.gained == [0.0]


def test_a_forfeit_at_a_table_of_four_is_behind_each_opponent_and_says_nothing_of_others() -> None:
    (meeting,) = met([table("abcd", (1, 0), "S"), table("bcda", (0, 1))])
    assert meeting.comparisons == (
        (("a", "c"), ("b", "d"), 1),
        (("b",), ("c",), 1),
        (("c",), ("d",), 1),
    )
    assert meeting.gained == [0.0, 1.0, 0.0]


def test_a_forfeit_of_two_bots_is_a_match_lost() -> None:
    assert met([Outcome(("a", "b", "a", "b"), (1, -1), "N")]) == met(pairs("a", "b", LOST))


def test_in_solo_play_each_is_compared_with_each() -> None:
    (meeting,) = met([table("abcd", (-1, 1, 1, 3))], players="solo")
    gained = {
        (one + other): share
        for ((one,), (other,), _), share in zip(meeting.comparisons, meeting.gained, strict=True)
    }
    assert gained == {"ab": 1, "ac": 1, "ad": 1, "bc": 0.5, "bd": 1, "cd": 1}


def test_a_solo_forfeit_is_behind_the_three_others() -> None:
    (meeting,) = met([table("abcd", (0, 0, 0, 0), "E")], players="solo")
    assert meeting.comparisons == tuple((tuple(p[:1]), tuple(p[1:]), 1) for p in ("ab", "bc", "bd"))
    assert meeting.gained == [1.0, 0.0, 0.0]


def test_sums_are_those_of_single_encounters_whatever_the_order() -> None:
    random = Random(3)
    encounters = [
        [table("".join(random.sample("abcdef", 4)), random.sample(range(4), 4)) for _ in SEATS]
        for _ in range(60)
    ]
    once = met(*encounters, players="solo")
    random.shuffle(encounters)
    assert met(*encounters, players="solo") == once
    assert sum(meeting.encounters for meeting in once) == 60


def test_what_is_kept_grows_with_who_has_met_and_not_with_how_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournaments.ratings.meetings.MOST_KINDS", 3)
    found, random = Meetings("partners"), Random(1)
    for _ in range(500):
        found.add(pairs("a", "b", *random.choices([WON, LOST, LEVEL], k=2)))
        assert len(found._waiting) <= 3
    (meeting,) = found.all()
    assert meeting.encounters == 500
