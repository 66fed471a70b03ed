"""What it takes to enter many bots and all their matches in a run folder, in time and memory.

    python -m benchmarks.entering [--bots 1000] [--rounds 3] [--json FILE]

Everything that `run` does before the first match, by its own code, with a round robin in which
nothing is played yet: once in a new folder, and again in a process of its own.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.big_store import tournament_of
from benchmarks.compiled import ROOT
from benchmarks.figures import Figure, table, write_json
from tournaments.bots.preparation import prepare_all
from tournaments.config import load_tournament
from tournaments.runs.runner import Run
from tournaments.storage.store import Store

Took = dict[str, float]
"""What was done -> seconds of processor time; and `memory`, in MB, at most."""

_ENTER: Final = "import sys; from benchmarks.entering import enter; enter(sys.argv[1])"


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    figures = of_entering(options.bots, options.rounds)
    print(table(figures))
    if options.json is not None:
        write_json(options.json, figures)


def of_entering(bots: int, rounds: int) -> list[Figure]:
    """The figures of so many bots."""
    first, again = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "big.yaml").write_text(tournament_of(bots, "{rounds: 1}"))
            first.append(_entered(folder))
            again.append(_entered(folder))
    return [*_figures("first", first), *_figures("again", again)]


def _figures(name: str, found: Sequence[Took]) -> list[Figure]:
    return [
        Figure(
            f"{name}: {what}",
            "MB" if what == "memory" else "s",
            [took[what] for took in found],
            most=300 if what == "memory" else None,
        )
        for what in found[0]
    ]


def _entered(folder: str) -> Took:
    """What `enter` says, in a process of its own."""
    command = [sys.executable, "-c", _ENTER, folder]
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    took: Took = json.loads(ended.stdout)
    return took


def enter(folder: str) -> None:
    """Enters the bots of `big.yaml` there in the run folder `run`, and prints what it took."""
    took, began = {}, time.process_time()

    def lap(what: str) -> None:
        nonlocal began
        took[what], began = time.process_time() - began, time.process_time()

    tournament = load_tournament(Path(folder) / "big.yaml")
    lap("tournament file")
    with Store.hold(Path(folder) / "run") as store:
        run = Run(tournament, store)
        run.begin()
        programs = prepare_all(tournament.bots, store.folder.absolute() / "bots")
        lap("bots")
        run.enter(programs)
        lap("schedule")
        store.counts()
        next(store.missing())
        lap("counts, first match")
    peak = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
    print(json.dumps({**took, "memory": int(peak) / 1000}))


if __name__ == "__main__":
    main()
