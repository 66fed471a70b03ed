"""Seats of four: partners stay partners, and nobody always has the same seat."""

from random import Random

import pytest

from tests.tournaments.schedules.scheduled import spread
from tournaments.schedules.seating import Seating


@pytest.mark.parametrize(
    ("before", "around", "expected"),
    [
        ([], "abcd", "abcd"),
        (["abcd"], "abcd", "cdab"),
        (["abcd", "cdab"], "abcd", "bcda"),
        (["abcd", "cdab", "bcda"], "abcd", "dabc"),
        (["axyz"], "abcd", "cdab"),
    ],
)
def test_who_had_a_seat_is_given_another(before: list[str], around: str, expected: str) -> None:
    seating = Seating[str]()
    for table in before:
        seating.add(table)
    assert "".join(seating.seat(around)) == expected


def test_over_many_tables_seats_differ_by_little_and_partners_sit_opposite() -> None:
    random, seating = Random(3), Seating[int]()
    had = {bot: [0, 0, 0, 0] for bot in range(10)}
    for _ in range(500):
        around = random.sample(range(10), 4)
        seated = seating.seat(around)
        assert {frozenset(seated[0::2]), frozenset(seated[1::2])} == {
            frozenset(around[0::2]),
            frozenset(around[1::2]),
        }
        seating.add(seated)
        for seat, bot in enumerate(seated):
            had[bot][seat] += 1
    assert max(spread(counts) for counts in had.values()) <= 3
