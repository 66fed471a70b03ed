"""How close a table comes to the least that pipes cost, and how long everything around it takes.

    python -m benchmarks.table_speed [--rounds 7] [--json FILE]

Needs a C compiler. Of two programs that are compared each round has both, one after the other on
the same core, so that a busy machine slows both: the ratios say more than the figures.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from arena.sandbox import NoSandbox, Sandbox, find
from benchmarks import commands, rules
from benchmarks.compiled import COUNTING, FLOOR, ROOT, compiled
from benchmarks.figures import Figure, quantile, ratios, table, write_json
from benchmarks.tables import Arena, Floor, Timed, program, python_bot

DEALS: Final = 460
"""Of a match of instant bots: seven rounds have 180,000 decisions."""
FLOOR_DECISIONS: Final = 50_000
PAUSED: Final = Sandbox("none")
SHORT: Final = 10
"""Deals of a match of bots that take their time."""


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0), reverse=True)[:2]  # the first serves most interrupts
    figures = []
    with tempfile.TemporaryDirectory() as name, Arena(cores) as arena:
        folder = Path(name)
        folder.chmod(0o755)  # in a box root's bots are users without rights
        instant = compiled(FLOOR / "instant.c", folder)
        floor = Floor(compiled(FLOOR / "floor.c", folder), instant, FLOOR_DECISIONS)
        arena.play(program(instant), 1, tables=len(cores))  # starts the workers
        figures += against_the_floor(arena, floor, instant, cores, options.rounds)
        figures += the_news(arena, instant, options.rounds)
        figures += the_pause(arena, instant, options.rounds)
        figures += boxes(arena, instant, options.rounds)
        figures += other_bots(arena, compiled(COUNTING / "bot.c", folder), options.rounds)
        figures += commands.measure(folder / "bot")
    for label, rounds in rules.deals_through_the_rules():
        figures.append(Figure(f"a deal: {label}", "ms", rounds, most=rules.GOALS.get(label)))
    print(table(figures))
    if options.json is not None:
        write_json(options.json, figures)


def against_the_floor(
    arena: Arena, floor: Floor, instant: Path, cores: Sequence[int], rounds: int
) -> list[Figure]:
    """The floor and the arena with one table and with two, in turn."""
    one, two = [], []
    bare, bare_two = [], []
    for _ in range(rounds):
        bare += floor.play(cores[:1])
        one += arena.play(program(instant), DEALS)
        bare_two.append(floor.play(cores))
        two.append(arena.play(program(instant), DEALS, tables=len(cores)))
    thinking = [ms * 1000 for match in one for ms in match.thinking_ms]
    speed, bare_speed = [m.speed for m in one], [m.speed for m in bare]
    cpu, bare_cpu = [m.cpu_us for m in one], [m.cpu_us for m in bare]
    speed_two, bare_speed_two = [together(m) for m in two], [together(m) for m in bare_two]
    hello = [ms for match in one for ms in match.hello_ms]
    return [
        Figure("floor", "decisions/s", bare_speed),
        Figure("arena", "decisions/s", speed),
        Figure("arena / floor", "ratio", ratios(speed, bare_speed), least=0.25),
        Figure("floor: processor time", "us/decision", bare_cpu),
        Figure("arena: processor time", "us/decision", cpu),
        Figure("arena / floor: processor time", "ratio", ratios(cpu, bare_cpu), most=6),
        Figure(f"floor, {len(cores)} tables", "decisions/s", bare_speed_two),
        Figure(f"arena, {len(cores)} tables", "decisions/s", speed_two),
        Figure(f"arena, {len(cores)} tables / one", "ratio", ratios(speed_two, speed)),
        Figure("thinking time, median", "us", [quantile(thinking, 0.5)]),
        Figure("thinking time, 99 %", "us", [quantile(thinking, 0.99)], most=50),
        Figure(f"thinking time, longest of {len(thinking)}", "us", [max(thinking)], most=10_000),
        Figure("start of a C bot to its hello", "ms", hello),
    ]


def the_news(arena: Arena, instant: Path, rounds: int) -> list[Figure]:
    """What it costs a table that somebody watches, with and without in turn."""
    dearer = []
    for _ in range(rounds):
        [alone] = arena.play(program(instant), DEALS)
        [watched] = arena.play(program(instant), DEALS, watched=True)
        dearer.append(watched.cpu_us - alone.cpu_us)
    return [Figure("watched: processor time added to a decision", "us", dearer)]


def the_pause(arena: Arena, instant: Path, rounds: int) -> list[Figure]:
    """What it costs to stop bots while others are on turn, with and without in turn."""
    speeds, dearer = [], []
    for _ in range(rounds):
        [without] = arena.play(program(instant), DEALS)
        [paused] = arena.play(program(instant), DEALS, sandbox=PAUSED)
        speeds.append(paused.speed)
        dearer.append(1e6 / paused.speed - 1e6 / without.speed)
    return [
        Figure("arena, bots paused", "decisions/s", speeds),
        Figure("the pause: added to a decision", "us", dearer),
    ]


def boxes(arena: Arena, instant: Path, rounds: int) -> list[Figure]:
    """What a box costs, with and without one in turn; nothing where there is none to be had."""
    try:
        boxed = Sandbox(find("bubblewrap"), pause=False)
    except NoSandbox as error:
        print(f"boxes are not measured: {error}")
        return []
    starts, messages = [], []
    for _ in range(rounds):
        [without] = arena.play(program(instant), SHORT)
        [within] = arena.play(program(instant), SHORT, sandbox=boxed)
        assert within.decisions == without.decisions
        starts.append((within.wall_ns - without.wall_ns) / len(within.hello_ms) / 1e6)
        messages.append(median(within.thinking_ms) / median(without.thinking_ms))
    return [
        Figure("a box: added to start and end of a bot", "ms", starts, most=10),
        Figure("a box: thinking time within / without", "ratio", messages, most=1.1),
    ]


def together(tables: Sequence[Timed]) -> float:
    """Decisions a second of tables that play at once."""
    return sum(timed.speed for timed in tables)


def other_bots(arena: Arena, counting: Path, rounds: int) -> list[Figure]:
    """The sample bots, start and end of their processes included."""
    figures = []
    bots = [
        program(counting),
        *(python_bot(ROOT / "sample_bots" / name) for name in ("random_legal", "counting")),
    ]
    for name, bot in zip(("c_counting", "random_legal", "counting"), bots, strict=True):
        matches = [match for _ in range(rounds) for match in arena.play(bot, SHORT)]
        hello = [ms for match in matches for ms in match.hello_ms]
        speeds = [match.speed for match in matches]
        figures.append(Figure(f"{name}, {SHORT} deals", "decisions/s", speeds))
        figures.append(Figure(f"start of {name} to its hello", "ms", hello))
    return figures


if __name__ == "__main__":
    main()
