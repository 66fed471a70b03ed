"""Run folders: several processes at once, some of which die; no rights; other files; bad disks."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.tournaments.small_run import numbers, raw, result, row, start
from tournaments.errors import ArenaError, UserError
from tournaments.exports.layout import to_json
from tournaments.ratings import checkpoints
from tournaments.standings.standings import of_store
from tournaments.storage.database import VERSION
from tournaments.storage.results import Counts
from tournaments.storage.store import Store

NOBODY = 65534


# Several processes


def test_a_second_holder_is_refused_until_the_first_lets_go(folder: Path) -> None:
    with Store.hold(folder), pytest.raises(ArenaError, match="is held by another run"):
        Store.hold(folder)
    Store.hold(folder).close()


def test_a_failed_hold_lets_go(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "arena.db").write_bytes(b"not a database" * 100)
    for _ in range(2):
        with pytest.raises(UserError, match="is no SQLite database"):
            Store.hold(folder)


@pytest.mark.usefixtures("small_pages")
def test_a_reader_sees_one_moment_while_the_run_goes_on(store: Store, folder: Path) -> None:
    start(store, 12)
    for number in range(6):
        store.add(row(number), result(number))
    with Store.read(folder) as reader:
        finished = reader.finished()
        seen = [next(finished).number]
        for number in range(6, 12):
            store.add(row(number), result(number))
        store.set_schedule(map(row, range(3)), "", legs=2, rounds=1)
        assert seen + numbers(finished) == [0, 1, 2, 3, 4, 5]
        assert reader.counts() == Counts(scheduled=12, finished=6, void=0)
    with Store.read(folder) as reader:
        assert reader.counts() == Counts(scheduled=3, finished=3, void=0)


def test_a_reader_can_not_write(store: Store, folder: Path) -> None:
    start(store)
    with Store.read(folder) as reader, pytest.raises(ArenaError, match="can't be written"):
        reader.forgive()


def test_a_reader_takes_the_files_away_that_it_has_needed(folder: Path) -> None:
    with Store.hold(folder) as store:
        start(store, 3)
    with Store.read(folder) as first, Store.read(folder) as second:
        assert first.counts() == second.counts() == Counts(3, 0, 0)
    with Store.on_trial(folder) as trial:
        trial.forgive()
        trial.set_schedule([], "", legs=2, rounds=1)
    assert [path.name for path in folder.iterdir()] == ["arena.db"]
    with Store.read(folder) as reader:
        assert reader.counts().scheduled == 3


def test_a_trial_sees_a_run_that_goes_on_as_of_one_moment_and_changes_nothing(
    store: Store, folder: Path
) -> None:
    start(store, 3)
    store.add(row(1), result(1))
    with Store.on_trial(folder) as trial:
        store.add(row(0), result(0))
        assert numbers(trial.finished()) == [1]
        assert trial.add(row(2), result(2))
        assert trial.measured() == (2, 0.0)
    assert numbers(store.finished()) == [0, 1]


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )


def test_a_killed_writer_leaves_every_match_it_reported_and_no_half_one(folder: Path) -> None:
    with Store.hold(folder) as store:
        start(store, 10_000)
    kept = 0
    for reports in (1, 40, 7):
        writer = python(
            """
            import sys
            from pathlib import Path
            from tests.tournaments.small_run import result
            from tournaments.storage.store import Store

            store = Store.hold(Path(sys.argv[1]))
            for row in store.missing():
                store.add(row, result(row.number, record=bytes(100_000)))
                print(row.number, flush=True)
            """,
            folder,
        )
        assert writer.stdout is not None
        reported = [int(writer.stdout.readline()) for _ in range(reports)]
        writer.kill()
        reported += map(int, writer.stdout.read().split())
        writer.stdout.close()
        assert writer.wait() == -signal.SIGKILL
        with Store.hold(folder) as store:
            found = numbers(store.finished())
            assert found == list(range(len(found)))
            assert found[kept : kept + len(reported)] == reported
            assert len(found) - kept - len(reported) in (0, 1)
            assert all(record == bytes(100_000) for _, record in store.records())
        kept = len(found)
        with raw(folder / "arena.db") as other:
            assert other.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_hold_ends_with_its_process_even_when_children_outlive_it(folder: Path) -> None:
    holder = python(
        """
        import os, subprocess, sys, time
        from pathlib import Path
        from tournaments.storage.store import Store

        store = Store.hold(Path(sys.argv[1]))
        started = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL, close_fds=False)
        ready, child_is_ready = os.pipe()
        forked = os.fork()
        if not forked:
            os.write(child_is_ready, b".")
            time.sleep(600)
        os.read(ready, 1)
        print(started.pid, forked, flush=True)
        time.sleep(600)
        """,
        folder,
    )
    assert holder.stdout is not None
    children = [int(pid) for pid in holder.stdout.readline().split()]
    try:
        with pytest.raises(ArenaError, match="is held by another run"):
            Store.hold(folder)
        holder.kill()
        holder.wait()
        Store.hold(folder).close()
        for child in children:
            os.kill(child, 0)  # they do live on
    finally:
        holder.kill()
        holder.stdout.close()
        for child in children:
            os.kill(child, signal.SIGKILL)


# Folders that can't be written


def counted(store: Store) -> str:
    return f"{store.counts()[:2]} {numbers(store.finished())}"


def read_without_rights(folder: Path, look: Callable[[Store], str] = counted) -> str:
    """What a process that may not write the folder finds there."""
    folder.chmod(0o555)
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        try:
            if not os.getuid():
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            with Store.read(folder) as reader:
                text = look(reader)
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(theirs, text.encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    folder.chmod(0o755)
    return found


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that others may reach, as pytest's own are not."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    yield top / "run"
    shutil.rmtree(top)


def copy(folder: Path, target: Path, *without: str) -> None:
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(*without))
    for path in target.iterdir():
        path.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)


def test_a_finished_run_is_read_from_a_folder_that_can_not_be_written(
    folder: Path, open_folder: Path
) -> None:
    with Store.hold(folder) as store:
        start(store, 3)
        store.add(row(1), result(1))
    copy(folder, open_folder)
    assert read_without_rights(open_folder) == "(3, 1) [1]"
    assert [path.name for path in open_folder.iterdir()] == ["arena.db"]


def test_standings_are_had_from_a_folder_that_can_not_be_written_and_leave_nothing_there(
    folder: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.hold(folder) as store:
        start(store, 3)
        store.add(row(1), result(1))
    copy(folder, open_folder)
    monkeypatch.setattr(checkpoints, "STRIDE", 1)
    wanted = to_json(of_store(Store.read(folder)))
    assert (folder / checkpoints.FILE).exists()
    assert read_without_rights(open_folder, lambda store: to_json(of_store(store))) == wanted
    assert [path.name for path in open_folder.iterdir()] == ["arena.db"]


def test_a_killed_run_is_read_with_all_its_results_or_not_at_all(
    store: Store, folder: Path, open_folder: Path
) -> None:
    start(store, 3)
    store.add(row(1), result(1))
    copy(folder, open_folder)  # as a killed run leaves it: results still in the -wal file
    assert read_without_rights(open_folder) == "(3, 1) [1]"
    shutil.rmtree(open_folder)
    copy(folder, open_folder, "*-shm")
    assert "it can't be opened. Mend the permissions, or copy" in read_without_rights(open_folder)


# What is not a run


def test_where_no_run_is_there_is_nothing_to_read(tmp_path: Path, folder: Path) -> None:
    for missing in (tmp_path, folder, tmp_path / "x" / "\udcff?%"):
        with pytest.raises(UserError, match="there is no run in"):
            Store.read(missing)
        assert not (missing / "arena.db").exists()


def test_a_run_that_has_not_begun_is_not_there_to_read(store: Store, folder: Path) -> None:
    assert store.counts() == Counts(0, 0, 0)
    with pytest.raises(UserError, match="there is no run in"):
        Store.read(folder)


def test_a_folder_that_can_not_be_made_is_the_users_to_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(UserError, match="can't be made a run folder"):
            Store.hold(folder)


def foreign(path: Path) -> None:
    with raw(path) as other:
        other.execute("CREATE TABLE songs (title TEXT)")


def of_version(version: int, path: Path) -> None:
    with Store.hold(path.parent) as store:
        start(store)
    with raw(path) as other:
        other.execute(f"PRAGMA user_version = {version}")


def text(path: Path) -> None:
    path.write_text("name: league\n" * 100)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (foreign, "is another program's database"),
        (
            partial(of_version, VERSION - 1),
            rf"made by an older spades-arena \(tables of version {VERSION - 1}, now {VERSION}\)",
        ),
        (
            partial(of_version, VERSION + 1),
            rf"a newer spades-arena \(tables of version {VERSION + 1}, known is {VERSION}\)",
        ),
        (text, "is no SQLite database"),
    ],
)
def test_a_database_that_is_not_ours_is_refused_and_left_as_it_is(
    folder: Path, make: Callable[[Path], None], message: str
) -> None:
    folder.mkdir(parents=True)
    make(folder / "arena.db")
    before = (folder / "arena.db").read_bytes()
    for use in (Store.hold, Store.read):
        with pytest.raises(UserError, match=message):
            use(folder)
    assert (folder / "arena.db").read_bytes() == before


def test_an_empty_file_is_a_database_whose_making_was_cut_short(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "arena.db").touch()
    with pytest.raises(UserError, match="is empty: nothing was run there"):
        Store.read(folder)
    with Store.hold(folder) as store:
        start(store, 1)
        assert store.counts().scheduled == 1


# What the disk may do


def test_every_match_reaches_the_disk_before_the_next_and_readers_never_wait(store: Store) -> None:
    assert store._database.all("PRAGMA synchronous") == [(2,)]  # FULL
    assert store._database.all("PRAGMA journal_mode") == [("wal",)]


def test_a_full_disk_is_told_and_loses_nothing(store: Store) -> None:
    start(store, 2)
    store.add(row(0), result(0))
    ((limit,),) = store._database.all("PRAGMA max_page_count = 1")  # never under what is used
    with pytest.raises(ArenaError, match="the disk is full"):
        store.add(row(1), result(1, record=os.urandom(100_000)))
    store._database.all(f"PRAGMA max_page_count = {limit + 1000}")
    assert numbers(store.finished()) == [0]
    assert store.add(row(1), result(1))


def test_a_database_that_another_program_locks_is_told(folder: Path, store: Store) -> None:
    start(store)
    store._database.all("PRAGMA busy_timeout = 1")
    with raw(folder / "arena.db") as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ArenaError, match="another program keeps it locked"):
            store.forgive()
        with pytest.raises(ArenaError, match="another program keeps it locked"):
            store.set_schedule([], "", legs=2, rounds=1)
    store.set_schedule([], "", legs=2, rounds=1)


def test_a_damaged_database_is_told(folder: Path) -> None:
    with Store.hold(folder) as store:
        start(store, 200)
    path = folder / "arena.db"
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    with pytest.raises(ArenaError, match=r"arena.db: it is damaged"), Store.read(folder) as reader:
        list(reader.finished())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE matches SET score = '{'", "a row of FinishedMatch: "),
        ("UPDATE matches SET reason = 'boredom'", "a row of FinishedMatch: .*boredom"),
        ("UPDATE matches SET faults = '[]'", r"a row of FinishedMatch: .*faults"),
        ("DELETE FROM records", "the record of match .*: it is missing"),
        ("UPDATE records SET record = x'00'", "the record of match .*: "),
        ("UPDATE records SET record = x'789c'", "the record of match .*: it is cut off"),
        ("UPDATE records SET record = zeroblob(9)", "the record of match .*: "),
    ],
)
def test_rows_that_we_did_not_write_are_told(store: Store, change: str, message: str) -> None:
    start(store, 1)
    store.add(row(0), result(0))
    store._database.change(change)
    with pytest.raises(ArenaError, match=f"is damaged: {message}"):
        list(store.finished()) + list(store.records())


def test_a_record_that_unpacks_without_end_is_not_unpacked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.storage.records.RECORD_LIMIT", 1000)
    start(store, 2)
    store.add(row(0), result(0, record=bytes(1000)))
    store.add(row(1), result(1, record=bytes(1001)))
    records = store.records()
    assert next(records)[1] == bytes(1000)
    with pytest.raises(ArenaError, match="far too long"):
        next(records)
