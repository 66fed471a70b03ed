"""Encounters counted from rows are those that the store gives one by one."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from arena.match import MatchResult
from protocol.cards import SEATS
from tests.tournaments.finished import meetings_of
from tests.tournaments.small_run import RULES, SETTINGS, result, row
from tournaments.errors import ArenaError
from tournaments.ratings.meetings import Meeting, Meetings
from tournaments.schedules import encounters as counted
from tournaments.schedules.encounters import Encounters
from tournaments.storage.database import Row
from tournaments.storage.results import ScheduledRow
from tournaments.storage.store import Store

MATCHES = 40


def solo_row(number: int) -> ScheduledRow:
    order = Random(number // 4).sample("abcde", 4)
    turned = order[number % 4 :] + order[: number % 4]
    seats = dict(zip(SEATS, turned, strict=True))
    return replace(row(number), cycle=number // 4, leg=number % 4, seats=seats)


def solo_result(number: int) -> MatchResult:
    random = Random(number)
    score = {seat: random.randrange(4) for seat in SEATS}
    offender = SEATS[number % 4] if number % 7 == 0 else None
    best = max(SEATS, key=lambda seat: score[seat])
    winner = best if offender is None and number % 3 else None
    points = {seat: float(of) for seat, of in score.items()}
    return replace(
        result(number),
        winner=winner,
        score=score,
        points=points,
        forfeited=offender,
        offender=offender,
    )


def two_sided(number: int) -> MatchResult:
    winner = [None, "NS", "EW", "NS"][number * number % 7 % 4]
    score = {"NS": number % 3, "EW": number % 2}
    return replace(result(number), winner=winner, score=score, offender=None, forfeited=None)


@pytest.fixture(params=["partners", "solo"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A run in which a leg is missing here and there."""
    solo = request.param == "solo"
    with Store.hold(tmp_path / "run") as store:
        form = "solo" if solo else "pairs"
        rules = RULES | {"format": form, "rules": {"target": 500, "players": request.param}}
        store.begin("league", "seed 7", rules, SETTINGS)
        store.register([(name, f"hash {name}", {}) for name in "abcde"])
        rows = [solo_row(number) if solo else row(number) for number in range(MATCHES)]
        store.set_schedule(rows, "", legs=4 if solo else 2, rounds=1)
        for each in rows:
            if each.number % 11 != 5:
                store.add(each, (solo_result if solo else two_sided)(each.number))
        yield store


def one_by_one(store: Store) -> list[Meeting]:
    return meetings_of(store.finished(), store.tournament().players)


def taken_in(store: Store, *parts: list[Row]) -> list[Meeting]:
    found = Encounters(store)
    for part in parts:
        for each in part:
            found.add(each)
    return found.meetings()


def test_rows_come_to_the_encounters_of_the_store(store: Store) -> None:
    assert taken_in(store, list(store.finished_rows())) == one_by_one(store) != []


@pytest.mark.parametrize("again", [0, 1, 7])
def test_rows_that_are_read_again_count_once(again: int, store: Store) -> None:
    rows = list(store.finished_rows())
    for cut in range(again, len(rows)):
        assert taken_in(store, rows[:cut], rows[cut - again :]) == one_by_one(store)


def test_what_is_forgotten_meanwhile_is_looked_into_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = one_by_one(store)
    monkeypatch.setattr(counted, "MOST_KNOWN", 1)
    monkeypatch.setattr("tournaments.ratings.meetings.MOST_KINDS", 1)
    assert taken_in(store, list(store.finished_rows())) == expected


def test_of_rows_that_say_the_same_only_the_first_is_looked_into(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, once = list(store.finished_rows()), one_by_one(store)
    found = Encounters(store)
    for each in rows:
        found.add(each)
    monkeypatch.setattr(Meetings, "leg", None)
    for number, *rest in rows:
        found.add((number + MATCHES, *rest))
    twice = found.meetings()
    assert [each.encounters for each in twice] == [2 * each.encounters for each in once]
    assert [each.gained for each in twice] == [[2 * x for x in each.gained] for each in once]


def test_a_row_that_is_damaged_is_told(store: Store) -> None:
    first, *_ = store.finished_rows()
    torn = tuple(text[:-1] if str(text).startswith('{"') else text for text in first)
    with pytest.raises(ArenaError, match="is damaged: a row of FinishedMatch"):
        taken_in(store, [torn])
