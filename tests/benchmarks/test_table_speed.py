"""What the benchmark of tables is made of: bots that play soundly, and figures that add up."""

import os
import shutil
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arena.match import play
from arena.rules import PRESETS
from benchmarks.compiled import FLOOR, compiled
from benchmarks.figures import Figure, quantile, ratios, table, write_json
from benchmarks.tables import Floor, match_of, program, timed_match

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler `cc`")


@needs_compiler
def test_the_instant_bot_plays_whole_matches_without_a_fault(tmp_path: Path) -> None:
    bot = program(compiled(FLOOR / "instant.c", tmp_path))
    for rules in PRESETS.values():
        result = play(replace(match_of(bot, 1), rules=replace(rules, max_deals=3)))
        assert result.faults == {}
        assert result.deals


@needs_compiler
def test_a_match_is_timed_decision_by_decision(tmp_path: Path) -> None:
    timed = timed_match(match_of(program(compiled(FLOOR / "instant.c", tmp_path)), 2))
    assert timed.decisions == len(timed.thinking_ms) == 112
    assert len(timed.hello_ms) == 4
    assert timed.speed > 0
    assert timed.cpu_us > 0


@needs_compiler
def test_the_floor_asks_as_often_as_it_says(tmp_path: Path) -> None:
    floor = Floor(compiled(FLOOR / "floor.c", tmp_path), compiled(FLOOR / "instant.c", tmp_path), 9)
    core = min(os.sched_getaffinity(0))
    assert [timed.decisions for timed in floor.play([core, core])] == [9, 9]


def test_a_match_with_a_fault_is_not_timed(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="not a match to be timed"):
        timed_match(match_of(program(Path("/bin/false")), 1))


@pytest.mark.parametrize(
    ("least", "most", "goal", "reached"),
    [
        (None, None, "", None),
        (2, None, ">= 2", True),
        (3, None, ">= 3", False),
        (None, 2, "<= 2", True),
        (None, 1, "<= 1", False),
    ],
)
def test_the_median_decides_whether_a_figure_is_reached(
    least: float | None, most: float | None, goal: str, reached: bool | None
) -> None:
    figure = Figure("speed", "m/s", [1, 9, 2], least, most)
    assert (figure.goal, figure.reached) == (goal, reached)


def test_quantiles_and_ratios() -> None:
    assert [quantile([3, 1, 2], part) for part in (0, 0.5, 0.99, 1)] == [1, 2, 3, 3]
    assert ratios([1, 9], [2, 3]) == [0.5, 3]


def test_figures_are_printed_and_written(tmp_path: Path) -> None:
    figures = [Figure("speed", "m/s", [1000, 2000, 3000], least=2500)]
    assert table(figures).splitlines() == [
        "figure  unit    min  median    max  goal",
        "speed   m/s   1,000   2,000  3,000  >= 2,500  MISSED",
    ]
    write_json(tmp_path / "found.json", figures)
    found = msgspec.json.decode((tmp_path / "found.json").read_bytes())
    assert found["figures"][0]["median"] == 2000
    assert found["machine"]["python"]
