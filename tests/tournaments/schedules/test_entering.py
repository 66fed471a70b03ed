"""Entering a schedule: what it is made of is known, so that it is made anew where that changes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.program import Program
from tests.tournaments.small_run import result
from tournaments.config import load_tournament
from tournaments.runs.runner import Run
from tournaments.schedules import scheduler
from tournaments.storage.store import Store
from tournaments.tournament import Tournament

BOTS = [{"name": name, "command": ["/bin/true", name]} for name in "abcde"]

Change = dict[str, Any]


def tournament(folder: Path, **settings: Any) -> Tournament:
    file = folder / "league.yaml"
    file.write_text(
        json.dumps(
            {"name": "league", "seed": 7, "sandbox": {"backend": "none"}, "bots": BOTS, **settings}
        )
    )
    return load_tournament(file)


def programs(wanted: Tournament, **hashes: str) -> list[Program]:
    """As they are prepared: those that play, hashed by their names unless said otherwise."""
    left = {*wanted.withdrawn, *wanted.disqualified}
    return [
        Program(bot.name, hashes.get(bot.name, bot.name) * 64, bot.command, str(bot.folder))
        for bot in wanted.bots
        if bot.name not in left
    ]


def enter(store: Store, wanted: Tournament, **hashes: str) -> Run:
    run = Run(wanted, store)
    run.begin()
    run.enter(programs(wanted, **hashes))
    return run


def rewritten(store: Store, action: Callable[[], object]) -> bool:
    """Whether the schedule is thrown away meanwhile."""
    statements: list[str] = []
    connection = store._database._connection
    connection.set_trace_callback(statements.append)
    action()
    connection.set_trace_callback(None)
    return "DELETE FROM schedule" in statements


def play_all(store: Store) -> None:
    for row in store.missing():
        store.add(row, replace(result(0), match=row.match, faults={}, logs={}))


def keys(store: Store) -> list[tuple[str, ...]]:
    return store._database.all("SELECT key, match FROM schedule ORDER BY number")


BASE: Change = {"schedule": {"rounds": 2}}
SWISS: Change = {"schedule": {"type": "swiss", "rounds": 2}}


@pytest.mark.parametrize("settings", [BASE, SWISS])
def test_what_has_not_changed_is_not_written_again(
    store: Store, tmp_path: Path, settings: Change
) -> None:
    wanted = tournament(tmp_path, **settings)
    enter(store, wanted)._scheduler.draw()
    play_all(store)
    before = keys(store)
    assert before
    assert not rewritten(store, lambda: enter(store, wanted))
    assert keys(store) == before


@pytest.mark.parametrize(
    ("settings", "hashes"),
    [
        ({"schedule": {"rounds": 1}}, {}),
        ({"schedule": {"rounds": 3}}, {}),
        ({"schedule": {"rounds": 2, "mirror": False}}, {}),
        ({"schedule": {"rounds": 2, "type": "gauntlet", "of": "b"}}, {}),
        (SWISS, {}),
        (BASE | {"bots": BOTS[:4]}, {}),
        (BASE | {"bots": BOTS[::-1]}, {}),
        (BASE | {"withdrawn": ["c"]}, {}),
        (BASE | {"disqualified": ["c"]}, {}),
        (BASE, {"d": "x"}),
    ],
)
def test_whatever_the_schedule_is_made_of_changes_it(
    store: Store, tmp_path: Path, settings: Change, hashes: dict[str, str]
) -> None:
    enter(store, tournament(tmp_path, **BASE))
    play_all(store)
    wanted = tournament(tmp_path, **settings)
    assert rewritten(store, lambda: enter(store, wanted, **hashes))
    assert not rewritten(store, lambda: enter(store, wanted, **hashes))


def test_who_left_by_another_way_is_entered_anew(store: Store, tmp_path: Path) -> None:
    enter(store, tournament(tmp_path, **BASE))
    play_all(store)
    retired = []
    for way in ("withdrawn", "disqualified", "withdrawn"):
        enter(store, tournament(tmp_path, **BASE, **{way: ["c"]}))
        retired.append(store.counts().retired)
    assert retired == [16, 0, 16]


@pytest.mark.parametrize("name", ["VERSION", "ARENA", "MADE_BY"])
def test_a_schedule_that_other_code_has_made_is_made_anew(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    wanted = tournament(tmp_path, **BASE)
    enter(store, wanted)
    play_all(store)
    before = keys(store)
    other: Any = {"VERSION": 0, "ARENA": None, "MADE_BY": ("schedules.schedule",)}[name]
    monkeypatch.setattr(scheduler, name, other)
    assert rewritten(store, lambda: enter(store, wanted))
    assert keys(store) == before


def test_a_schedule_is_made_by_the_modules_that_it_comes_from() -> None:
    """Of those it imports, settings, their words and results are data, and a store keeps them; what
    results draw stays as it was drawn."""
    folder = Path(scheduler.__file__).parents[1]
    data = {"tournament", "storage.results", "files.vocabulary"}
    text = "\n".join(
        (folder / f"{name.replace('.', '/')}.py").read_text() for name in scheduler.MADE_BY
    )
    imported = {
        line.split()[1].removeprefix("tournaments.")
        for line in text.splitlines()
        if line.startswith("from tournaments.")
    }
    beside = {"boxes", "bots.fingerprint", "schedules.drawing", "storage.store"}
    assert imported - data - beside <= set(scheduler.MADE_BY)


@pytest.mark.parametrize(
    ("change", "anew"),
    [({"VERSION": 0}, True), ({"ARENA": None}, False), ({"MADE_BY": ()}, False)],
)
def test_what_results_have_drawn_outlives_other_code_but_not_another_kind_of_schedule(
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, Any],
    anew: bool,
) -> None:
    wanted = tournament(tmp_path, **SWISS)
    assert enter(store, wanted)._scheduler.draw()
    for name, value in change.items():
        monkeypatch.setattr(scheduler, name, value)
    assert rewritten(store, lambda: enter(store, wanted)) == anew


def test_what_a_bot_that_left_was_still_to_play_in_a_round_comes_back_with_it(
    store: Store, tmp_path: Path
) -> None:
    """Until then half an encounter is luck, which draws no round, and counts for nobody."""
    wanted = tournament(tmp_path, **SWISS)
    assert enter(store, wanted)._scheduler.draw()
    first, *_ = store.missing()
    store.add(first, replace(result(0), match=first.match, faults={}, logs={}))
    before = keys(store)
    left = enter(store, tournament(tmp_path, **SWISS, withdrawn=first.seats["N"]))
    assert before[2:] == keys(store)
    assert store.counts().finished == 0
    play_all(store)
    assert left._scheduler.draw()
    enter(store, wanted)
    assert keys(store)[:4] == before
    assert [row.number for row in store.missing()] == [1, 4, 5, 6, 7]


def test_a_round_is_not_drawn_for_too_few_bots_and_is_when_they_are_back(
    store: Store, tmp_path: Path
) -> None:
    wanted = tournament(tmp_path, **SWISS)
    alone = enter(store, tournament(tmp_path, **SWISS, withdrawn=list("abcd")))
    assert not alone._scheduler.draw()
    assert store.counts() == (0, 0, 0, 0)
    assert enter(store, wanted)._scheduler.draw()
    assert store.counts().scheduled == 8


def test_rounds_that_were_drawn_with_a_mirror_are_not_gone_on_with_without_one(
    store: Store, tmp_path: Path
) -> None:
    """Of half an encounter nothing may be made, and the next rounds would have no second half."""
    assert enter(store, tournament(tmp_path, **SWISS))._scheduler.draw()
    play_all(store)
    wanted = tournament(tmp_path, schedule=SWISS["schedule"] | {"mirror": False})
    run = enter(store, wanted)
    assert (store.counts().finished, store.tournament().drawn) == (0, 0)
    assert run._scheduler.draw()
    assert store.counts().finished == len(keys(store)) > 0


def test_half_an_encounter_of_a_drawn_round_counts_only_while_its_bots_play(
    store: Store, tmp_path: Path
) -> None:
    assert enter(store, tournament(tmp_path, **SWISS))._scheduler.draw()
    first, *_ = store.missing()
    store.add(first, replace(result(0), match=first.match, faults={}, logs={}))
    finished = []
    for settings in (SWISS, {**SWISS, "withdrawn": ["a"]}, SWISS):
        enter(store, tournament(tmp_path, **settings))
        finished.append(store.counts().finished)
    assert "a" in first.seats.values()
    assert finished == [1, 0, 1]
    second = next(store.missing())
    store.add(second, replace(result(1), match=second.match))
    enter(store, tournament(tmp_path, **SWISS, withdrawn=["a"]))
    assert store.counts().finished == 2
