"""Swiss draws: equals meet, nobody meets the same again too soon, and everybody pauses in turn."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards import SEATS
from protocol.messages import Side
from tests.tournaments.schedules.scheduled import seat_spread, settings, spread
from tests.tournaments.schedules.test_designs import names
from tournaments.files.vocabulary import Format
from tournaments.schedules.schedule import Encounter, legs, seats, total
from tournaments.schedules.swiss import History, draw
from tournaments.storage.results import FinishedMatch

FORMATS: tuple[Format, ...] = ("pairs", "rotating", "solo")


def finished(
    encounter: Encounter, leg: int, form: Format, strength: Mapping[str, float], **changes: Any
) -> FinishedMatch:
    """The stronger side has won."""
    at = seats(encounter, leg)
    sides: Sequence[Side] = SEATS if form == "solo" else ("NS", "EW")
    score = {side: round(100 * sum(strength[at[s]] for s in SEATS if s in side)) for side in sides}
    best = max(score, key=score.__getitem__)
    made: dict[str, Any] = {
        "number": 0,
        "match": "0",
        "cycle": encounter.cycle,
        "leg": leg,
        "seats": at,
        "winner": None if [*score.values()].count(score[best]) > 1 else best,
        "reason": "target",
        "forfeited": None,
        "offender": None,
        "score": score,
        "points": {side: float(points) for side, points in score.items()},
        "deals": 8,
        "faults": {},
    }
    return FinishedMatch(**made | changes)


def play(
    history: History, drawn: Iterable[Encounter], form: Format, strength: Mapping[str, float]
) -> None:
    for encounter in drawn:
        for leg in range(legs(form, mirror=True)):
            history.add(finished(encounter, leg, form, strength))


def played(bots: str, form: Format, order: str, **changes: Any) -> History:
    """After one match of these, around the table, strongest first in `order`."""
    history = History()
    strength = {bot: float(-place) for place, bot in enumerate(order)}
    history.add(finished(Encounter(0, tuple(bots)), 0, form, strength, **changes))
    return history


def tables(drawn: Iterable[Encounter]) -> list[str]:
    return ["".join(sorted(encounter.around)) for encounter in drawn]


def partnerships(drawn: Iterable[Encounter]) -> list[str]:
    return [
        "-".join(sorted("".join(sorted(encounter.around[i::2])) for i in range(2)))
        for encounter in drawn
    ]


@pytest.mark.parametrize(
    ("form", "bots", "expected"),
    [
        ("pairs", "abcd", ["ab", "cd"]),
        ("pairs", "abcde", ["ab", "cd"]),
        ("rotating", "abcd", ["abcd"] * 3),
        ("rotating", "abcdefghij", ["abcd"] * 3 + ["efgh"] * 3),
        ("solo", "abcdefghi", ["abcd", "efgh"]),
    ],
)
def test_the_first_round_is_of_neighbours_in_the_file_and_the_last_pause(
    form: Format, bots: str, expected: list[str]
) -> None:
    assert tables(draw(0, bots, History(), form)) == expected


def test_four_who_rotate_play_with_each_of_the_others_once() -> None:
    drawn = draw(0, "abcd", History(), "rotating")
    assert partnerships(drawn) == ["ad-bc", "ac-bd", "ab-cd"]


def test_equals_meet_and_not_the_same_again() -> None:
    history, strength = History(), dict(zip("abcdefgh", range(8, 0, -1), strict=True))
    rounds = []
    for round_ in range(3):
        drawn = draw(round_, "abcdefgh", history, "pairs")
        rounds.append(tables(drawn))
        play(history, drawn, "pairs", strength)
    assert rounds == [["ab", "cd", "ef", "gh"], ["ac", "eg", "bd", "fh"], ["ae", "bf", "cg", "dh"]]


@pytest.mark.parametrize(
    ("history", "better", "worse"),
    [
        (played("ab", "pairs", "ba"), "b", "a"),
        (played("abcd", "rotating", "acbd"), "c", "b"),
        (played("abcd", "solo", "dcba"), "b", "a"),
        (played("ab", "pairs", "ab", winner=None, score={"NS": 9, "EW": 9}), "a", "b"),
        (played("ab", "pairs", "ab", winner="EW", forfeited="NS", offender="N"), "b", "a"),
        (played("abcd", "solo", "abcd", winner=None, forfeited="N", offender="N"), "d", "a"),
    ],
)
def test_results_rank_by_wins_and_then_by_points(history: History, better: str, worse: str) -> None:
    def rank(bot: str) -> tuple[float, float]:
        return history.of(bot).score, history.of(bot).margin

    assert rank(better) > rank(worse)


def test_who_forfeits_pays_alone_where_partners_change() -> None:
    history = played("abcd", "rotating", "abcd", winner="EW", forfeited="NS", offender="S")
    scores = {bot: history.of(bot).score for bot in "abcd"}
    assert scores == {"a": 3.0, "b": 3.0, "c": 1.5, "d": 3.0}


def test_who_comes_late_is_ranked_in_the_middle() -> None:
    history, strength = History(), {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}
    for round_ in range(2):
        play(history, draw(round_, "abcd", history, "pairs"), "pairs", strength)
    # a has won both, b and c one each, d none.
    assert tables(draw(2, "abcde", history, "pairs")) == ["ae", "bc"]
    assert history.of("a").score > history.of("e").score > history.of("d").score


def test_who_has_left_is_drawn_no_more() -> None:
    history, strength = History(), {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}
    play(history, draw(0, "abcd", history, "pairs"), "pairs", strength)
    assert tables(draw(1, "bcd", history, "pairs")) == ["bc"]


@given(st.integers(4, 21), st.sampled_from(FORMATS), st.integers(1, 6), st.integers(0, 99))
def test_every_round_seats_all_but_those_who_are_too_many_and_these_in_turn(
    number: int, form: Format, rounds: int, seed: int
) -> None:
    random, history, bots = Random(seed), History(), names(number)
    strength = {bot: random.random() for bot in bots}
    pauses: Counter[str] = Counter(dict.fromkeys(bots, 0))
    encounters = []
    for round_ in range(rounds):
        drawn = draw(round_, bots, history, form)
        assert drawn == draw(round_, bots, history, form)
        assert {encounter.cycle for encounter in drawn} == {round_}
        encounters += drawn
        playing = Counter(bot for encounter in drawn for bot in encounter.around)
        assert set(playing.values()) == {3 if form == "rotating" else 1}
        pauses.update(set(bots) - playing.keys())
        play(history, drawn, form, strength)
    assert spread(pauses.values()) <= 1
    matches = len(encounters) * legs(form, mirror=True)
    assert matches == total(settings("swiss", rounds), number, form)


@given(st.integers(4, 20), st.integers(2, 4), st.integers(0, 99))
def test_a_second_meeting_only_when_it_cannot_be_avoided(
    number: int, rounds: int, seed: int
) -> None:
    random, history, bots = Random(seed), History(), names(number)
    strength = {bot: random.random() for bot in bots}
    met: Counter[str] = Counter()
    # With these rounds any bot still has half of the others to meet: then there is always a draw.
    for round_ in range(min(rounds, number // 2 - number % 2)):
        drawn = draw(round_, bots, history, "pairs")
        met.update(tables(drawn))
        play(history, drawn, "pairs", strength)
    assert set(met.values()) <= {1}


@pytest.mark.parametrize("form", ["rotating", "solo"])
@pytest.mark.parametrize("number", [5, 7, 8, 13])
def test_seats_of_a_swiss_tournament_differ_by_little(form: Format, number: int) -> None:
    random, history, bots = Random(number), History(), names(number)
    strength = {bot: random.random() for bot in bots}
    matches = []
    for round_ in range(8):
        drawn = draw(round_, bots, history, form)
        for encounter in drawn:
            for leg in range(legs(form, mirror=True)):
                matches.append(finished(encounter, leg, form, strength))
                history.add(matches[-1])
    assert seat_spread(matches) <= (0 if form == "solo" else 4)


@pytest.mark.parametrize("form", ["rotating", "solo"])
def test_who_rotates_meets_as_many_as_rounds_allow(form: Format) -> None:
    history, bots = History(), names(16)
    strength = {bot: float(place) for place, bot in enumerate(bots)}
    met: Counter[frozenset[str]] = Counter()
    for round_ in range(5):
        drawn = draw(round_, bots, history, form)
        groups = {frozenset(encounter.around) for encounter in drawn}
        met.update(frozenset(pair) for group in groups for pair in combinations(group, 2))
        play(history, drawn, form, strength)
    assert len(met) >= 100  # of 120 pairs
    assert max(met.values()) <= 2
