"""What hostile bots cost a tournament: its time beside that of a polite one, and what is left.

    python -m benchmarks.hostile [--jobs 2]

Twelve bots meet once each, for two deals: four sound ones and eight hostile ones, and then again
with sound ones in their place. Prints both times, the bound (the polite one's time, and what each
hostile bot may use up of its clocks in each of its matches), and what of processes and files is
left outside the run folder. Ends with status 1 if the bound is passed or anything is left.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from arena import reaper
from benchmarks.tables import backend

ROOT: Final = Path(__file__).parent.parent
PROGRAMS: Final = ROOT / "tests" / "bad_bots"
SOUND: Final = "proper"

START_S, MOVE_S, EXIT_S = 1.0, 0.5, 0.2

HOSTILE: Final = {
    "silent_at_start": START_S,
    "stops_itself": MOVE_S,
    "never_leaves": EXIT_S,
    "daemon_holds_pipes": 0.0,
    "chatters": MOVE_S,
    "floods_log": MOVE_S,
    "floods_blank_lines": EXIT_S,
    "forks_many": EXIT_S,
}
"""Program -> the seconds of its clocks that it may use up in a match."""


class Comparison(Struct, frozen=True):
    """What two tournaments came to, one with hostile bots and one with polite ones instead."""

    polite_s: float
    hostile_s: float
    clocks_s: float
    """What all hostile bots may use up of their clocks in all their matches."""
    processes: list[str]
    """The command lines of what still ran."""
    files: list[str]
    """What stood outside the run folders that was not there before."""


def compare(folder: Path, hostile: Sequence[str], n_sound: int, jobs: int) -> Comparison:
    """Plays both in an empty folder; the runs are in `polite` and `hostile` there."""
    work = folder / "work"
    for name in ("work", "home", "tmp"):
        (folder / name).mkdir()
    shutil.copytree(PROGRAMS, work / "bots", ignore=shutil.ignore_patterns("__pycache__"))
    sound = [(f"sound-{i}", SOUND) for i in range(n_sound)]
    fields = {
        "polite": sound + [(f"not-{name}", SOUND) for name in hostile],
        "hostile": sound + [(name, name) for name in hostile],
    }
    for name, bots in fields.items():
        (work / f"{name}.yaml").write_text(tournament(name, bots))
    reaper.adopt_orphans()  # whatever outlives the tournament becomes a child of ours
    children, files = children_now(), outside(folder)
    polite_s, hostile_s = (seconds(folder, name, jobs) for name in fields)
    left = survivors(children)
    matches_each = n_sound + len(hostile) - 1
    return Comparison(
        polite_s=polite_s,
        hostile_s=hostile_s,
        clocks_s=matches_each * sum(HOSTILE[name] for name in hostile),
        processes=sorted(map(command_line, left)),
        files=sorted(outside(folder) - files),
    )


def tournament(name: str, bots: Iterable[tuple[str, str]]) -> str:
    """A tournament file; `bots` are names, and the programs that they run."""
    return json.dumps(
        {
            "name": name,
            "seed": 1,
            "rules": {"max_deals": 2},
            "schedule": {"mirror": False},
            "clock": {"start": f"{START_S}s", "move": f"{MOVE_S}s", "exit": f"{EXIT_S}s"},
            "sandbox": {"backend": backend()},
            "bots": [
                {
                    "name": bot,
                    "folder": "bots",
                    "command": ["{python}", "-S", "-E", f"{program}.py"],
                }
                for bot, program in bots
            ],
        }
    )


def seconds(folder: Path, name: str, jobs: int) -> float:
    """What one run takes. Raises CalledProcessError where it fails."""
    command = [sys.executable, "-m", "tournaments.cli", "run", f"{name}.yaml"]
    began = time.monotonic()
    subprocess.run(
        [*command, "-o", str(folder / name), "--jobs", str(jobs), "--quiet"],
        cwd=folder / "work",
        env={
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "tmp"),
            "PYTHONPATH": str(ROOT),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    return time.monotonic() - began


def children_now() -> set[int]:
    """Pids of the children of this process, living or dead."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text().split()}


def survivors(before: set[int], patience_s: float = 5.0) -> set[int]:
    """The children that have come since and don't end by themselves in this time.

    The resource tracker of multiprocessing ends a moment after its run.
    """
    end = time.monotonic() + patience_s
    while left := children_now() - before:
        if time.monotonic() > end:
            break
        for pid in left:
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.01)
    return left


def command_line(pid: int) -> str:
    """How a process was called."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return " ".join(map(os.fsdecode, words)).strip()


def outside(folder: Path) -> set[str]:
    """Every file and folder beside the run folders."""
    return {
        str(path.relative_to(folder))
        for name in ("work", "home", "tmp")
        for path in (folder / name).rglob("*")
    }


def main() -> None:
    """Plays, prints, and ends with the verdict."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = compare(Path(name), list(HOSTILE), 4, options.jobs)
    bound = found.polite_s + found.clocks_s
    print(f"polite    {found.polite_s:6.1f} s")
    print(f"hostile   {found.hostile_s:6.1f} s")
    print(f"bound     {bound:6.1f} s, of which {found.clocks_s:.1f} s are hostile bots' clocks")
    print(f"processes left: {', '.join(found.processes) or 'none'}")
    print(f"files left: {', '.join(found.files) or 'none'}")
    sys.exit(bool(found.hostile_s > bound or found.processes or found.files))


if __name__ == "__main__":
    main()
