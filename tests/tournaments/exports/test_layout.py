"""The standings as text: for programs, spreadsheets, pages, and terminals."""

import csv
import io
import json
import re
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from protocol.messages import FaultKind
from tests.tournaments.finished import league, match, stand
from tournaments.exports.layout import to_csv, to_json, to_markdown, to_table
from tournaments.standings.standings import Standings


def test_json_is_the_documented_object_and_the_same_byte_for_byte() -> None:
    finished = [*league(10), match(20, "a", "b", None, faults={"E": {"timeout": 1}})]
    text = to_json(stand(finished, labels="abc", scheduled=30))
    assert text == to_json(stand(finished, labels="cab", scheduled=30))
    found: dict[str, Any] = json.loads(text)
    assert list(found) == [
        *("tournament", "complete", "matches", "rating", "bots", "disqualified"),
        *("final", "seed", "commitment", "secret"),
        *("format", "superiority", "crosstable", "partners", "adaptive"),
    ]
    assert found["matches"] == {"scheduled": 30, "finished": 21, "void": 0, "retired": 0}
    assert list(found["bots"][0]) == [
        "rank",
        "name",
        "status",
        "mu",
        "sigma",
        "rating",
        "played",
        "won",
        "drawn",
        "lost",
        "points_per_deal",
        "points_per_deal_ci95",
        "faults",
        "elo",
        "elo_ci95",
    ]
    by_name = {each["name"]: each for each in found["bots"]}
    low, high = by_name["a"]["points_per_deal_ci95"]
    assert low < by_name["a"]["points_per_deal"] < high
    assert by_name["b"]["faults"] == {"timeout": 1}
    assert by_name["c"]["points_per_deal"] is None
    assert by_name["c"]["points_per_deal_ci95"] is None
    low, high = by_name["a"]["elo_ci95"]
    assert low < by_name["a"]["elo"] < high
    assert by_name["c"]["elo"] is by_name["c"]["elo_ci95"] is None
    assert (found["format"], found["partners"]) == ("pairs", None)
    (met,) = found["crosstable"]
    assert (met["bot"], met["opponent"], met["played"]) == ("a", "b", 21)
    assert [len(row) for row in found["superiority"]] == [3, 3, 3]


def test_nothing_is_minus_nothing() -> None:
    found = to_json(stand([match(0, "a", "b", points=(-1e-12, 0.0))]))
    assert '"points_per_deal": 0.0' in found
    assert "-0.0" not in found


def test_csv_has_a_line_a_bot_and_numbers_as_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(stand(league(10), labels="abc")))))
    assert [row["name"] for row in rows] == ["a", "b", "c"]
    assert float(rows[1]["points_per_deal"]) < 0
    assert float(rows[1]["ci95_low"]) < float(rows[1]["ci95_high"])
    assert rows[2]["points_per_deal"] == rows[2]["ci95_low"] == rows[2]["elo"] == ""
    assert float(rows[0]["elo_low"]) < float(rows[0]["elo"]) < float(rows[0]["elo_high"])
    assert list(rows[0])[-3:] == ["elo", "elo_low", "elo_high"]


HOSTILE = ["=cmd()", "+1", "-1", "@x", "a|b", "[red]x", "**x**", "<script>", "a,b", "x\ny"]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_a_formula_in_a_spreadsheet_or_breaks_a_line(name: str) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(stand([], labels=[name])), newline="")))
    (row,) = rows
    assert row["name"] == ("'" + name if name[0] in "=+-@" else name)


def test_markdown_is_a_table_in_which_names_are_only_text() -> None:
    text = to_markdown(stand([], labels=HOSTILE))
    title, _, heading, rule, *rows = text.splitlines()
    assert title == "**league: 0 of 0 matches**"
    assert heading.startswith("| # | bot | rating |")
    assert rule.startswith("| ---: | --- | ---: |")
    assert len(rows) == len(HOSTILE)
    for row in rows:
        assert row.replace(r"\|", "").count("|") == heading.count("|")
    for shown in (r"a\|b", r"\[red\]x", r"\*\*x\*\*", r"\<script\>", "x y"):
        assert f"| {shown} |" in text


def test_a_table_shows_names_as_they_are_and_what_is_void() -> None:
    found = stand(league(10), labels=["a", "b", "[red]x"], scheduled=22)
    void = replace(found, matches=replace(found.matches, void=2))
    console = Console(file=io.StringIO(), width=150)
    console.print(to_table(void))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert "league: 20 of 22 matches, 2 void" in text
    assert "[red]x" in text
    assert "\x1b" not in text


def test_who_plays_no_more_is_marked_and_who_is_not_ranked_is_named() -> None:
    found = stand(league(10), labels=["a", "b", "c"])
    a, b, c = found.bots
    bots = [replace(b, status="superseded"), replace(a, status="withdrawn"), c]
    counts = replace(found.matches, retired=20)
    left = replace(found, bots=bots, matches=counts, disqualified=["x", "x@2"], final="2026-03-01")
    ranking, _, matrix = to_markdown(left).partition("\n\ncrosstable: ")
    title, *rows = ranking.splitlines()
    assert "| 1 | b | · | " in matrix
    assert title == "**league: 20 of 0 matches, 20 of bots that play no more, final**"
    assert [row.split(" | ")[1] for row in rows[3:6]] == ["b (superseded)", "a (withdrawn)", "c"]
    assert rows[-1].endswith("counts for nobody: x, x@2")
    text = shown(left)
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"2 +b .*\n +\(superseded\)\s", text)
    assert re.search(r"1 +a .*\n +\(withdrawn\)\s", text)
    assert re.search(r"nobody:\s+x, x@2 *\n", text)
    assert [row["status"] for row in csv.DictReader(io.StringIO(to_csv(left)))] == [
        *("superseded", "withdrawn", "playing")
    ]


def shown(found: Standings) -> str:
    console = Console(file=io.StringIO(), width=80)
    console.print(to_table(found))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


LONG = "a-name-of-64-characters-" * 2 + "x" * 16


@pytest.mark.parametrize("pairs", [1, 40, 1000])
@pytest.mark.parametrize("kinds", [(), ("timeout", "illegal")])
def test_a_table_in_80_columns_shows_all_there_is(pairs: int, kinds: tuple[FaultKind, ...]) -> None:
    faults = {"N": dict.fromkeys(kinds, 12)} if kinds else {}
    finished = [replace(each, faults=faults) for each in league(pairs)]
    found = stand(finished, labels=["a", "b", LONG])
    console = Console(file=io.StringIO(), width=80)
    console.print(to_table(found))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[2].split() == [*("#", "bot", "rating", "elo", "w-d-l", "points/deal", "faults")]
    markdown, *_ = (row for row in to_markdown(found).splitlines() if "| a |" in row)
    cells = [cell.strip().replace("\\", "") for cell in markdown.strip("|").split(" | ")]
    (shown,) = (line for line in lines if line.split()[1:2] == ["a"])
    assert shown.split()[: len(" ".join(cells[:6]).split())] == " ".join(cells[:6]).split()
    assert all(kind in console.file.getvalue() for kind in kinds)
    start = lines[2].index("bot")
    folded = "".join(line[start:].split(" ")[0] for line in lines[4:] if line[start:].strip())
    assert LONG in folded


def test_the_width_of_an_interval_stands_beside_the_points_once_there_is_one() -> None:
    def cell(pairs: int) -> str:
        row, *_ = (r for r in to_markdown(stand(league(pairs))).splitlines() if "| a |" in r)
        return row.split(" | ")[5]

    assert re.fullmatch(r"[+-]\d+\.\d", cell(9))
    assert re.fullmatch(r"[+-]\d+\.\d ±\d+\.\d", cell(10))
