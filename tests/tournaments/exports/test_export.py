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
from tournaments.exports.export import write_csv, write_json
from tournaments.storage.store import Store

Command = Callable[..., Outcome]

COLUMNS = {
    "matches": [
        *("number", "match", "cycle", "leg", "N", "E", "S", "W", "winner", "reason"),
        *("forfeited", "offender", "deals"),
        *("score_NS", "score_EW", "points_NS", "points_EW", "faults"),
    ],
    "decisions": [
        *("match", "deal", "bot", "seat", "type", "choice", "note", "ms", "cpu_ms", "substituted"),
    ],
    "ratings": ["number", "match", "cycle", "leg", "bot", "mu", "sigma", "rating"],
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
    for times in ("ms", "cpu_ms"):
        assert all(isinstance(row[times], float) and row[times] > 0 for row in decisions)


@pytest.mark.parametrize("what", COLUMNS)
def test_of_a_run_without_matches_there_is_an_empty_array_and_a_line_of_names(
    what: str, league: League, command: Command
) -> None:
    league.write([league.bot("a"), league.bot("b", "import os; os.kill(os.getppid(), 9)")])
    league.play(status=3)
    assert json.loads(command("export", league.run_folder, "--what", what).out) == []
    text = command("export", league.run_folder, "--what", what, "--format", "csv").out
    assert text == ",".join(COLUMNS[what]) + "\r\n"


NASTY = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\n=1"]
TAME = [
    "a, b",
    'say "no"',
    "two\nlines",
    "\N{BLACK SPADE SUIT} A",
    "\U0001f0a1",
    "1=1",
    "",
]
RULING = {"\x1b[2J": "\\x1b[2J", "\r=1": "\\r=1", "a\0b": "a\\x00b", "\u202e": "\\u202e"}
"""What would rule a terminal, end a text or turn it round, and how it is shown."""


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


@pytest.mark.parametrize("note", RULING)
def test_no_text_of_a_bot_rules_the_terminal_of_who_looks_at_a_table(note: str) -> None:
    out = io.StringIO(newline="")
    write_csv([{"note": note}], out)
    (found,) = csv.DictReader(io.StringIO(out.getvalue(), newline=""))
    assert found == {"note": RULING[note]}


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
        "'=\u2660 \U0001f0a1 \\x1b[2J",
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
    from tournaments.exports.export import WHAT

    with Store.read(played.run_folder) as store:
        rows = WHAT["decisions"].rows(store)
        next(rows)
        assert len(taken) == 1


def test_what_can_be_exported_is_told(played: League, command: Command, tmp_path: Path) -> None:
    outcome = command("export", played.run_folder, "--what", "decision")
    assert outcome.status == 2
    assert "there is no 'decision': did you mean 'decisions'?" in outcome.err
    assert command("export", played.run_folder).status == 2
    assert command("export", tmp_path, "--what", "matches").status == 2


BLIND = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    reply = {"id": m["id"], "note": m["type"]}
    if m["type"] == "blind_nil": reply["blind_nil"] = True
    if m["type"] == "exchange": reply["cards"] = m["hand"][-m["count"]:]
    if m["type"] == "play": reply["card"] = m["legal"][0]
    print(json.dumps(reply), flush=True)
"""


def test_blind_nils_and_exchanges_are_decisions_too(league: League, command: Command) -> None:
    rules = {"preset": "blind", "blind_nil_deficit": 0, "max_deals": 2}
    league.write([league.bot("blind", BLIND), league.bot("sees")], rules=rules)
    league.play()
    rows = json.loads(command("export", league.run_folder, "--what", "decisions").out)
    assert Counter((row["bot"], row["type"], row["note"]) for row in rows) == {
        ("blind", "blind_nil", "blind_nil"): 8,  # two seats in two deals of two matches
        ("blind", "exchange", "exchange"): 8,
        ("blind", "play", "play"): 26 * 4,
        ("sees", "blind_nil", None): 8,
        ("sees", "bid", None): 8,
        ("sees", "play", None): 26 * 4,
    }
    for row in rows:
        if row["type"] == "blind_nil":
            assert row["choice"] is (row["bot"] == "blind")
        if row["type"] == "exchange":
            cards = row["choice"].split(" ")
            assert len(cards) == len(set(cards)) == 2
    first_deal = [row["type"] for row in rows if (row["match"], row["deal"]) == first(rows)]
    assert sorted(first_deal[:6]) == ["bid", "bid", *["blind_nil"] * 4]
    assert first_deal[6:] == [*["exchange"] * 2, *["play"] * 52]
    text = command("export", league.run_folder, "--what", "decisions", "--format", "csv").out
    assert list(csv.DictReader(io.StringIO(text, newline=""))) == as_csv(rows)
    assert {row["choice"] for row in as_csv(rows) if row["type"] == "blind_nil"} == {
        "True",
        "False",
    }


def first(rows: list[dict[str, Any]]) -> tuple[str, int]:
    return rows[0]["match"], rows[0]["deal"]


def test_of_a_solo_run_there_is_a_score_a_seat(league: League, command: Command) -> None:
    leaves = SOUND.replace("stdin:", "stdin:\n    if '\"deal\":2,' in line: sys.exit()")
    league.write(
        [*league.three(), league.bot("leaves", leaves)], format="solo", rules={"preset": "solo"}
    )
    league.play()
    matches = json.loads(command("export", league.run_folder, "--what", "matches").out)
    columns = [
        *("number", "match", "cycle", "leg", "N", "E", "S", "W", "winner", "reason"),
        *("forfeited", "offender", "deals", *(f"score_{seat}" for seat in "NESW")),
        *(*(f"points_{seat}" for seat in "NESW"), "faults"),
    ]
    assert [list(match) for match in matches] == [columns] * 4
    for match in matches:
        offender = match["offender"]
        assert match["forfeited"] == offender
        assert (match["reason"], match["winner"], match["deals"]) == ("forfeit", None, 1)
        assert match[offender] == "leaves"
        assert match["faults"] == f"{offender}:exit:1"
    with Store.read(league.run_folder) as store:
        for row, stored in zip(matches, store.finished(), strict=True):
            assert len(set(stored.score.values())) > 1
            assert {seat: row[f"score_{seat}"] for seat in "NESW"} == stored.score
            assert {seat: row[f"points_{seat}"] for seat in "NESW"} == stored.points
    assert {match["forfeited"] for match in matches} == set("NESW")
    text = command("export", league.run_folder, "--what", "matches", "--format", "csv").out
    reader = csv.DictReader(io.StringIO(text, newline=""))
    assert reader.fieldnames == columns
    assert list(reader) == as_csv(matches)


def test_scores_stand_under_the_name_of_their_side(played: League, command: Command) -> None:
    matches = json.loads(command("export", played.run_folder, "--what", "matches").out)
    with Store.read(played.run_folder) as store:
        stored = list(store.finished())
    assert len({(match.score["NS"], match.score["EW"]) for match in stored}) > 1
    for row, match in zip(matches, stored, strict=True):
        assert {"NS": row["score_NS"], "EW": row["score_EW"]} == match.score
        assert {"NS": row["points_NS"], "EW": row["points_EW"]} == match.points


def test_faults_are_exported_with_their_sentence_and_what_the_bot_said(
    league: League, command: Command
) -> None:
    crash = "import sys; sys.stdin.readline(); sys.exit('I can not \x1b[2J')\n"
    league.write([league.bot("a"), league.bot("crash", crash)])
    league.play()
    rows = json.loads(command("export", league.run_folder, "--what", "faults").out)
    assert [(row["bot"], row["kind"], row["request"], row["ruling"]) for row in rows] == [
        ("crash", "exit", "hello", "forfeit"),
        ("crash", "exit", "hello", "forfeit"),
    ]
    assert rows[0]["detail"].startswith("it exited with status 1 while a reply")
    assert rows[0]["log"] == "I can not \\x1b[2J\n"
    assert rows[0]["deal"] == 0
    text = command("export", league.run_folder, "--what", "faults", "--format", "csv").out
    assert len(list(csv.DictReader(io.StringIO(text)))) == 2
