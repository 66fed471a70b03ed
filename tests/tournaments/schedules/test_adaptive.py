"""Adaptive draws: half go around, half to what is in doubt; enough is enough, and no sooner."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tournaments.schedules.scheduled import settings
from tournaments.ratings.meetings import Meetings, Outcome
from tournaments.schedules.adaptive import BATCH, FEWEST, History, Order, budget, draw, settled
from tournaments.schedules.drawing import Adaptive
from tournaments.schedules.schedule import Encounter, encounters
from tournaments.tournament import ScheduleSettings

Results = Mapping[str, Sequence[int]]
"""Two bots, and how many of the two legs the first has won in each encounter."""

ORDER = settings("adaptive", rounds=1000)


def legs(one: str, other: str, won: int) -> list[Outcome]:
    lost, first = (1, 0), (0, 1)
    places = [first] * won + [lost] * (2 - won)
    return [Outcome((one, other) * 2, place, None) for place in places]


class Told(History):
    """A history that is told one encounter at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._met = Meetings("partners")

    def add(self, legs: Sequence[Outcome]) -> None:
        self._met.add(legs)
        self.take_in(self._met.all())


def after(results: Results) -> History:
    history = Told()
    for pair, of_pair in results.items():
        for won in of_pair:
            history.draw(pair[0], pair[1])
            history.add(legs(pair[0], pair[1], won))
    return history


def play(history: Told, met: Iterable[Encounter], chance: Mapping[str, float]) -> None:
    """The stronger wins more often, by a seed that is always the same."""
    random = Random(7)
    for one, other in (encounter.around for encounter in met):
        ahead = 0.5 + chance[one] - chance[other]
        history.add(legs(one, other, sum(random.random() < ahead for _ in range(2))))


def pairs(met: Iterable[Encounter]) -> list[str]:
    return ["".join(sorted(encounter.around)) for encounter in met]


CLEAR: Results = {"ab": [1, 2, 1, 0] * 10, "bc": [2, 2, 1, 2] * 10, "cd": [2, 2, 2, 1] * 10}
"""a and b are level, and both far ahead of c, and c of d."""


@pytest.mark.parametrize("bots", ["ab", "abc", "abcd", "abcdefg"])
def test_a_batch_has_so_many_encounters_for_each_bot_and_half_of_it_goes_around(bots: str) -> None:
    met = draw(bots, History(), ORDER)
    assert len(met) == BATCH * len(bots)
    around = pairs(encounters(settings(rounds=9), bots))
    assert pairs(met)[: len(bots)] == around[: len(bots)]


def test_the_next_batch_goes_around_from_where_the_last_has_stopped() -> None:
    history = Told()
    strength = dict(zip("abcde", (0.4, 0.3, 0.2, 0.1, 0), strict=True))
    found = []
    for _ in range(5):
        met = draw("abcde", history, ORDER)
        found += pairs(met)[:5]
        play(history, met, strength)
    assert found == pairs(encounters(settings(rounds=3), "abcde"))[:25]


def test_an_encounter_is_the_next_of_its_two_bots_as_in_a_round_robin() -> None:
    history, met = Told(), list[Encounter]()
    for _ in range(4):
        drawn = draw("abcd", history, ORDER)
        play(history, drawn, dict.fromkeys("abcd", 0.0))
        met += drawn
    times = Counter(pairs(met))
    assert max(times.values()) > min(times.values())
    in_cycles = [each for each in encounters(settings(rounds=20), "abcd") if each in met]
    assert len(in_cycles) == len(set(met)) == len(met)
    for pair, number in times.items():
        cycles = [each.cycle for each in met if {*each.around} == {*pair}]
        assert cycles == list(range(number))


@pytest.mark.parametrize(("top", "expected"), [(None, "ab"), (1, "ab"), (2, "ab"), (3, "ab")])
def test_the_other_half_goes_where_the_order_is_in_doubt(top: int | None, expected: str) -> None:
    met = draw("abcd", after(CLEAR), replace(ORDER, top=top))
    assert pairs(met)[4:] == [expected] * 4


def test_what_does_not_matter_for_the_first_places_is_left_alone() -> None:
    results = {"ab": [2, 0, 1, 2] * 5, "bc": [2, 2, 1, 2] * 9, "cd": [2, 0] * 9, "de": [2, 0] * 9}
    met = draw("abcde", after(results), replace(ORDER, top=1))
    assert set(pairs(met)[5:]) == {"ab"}
    whole = draw("abcde", after(results), ORDER)
    assert set(pairs(whole)[5:]) & {"cd", "de"}


def test_everybody_below_might_be_better_than_the_last_who_matters() -> None:
    results = {"ab": [1] * 30, "ac": [2, 0, 1] * 10, "ad": [2, 0] * 15}
    order = Order("abcd", after(results).strengths("abcd"), 1)
    assert order.decisive == [("a", "b"), ("a", "c"), ("a", "d")]
    for top in (3, 4, 9):  # more than there are left
        order = Order("abcd", after(results).strengths("abcd"), top)
        assert order.decisive == [("a", "b"), ("b", "c"), ("c", "d")]


def test_equals_stand_in_the_order_of_the_file() -> None:
    history = after({"ab": [1] * 4, "bc": [1] * 4, "ac": [1] * 4})
    assert Order("cab", history.strengths("cab"), None).bots == ["c", "a", "b"]


def test_a_new_bot_meets_who_stands_beside_it() -> None:
    met = draw("abcdn", after(CLEAR), ORDER)
    beside = Counter(pair for pair in pairs(met)[5:] if "n" in pair)
    assert beside.total() >= 2


def test_results_against_who_has_left_count() -> None:
    results = {"ax": [2] * 19, "bx": [0] * 19}
    known, unknown = after(results), History()
    assert Order("ab", known.strengths("ab"), None).confidence > 0.99
    assert Order("ab", unknown.strengths("ab"), None).confidence == 0.5
    assert pairs(draw("ab", known, ORDER)) == ["ab"] * 4


def test_a_confidence_is_what_all_that_may_be_wrong_leaves() -> None:
    found = after(CLEAR).strengths("abcd")
    wrong = [
        1 - found.superiority(one, other) for one, other in (("b", "a"), ("a", "c"), ("c", "d"))
    ]
    assert Order("abcd", found, None).confidence == pytest.approx(1 - sum(wrong), abs=1e-6)
    assert Order("abcd", History().strengths("abcd"), None).confidence == 0


def test_it_stops_when_the_order_is_right_and_not_before_everybody_has_played_enough() -> None:
    clear = {"ab": [2, 1, 2, 2] * 5, "bc": [2, 1, 2, 2] * 5}
    few = {pair: of_pair[: FEWEST - 1] for pair, of_pair in clear.items()}
    assert Order("abc", after(few).strengths("abc"), None).confidence > 0.95
    assert not settled("abc", after(few), ORDER)
    assert draw("abc", after(few), ORDER)
    assert settled("abc", after(clear), ORDER)
    assert draw("abc", after(clear), ORDER) == []


@pytest.mark.parametrize(
    ("confidence", "top", "stops"),
    [(0.95, None, False), (0.5, None, True), (0.95, 3, False), (0.5, 1, True)],
)
def test_it_stops_by_what_was_asked_for(confidence: float, top: int | None, stops: bool) -> None:
    asked = replace(ORDER, confidence=confidence, top=top)
    assert settled("abcd", after(CLEAR), asked) == stops


def test_a_budget_is_never_passed_and_a_larger_one_is_gone_on_with() -> None:
    history, wanted = Told(), settings("adaptive", rounds=3)
    sizes = []
    while met := draw("abcde", history, wanted):
        play(history, met, dict.fromkeys("abcde", 0.0))
        sizes.append(len(met))
    assert sizes == [10, 10, 10]
    assert budget("abcde", history, wanted) == 0
    assert budget("abcde", history, settings("adaptive", rounds=4)) == 10
    assert len(draw("abcd", History(), settings("adaptive", rounds=1))) == 6


def test_the_budget_is_of_those_who_play() -> None:
    history = after(CLEAR)
    assert budget("abcd", history, settings("adaptive", rounds=30)) == 180 - 120
    assert budget("abc", history, settings("adaptive", rounds=30)) == 90 - 80
    assert budget("a", history, settings("adaptive", rounds=30)) == 0


@given(st.integers(2, 9), st.integers(1, 6), st.integers(1, 4), st.booleans(), st.data())
def test_whatever_happens_a_draw_is_of_those_who_play_and_the_same_again(
    count: int, rounds: int, batches: int, mirror: bool, data: Any
) -> None:
    bots = "abcdefghi"[:count]
    top = data.draw(st.none() | st.integers(1, count - 1))
    wanted: ScheduleSettings = replace(settings("adaptive", rounds, mirror), top=top)
    twice = Told(), Told()
    for _ in range(batches):
        left = budget(bots, twice[0], wanted)
        met, again = (draw(bots, history, wanted) for history in twice)
        assert met == again
        assert len(met) <= min(left, BATCH * count)
        assert budget(bots, twice[0], wanted) == left - len(met)
        for one, other in (encounter.around for encounter in met):
            won = data.draw(st.integers(0, 2))
            for history in twice:
                history.add(legs(one, other, won)[: 2 if mirror else 1])
        assert {bot for encounter in met for bot in encounter.around} <= {*bots}


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("order", "the order is right with 96.1 % confidence"),
        ({"top": 1}, "the first is right with 96.1 % confidence"),
        ({"top": 2}, "the first 2 are right with 96.1 % confidence"),
    ],
)
def test_how_far_it_is_is_told_in_a_sentence(goal: Any, told: str) -> None:
    assert str(Adaptive(goal, 0.95, 0.9619, None, 24)) == told


def test_those_whose_own_matches_hardly_count_any_more_meet_others() -> None:
    """a and b are level by many matches, in a field where nearly everything is a surprise."""
    twisted: Results = {
        **{"ac": [0] * 10, "ad": [2] * 10, "ae": [0] * 10, "bc": [2] * 10, "bd": [0] * 10},
        **{"be": [2] * 10, "cd": [2] * 10, "ce": [0] * 10, "de": [2] * 10, "ab": [1, 2, 0] * 99},
    }
    history = after(twisted)
    assert history.strengths("abcde").counted("a", "b") < 0.5
    assert "ab" not in pairs(draw("abcde", history, ORDER))[5:]
