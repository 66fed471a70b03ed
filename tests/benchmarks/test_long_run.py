"""A long run, watched: its parts, and what they come to."""

import pytest

from benchmarks.long_run import Part, figures, run


def test_each_part_of_a_run_is_seen_with_its_memory() -> None:
    parts = list(run(8, 2))
    assert [part.matches for part in parts] == [4, 8]
    for part in parts:
        assert part.seconds_a_thousand > 0
        assert part.coordinator_mb > 5
        assert part.worker_mb > 5


@pytest.mark.parametrize(("last", "reached"), [(50.0, True), (54.0, True), (56.0, False)])
def test_memory_that_grows_after_the_second_part_is_found(last: float, reached: bool) -> None:
    parts = [Part(10, 9.0, 40.0, 20.0), Part(20, 8.0, 50.0, 20.0), Part(30, 7.0, last, 20.0)]
    found = {figure.name: figure for figure in figures(parts)}
    assert found["time"].values == [9, 8, 7]
    assert found["coordinator, last part / second"].reached == reached
    assert found["largest worker, last part / second"].reached


def test_of_two_parts_nothing_is_said_of_growth() -> None:
    assert all(each.goal == "" for each in figures([Part(10, 9.0, 40.0, 20.0)] * 2))
