"""Whatever of a run is changed by hand: `verify` says so, and no reader ends in a traceback."""

import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest

from arena import ARENA
from arena.record import seal
from tests.tournaments.here import HereExecutor
from tests.tournaments.league import SOUND, League, Outcome, change, change_record, records
from tournaments.cli import main

READERS: Final = (
    ("standings", "--format", "json"),
    ("export", "--what", "matches"),
    ("export", "--what", "deals", "--format", "pbn"),
    ("export", "--what", "decisions"),
    ("export", "--what", "faults"),
    ("export", "--what", "ratings"),
)

RENEGES = SOUND.replace("cards[int(which)]", "'\"1X\"'")


def called(*arguments: object) -> Outcome:
    """A command in this process. It never ends in a bug of the arena's."""
    out, err = TextIOWrapper(BytesIO()), StringIO()
    with (
        patch.object(sys, "argv", [ARENA.name, *map(str, arguments)]),
        patch("tournaments.cli.run.LocalExecutor", HereExecutor),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as exit_,
    ):
        main()
    out.seek(0)
    outcome = Outcome(exit_.value.code, out.read(), err.getvalue())
    assert "Traceback" not in outcome.err, (arguments, outcome.err)
    return outcome


def read_by_all(run: Path, match: str) -> None:
    for command, *options in READERS:
        called(command, run, *options)
    called("record", run, match, "--no-times")
    called("replay", run, match)


def read_by_others(run: Path, match: str) -> None:
    """By those that take longer."""
    called("report", run)
    called("debug", run, match, "--seat", "N", "--", "true")


def play(league: League, **settings: Any) -> None:
    league.write([*league.three(), league.bot("reneges", RENEGES)], **settings)
    assert called("run", league.folder / "league.yaml", "-o", league.run_folder).status == 0


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of four bots, one of which is at fault. Not to be changed."""
    league = League(tmp_path_factory.mktemp("faulty"))
    play(league, faults={"policy": "substitute", "limit": 100})
    return league.run_folder


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two Swiss rounds. Not to be changed."""
    league = League(tmp_path_factory.mktemp("swiss"))
    play(league, schedule={"type": "swiss", "rounds": 2})
    return league.run_folder


@pytest.fixture
def copy(faulty: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(faulty, tmp_path / "copy"))


@pytest.fixture
def swiss_copy(swiss: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(swiss, tmp_path / "copy"))


OTHERS: dict[str, Sequence[Any]] = {
    "tournament.root": ["seed 8", "seed ä", "secret 0"],
    "tournament.commitment": ["0" * 64],
    "tournament.comparable": ["{}", "[", '{"format":"pairs","rules":{}}', "[" * 5000],
    "tournament.settings": ["{}", "7", '{"schedule":{"rounds":0}}', '{"rating":{"sigma":0}}'],
    "tournament.created": ["soon"],
    "tournament.final": ["soon"],
    "tournament.drawn": [1],
    "tournament.undrawn": [1],
    "bots.id": [99],
    "bots.name": ["x"],
    "bots.version": [7],
    "bots.hash": ["x"],
    "bots.label": ["ä"],
    "bots.source": ["[]", '{"command":7}'],
    "bots.status": ["withdrawn", "absent"],
    "schedule.number": [99, -1],
    "schedule.key": ["x"],
    "schedule.match": ["x"],
    "schedule.cycle": [1],
    "schedule.leg": [1],
    **{f"schedule.{seat}": [3, 99] for seat in "nesw"},
    "schedule.retired": [1],
    "matches.key": ["x"],
    "matches.match": ["abc", "\x1b[2J"],
    "matches.cycle": [1, -1],
    "matches.leg": [0, 2],
    **{f"matches.{seat}": [4, 99] for seat in "nesw"},
    "matches.winner": ["N", "x"],
    "matches.reason": ["target", "x"],
    "matches.forfeited": ["NS", "x"],
    "matches.offender": ["N", "x"],
    "matches.score": ["{}", '{"NS":1}', '{"N":1,"E":2,"S":3,"W":4}', '{"NS":1,"EW":"x"}'],
    "matches.points": ["{}", '{"NS":1,"EW":1}'],
    "matches.deals": [2, -1],
    "matches.faults": ["[]", '{"N":{"timeout":-1}}'],
    "matches.logs": ["", '{"N":"x"}'],
    "matches.ms": [-1.0, 9e999],
    "matches.finished": ["soon"],
    "records.key": ["x"],
    "records.record": [b"", b"x"],
    "voids.key": ["x"],
    "voids.tries": [0],
}
"""Column -> what is written there, in one row."""
MEANINGLESS: Final = {
    "tournament.one": "it is the key of the only row",
    "tournament.name": "it may change from run to run, and results do not depend on it",
    "tournament.entered": "by another digest the next run makes the same schedule anew",
    "voids.reason": "nothing comes of it, and the next run forgets it",
    "voids.time": "nothing comes of it, and the next run forgets it",
}
"""Column -> why another value in it is not found."""
OF_DRAWS: Final = {"number", "key", "match", "cycle", "leg", "n", "e", "s", "w"}


def test_every_column_of_every_table_is_thought_of(faulty: Path) -> None:
    with closing(sqlite3.connect(faulty / "arena.db")) as database:
        columns = {
            f"{table}.{column}"
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            for (column,) in database.execute("SELECT name FROM pragma_table_info(?)", (table,))
        }
    assert columns == OTHERS.keys() | MEANINGLESS.keys() | {f"drawn.{name}" for name in OF_DRAWS}


@pytest.mark.parametrize("place", OTHERS)
def test_another_value_in_a_column_is_named_and_read_over(place: str, copy: Path) -> None:
    table, _, column = place.partition(".")
    (match,) = [match for match, record in records(copy).items() if b'"fault"' not in record][3:4]
    if table == "voids":
        change(copy, "INSERT INTO voids SELECT key, 1, '', '' FROM schedule WHERE number = 0")
    whole = (copy / "arena.db").read_bytes()
    row = {"matches": f"match = '{match}'", "records": f"key LIKE '{match}%'"}
    for number, value in enumerate(OTHERS[place]):
        (copy / "arena.db").write_bytes(whole)
        where = row.get(table, f"rowid = (SELECT min(rowid) FROM {table})")
        change(copy, f"UPDATE {table} SET {column} = ? WHERE {where}", value)
        found = called("verify", copy)
        assert found.status == 1, (value, found)
        assert "\x1b" not in found.out
        read_by_all(copy, match)
        if number == 0:
            read_by_others(copy, match)


@pytest.mark.parametrize("column", sorted(OF_DRAWS))
def test_another_value_in_what_was_drawn_is_named(column: str, swiss_copy: Path) -> None:
    assert called("verify", swiss_copy).status == 0
    value = "x" if column in ("key", "match") else 99
    change(swiss_copy, f"UPDATE drawn SET {column} = ? WHERE number = 7", value)
    found = called("verify", swiss_copy)
    assert found.status == 1
    assert "of what was drawn is " in found.out


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("DELETE FROM bots WHERE id = 2", "rows are of bots or matches that are not there"),
        ("DELETE FROM schedule WHERE number = 3", "number of match 3 of the schedule is 4, and"),
        ("DELETE FROM schedule WHERE number = 11", "match 11 of the schedule is missing"),
        ("DELETE FROM matches WHERE rowid = 3", "1 finished matches were deleted"),
        ("DELETE FROM matches WHERE rowid = 12", "1 rows are of bots or matches that"),
        ("UPDATE matches SET rowid = -1 WHERE rowid = 12", "matches stand before the first"),
        ("DELETE FROM records WHERE rowid = 3", "it is missing"),
        ("UPDATE bots SET status = 'playing', label = 'mid@2', version = 2 WHERE id = 1", "mid@2"),
        ("UPDATE matches SET reason = CAST(x'ff' AS TEXT)", "Could not decode"),
        ("DROP VIEW holding", "it has no view holding"),
        ("DROP TABLE voids", "it has no table voids"),
        ("ALTER TABLE matches DROP COLUMN logs", "it has no table matches with a column logs"),
    ],
)
def test_rows_and_tables_that_are_gone_are_named(sql: str, sentence: str, copy: Path) -> None:
    match = next(iter(records(copy)))
    change(copy, sql)
    found = called("verify", copy)
    assert found.status in (1, 3)
    assert sentence in found.out + found.err
    read_by_all(copy, match)
    read_by_others(copy, match)


def test_a_run_that_is_final_has_all_its_matches(copy: Path) -> None:
    change(copy, "UPDATE tournament SET final = created")
    assert called("verify", copy).status == 0
    match = list(records(copy))[-1]
    for table in ("records", "matches"):
        change(copy, f"DELETE FROM {table} WHERE key LIKE ?", f"{match}%")
    assert "and 1 of its matches are not finished" in called("verify", copy).out


def test_a_run_goes_on_over_what_is_damaged_or_says_why_not(copy: Path, faulty: Path) -> None:
    whole = (copy / "arena.db").read_bytes()
    places = ["tournament.root", "bots.label", "schedule.key", "matches.key", "matches.score"]
    for place in places:
        table, _, column = place.partition(".")
        (copy / "arena.db").write_bytes(whole)
        change(copy, f"UPDATE {table} SET {column} = 'x' WHERE rowid = 1")
        called("run", faulty.parents[1] / "league.yaml", "-o", copy)


def another(line: bytes) -> bytes:
    """The line with its seat, or else a number of its own, changed."""
    if b'"seat":' in line:
        return line.replace(b'"seat":"N"', b'"seat":"S"').replace(b'"seat":"E"', b'"seat":"N"')
    return re.sub(rb'("(?:cycle|deal|deals)":)(\d)', rb"\g<1>9", line, count=1)


KINDS: Final = ["match", "hello", "deal", "bid", "play", "fault", "deal_end", "match_end"]
CHANGES: dict[str, Callable[[list[bytes], int], list[bytes]]] = {
    "removed": lambda lines, at: lines[:at] + lines[at + 1 :],
    "doubled": lambda lines, at: lines[: at + 1] + lines[at:],
    "swapped": lambda lines, at: [
        *lines[: max(at - 1, 0)],
        *lines[max(at - 1, 0) : max(at, 1) + 1][::-1],
        *lines[max(at, 1) + 1 :],
    ],
    "changed": lambda lines, at: [*lines[:at], another(lines[at]), *lines[at + 1 :]],
}


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_line_of_a_record_is_held_by_its_place_and_read_over(
    kind: str, how: str, copy: Path
) -> None:
    match = next(match for match, record in records(copy).items() if b'"type":"fault"' in record)

    def forge(record: bytes) -> bytes:
        lines = record.splitlines()[:-1]
        at = [i for i, line in enumerate(lines) if line.startswith(b'{"type":"%b"' % kind.encode())]
        return seal(CHANGES[how](lines, at[0]))

    change_record(copy, match, forge)
    assert called("verify", copy).status == 1
    read_by_all(copy, match)
    if how == "removed":
        read_by_others(copy, match)
