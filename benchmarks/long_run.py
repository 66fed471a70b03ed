"""A run of many short matches: does anything grow? Memory and time for each part of the run.

    python -m benchmarks.long_run [--matches 10000] [--parts 10] [--json FILE]

Two `random_legal` meet again and again; a match is five deals. Prints a line for each part as it
ends: the seconds that a thousand matches took in it, and at its end the resident memory of the
coordinating process and of its largest worker. Ten thousand matches take about half an hour.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.compiled import ROOT
from benchmarks.figures import Figure, table, write_json
from tournaments.errors import UserError
from tournaments.storage.store import Store

GROWTH: Final = 1.1
"""Of memory from the second part to the last, by which it would be found to grow. In the first
part caches fill."""

TOURNAMENT = """\
name: long-run
seed: 1
rules: {{preset: standard, max_deals: 5}}
schedule: {{rounds: {rounds}}}
sandbox: {{backend: none}}
bots:
  - {{name: one, command: ["{{python}}", bot.py], folder: {bot}}}
  - {{name: two, command: ["{{python}}", bot.py], folder: {bot}}}
"""


class Part(NamedTuple):
    """What was seen of a part of the run."""

    matches: int
    """Finished at its end."""
    seconds_a_thousand: float
    coordinator_mb: float
    """Resident memory at its end."""
    worker_mb: float
    """Of the largest worker."""


def main() -> None:
    """Runs and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--parts", type=int, default=10)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    parts = []
    print(f"{'matches':>8} {'s/thousand':>11} {'coordinator MB':>15} {'worker MB':>10}", flush=True)
    for part in run(options.matches, options.parts):
        print("{:8} {:11.1f} {:15.1f} {:10.1f}".format(*part), flush=True)
        parts.append(part)
    found = figures(parts)
    print(table(found))
    if options.json is not None:
        write_json(options.json, found)


def run(matches: int, parts: int) -> Iterator[Part]:
    """Plays a tournament of so many matches, and gives each part of it as it ends.

    Raises CalledProcessError where the run fails.
    """
    with tempfile.TemporaryDirectory() as name:
        file, folder = Path(name) / "long.yaml", Path(name) / "run"
        bot = ROOT / "sample_bots" / "random_legal"
        file.write_text(TOURNAMENT.format(rounds=matches // 2, bot=bot))
        command = [sys.executable, "-m", "tournaments.cli", "run", str(file), "-o", str(folder)]
        with subprocess.Popen([*command, "--quiet"], stdout=subprocess.DEVNULL) as process:
            yield from _watched(process, folder, [matches * i // parts for i in range(parts + 1)])
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)


def figures(parts: Sequence[Part]) -> list[Figure]:
    """What the parts come to; of whether memory grows there is nothing to say under three."""
    found = [
        Figure("time", "s/thousand", [part.seconds_a_thousand for part in parts]),
        Figure("coordinator, resident", "MB", [part.coordinator_mb for part in parts]),
        Figure("largest worker, resident", "MB", [part.worker_mb for part in parts]),
    ]
    if len(parts) > 2:
        second, last = parts[1], parts[-1]
        time_ = last.seconds_a_thousand / second.seconds_a_thousand
        coordinator = last.coordinator_mb / second.coordinator_mb
        worker = last.worker_mb / second.worker_mb
        found += [
            Figure("time, last part / second", "ratio", [time_]),
            Figure("coordinator, last part / second", "ratio", [coordinator], most=GROWTH),
            Figure("largest worker, last part / second", "ratio", [worker], most=GROWTH),
        ]
    return found


def _watched(
    process: "subprocess.Popen[bytes]", folder: Path, ends: Sequence[int]
) -> Iterator[Part]:
    before = time.monotonic()
    coordinator = worker = 0.0
    for begin, end in pairwise(ends):
        while finished(folder) < end and process.poll() is None:
            # At the last look of the run its processes may be gone.
            coordinator = _resident_mb(process.pid) or coordinator
            worker = max(map(_resident_mb, workers_of(process.pid)), default=0.0) or worker
            time.sleep(0.2)
        now = time.monotonic()
        yield Part(end, (now - before) / (end - begin) * 1000, coordinator, worker)
        before = now


def _resident_mb(pid: int) -> float:
    """Resident memory of a process; 0 if it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(s.split()[1]) / 1000 for s in status.split("\n") if "VmRSS" in s), 0.0)


def workers_of(pid: int) -> list[int]:
    """The worker processes of a coordinator."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    try:
        children = [int(child) for task in tasks for child in task.read_text().split()]
        return [c for c in children if b"spawn_main" in Path(f"/proc/{c}/cmdline").read_bytes()]
    except OSError:  # one of them is gone
        return []


def finished(folder: Path) -> int:
    """Matches in the store."""
    try:
        with Store.read(folder) as store:
            return store.counts().finished
    except UserError:
        return 0


if __name__ == "__main__":
    main()
