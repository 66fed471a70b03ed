"""What standings, exports and another `run` of a large store take, in time and memory.

    python -m benchmarks.big_store [--matches 200000] [--bots 100] [--rounds 3] [--json FILE]

The schedule is a gauntlet of as many challengers as it takes to hold so many matches, or, where
there are too few bots for that, a round robin of as many cycles. They are not played: results are
drawn, and their records are two of real matches, one sound and one with a fault, under every id.
All else is as `run` makes it, with its own code; then its commands are timed, each in a process of
its own. Takes five minutes, and 4 GB of disk while it fills.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from arena.match import MatchResult, play
from benchmarks.compiled import ROOT
from benchmarks.figures import Figure, ratios, table, write_json
from benchmarks.tables import match_of, program, python_bot
from tournaments.bots.preparation import prepare_all
from tournaments.config import load_tournament
from tournaments.ratings.checkpoints import FILE
from tournaments.runs.runner import Run
from tournaments.schedules.schedule import total
from tournaments.storage.database import Database
from tournaments.storage.records import DATABASE
from tournaments.storage.store import Store
from tournaments.tournament import ScheduleSettings

DEALS: Final = 9
"""Of the match whose record stands for all: about as many as a match to 500 has."""
FAULTY: Final = 0.01
"""Part of the matches that end by a fault."""
FEW: Final = 1000
"""Matches of the store that the memory for a large one is compared with."""

TOURNAMENT: Final = """\
name: big-store
seed: 1
schedule: {schedule}
sandbox: {{backend: none}}
bots:
"""

COMMAND: Final = 'import runpy; runpy.run_module("tournaments.cli", {}, "__main__", True)'
OPENING: Final = """\
from pathlib import Path
from tournaments.storage.store import Store
Store.read(Path("run")).counts()"""
REPORTED: Final = """\
import sys, time
try:
    exec(sys.argv.pop(1))
finally:
    peak = open("/proc/self/status").read().split("VmHWM:")[1].split()[0]
    print(time.process_time(), peak, file=sys.stderr)
"""
"""Runs one of those and says what it took. What the kernel tells a parent of a child's peak counts
the parent's own memory at the time of the fork."""


class Cost(NamedTuple):
    """What a command took."""

    seconds: float
    cpu_seconds: float
    """Of its own process."""
    peak_mb: float
    """Resident memory of its own process."""


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=200_000)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        large, small = Path(name) / "large", Path(name) / "small"
        held = fill(large, options.bots, options.matches)
        fill(small, 2, FEW)
        print(f"{held} matches among {options.bots} bots, {size_mb(large):.0f} MB\n")
        opened = [cost(large, (), OPENING)[0] for _ in range(options.rounds)]
        figures = figures_of("opening and counting", opened, most_mb=300)
        figures += [*of_standings(large, options.rounds), *of_run(large, options.rounds)]
        for what in ("matches", "faults"):
            figures += of_export(what, large, small, options.rounds)
    print(table(figures))
    if options.json is not None:
        write_json(options.json, figures)


def fill(folder: Path, bots: int, matches: int) -> int:
    """Makes a tournament file and, in `run`, its finished run; returns how many matches it has."""
    file, run = folder / "big.yaml", folder / "run"
    folder.mkdir()
    file.write_text(tournament_of(bots, schedule_of(bots, matches)))
    tournament = load_tournament(file)
    with Store.hold(run) as store:
        begun = Run(tournament, store)
        begun.begin()
        begun.enter(prepare_all(tournament.bots, run / "bots"))
    database = Database.to_write(run / DATABASE)
    with closing(Store(run, database)) as store:
        with database.transaction():  # one for all: each by itself would wait for the disk
            for row, result in zip(store.missing(), results(), strict=False):
                store.add(row, replace(result, match=row.match))
        return store.counts().finished


def tournament_of(bots: int, schedule: str) -> str:
    """A tournament file."""
    folder = ROOT / "sample_bots" / "random_legal"
    entries = [
        f'  - {{name: bot-{i}, command: ["{{python}}", bot.py], folder: {folder}}}\n'
        for i in range(1, bots + 1)
    ]
    return TOURNAMENT.format(schedule=schedule) + "".join(entries)


def schedule_of(bots: int, matches: int) -> str:
    """What a tournament file says of a schedule of so many matches or more."""
    of: list[str] = []
    while total(ScheduleSettings("gauntlet", of=tuple(of)), bots) < matches:
        of.append(f"bot-{len(of) + 1}")
        if len(of) > bots // 2:  # a gauntlet of more has fewer
            return f"{{rounds: {-(-matches // total(ScheduleSettings(), bots))}}}"
    return f"{{type: gauntlet, of: [{', '.join(of)}]}}"


def results() -> Iterator[MatchResult]:
    """Results without end, the same in every run; their ids are still to be set."""
    random = Random(1)
    sound = play(match_of(python_bot(ROOT / "sample_bots" / "random_legal"), DEALS))
    faulty = play(match_of(program(Path("/bin/false")), DEALS))
    if sound.faults or not faulty.faults:
        raise RuntimeError(f"not what results are to be made of: {sound.faults}, {faulty.faults}")
    while True:
        if random.random() < FAULTY:
            yield faulty
            continue
        winner, loser = random.sample(("NS", "EW"), 2)
        lost_by = random.randrange(1, 500)
        yield replace(
            sound,
            winner=winner,
            score={winner: 500, loser: 500 - lost_by},
            points={winner: 500.0 - random.randrange(90), loser: 450.0 - lost_by},
            deals=random.randrange(5, 14),
        )


def size_mb(folder: Path) -> float:
    """Of the database."""
    return (folder / "run" / DATABASE).stat().st_size / 1e6


def cost(folder: Path, arguments: Sequence[str], what: str = COMMAND) -> tuple[Cost, bytes]:
    """What a command takes there, or other code, and what it prints."""
    out = folder / "out"
    began = time.perf_counter()
    with out.open("wb") as file:
        command = [sys.executable, "-c", REPORTED, what, *arguments]
        ended = subprocess.run(command, cwd=folder, stdout=file, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - began
    if ended.returncode:
        raise RuntimeError(f"`{' '.join(arguments)}` failed: {ended.stderr}")
    cpu, peak = ended.stderr.split()[-2:]
    return Cost(seconds, float(cpu), int(peak) / 1000), out.read_bytes()


def costs(folder: Path, arguments: Sequence[str], rounds: int) -> list[Cost]:
    """What a command takes there, again and again."""
    return [cost(folder, arguments)[0] for _ in range(rounds)]


def of_standings(large: Path, rounds: int) -> list[Figure]:
    """Standings without checkpoints and with them, which must be the same to the byte."""
    command = ["standings", "run", "--format", "json"]
    cold, expected = cost(large, command)
    if not (large / "run" / FILE).exists():
        raise RuntimeError("the standings have left no checkpoints: there are too few matches")
    warm, printed = zip(*(cost(large, command) for _ in range(rounds)), strict=True)
    if set(printed) != {expected}:
        raise RuntimeError("standings that go on from checkpoints are not those without")
    return [
        *figures_of("standings, the first time", [cold], most_mb=300),
        *figures_of("standings, again", warm, most_seconds=3, most_mb=300),
    ]


def of_run(large: Path, rounds: int) -> list[Figure]:
    """Another `run` that finds everything played, or the last match missing, which it plays.

    Then one that makes the schedule anew, as after a change of bots, and finds everything played.
    """
    command = ["run", "big.yaml", "-o", "run", "--quiet"]
    figures = figures_of("run, nothing missing", costs(large, command, rounds), most_mb=300)
    for name, statements in (("one match missing", FORGET_LAST), ("a new schedule", FORGET_ENTRY)):
        found = []
        for _ in range(rounds):
            change(large / "run", statements)
            found.append(cost(large, command)[0])
        figures += figures_of(f"run, {name}", found, most_mb=300)
    return figures


FORGET_LAST: Final = (
    "CREATE TEMP TABLE last AS SELECT key FROM schedule ORDER BY number DESC LIMIT 1",
    "DELETE FROM records WHERE key IN (SELECT key FROM last)",
    "DELETE FROM matches WHERE key IN (SELECT key FROM last)",
)
FORGET_ENTRY: Final = ("UPDATE tournament SET entered = ''",)


def change(run: Path, statements: Sequence[str]) -> None:
    """Changes a run as its own commands never do."""
    with closing(Database.to_write(run / DATABASE)) as database:
        for statement in statements:
            database.change(statement)


def of_export(what: str, large: Path, small: Path, rounds: int) -> list[Figure]:
    """An export, and its memory beside that of the same export of a small store."""
    command = ["export", "run", "--what", what]
    name = f"export of {what}"
    large_costs, small_costs = costs(large, command, rounds), costs(small, command, rounds)
    memory = ratios((c.peak_mb for c in large_costs), (c.peak_mb for c in small_costs))
    return [
        *figures_of(name, large_costs, most_mb=300),
        Figure(f"{name}: memory / of {FEW} matches", "ratio", memory, most=1.1),
    ]


def figures_of(
    name: str,
    found: Sequence[Cost],
    most_seconds: float | None = None,
    most_mb: float | None = None,
) -> list[Figure]:
    """The figures of a command."""
    return [
        Figure(name, "s", [each.seconds for each in found], most=most_seconds),
        Figure(f"{name}: processor time", "s", [each.cpu_seconds for each in found]),
        Figure(f"{name}: memory", "MB", [each.peak_mb for each in found], most=most_mb),
    ]


if __name__ == "__main__":
    main()
