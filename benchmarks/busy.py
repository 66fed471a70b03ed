"""Whether a machine that others keep busy costs a sound bot a timeout.

    python -m benchmarks.busy [--matches 200] [--loops 4] [--jobs 2] [--move 200ms]

Plays matches of ten deals between instant bots, beside loops that do nothing but use the
processors. Prints how long the arena measured for the slowest decisions, all of which is waiting,
and the faults; and the load before, as what else runs counts like more loops. Needs a C compiler.
Ends with status 1 if a bot was charged with anything or a match is void.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.events import BidMade, CardPlayed
from arena.record import read
from benchmarks.compiled import FLOOR, compiled
from benchmarks.figures import quantile
from benchmarks.tables import backend
from tournaments.storage.store import Store

TOURNAMENT = """\
name: busy
seed: 1
rules: {{max_deals: 10}}
schedule: {{rounds: {rounds}}}
clock: {{move: {move}}}
sandbox: {{backend: {backend}}}
bots:
  - {{name: one, command: [./instant], folder: bot}}
  - {{name: other, command: [./instant], folder: bot}}
"""


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Processes that never sleep, for as long as it lasts."""
    loop = [sys.executable, "-S", "-E", "-c", "while True: pass"]
    # In sessions of their own, as a stranger's are: the kernel may share out time by session.
    loops = [subprocess.Popen(loop, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


def played(folder: Path, options: argparse.Namespace) -> Path:
    """The run folder of the tournament, played beside the loops."""
    (folder / "bot").mkdir()
    compiled(FLOOR / "instant.c", folder / "bot")
    file, run = folder / "busy.yaml", folder / "run"
    rounds = max(options.matches // 2, 1)
    file.write_text(TOURNAMENT.format(rounds=rounds, move=options.move, backend=backend()))
    command = [sys.executable, "-m", "tournaments.cli", "run", str(file), "-o", str(run)]
    with busy_loops(options.loops):
        ended = subprocess.run(
            [*command, "--jobs", str(options.jobs), "--quiet"], stdout=subprocess.DEVNULL
        )
    if ended.returncode not in (0, 3):
        sys.exit("the tournament could not be played")
    return run


def waits(run: Path) -> list[float]:
    """Milliseconds of every decision."""
    with Store.read(run) as store:
        return [
            event.ms or 0.0
            for _, record in store.records()
            for _, event in read(record)
            if isinstance(event, BidMade | CardPlayed)
        ]


def main() -> None:
    """Plays, prints, and ends with the verdict."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--loops", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--move", default="200ms", help="the time for a decision")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        run = played(Path(name), options)
        standings = json.loads((run / "standings.json").read_text())
        measured = waits(run)
    matches = standings["matches"]
    faults = {bot["name"]: bot["faults"] for bot in standings["bots"] if bot["faults"]}
    print(f"load before {load:.1f}")
    print(f"matches     {matches['finished']} finished, {matches['void']} void")
    print(f"decisions   {len(measured):,}")
    print(f"99.9 %      {quantile(measured, 0.999):.1f} ms")
    print(f"the longest {max(measured):.1f} ms of {options.move}")
    print(f"faults      {faults or 'none'}")
    sys.exit(bool(faults or matches["void"]))


if __name__ == "__main__":
    main()
