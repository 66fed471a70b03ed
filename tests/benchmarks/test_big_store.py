"""The made-up store: what it holds is read like any other, and its figures say what was asked."""

from pathlib import Path

import pytest

from arena.record import read
from benchmarks import big_store
from benchmarks.big_store import (
    OPENING,
    cost,
    fill,
    of_export,
    of_run,
    of_standings,
    schedule_of,
)
from tournaments.exports import export
from tournaments.ratings.checkpoints import STRIDE
from tournaments.storage.results import Counts
from tournaments.storage.store import Store


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Just large enough for a checkpoint; the last match may be another, played by the bots."""
    folder = tmp_path_factory.mktemp("stores") / "large"
    assert fill(folder, 5, STRIDE) == STRIDE
    return folder


def test_all_of_the_schedule_is_finished_and_can_be_read(large: Path) -> None:
    with Store.read(large / "run") as store:
        assert store.counts() == Counts(STRIDE, STRIDE, 0)
        bots = {bot for match in store.finished() for bot in match.seats.values()}
        assert len(bots) == 5
        faulty = [match for match in store.finished() if match.faults]
        assert 0 < len(faulty) < STRIDE / 20
        assert len(list(export.faults(store))) == len(faulty)
        _, record = next(store.records())
        assert len(list(read(record))) > 500


def test_the_figures_are_those_of_the_commands(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(big_store, "FEW", 2)
    small = tmp_path / "small"
    fill(small, 2, 2)
    figures = [
        *of_standings(large, 1),
        *of_run(large, 1),
        *of_export("faults", large, small, 1),
    ]
    names = {figure.name for figure in figures}
    assert {"run, nothing missing", "run, one match missing", "run, a new schedule"} <= names
    with Store.read(large / "run") as store:
        assert store.counts() == Counts(STRIDE, STRIDE, 0)
    goals = {figure.name: figure.goal for figure in figures if figure.goal}
    assert goals == {
        "standings, the first time: memory": "<= 300",
        "standings, again": "<= 3",
        "standings, again: memory": "<= 300",
        "run, nothing missing: memory": "<= 300",
        "run, one match missing: memory": "<= 300",
        "run, a new schedule: memory": "<= 300",
        "export of faults: memory": "<= 300",
        "export of faults: memory / of 2 matches": "<= 1.1",
    }
    assert all(value > 0 for figure in figures for value in figure.values)
    again = next(figure for figure in figures if figure.name == "standings, again")
    (seconds,) = again.values
    (cpu,) = figures[figures.index(again) + 1].values
    assert cpu < seconds


@pytest.mark.parametrize(
    ("bots", "matches", "schedule"),
    [
        (2, 1000, "{rounds: 500}"),
        (100, 200_000, "{rounds: 21}"),
        (10, 30, "{type: gauntlet, of: [bot-1, bot-2]}"),
        (10, 50, "{type: gauntlet, of: [bot-1, bot-2, bot-3, bot-4, bot-5]}"),
        (10, 51, "{rounds: 1}"),
    ],
)
def test_a_schedule_has_as_many_matches_as_are_wanted_in_whole_cycles(
    bots: int, matches: int, schedule: str
) -> None:
    assert schedule_of(bots, matches) == schedule


def test_what_is_opened_is_measured_like_a_command(large: Path) -> None:
    opened, printed = cost(large, (), OPENING)
    assert opened.peak_mb > 1
    assert printed == b""


def test_standings_of_too_few_matches_are_no_measure(tmp_path: Path) -> None:
    fill(tmp_path / "small", 2, 2)
    with pytest.raises(RuntimeError, match="too few matches"):
        of_standings(tmp_path / "small", 1)


def test_a_command_that_fails_is_no_measure(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="`standings nowhere` failed: "):
        cost(tmp_path, ["standings", "nowhere"])
