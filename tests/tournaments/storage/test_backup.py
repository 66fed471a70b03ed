"""Copies of a run: of one moment, whole or not there, and as good as the run itself."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tournaments.league import SLOW, League, Outcome, records, until
from tests.tournaments.small_run import raw, result, row, start
from tournaments.errors import ArenaError, UserError
from tournaments.storage import backup
from tournaments.storage.reader import Reader
from tournaments.storage.results import Counts
from tournaments.storage.store import Store

Command = Callable[..., Outcome]


def test_a_copy_made_during_a_run_that_is_then_killed_comes_to_the_same(
    league: League, command: Command
) -> None:
    league.write([league.bot("a", SLOW), league.bot("b", SLOW)], schedule={"rounds": 6})
    process = league.start("run", "league.yaml", "--jobs", "2")
    until(lambda: league.finished() >= 2)
    copy = league.folder / "copy"
    copied = command("backup", league.run_folder, copy)
    assert copied.status == 0
    process.kill()
    process.communicate(timeout=60)
    until(lambda: not league.processes())
    assert [path.name for path in copy.iterdir()] == ["arena.db"]
    kept = records(copy, times=True)
    assert 2 <= len(kept) < 12
    assert copied.out == f"{copy} has {len(kept)} of 12 matches\n"
    assert command("verify", copy).out == f"{len(kept)} records agree with the rules\n"
    assert f"{len(kept)} of 12 matches" in command("standings", copy).out

    shutil.rmtree(league.run_folder)
    league.play("-o", str(copy))
    league.play()
    assert records(copy) == records(league.run_folder)
    assert kept.items() <= records(copy, times=True).items()
    standings = [command("standings", run, "--format", "json") for run in (copy, league.run_folder)]
    assert standings[0] == standings[1]


def test_a_copy_is_of_the_moment_that_was_seen(store: Store, folder: Path, tmp_path: Path) -> None:
    start(store, 4)
    store.add(row(0), result(0))
    with Store.read(folder) as reader:
        store.add(row(1), result(1))
        backup.back_up(reader, tmp_path / "copy")
    with Store.hold(tmp_path / "copy") as copy:
        assert copy.counts() == Counts(4, 1, 0)
        assert copy.add(row(1), result(1))
    with raw(tmp_path / "copy" / "arena.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_place_that_has_something_is_refused_and_left_as_it_is(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    start(store)
    with Store.read(folder) as reader:
        taken = tmp_path / "taken"
        taken.mkdir()
        (taken / "precious").write_text("precious")
        with pytest.raises(UserError, match="has something in it: choose a new or an empty folder"):
            backup.back_up(reader, taken)
        assert [path.read_text() for path in taken.iterdir()] == ["precious"]
        backup.back_up(reader, tmp_path / "copy")
        for place in (tmp_path / "copy", folder):
            with pytest.raises((UserError, ArenaError), match=r"has something in it|is held by"):
                backup.back_up(reader, place)
        with pytest.raises(UserError, match="can't be made"):
            backup.back_up(reader, taken / "precious" / "copy")


def test_a_copy_that_fails_leaves_nothing(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(store)

    def fail(reader: Reader, path: Path) -> None:
        path.write_bytes(b"half")
        raise ArenaError("the disk is full")

    with Store.read(folder) as reader, monkeypatch.context() as patched:
        patched.setattr(Reader, "copy_to", fail)
        with pytest.raises(ArenaError, match="the disk is full"):
            backup.back_up(reader, tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []


def test_a_copy_that_was_cut_off_is_no_run_and_can_be_made_again(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    start(store, 3)
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / backup.PART).write_bytes((folder / "arena.db").read_bytes()[:9000])
    with pytest.raises(UserError, match="there is no run in"):
        Store.read(copy)
    with pytest.raises(UserError, match="has files and no run in it"):
        Store.hold(copy)
    with Store.read(folder) as reader:
        backup.back_up(reader, copy)
    with Store.read(copy) as reader:
        assert reader.counts().scheduled == 3


def test_a_full_disk_is_told_by_the_name_of_the_copy(
    store: Store, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(store, 3)
    copy = tmp_path / "copy"

    def full(path: Path, **options: object) -> sqlite3.Connection:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with Store.read(folder) as reader, monkeypatch.context() as patched:
        patched.setattr("tournaments.storage.database.sqlite3.connect", full)
        with pytest.raises(ArenaError, match=r"copy/arena.db.part: the disk is full"):
            backup.back_up(reader, copy)
