"""Tables of four: all meet all as evenly as can be, in a cycle and over several."""

import tracemalloc
from collections import Counter, defaultdict
from hashlib import sha256
from itertools import combinations, islice, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import deal_key, first_dealer
from tests.tournaments.schedules.scheduled import (
    opponents,
    pairs_of,
    partners,
    schedule,
    seat_spread,
    settings,
    spread,
)
from tournaments.files.vocabulary import Format, ScheduleName
from tournaments.schedules.circle import Differences
from tournaments.schedules.schedule import Encounter, encounters, legs, seats, total
from tournaments.tournament import ScheduleSettings

FOURS: tuple[Format, ...] = ("rotating", "solo")


def names(number: int) -> list[str]:
    return [f"bot{i:02}" for i in range(number)]


def together(encounter: Encounter, form: Format) -> frozenset[Any]:
    """What an encounter is but for the way round the table: two partnerships, or four bots."""
    if form == "solo":
        return frozenset(encounter.around)
    return frozenset(frozenset(encounter.around[i::2]) for i in range(2))


BOTS = st.integers(4, 40).map(names)
ROUNDS = st.integers(1, 4)


@st.composite
def gauntlets(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Challengers and others."""
    bots = names(draw(st.integers(4, 30)))
    challengers = draw(st.integers(1, min(4, len(bots) - 3)))
    return bots[:challengers], bots[challengers:]


@st.composite
def designs(draw: st.DrawFn) -> tuple[ScheduleSettings, list[str], Format]:
    challengers, others = draw(gauntlets())
    rounds, mirror, form = draw(ROUNDS), draw(st.booleans()), draw(st.sampled_from(FOURS))
    if draw(st.booleans()):
        return settings("round_robin", rounds, mirror), [*challengers, *others], form
    of = tuple(challengers)
    return settings("gauntlet", rounds, mirror, of), [*challengers, *others], form


# Round robins


@pytest.mark.parametrize(
    ("number", "expected"), [(4, 3), (5, 5), (6, 15), (7, 21), (8, 14), (9, 18), (13, 39)]
)
def test_a_rotating_cycle_is_half_as_many_encounters_as_pairs_or_as_many(
    number: int, expected: int
) -> None:
    assert len(list(encounters(settings(), names(number), "rotating"))) == expected


@given(BOTS, ROUNDS)
def test_in_rotating_everybody_partners_everybody_equally_often(
    bots: list[str], rounds: int
) -> None:
    played = partners(schedule(settings(rounds=rounds, mirror=False), bots, "rotating"))
    once = 1 if len(bots) % 4 in (0, 1) else 2
    assert played == dict.fromkeys(pairs_of(bots), once * rounds)


@given(BOTS, ROUNDS, st.sampled_from(FOURS))
def test_everybody_opposes_everybody_equally_often_within_two(
    bots: list[str], rounds: int, form: Format
) -> None:
    met = opponents(schedule(settings(rounds=rounds, mirror=False), bots, form), form)
    assert spread(met[pair] for pair in pairs_of(bots)) <= 2
    assert min(met[pair] for pair in pairs_of(bots)) > 0 or form == "solo"


@pytest.mark.parametrize("form", FOURS)
@pytest.mark.parametrize("number", [4, 5, 7, 8, 13])
def test_small_leagues_are_even_after_every_cycle(number: int, form: Format) -> None:
    bots = names(number)
    for rounds in (1, 2, 3, 4):
        matches = list(schedule(settings(rounds=rounds), bots, form))
        met = opponents(matches, form)
        # Legs count a meeting again.
        assert spread(met[pair] for pair in pairs_of(bots)) <= 2 * legs(form, mirror=True)
        assert seat_spread(matches) <= (3 if form == "rotating" and number % 2 == 0 else 0)
        if form == "rotating":
            assert spread(partners(matches)[pair] for pair in pairs_of(bots)) == 0


@pytest.mark.parametrize(("number", "times"), [(4, 1), (5, 3), (7, 2), (13, 1)])
def test_where_there_is_a_perfect_solo_design_it_is_played(number: int, times: int) -> None:
    met = opponents(schedule(settings(mirror=False), names(number), "solo"), "solo")
    assert met == dict.fromkeys(pairs_of(names(number)), times)


@pytest.mark.parametrize(("number", "times"), [(4, 2), (5, 2), (7, 4)])
def test_where_there_is_a_perfect_rotating_design_it_is_played(number: int, times: int) -> None:
    met = opponents(schedule(settings(mirror=False), names(number), "rotating"), "rotating")
    assert met == dict.fromkeys(pairs_of(names(number)), times)


@given(BOTS, ROUNDS, st.booleans(), st.sampled_from(FOURS))
def test_in_a_round_robin_every_bot_plays_as_many_matches_as_any_other(
    bots: list[str], rounds: int, mirror: bool, form: Format
) -> None:
    matches = schedule(settings(rounds=rounds, mirror=mirror), bots, form)
    played = Counter(bot for match in matches for bot in match.seats.values())
    assert spread(played[bot] for bot in bots) == 0


@given(BOTS, ROUNDS, st.booleans())
def test_every_bot_has_every_seat_equally_often_where_all_are_in_the_circle(
    bots: list[str], rounds: int, mirror: bool
) -> None:
    chosen = settings(rounds=rounds, mirror=mirror)
    if len(bots) > 4:
        assert seat_spread(schedule(chosen, bots, "solo")) == 0
    assert seat_spread(schedule(chosen, bots, "rotating")) <= (0 if len(bots) % 2 else 3)


@pytest.mark.parametrize("form", FOURS)
@pytest.mark.parametrize("number", [9, 12, 23, 61])
def test_after_any_encounter_all_have_played_about_as_often(number: int, form: Format) -> None:
    played = Counter(names(number))
    for encounter in encounters(settings(), names(number), form):
        played.update(encounter.around)
        assert spread(played.values()) <= 7


@given(BOTS)
def test_neighbours_change_sides(bots: list[str]) -> None:
    """Who plays before a bot tells it something: nobody has another always before it."""
    before: Counter[tuple[str, str]] = Counter()
    for encounter in encounters(settings(rounds=4), bots, "rotating"):
        before.update(pairwise((*encounter.around, encounter.around[0])))
    assert all(before[one, other] and before[other, one] for one, other in combinations(bots, 2))


# Gauntlets


@given(gauntlets(), ROUNDS)
def test_a_rotating_challenger_has_every_other_with_it_once_and_against_it_twice(
    bots: tuple[list[str], list[str]], rounds: int
) -> None:
    challengers, others = bots
    chosen = settings("gauntlet", rounds, False, tuple(challengers))
    matches = list(schedule(chosen, [*others, *challengers], "rotating"))
    with_it, against = partners(matches), opponents(matches, "rotating")
    for challenger in challengers:
        for other in others:
            assert with_it[frozenset((challenger, other))] == rounds
            assert against[frozenset((challenger, other))] == 2 * rounds
    assert not {*pairs_of(challengers)} & {*with_it, *against}
    assert spread(with_it[pair] for pair in pairs_of(others)) <= 1
    assert spread(against[pair] for pair in pairs_of(others)) <= 3


@given(gauntlets(), ROUNDS)
def test_a_solo_challenger_meets_every_other_three_times_a_cycle(
    bots: tuple[list[str], list[str]], rounds: int
) -> None:
    challengers, others = bots
    chosen = settings("gauntlet", rounds, False, tuple(challengers))
    met = opponents(schedule(chosen, [*challengers, *others], "solo"), "solo")
    times = rounds * (1 if len(others) == 3 else 3)
    for challenger in challengers:
        assert {met[frozenset((challenger, other))] for other in others} == {times}
    assert not {*pairs_of(challengers)} & met.keys()
    assert spread(met[pair] for pair in pairs_of(others)) <= 3


@pytest.mark.parametrize("challengers", [0, 1, 2, 5])
def test_six_around_a_table_are_even_again_and_again(challengers: int) -> None:
    bots = names(6 + challengers)
    kind: ScheduleName = "gauntlet" if challengers else "round_robin"
    for rounds, within in ((4, 2), (10, 0), (40, 0), (41, 2)):
        chosen = settings(kind, rounds, False, tuple(bots[6:]))
        met = opponents(schedule(chosen, bots, "solo"), "solo")
        assert spread(met[pair] for pair in pairs_of(bots[:6])) <= within


# All of them


@given(designs())
def test_at_a_table_of_four_sit_four_and_no_table_comes_twice_in_a_cycle(
    design: tuple[ScheduleSettings, list[str], Format],
) -> None:
    *_, form = design
    seen: defaultdict[int, set[frozenset[Any]]] = defaultdict(set)
    for encounter in encounters(*design):
        assert len(set(encounter.around)) == 4
        table = together(encounter, form)
        assert table not in seen[encounter.cycle]
        seen[encounter.cycle].add(table)


@given(designs())
def test_seats_differ_by_little(
    design: tuple[ScheduleSettings, list[str], Format],
) -> None:
    chosen, _, form = design
    assert seat_spread(schedule(*design)) <= (0 if form == "solo" and chosen.mirror else 4)


@given(designs())
def test_a_longer_tournament_begins_like_a_shorter_one(
    design: tuple[ScheduleSettings, list[str], Format],
) -> None:
    chosen, bots, form = design
    longer = settings(chosen.type, chosen.rounds + 1, chosen.mirror, chosen.of)
    found = list(schedule(chosen, bots, form))
    assert list(islice(schedule(longer, bots, form), len(found))) == found
    assert [match.number for match in found] == list(range(total(chosen, len(bots), form)))


@given(designs())
def test_in_the_legs_of_an_encounter_each_bot_or_side_deals_first_once(
    design: tuple[ScheduleSettings, list[str], Format],
) -> None:
    chosen, bots, form = design
    for encounter in islice(encounters(chosen, bots, form), 40):
        dealer = first_dealer(deal_key("seed 1", encounter.around, encounter.cycle))
        dealers = [seats(encounter, leg)[dealer] for leg in range(4 if form == "solo" else 2)]
        if form == "solo":
            assert sorted(dealers) == sorted(encounter.around)
        else:
            assert {encounter.around.index(bot) % 2 for bot in dealers} == {0, 1}


@pytest.mark.parametrize("form", FOURS)
@pytest.mark.parametrize(("type", "of"), [("round_robin", ()), ("gauntlet", ("bot07",))])
def test_a_thousand_bots_are_no_reason_to_wait(
    form: Format, type: ScheduleName, of: tuple[str, ...]
) -> None:
    first = list(islice(encounters(settings(type, of=of), names(1000), form), 999))
    assert len({together(encounter, form) for encounter in first}) == 999


@pytest.mark.parametrize("form", FOURS)
def test_a_long_schedule_of_tables_of_four_is_never_held_in_memory(form: Format) -> None:
    chosen, bots = settings(rounds=4), names(80)
    tracemalloc.start()
    try:
        count = sum(1 for _ in encounters(chosen, bots, form))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count * (4 if form == "solo" else 2) == total(chosen, 80, form)
    assert peak < 250_000


@pytest.mark.parametrize(
    ("form", "type", "number", "expected"),
    [
        ("rotating", "round_robin", 5, "893dbdd540a86121"),
        ("rotating", "round_robin", 10, "719dea2ace049134"),
        ("rotating", "gauntlet", 7, "bcc74ed863809a10"),
        ("solo", "round_robin", 9, "6988c01230977ab4"),
        ("solo", "gauntlet", 7, "854724ee512c8a1f"),
    ],
)
def test_a_league_that_goes_on_finds_the_tables_it_began_with(
    form: Format, type: ScheduleName, number: int, expected: str
) -> None:
    """Other tables, however even, would have to be played from the beginning."""
    of = ("bot00", "bot01") if type == "gauntlet" else ()
    found = encounters(settings(type, rounds=3, of=of), names(number), form)
    text = "\n".join(" ".join([str(e.cycle), *e.around]) for e in found)
    assert sha256(text.encode()).hexdigest()[:16] == expected


# Differences


@given(st.integers(3, 30), st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=20))
def test_differences_count_how_often_two_places_meet_as_a_table_turns(
    size: int, met: list[tuple[int, int]]
) -> None:
    found = Differences(size)
    by_pair: Counter[frozenset[int]] = Counter()
    for one, other in met:
        one, other = one % size, other % size
        if one == other:
            continue
        found.add([one - other])
        by_pair.update(frozenset(((one + s) % size, (other + s) % size)) for s in range(size))
    assert found.spread() == spread(
        by_pair[frozenset(pair)] for pair in combinations(range(size), 2)
    )
    least = min(by_pair[frozenset((0, d))] for d in range(1, size))
    assert by_pair[frozenset((0, found.least(1)[0]))] == least


@pytest.mark.parametrize(
    ("evener", "other"),
    [([2, 3], [1, 2]), ([2, -3], [3, -3]), ([2, 5], [2, -2]), ([1], [1, 1])],
)
def test_what_was_used_less_or_not_twice_costs_less(evener: list[int], other: list[int]) -> None:
    found = Differences(9)
    found.add([1, -1, 8])
    assert found.cost(evener) < found.cost(other)
