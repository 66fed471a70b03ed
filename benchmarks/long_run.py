"""A run of many short matches: does anything grow? Memory and time for each part of the run.

    python -m benchmarks.long_run --matches 1000 --parts 10

Two `random_legal` meet again and again; a match is five deals. Prints, for each part, the seconds
it took and the resident memory (MB) of the coordinating process and of its largest worker.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tournaments.errors import UserError
from tournaments.store import Store

BOT = Path(__file__).parent.parent / "sample_bots" / "random_legal"

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


def resident_mb(pid: int) -> float:
    """Resident memory of a process; 0 if it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(s.split()[1]) / 1000 for s in status.split("\n") if "VmRSS" in s), 0.0)


def workers_of(pid: int) -> list[int]:
    """The worker processes of a coordinator."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return [c for c in children if b"spawn_main" in Path(f"/proc/{c}/cmdline").read_bytes()]


def finished(run: Path) -> int:
    """Matches in the store."""
    try:
        with Store.read(run) as store:
            return store.counts().finished
    except UserError:
        return 0


def main() -> None:
    """Runs and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--parts", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, run = Path(folder) / "long.yaml", Path(folder) / "run"
        file.write_text(TOURNAMENT.format(rounds=options.matches // 2, bot=BOT))
        command = [sys.executable, "-m", "tournaments.cli", "run", str(file), "-o", str(run)]
        with subprocess.Popen([*command, "--quiet"], stdout=subprocess.DEVNULL) as process:
            watch(process, run, options.matches, options.parts)
    sys.exit(process.returncode)


def watch(process: "subprocess.Popen[bytes]", run: Path, matches: int, parts: int) -> None:
    """Prints a line whenever another part of the matches is finished."""
    print(f"{'matches':>8} {'seconds':>8} {'coordinator MB':>15} {'worker MB':>10}", flush=True)
    before = time.monotonic()
    for part in range(1, parts + 1):
        wanted = matches * part // parts
        memory = workers = 0.0
        while finished(run) < wanted and process.poll() is None:
            memory = resident_mb(process.pid)
            workers = max(map(resident_mb, workers_of(process.pid)), default=0.0)
            time.sleep(0.05)
        now = time.monotonic()
        print(f"{wanted:8} {now - before:8.1f} {memory:15.1f} {workers:10.1f}", flush=True)
        before = now


if __name__ == "__main__":
    main()
