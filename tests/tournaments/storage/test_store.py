"""The store: what is kept comes back, once, in schedule order, under the right bots."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.tournaments.small_run import RECORD, RULES, key, numbers, result, row, seats, start
from tournaments.errors import ArenaError, UserError
from tournaments.storage.entered import GIVE_UP_AFTER
from tournaments.storage.results import Counts, FinishedMatch, ScheduledRow
from tournaments.storage.store import Store

SECRET = "0123456789abcdef0123456789abcdef"


# What is kept


def test_a_result_comes_back_as_it_was_given(store: Store) -> None:
    start(store, 2)
    assert store.add(row(1), result(1))
    assert list(store.finished()) == [
        FinishedMatch(
            number=1,
            match=key(1)[:16],
            cycle=0,
            leg=1,
            seats=seats("b", "a"),
            winner="NS",
            reason="forfeit",
            forfeited="EW",
            offender="E",
            score={"NS": 503, "EW": 311},
            points={"NS": 410.5, "EW": -12.0},
            deals=8,
            faults={"E": {"timeout": 1}},
        )
    ]
    assert store.logs(key(1)[:16]) == {"E": "Traceback \x00 \N{SNOWMAN}"}
    assert list(store.records()) == [(key(1)[:16], RECORD)]


def test_a_match_is_kept_exactly_once_and_the_first_result_stays(store: Store) -> None:
    start(store, 1)
    assert store.add(row(0), result(0, "NS"))
    assert not store.add(row(0), result(0, "EW"))
    assert [match.winner for match in store.finished()] == ["NS"]


def test_two_matches_with_one_id_are_our_bug_and_loud(store: Store) -> None:
    start(store, 2)
    store.add(row(0), result(0))
    with pytest.raises(ArenaError, match="contradicts what is there"):
        store.add(replace(row(1), match=row(0).match), result(1))


@pytest.mark.usefixtures("small_pages")
def test_results_come_in_schedule_order_whatever_was_finished_first(store: Store) -> None:
    start(store, 20)
    for number in (13, 2, 7, 19, 0, 8, 5, 11):
        store.add(row(number), result(number, record=b"%d" % number))
    assert numbers(store.finished()) == [0, 2, 5, 7, 8, 11, 13, 19]
    assert [int(record) for _, record in store.records()] == [0, 2, 5, 7, 8, 11, 13, 19]


@pytest.mark.usefixtures("small_pages")
def test_what_is_missing_can_be_played_while_it_is_read(store: Store) -> None:
    start(store, 11)
    store.add(row(4), result(4))
    played = []
    for missing in store.missing():
        assert missing == row(missing.number)
        store.add(missing, result(missing.number))
        played.append(missing.number)
    assert played == [0, 1, 2, 3, 5, 6, 7, 8, 9, 10]
    assert list(store.missing()) == []
    assert store.counts() == Counts(scheduled=11, finished=11, void=0)


def test_a_new_schedule_counts_only_its_own_matches_and_forgets_none(store: Store) -> None:
    start(store, 4)
    for number in range(4):
        store.add(row(number), result(number))
    store.set_schedule(map(row, range(2, 6)), "", legs=2, rounds=1)
    assert store.counts() == Counts(scheduled=4, finished=2, void=0)
    assert numbers(store.missing()) == [4, 5]
    assert numbers(store.finished()) == [2, 3]
    assert store.record(key(0)[:16]) == RECORD
    store.set_schedule(map(row, range(4)), "", legs=2, rounds=1)
    assert store.counts() == Counts(scheduled=4, finished=4, void=0)


@pytest.mark.parametrize(
    "bad", [lambda: iter([row(0), row(1), row(1)]), lambda: (row(1 // n) for n in (1, 0))]
)
def test_a_schedule_that_breaks_off_leaves_the_one_before(
    store: Store, bad: Callable[[], Iterator[ScheduledRow]]
) -> None:
    start(store, 5)
    with pytest.raises((ArenaError, ZeroDivisionError)):
        store.set_schedule(bad(), "", legs=2, rounds=1)
    assert numbers(store.missing()) == [0, 1, 2, 3, 4]


def test_no_two_places_of_a_schedule_have_one_key(store: Store) -> None:
    start(store)
    twice = (ScheduledRow(n, key(0), key(0)[:16], 0, n, seats()) for n in range(2))
    with pytest.raises(ArenaError, match="contradicts what is there"):
        store.set_schedule(twice, "", legs=2, rounds=1)


def test_a_match_that_the_arena_fails_is_given_up_and_tried_again_by_the_next_run(
    store: Store,
) -> None:
    start(store, 3)
    tries = [store.add_void(key(1), "WorkerDied") for _ in range(GIVE_UP_AFTER)]
    assert tries == [1, 2, 3]
    store.add_void(key(2), "WorkerDied")
    assert numbers(store.missing()) == [0, 2]
    assert store.counts() == Counts(scheduled=3, finished=0, void=1)
    store.set_schedule(map(row, (0, 2)), "", legs=2, rounds=1)
    assert store.counts() == Counts(scheduled=2, finished=0, void=0)
    store.set_schedule(map(row, range(3)), "", legs=2, rounds=1)
    store.forgive()
    assert numbers(store.missing()) == [0, 1, 2]
    assert store.counts().void == 0


def test_a_match_that_is_played_after_all_is_not_void(store: Store) -> None:
    start(store, 1)
    for _ in range(GIVE_UP_AFTER):
        store.add_void(key(0), "WorkerDied")
    store.add(row(0), result(0))
    assert store.counts() == Counts(scheduled=1, finished=1, void=0)


# Bots and their versions


def test_a_changed_bot_is_a_new_version_and_a_bot_changed_back_is_the_old_one(
    store: Store,
) -> None:
    labels = [
        store.register([("a", hash_, {"command": hash_}), ("b", "hash", {})])
        for hash_ in ("one", "one", "two", "three", "two", "one")
    ]
    assert [each["a"] for each in labels] == ["a", "a", "a@2", "a@3", "a@2", "a"]
    assert {each["b"] for each in labels} == {"b"}


def test_every_version_is_listed_with_its_status_and_what_the_file_last_said_of_it(
    store: Store,
) -> None:
    store.register([("a", "1", {}), ("b", "1", {}), ("d", "1", {}), ("e", "1", {})])
    store.register([("a", "2", {"author": "x"}), ("c", "1", {})], ["d"], ["e"])
    store.register([("a", "2", {"author": "y"}), ("c", "1", {})], ["d"], ["e"])
    assert [(bot.label, bot.version, bot.status, bot.source) for bot in store.bots()] == [
        ("a", 1, "superseded", {}),
        ("b", 1, "absent", {}),
        ("d", 1, "withdrawn", {}),
        ("e", 1, "disqualified", {}),
        ("a@2", 2, "playing", {"author": "y"}),
        ("c", 1, "playing", {}),
    ]


# What must stay comparable


def test_the_first_run_stores_what_is_played_and_the_next_finds_it(folder: Path) -> None:
    with Store.hold(folder) as store:
        assert store.root is None
        store.begin("league", f"secret {SECRET}", RULES, {"jobs": 1})
    with Store.hold(folder) as store:
        assert store.root == f"secret {SECRET}"
        store.begin("renamed", f"secret {SECRET}", dict(reversed(RULES.items())), {"jobs": 2})
        assert store.tournament().name == "league"
        store.change("renamed", {"jobs": 2})
        stored = store.tournament()
    assert (stored.name, stored.comparable, stored.settings) == ("renamed", RULES, {"jobs": 2})
    assert stored.commitment is not None
    assert SECRET not in stored.commitment


@pytest.mark.parametrize(
    ("root", "comparable", "message"),
    [
        ("seed 8", RULES, "seed was 7, is 8: "),
        (
            "seed 7",
            RULES | {"rules": {"target": 250, "deck": "standard", "players": "partners"}},
            "rules.target was 500, is 250: ",
        ),
        (
            "seed 7",
            RULES | {"rules": {"target": 500, "deck": "jokers", "players": "partners"}, "cores": 2},
            'cores was 1, is 2; rules.deck was "standard", is "jokers": ',
        ),
        ("seed 7", RULES | {"bank": {}}, "bank was not set, is {}: "),
        ("seed 7", {"format": "pairs", "rules": RULES["rules"]}, "cores was 1, is not set: "),
        (
            "seed 7",
            RULES | {"rules": "quick"},
            'rules was {"deck":"standard","players":"partners","target":500}, is ',
        ),
    ],
)
def test_changed_settings_are_refused_by_name_and_nothing_is_changed(
    store: Store, root: str, comparable: dict[str, Any], message: str
) -> None:
    start(store)
    before = store.tournament()
    with pytest.raises(UserError) as refused:
        store.begin("league", root, comparable, {"jobs": 9})
    assert str(refused.value).startswith(message)
    assert "use another folder (-o) or put it back" in str(refused.value)
    assert store.tournament() == before


def test_a_secret_is_never_printed(store: Store) -> None:
    store.begin("league", f"secret {SECRET}", RULES, {})
    for root in ("seed 7", f"secret {SECRET[::-1]}"):
        with pytest.raises(UserError) as refused:
            store.begin("league", root, RULES, {})
        assert 'seed was "drawn in secret (SHA-256' in str(refused.value)
        assert SECRET not in str(refused.value)
        assert SECRET[::-1] not in str(refused.value)


# One match by its id


def test_a_match_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    start(store, 30)
    for number in range(30):
        store.add(row(number), result(number, record=b"%d" % number))
    for number in range(30):
        assert store.find(key(number)[:6].upper()) == key(number)[:16]
        assert store.record(key(number)[:16]) == b"%d" % number


def add_with_id(store: Store, match: str) -> None:
    start(store)
    scheduled = replace(row(0), key=match, match=match)
    store.add(scheduled, replace(result(0, record=b""), match=match))


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        ("abc", "'abc' is too short: give 4 characters"),
        ("", "'' is too short"),
        ("abcd", "'abcd' begins several ids, such as abcd0000, abcd1111"),
        ("abce", "no finished match 'abce' in .*; the nearest are abcd1111, dddd0000"),
        ("0000", "no finished match '0000' in .*; the nearest are abcd0000"),
        ("ffff", "no finished match 'ffff' in .*; the nearest are dddd0000"),
        ("ab%%", "no finished match 'ab%%'"),
        ("abcd00001", "no finished match 'abcd00001'"),
        ("\udcff" * 4, "no finished match"),
        ("f" * 100_000, f"no finished match '{'f' * 80}'... in"),
    ],
)
def test_a_match_that_is_not_found_is_told_with_the_nearest(
    store: Store, prefix: str, message: str
) -> None:
    for match in ("abcd0000", "abcd1111", "dddd0000"):
        add_with_id(store, match)
    with pytest.raises(UserError, match=message):
        store.find(prefix)


def test_before_the_first_result_there_is_no_match_to_find(store: Store) -> None:
    with pytest.raises(UserError, match="none is finished yet"):
        store.find("abcd")
