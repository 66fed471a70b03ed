"""Standings: what is counted, who is before whom, and every way to show it."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from protocol.cards import Seat
from protocol.messages import FaultKind
from tournaments.config import RatingSettings
from tournaments.rating import Ratings
from tournaments.standings import (
    BotStanding,
    Standings,
    standings,
    to_csv,
    to_json,
    to_markdown,
    to_table,
)
from tournaments.store import FinishedMatch

RATING = RatingSettings()


def match(
    number: int,
    ns: str,
    ew: str,
    winner: str | None = "NS",
    points: tuple[float, float] = (0.0, 0.0),
    deals: int = 8,
    leg: int = 0,
    faults: dict[Seat, dict[FaultKind, int]] | None = None,
) -> FinishedMatch:
    return FinishedMatch(
        number=number,
        match=f"{number:016x}",
        cycle=0,
        leg=leg,
        seats={"N": ns, "E": ew, "S": ns, "W": ew},
        winner=winner,
        reason="target" if winner else "max_deals",
        score={"NS": 0, "EW": 0},
        points={"NS": points[0], "EW": points[1]},
        deals=deals,
        faults=faults or {},
        logs={},
    )


def stand(
    finished: Iterable[FinishedMatch],
    labels: Sequence[str] = ("a", "b"),
    scheduled: int = 0,
    mirror: bool = True,
) -> Standings:
    return standings(
        "league", labels, finished, scheduled=scheduled, void=0, rating=RATING, mirror=mirror
    )


def bot(found: Standings, name: str) -> BotStanding:
    (one,) = (each for each in found.bots if each.name == name)
    return one


def league(pairs: int) -> Iterator[FinishedMatch]:
    """Mirrored pairs of a and b, of which a is the better."""
    random = Random(5)
    for number in range(2 * pairs):
        leg = number % 2
        lead = random.gauss(30, 120) * (-1 if leg else 1)
        yield match(
            number,
            "ab"[leg],
            "ba"[leg],
            winner="NS" if lead > 0 else "EW",
            points=(200 + lead / 2, 200 - lead / 2),
            deals=random.randrange(5, 13),
            leg=leg,
        )


def test_wins_draws_losses_and_points_are_counted_for_the_bot_at_the_side() -> None:
    found = stand(
        [
            match(0, "a", "b", "NS", (100.0, 40.0), deals=3),
            match(1, "b", "a", "NS", (50.0, 30.0), deals=2),
            match(2, "a", "b", "EW", (-10.0, 80.0), deals=4),
            match(3, "a", "b", None, (5.0, 5.0), deals=1),
        ]
    )
    a, b = bot(found, "a"), bot(found, "b")
    assert (a.played, a.won, a.drawn, a.lost) == (4, 1, 1, 2)
    assert (b.played, b.won, b.drawn, b.lost) == (4, 2, 1, 1)
    assert a.points_per_deal == (60 - 20 - 90 + 0) / 10
    assert b.points_per_deal == -a.points_per_deal


def test_ratings_are_the_fold_in_schedule_order_and_leave_draws_out() -> None:
    found = stand(
        [match(0, "a", "b"), match(1, "b", "c", None), match(2, "c", "a", "EW")], labels="abc"
    )
    ratings = Ratings(RATING)
    ratings.win("a", "b")
    ratings.win("a", "c")
    for each in found.bots:
        mu, sigma = ratings.of(each.name)
        assert each.mu == pytest.approx(mu, abs=1e-9)
        assert each.sigma == pytest.approx(sigma, abs=1e-9)
        assert each.rating == each.mu - 3 * each.sigma


def test_one_win_comes_to_the_reference_values() -> None:
    a, b = stand([match(0, "a", "b")]).bots
    assert (a.name, a.mu, a.sigma) == ("a", 27.102610435, 8.0637134)
    assert (b.name, b.mu, b.sigma) == ("b", 22.897389565, 8.0637134)


def test_equal_ratings_share_a_rank_and_stand_by_name() -> None:
    found = stand([match(0, "y", "x")], labels=["z", "m", "x", "y"])
    assert [(each.rank, each.name) for each in found.bots] == [
        (1, "y"),
        (2, "m"),
        (2, "z"),
        (4, "x"),
    ]


def test_before_the_first_match_all_are_first_and_nothing_is_made_up() -> None:
    found = stand([], labels="ba", scheduled=2)
    assert [(each.rank, each.name, each.played) for each in found.bots] == [
        (1, "a", 0),
        (1, "b", 0),
    ]
    assert {each.points_per_deal for each in found.bots} == {None}
    assert {each.points_per_deal_ci95 for each in found.bots} == {None}
    assert not found.complete


def test_faults_are_counted_for_the_bot_whose_seats_they_were() -> None:
    found = stand(
        [
            match(0, "a", "b", faults={"N": {"timeout": 2}, "S": {"timeout": 1, "exit": 1}}),
            match(1, "b", "a", faults={"N": {"illegal": 1}, "W": {"exit": 1}}),
        ]
    )
    assert bot(found, "a").faults == {"exit": 2, "timeout": 3}
    assert list(bot(found, "a").faults) == ["exit", "timeout"]
    assert bot(found, "b").faults == {"illegal": 1}


def test_a_forfeit_in_the_first_deal_counts_as_a_match_and_not_in_the_points() -> None:
    found = stand([match(0, "a", "b", "EW", deals=0)])
    assert (bot(found, "b").won, bot(found, "b").points_per_deal) == (1, None)
    later = match(1, "a", "b", "NS", (30.0, 10.0), deals=2)
    assert bot(stand([match(0, "a", "b", "EW", deals=0), later]), "a").points_per_deal == 10.0


@pytest.mark.parametrize(
    ("finished", "scheduled", "complete"), [(2, 2, True), (2, 3, False), (0, 1, False)]
)
def test_a_tournament_is_complete_when_all_is_finished(
    finished: int, scheduled: int, complete: bool
) -> None:
    found = stand((match(n, "a", "b") for n in range(finished)), scheduled=scheduled)
    assert found.complete == complete
    assert (found.matches.finished, found.matches.scheduled) == (finished, scheduled)


# The interval


@pytest.mark.parametrize(("pairs", "given"), [(9, False), (10, True)])
def test_an_interval_needs_ten_mirrored_pairs(pairs: int, given: bool) -> None:
    for each in stand(league(pairs)).bots:
        assert (each.points_per_deal_ci95 is not None) == given


def test_an_interval_holds_the_points_and_is_the_opponents_turned_over() -> None:
    found = stand(league(40))
    a, b = bot(found, "a"), bot(found, "b")
    assert a.points_per_deal is not None
    assert a.points_per_deal_ci95 is not None
    low, high = a.points_per_deal_ci95
    assert low < a.points_per_deal < high
    assert b.points_per_deal_ci95 == (-high, -low)


def test_the_luck_that_both_legs_share_is_not_taken_for_uncertainty() -> None:
    random = Random(3)
    luck = [random.gauss(0, 300) for _ in range(20)]
    finished = [
        match(2 * pair + leg, "ab"[leg], "ba"[leg], points=(each, 0.0), leg=leg)
        for pair, each in enumerate(luck)
        for leg in (0, 1)
    ]
    assert bot(stand(finished, mirror=True), "a").points_per_deal_ci95 == (0.0, 0.0)
    low, high = bot(stand(finished, mirror=False), "a").points_per_deal_ci95 or (0.0, 0.0)
    assert high - low > 10


def test_half_a_pair_is_no_unit_of_the_interval() -> None:
    whole = list(league(12))
    cut = [each for each in whole if each.number not in (3, 8)]
    assert (
        bot(stand(cut), "a").points_per_deal_ci95
        == bot(
            stand([each for each in whole if each.number not in (2, 3, 8, 9)]), "a"
        ).points_per_deal_ci95
    )


def test_without_mirror_each_match_is_a_unit() -> None:
    finished = [match(n, "a", "b", points=(float(n), 0.0)) for n in range(10)]
    assert bot(stand(finished, mirror=False), "a").points_per_deal_ci95 is not None
    assert bot(stand(finished[:9], mirror=False), "a").points_per_deal_ci95 is None


# Ways to show it


def test_json_is_the_documented_object_and_the_same_byte_for_byte() -> None:
    finished = [*league(10), match(20, "a", "b", None, faults={"E": {"timeout": 1}})]
    text = to_json(stand(finished, labels="abc", scheduled=30))
    assert text == to_json(stand(finished, labels="cab", scheduled=30))
    found: dict[str, Any] = json.loads(text)
    assert list(found) == ["tournament", "complete", "matches", "bots"]
    assert found["matches"] == {"scheduled": 30, "finished": 21, "void": 0}
    assert list(found["bots"][0]) == [
        "rank",
        "name",
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
    ]
    by_name = {each["name"]: each for each in found["bots"]}
    low, high = by_name["a"]["points_per_deal_ci95"]
    assert low < by_name["a"]["points_per_deal"] < high
    assert by_name["b"]["faults"] == {"timeout": 1}
    assert by_name["c"]["points_per_deal"] is None
    assert by_name["c"]["points_per_deal_ci95"] is None


def test_nothing_is_minus_nothing() -> None:
    found = to_json(stand([match(0, "a", "b", points=(-1e-12, 0.0))]))
    assert '"points_per_deal": 0.0' in found
    assert "-0.0" not in found


def test_csv_has_a_line_a_bot_and_numbers_as_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(stand(league(10), labels="abc")))))
    assert [row["name"] for row in rows] == ["a", "b", "c"]
    assert float(rows[1]["points_per_deal"]) < 0
    assert float(rows[1]["ci95_low"]) < float(rows[1]["ci95_high"])
    assert rows[2]["points_per_deal"] == rows[2]["ci95_low"] == ""


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
