"""Schedules: every pairing equally often, seats balanced, and nothing moves when bots are added."""

import tracemalloc
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import combinations, groupby, pairwise
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.cards import SEATS, Seat
from tests.tournaments.schedules.scheduled import Match, schedule, settings
from tournaments.files.vocabulary import Format, ScheduleName
from tournaments.schedules.schedule import (
    Encounter,
    encounters,
    least_bots,
    legs,
    match_key,
    seats,
    total,
)
from tournaments.tournament import ScheduleSettings

NAMES = st.lists(st.text("abcz019._-", min_size=1, max_size=4), min_size=2, max_size=9, unique=True)


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[ScheduleSettings, list[str]]:
    bots = draw(NAMES)
    of: tuple[str, ...] = ()
    kind: Literal["round_robin", "gauntlet"] = draw(st.sampled_from(["round_robin", "gauntlet"]))
    if kind == "gauntlet":
        challengers = draw(st.lists(st.sampled_from(bots), min_size=1, unique=True))
        of = tuple(challengers[: len(bots) - 1])
    return settings(kind, draw(st.integers(1, 4)), draw(st.booleans()), of), bots


def sides(match: Match) -> tuple[str, str]:
    return match.seats["N"], match.seats["E"]


def pairing(match: Match) -> frozenset[str]:
    return frozenset(sides(match))


def matches_by_encounter(
    matches: Iterable[Match],
) -> dict[tuple[int, frozenset[str]], list[Match]]:
    found: dict[tuple[int, frozenset[str]], list[Match]] = {}
    for match in matches:
        found.setdefault((match.cycle, pairing(match)), []).append(match)
    return found


def test_four_bots_four_rounds_and_mirrors_are_48_matches() -> None:
    matches = list(schedule(settings(rounds=4), ["a", "b", "c", "d"]))
    assert len(matches) == 48
    assert Counter(pairing(match) for match in matches) == {
        frozenset(pair): 8 for pair in combinations("abcd", 2)
    }


def test_the_order_is_by_cycle_round_of_the_circle_pairing_and_leg() -> None:
    matches = schedule(settings(rounds=2), ["a", "b", "c", "d"])
    assert [(m.number, m.cycle, m.leg, *sides(m)) for m in matches][:14] == [
        (0, 0, 0, "a", "d"),
        (1, 0, 1, "d", "a"),
        (2, 0, 0, "b", "c"),
        (3, 0, 1, "c", "b"),
        (4, 0, 0, "a", "c"),
        (5, 0, 1, "c", "a"),
        (6, 0, 0, "b", "d"),
        (7, 0, 1, "d", "b"),
        (8, 0, 0, "a", "b"),
        (9, 0, 1, "b", "a"),
        (10, 0, 0, "c", "d"),
        (11, 0, 1, "d", "c"),
        (12, 1, 0, "d", "a"),
        (13, 1, 1, "a", "d"),
    ]


def test_a_gauntlet_pairs_each_challenger_with_every_other_bot() -> None:
    matches = schedule(settings("gauntlet", mirror=False, of=("x", "y")), ["a", "x", "b", "y", "c"])
    assert Counter(map(pairing, matches)) == {
        frozenset((challenger, other)): 1 for challenger in "xy" for other in "abc"
    }


def test_a_gauntlet_knows_a_later_version_of_a_challenger_by_its_name() -> None:
    matches = schedule(settings("gauntlet", mirror=False, of=("x",)), ["a", "x@2", "b"])
    assert list(map(pairing, matches)) == [frozenset(("x@2", "a")), frozenset(("x@2", "b"))]


@given(tournaments())
def test_every_pairing_meets_equally_often(tournament: tuple[ScheduleSettings, list[str]]) -> None:
    chosen, bots = tournament
    times = chosen.rounds * (2 if chosen.mirror else 1)
    found = Counter(map(pairing, schedule(chosen, bots)))
    expected = {
        frozenset(pair)
        for pair in combinations(bots, 2)
        if chosen.type == "round_robin" or len(set(pair) & set(chosen.of)) == 1
    }
    assert found == dict.fromkeys(expected, times)


@given(tournaments())
def test_the_total_is_the_count_and_numbers_are_places(
    tournament: tuple[ScheduleSettings, list[str]],
) -> None:
    chosen, bots = tournament
    numbers = [match.number for match in schedule(chosen, bots)]
    assert numbers == list(range(total(chosen, len(bots))))


@given(tournaments())
def test_seats_are_balanced(tournament: tuple[ScheduleSettings, list[str]]) -> None:
    chosen, bots = tournament
    for match in schedule(chosen, bots):
        assert match.seats["N"] == match.seats["S"] != match.seats["E"] == match.seats["W"]
    north = Counter((pairing(m), m.seats["N"]) for m in schedule(chosen, bots))
    for pair, _ in north:
        one, other = (north[pair, bot] for bot in pair)
        assert abs(one - other) <= (0 if chosen.mirror else chosen.rounds % 2)


@given(tournaments())
def test_legs_stand_next_to_each_other_with_the_sides_changed_over(
    tournament: tuple[ScheduleSettings, list[str]],
) -> None:
    chosen, bots = tournament
    for _, group in groupby(schedule(chosen, bots), key=lambda m: (m.cycle, pairing(m))):
        met = list(group)
        assert [match.leg for match in met] == list(range(2 if chosen.mirror else 1))
        assert {sides(match) for match in met[1:]} == {sides(met[0])[::-1] for _ in met[1:]}


@example((settings("gauntlet", of=("p", "q", "r", "s", "t")), list("pqrstabc")))
@given(tournaments())
def test_no_bot_is_paired_twice_in_a_round(
    tournament: tuple[ScheduleSettings, list[str]],
) -> None:
    chosen, bots = tournament
    pairs = [pairing(m) for m in schedule(chosen, bots) if m.cycle == 0 and m.leg == 0]
    size = min(len(chosen.of), len(bots) - len(chosen.of)) if chosen.of else len(bots) // 2
    for start in range(0, len(pairs), size):
        playing = [bot for pair in pairs[start : start + size] for bot in pair]
        assert len(playing) == len(set(playing))


@given(tournaments(), NAMES, st.integers(0, 3))
def test_adding_bots_or_rounds_leaves_every_other_match_as_it_was(
    tournament: tuple[ScheduleSettings, list[str]], others: list[str], rounds: int
) -> None:
    chosen, bots = tournament
    longer = settings(chosen.type, chosen.rounds + rounds, chosen.mirror, chosen.of)
    more = [*(bot for bot in reversed(others) if bot not in bots), *bots]
    before = matches_by_encounter(schedule(chosen, bots))
    after = matches_by_encounter(schedule(longer, more))
    for encounter, matches in before.items():
        assert [(m.leg, m.seats) for m in matches] == [(m.leg, m.seats) for m in after[encounter]]


# Solo play


def test_a_solo_encounter_turns_the_table_until_every_bot_had_every_seat() -> None:
    matches = schedule(settings(rounds=2), ["d", "b", "a", "c"], "solo")
    assert [(m.number, m.cycle, m.leg, "".join(m.seats.values())) for m in matches] == [
        (0, 0, 0, "abcd"),
        (1, 0, 1, "bcda"),
        (2, 0, 2, "cdab"),
        (3, 0, 3, "dabc"),
        (4, 1, 0, "bdca"),
        (5, 1, 1, "dcab"),
        (6, 1, 2, "cabd"),
        (7, 1, 3, "abdc"),
    ]


@pytest.mark.parametrize("mirror", [True, False])
def test_in_solo_play_every_bot_has_every_other_before_it_equally_often(mirror: bool) -> None:
    rounds = 6 if mirror else 24
    before = Counter(
        (match.seats[SEATS[i - 1]], match.seats[SEATS[i]])
        for match in schedule(settings(rounds=rounds, mirror=mirror), list("abcd"), "solo")
        for i in range(4)
    )
    assert set(before.values()) == {8}
    assert len(before) == 12


@st.composite
def solo_tournaments(draw: st.DrawFn) -> tuple[ScheduleSettings, list[str]]:
    names = st.text("abcz019._-", min_size=1, max_size=4)
    bots = draw(st.lists(names, min_size=4, max_size=4, unique=True))
    return settings(rounds=draw(st.integers(1, 9)), mirror=draw(st.booleans())), bots


@given(solo_tournaments())
def test_every_solo_match_seats_every_bot_and_the_total_is_the_count(
    tournament: tuple[ScheduleSettings, list[str]],
) -> None:
    chosen, bots = tournament
    matches = list(schedule(chosen, bots, "solo"))
    assert all(list(match.seats) == list(SEATS) for match in matches)
    assert all(sorted(match.seats.values()) == sorted(bots) for match in matches)
    turns = 4 if chosen.mirror else 1
    assert [(m.cycle, m.leg) for m in matches] == [
        (cycle, leg) for cycle in range(chosen.rounds) for leg in range(turns)
    ]
    assert [match.number for match in matches] == list(range(total(chosen, 4, "solo")))
    assert len(matches) == chosen.rounds * turns


@given(solo_tournaments())
def test_over_four_legs_or_four_cycles_every_bot_sits_once_in_each_seat(
    tournament: tuple[ScheduleSettings, list[str]],
) -> None:
    chosen, bots = tournament
    matches = list(schedule(chosen, bots, "solo"))
    for start in range(0, len(matches) - 3, 4):
        four = matches[start : start + 4]
        for seat in SEATS:
            assert sorted(match.seats[seat] for match in four) == sorted(bots)
    seated = Counter((seat, bot) for match in matches for seat, bot in match.seats.items())
    counts = [seated[seat, bot] for seat in SEATS for bot in bots]
    assert max(counts) - min(counts) <= (0 if chosen.mirror else 1)


@given(solo_tournaments())
def test_solo_cycles_that_follow_each_other_differ(
    tournament: tuple[ScheduleSettings, list[str]],
) -> None:
    chosen, bots = tournament
    first_legs = [match.seats for match in schedule(chosen, bots, "solo") if match.leg == 0]
    assert all(one != other for one, other in pairwise(first_legs))


@given(solo_tournaments(), st.integers(0, 5), st.randoms(use_true_random=False))
def test_more_solo_rounds_or_another_order_of_the_file_change_no_match(
    tournament: tuple[ScheduleSettings, list[str]], rounds: int, random: Random
) -> None:
    chosen, bots = tournament
    before = list(schedule(chosen, bots, "solo"))
    random.shuffle(bots)
    longer = settings(rounds=chosen.rounds + rounds, mirror=chosen.mirror)
    assert list(schedule(longer, bots, "solo"))[: len(before)] == before


def test_in_a_solo_gauntlet_of_three_others_a_challenger_meets_them_all_at_once() -> None:
    chosen = settings("gauntlet", rounds=2, of=("x", "y"))
    found = [(e.cycle, "".join(sorted(e.around))) for e in encounters(chosen, "axbyc", "solo")]
    assert found == [(0, "abcx"), (0, "abcy"), (1, "abcx"), (1, "abcy")]


# Every format


@pytest.mark.parametrize(
    ("form", "mirror", "expected"),
    [
        ("pairs", False, 1),
        ("pairs", True, 2),
        ("rotating", False, 1),
        ("rotating", True, 2),
        ("solo", False, 1),
        ("solo", True, 4),
    ],
)
def test_an_encounter_has_a_leg_for_each_way_to_seat_it(
    form: Format, mirror: bool, expected: int
) -> None:
    assert legs(form, mirror=mirror) == expected


@pytest.mark.parametrize(
    ("around", "expected"),
    [("ab", ["abab", "baba"]), ("abcd", ["abcd", "bcda", "cdab", "dabc"])],
)
def test_each_leg_turns_the_table_by_a_seat(around: str, expected: list[str]) -> None:
    found = [seats(Encounter(0, tuple(around)), leg) for leg in range(len(expected))]
    assert ["".join(at[seat] for seat in SEATS) for at in found] == expected


@pytest.mark.parametrize(
    ("form", "type", "of", "least"),
    [
        ("pairs", "round_robin", (), 2),
        ("pairs", "swiss", (), 2),
        ("pairs", "gauntlet", ("x", "y"), 3),
        ("rotating", "round_robin", (), 4),
        ("rotating", "gauntlet", ("x",), 4),
        ("solo", "gauntlet", ("x", "y"), 5),
    ],
)
def test_a_schedule_has_bots_enough_for_its_tables(
    form: Format, type: ScheduleName, of: tuple[str, ...], least: int
) -> None:
    chosen = settings(type, of=of)
    assert least_bots(chosen, form) == least
    assert total(chosen, least, form) > 0
    if type != "swiss":
        assert next(encounters(chosen, "xyabc"[:least], form))
        with pytest.raises(ValueError, match="too few"):
            encounters(chosen, "xyabc"[: least - 1], form)


@pytest.mark.parametrize("type", ["swiss", "adaptive"])
def test_what_results_draw_has_no_encounters_before_its_time(type: ScheduleName) -> None:
    with pytest.raises(ValueError, match="drawn bit by bit"):
        encounters(settings(type), "abcd", "pairs")


@pytest.mark.parametrize(
    ("form", "type", "of", "expected"),
    [
        ("pairs", "round_robin", (), [12, 20, 42, 56, 156]),
        ("pairs", "gauntlet", ("x",), [6, 8, 12, 14, 24]),
        ("pairs", "swiss", (), [4, 4, 6, 8, 12]),
        ("pairs", "adaptive", (), [12, 20, 42, 56, 156]),
        ("rotating", "round_robin", (), [6, 10, 42, 28, 78]),
        ("rotating", "gauntlet", ("x",), [6, 8, 12, 14, 24]),
        ("rotating", "swiss", (), [6, 6, 6, 12, 18]),
        ("solo", "round_robin", (), [4, 20, 28, 32, 52]),
        ("solo", "gauntlet", ("x",), [4, 16, 24, 28, 48]),
        ("solo", "swiss", (), [4, 4, 4, 8, 12]),
    ],
)
def test_so_many_matches_have_4_5_7_8_and_13_bots_in_a_cycle(
    form: Format, type: ScheduleName, of: tuple[str, ...], expected: list[int]
) -> None:
    for number, matches in zip((4, 5, 7, 8, 13), expected, strict=True):
        assert total(settings(type, of=of), number, form) == matches
        assert total(settings(type, rounds=3, mirror=False, of=of), number, form) == (
            3 * matches // legs(form, mirror=True)
        )
        if type not in ("swiss", "adaptive"):
            bots = ["x", *"abcdefghijkl"][:number]
            assert len(list(schedule(settings(type, of=of), bots, form))) == matches


# Keys

PLAYERS: dict[Seat, tuple[str, str]] = {
    "N": ("a", "11"),
    "E": ("b", "22"),
    "S": ("a", "11"),
    "W": ("b", "22"),
}
KEY: dict[str, Any] = {
    "comparable": b'{"rules":{}}',
    "deal_key": "dd",
    "cycle": 0,
    "leg": 1,
    "players": PLAYERS,
}


def test_a_key_is_the_sha256_of_a_text_that_may_never_change() -> None:
    text = (
        r'["spades-arena match 1","{\"rules\":{}}","dd",0,1,'
        '[["N","a","11"],["E","b","22"],["S","a","11"],["W","b","22"]]]'
    )
    assert match_key(**KEY) == sha256(text.encode()).hexdigest()


def test_a_key_does_not_depend_on_the_order_in_which_seats_are_given() -> None:
    assert match_key(**KEY | {"players": dict(reversed(PLAYERS.items()))}) == match_key(**KEY)


@pytest.mark.parametrize(
    "change",
    [
        {"comparable": b'{"rules":{"target":250}}'},
        {"deal_key": "de"},
        {"cycle": 1},
        {"leg": 0},
        {"cycle": 1, "leg": 0},
        {"players": PLAYERS | {"N": ("a", "12")}},
        {"players": PLAYERS | {"N": ("a1", "1")}},
        {"players": PLAYERS | {"N": ("b", "22"), "E": ("a", "11")}},
    ],
)
def test_a_key_depends_on_all_that_a_match_is_played_with(change: dict[str, Any]) -> None:
    assert match_key(**KEY | change) != match_key(**KEY)


def test_a_long_schedule_is_never_held_in_memory() -> None:
    bots = [f"bot{i}" for i in range(40)]
    tracemalloc.start()
    try:
        count = sum(1 for _ in schedule(settings(rounds=33), bots))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == total(settings(rounds=33), 40) == 51_480
    assert peak < 1_000_000
