"""Bots against bots: what stands in a cell, and where a matrix fits."""

import io
import re
from collections.abc import Iterable

import pytest
from msgspec.structs import replace
from rich.console import Console

from tests.tournaments.finished import league, match, stand
from tests.tournaments.schedules.test_rotating import rotating_match
from tournaments.exports.layout import MOST_ACROSS, to_markdown, to_matrices
from tournaments.exports.matrices import Cells, matrices
from tournaments.ratings.crosstable import Opponents, Partners
from tournaments.standings.standings import Standings


def standings(count: int = 3, names: Iterable[str] = "abc", **changed: object) -> Standings:
    """Bots in the order of their names, a ranking without a match but for what is `changed`."""
    found = stand([], labels=list(names)[:count])
    return replace(found, **changed)


def cells(found: Standings) -> Cells:
    matrix = matrices(found, most=100)[0]
    assert matrix.cells is not None
    return matrix.cells


def shown(found: Standings, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(*to_matrices(found, width), sep="\n")
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("played", "score", "row", "column"),
    [
        (40, 31.5, "31½/40", "8½/40"),
        (40, 40.0, "40/40", "0/40"),
        (1, 0.5, "½/1", "½/1"),
        (40, 20.0, "20/40", "20/40"),
        (40, 19.5, "19½/40", "20½/40!"),
        (2, 0.0, "0/2", "2/2!"),
    ],
)
def test_a_score_stands_in_both_rows_and_an_upset_is_marked(
    played: int, score: float, row: str, column: str
) -> None:
    found = cells(standings(crosstable=[Opponents("a", "c", played, score)]))
    assert [[score for score, _ in line] for line in found] == [
        ["·", "-", row],
        ["-", "·", "-"],
        [column, "-", "·"],
    ]


@pytest.mark.parametrize(
    ("likely", "told"),
    [
        (None, ""),
        (0.0, "<1 %"),
        (0.0049, "<1 %"),
        (0.0051, "1 %"),
        (0.5, "50 %"),
        (0.976, "98 %"),
        (0.9949, "99 %"),
        (0.995, ">99 %"),
        (1.0, ">99 %"),
    ],
)
def test_a_likelihood_is_told_and_never_as_certain(likely: float | None, told: str) -> None:
    found = cells(
        standings(
            2,
            superiority=[[None, likely], [0.5, None]],
            crosstable=[Opponents("a", "b", 2, 1.0)],
        )
    )
    assert found[0][1] == ("1/2", told)
    assert found[0][0] == ("·", "")


def test_partners_have_one_score_together() -> None:
    found = stand([rotating_match(0, "abcd")], labels="abcd", form="rotating")
    crosstable, partners = matrices(found, most=4)
    assert (crosstable.name, partners.name) == ("crosstable", "partners")
    assert [bot.name for bot in found.bots] == ["a", "c", "b", "d"]
    assert partners.cells == [
        [("·",), ("1/1",), ("-",), ("-",)],
        [("1/1",), ("·",), ("-",), ("-",)],
        [("-",), ("-",), ("·",), ("0/1",)],
        [("-",), ("-",), ("0/1",), ("·",)],
    ]


def test_before_the_first_result_there_is_nothing_to_show() -> None:
    for found in (stand([]), stand([], labels=""), stand([], labels="abcd", form="rotating")):
        assert matrices(found, most=9) == []
        assert shown(found, 80).strip() == ""
        assert "crosstable" not in to_markdown(found)


def test_a_terminal_shows_who_beat_whom_and_how_sure_that_is() -> None:
    text = shown(stand(league(20)), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "crosstable: what the bot of a row has won" in text
    first, second = re.findall(r"^ [12]  [ab] .*$", text, re.M)
    assert re.fullmatch(r" 1  a +· +\d+/40 *", first)
    assert re.fullmatch(r" 2  b +\d+/40 +· *", second)
    assert re.search(r"\d\d % *\n 2  b ", text)


def crowd(count: int, played: int = 40, name: str = "bot-{:02}") -> Standings:
    names = [name.format(number) for number in range(count)]
    found = standings(count, names)
    met = [Opponents(one, other, played, 1.5) for one in names for other in names if one < other]
    likely = [[None if i == j else 0.9996 for j in range(count)] for i in range(count)]
    return replace(found, crosstable=met, superiority=likely)


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("count", [2, 7, 8, 12, 20, 30, 300])
@pytest.mark.parametrize("name", ["bot-{:02}", "a-name-of-64-characters-" * 2 + "xxxxxxxxx{:03}"])
def test_a_matrix_is_whole_or_left_out_with_a_line_that_tells_where_it_is(
    width: int, count: int, name: str
) -> None:
    text = shown(crowd(count, name=name), width)
    assert max(map(len, text.splitlines())) <= width
    if "too wide" in text:
        left_out = f"crosstable: too wide for {count} bots here; `standings RUN --format json` has"
        assert left_out in " ".join(text.split())
        assert len(text.splitlines()) < 5
        assert 9 * count + 18 > width
    else:
        assert text.count("/40") == count * (count - 1)
        assert text.count(">99 %") == count * (count - 1)
        assert 9 * count < width


def test_a_page_has_a_matrix_of_a_dozen_bots_and_a_line_for_more() -> None:
    text = to_markdown(crowd(MOST_ACROSS))
    assert r"| 1½/40, \>99 % |" in text
    assert {row.count("|") for row in text.splitlines() if row.startswith("| 1")} == {8, 15}
    more = to_markdown(crowd(MOST_ACROSS + 1))
    assert more.endswith(
        "\n\ncrosstable: too wide for 13 bots here; `standings RUN --format json` has it\n"
    )


HOSTILE = ["\x1b[31mred", "a\N{RIGHT-TO-LEFT OVERRIDE}b", "x\ny", "a|b", "[red]x", "<b>", "c\x9b2J"]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_rules_a_terminal_breaks_a_line_or_is_markup(name: str) -> None:
    found = stand([match(0, name, "b"), match(1, "b", name, leg=1)], labels=[name, "b"])
    for text in (shown(found, 80), to_markdown(found)):
        assert all(char.isprintable() or char == "\n" for char in text)
    seen = " ".join(name.split()).encode("unicode_escape").decode()
    assert re.search(rf"^ \d  {re.escape(seen)} +[·\d]", shown(found, 80), re.M)
    (row,) = (
        row for row in to_markdown(found).splitlines() if row.count("·") and "| b |" not in row
    )
    assert row.replace(r"\|", "").count("|") == 5


def test_partners_too_are_left_out_where_they_do_not_fit() -> None:
    found = crowd(30)
    many = replace(found, partners=[Partners("bot-00", "bot-01", 2, 1.0)])
    assert shown(many, 80).count("too wide for 30 bots") == 2
