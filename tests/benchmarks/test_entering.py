"""What is measured before the first match is what `run` does, in a new folder and again."""

from benchmarks.entering import of_entering


def test_every_step_has_its_figures_the_first_time_and_again() -> None:
    figures = of_entering(4, 1)
    steps = ("tournament file", "bots", "schedule", "counts, first match", "memory")
    assert [figure.name for figure in figures] == [
        f"{when}: {step}" for when in ("first", "again") for step in steps
    ]
    assert all(value > 0 for figure in figures for value in figure.values)
    assert {figure.name for figure in figures if figure.goal} == {"first: memory", "again: memory"}
