"""Exports: what stands in the rows, and that they come through JSON, CSV and spreadsheets."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.league import SOUND, League, Outcome
from tournaments.export import write_csv, write_json
from tournaments.store import Store

Command = Callable[..., Outcome]

COLUMNS = {
    "matches": [
        *("number", "match", "cycle", "leg", "N", "E", "S", "W", "winner", "reason", "deals"),
        *("score_NS", "score_EW", "points_NS", "points_EW", "faults"),
    ],
    "decisions": ["match", "deal", "bot", "seat", "type", "choice", "note", "ms"],
}


def as_csv(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What a reader of CSV finds of rows."""
    return [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]


@pytest.mark.parametrize("what", COLUMNS)
def test_json_and_csv_hold_the_same_rows(what: str, played: League, command: Command) -> None:
    rows = json.loads(command("export", played.run_folder, "--what", what).out)
    text = command("export", played.run_folder, "--what", what, "--format", "csv").out
    reader = csv.DictReader(io.StringIO(text, newline=""))
    assert reader.fieldnames == COLUMNS[what]
    assert list(reader) == as_csv(rows)
    assert all(list(row) == COLUMNS[what] for row in rows)


def test_there_are_four_bids_and_52_cards_of_each_deal(played: League, command: Command) -> None:
    matches = json.loads(command("export", played.run_folder, "--what", "matches").out)
    decisions = json.loads(command("export", played.run_folder, "--what", "decisions").out)
    assert len(matches) == 12
    assert [match["number"] for match in matches] == list(range(12))
    counts = Counter((row["match"], row["deal"], row["type"]) for row in decisions)
    assert counts == {
        (match["match"], deal + 1, kind): times
        for match in matches
        for deal in range(match["deals"])
        for kind, times in (("bid", 4), ("play", 52))
    }
    cards = {row["choice"] for row in decisions[:56] if row["type"] == "play"}
    assert len(cards) == 52
    seats = {(row["match"], row["seat"]): row["bot"] for row in decisions}
    assert all(seats[match["match"], seat] == match[seat] for match in matches for seat in "NESW")
    assert all(isinstance(row["ms"], float) and row["ms"] > 0 for row in decisions)


@pytest.mark.parametrize("what", COLUMNS)
def test_of_a_run_without_matches_there_is_an_empty_array_and_a_line_of_names(
    what: str, league: League, command: Command
) -> None:
    league.write([league.bot("a"), league.bot("b", "import os; os.kill(os.getppid(), 9)")])
    league.play(status=3)
    assert json.loads(command("export", league.run_folder, "--what", what).out) == []
    text = command("export", league.run_folder, "--what", what, "--format", "csv").out
    assert text == ",".join(COLUMNS[what]) + "\r\n"


NASTY = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]
TAME = [
    "a, b",
    'say "no"',
    "two\nlines",
    "\N{BLACK SPADE SUIT} A",
    "\U0001f0a1",
    "1=1",
    "",
    "\x1b[",
]


@pytest.mark.parametrize("note", [*NASTY, *TAME])
def test_no_text_of_a_bot_is_a_formula_in_a_spreadsheet(note: str) -> None:
    rows = [{"note": note, "points": -1.5}]
    out = io.StringIO(newline="")
    write_csv(rows, out)
    (found,) = csv.DictReader(io.StringIO(out.getvalue(), newline=""))
    assert found == {"note": f"'{note}" if note in NASTY else note, "points": "-1.5"}
    out = io.StringIO()
    write_json(rows, out)
    assert json.loads(out.getvalue()) == rows


def test_notes_come_from_the_bot_to_the_table_whatever_the_locale(league: League) -> None:
    talker = SOUND.replace(
        "print(reply +", r"""print(reply + r', "note": "=\u2660 \ud83c\udca1 \u001b[2J"' +"""
    )
    assert talker != SOUND
    league.write([league.bot("a"), league.bot("talker", talker)], schedule={"mirror": False})
    league.play()
    league.environment |= {"PYTHONIOENCODING": "latin-1"}
    run = str(league.run_folder)
    rows = json.loads(league.call("export", run, "--what", "decisions").stdout)
    notes = {(row["bot"], row["note"]) for row in rows}
    assert notes == {("a", None), ("talker", "=\u2660 \U0001f0a1 \x1b[2J")}
    text = league.call("export", run, "--what", "decisions", "--format", "csv").stdout
    assert {row["note"] for row in csv.DictReader(io.StringIO(text, newline=""))} == {
        "",
        "'=\u2660 \U0001f0a1 \x1b[2J",
    }


def test_an_export_reads_the_store_row_by_row(
    played: League, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    records = Store.records

    def counted(store: Store) -> Any:
        for each in records(store):
            taken.append(each[0])
            yield each

    monkeypatch.setattr(Store, "records", counted)
    from tournaments.export import WHAT

    with Store.read(played.run_folder) as store:
        rows = WHAT["decisions"].rows(store)
        next(rows)
        assert len(taken) == 1


def test_what_can_be_exported_is_told(played: League, command: Command, tmp_path: Path) -> None:
    outcome = command("export", played.run_folder, "--what", "decision")
    assert outcome.status == 2
    assert "'matches', 'decisions'" in outcome.err
    assert command("export", played.run_folder).status == 2
    assert command("export", tmp_path, "--what", "matches").status == 2
