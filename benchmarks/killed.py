"""Whether a tournament that is killed again and again comes to what an undisturbed one comes to.

    python -m benchmarks.killed [--matches 300] [--kills 50] [--jobs 2] [--seed N] [--backend none]

A tournament of short matches is killed with SIGKILL at random moments spread over all of it: its
coordinator, workers, bots, or several of them at one instant, in turn. It goes on by the same
command until it is complete, and is compared with an undisturbed run at one table: standings,
every record but for its times, and which matches there are. Prints who was killed and how many
matches stood then, and what of processes and files is left outside the run folder. Ends with
status 1 if anything differs or is left.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeVar

from click.testing import CliRunner

from arena import reaper
from benchmarks.compiled import FLOOR, ROOT, compiled
from benchmarks.hostile import children_now, command_line, outside, survivors
from benchmarks.long_run import finished
from benchmarks.tables import backend
from benchmarks.victims import VICTIMS, in_turn, strike
from tournaments.cli import cli

T = TypeVar("T")

DELAY_S: Final = 0.2
"""From when enough matches stand to a kill at most: the time of some matches."""
AT_ONCE: Final = 0.25
"""Of the kills wait for no match: they come while the command starts, or soon after another."""
START_S: Final = 1.0
"""The delay of those at most."""
SPREAD: Final = 0.9
"""Of the matches stand when the last kill is due."""
MATCHES_A_ROUND: Final = 6
_JSON: Final = ("--format", "json")
_MATCHES: Final = ("--what", "matches")
_TIMELESS: Final = "--no-times"
_PAUSE_S: Final = 0.005
_GOES_ON: Final = (-signal.SIGKILL, 3)
"""Status of a command that was killed, or gave up a match that was hit in each of its tries."""


class Kill(NamedTuple):
    """What was done."""

    who: str
    """A key of VICTIMS."""
    stood: int
    """Matches in the store at that moment."""
    delay_s: float
    """From when so many stood as were waited for, or from the kill before if later."""


class Killed:
    """A tournament in `killed`, and its undisturbed double in `whole`, in an empty folder."""

    def __init__(self, folder: Path, matches: int, sandbox: str, jobs: int) -> None:
        self._folder = folder
        self._jobs = str(jobs)
        self.run, self.whole = folder / "killed", folder / "whole"
        for name in ("work", "home", "tmp"):
            (folder / name).mkdir()
        rounds = -(-matches // MATCHES_A_ROUND)
        self.matches = rounds * MATCHES_A_ROUND
        settings = tournament(folder / "work", rounds, sandbox)
        (folder / "work" / "killed.yaml").write_text(json.dumps(settings))
        reaper.adopt_orphans()  # whatever outlives the tournament becomes a child of ours
        self._children, self._files = children_now(), outside(folder)

    def kills(self, number: int, random: Random) -> Iterator[Kill]:
        """Plays the tournament to its end, killed so often; fewer times if it is over before.

        Raises RuntimeError where it fails.
        """
        self._process = self._start(self.run, self._jobs)
        try:
            for i, who in zip(range(number), in_turn(random), strict=False):
                kill = self._kill(who, int(i * SPREAD * self.matches / number), random)
                if kill is None:
                    break
                yield kill
            self._until(lambda: False)
        finally:
            if self._process.poll() is None:
                strike([-self._process.pid])

    def _kill(self, who: str, due: int, random: Random) -> Kill | None:
        """Kills somebody a moment after so many matches stand; None if all is over before."""
        longest_s = START_S
        if random.random() >= AT_ONCE:
            longest_s = DELAY_S
            self._until(lambda: finished(self.run) >= due)
        delay_s = random.uniform(0, longest_s)
        time.sleep(delay_s)
        stood = finished(self.run)
        pids = self._until(lambda: VICTIMS[who](self._process.pid, random))
        if not pids:
            return None
        strike(pids)
        if self._process.pid in map(abs, pids):
            self._process.wait()
        return Kill(who, stood, delay_s)

    def _until(self, found: Callable[[], T]) -> T | None:
        """Waits until something is found, or all is over. Goes on where the command has ended."""
        while self._process.poll() != 0:
            if self._process.returncode in _GOES_ON:
                self._process = self._start(self.run, self._jobs)
            elif self._process.returncode is not None:
                log = (self._folder / "log").read_text()
                raise RuntimeError(f"the run failed: {log[-2000:]}")
            elif result := found():
                return result
            time.sleep(_PAUSE_S)
        return None

    def played(self) -> list[str]:
        """The ids of the matches that it has."""
        return [row["match"] for row in json.loads(_told("export", self.run, *_MATCHES))]

    def differences(self) -> list[str]:
        """What is not as it is in an undisturbed run at one table, which is played now."""
        if self._start(self.whole, "1").wait():
            raise RuntimeError("the undisturbed run failed")
        found = []
        for words in (("standings", *_JSON), ("export", *_MATCHES)):
            if not self._same(*words):
                found.append(words[0])
        ids = self.played()
        if len(set(ids)) != len(ids) or len(ids) != self.matches:
            found.append(f"{len(ids)} matches, {len(set(ids))} different ones, of {self.matches}")
        if f"{self.matches} records agree" not in _told("verify", self.run):
            found.append("verify")
        return found + [f"record {id_}" for id_ in ids if not self._same("record", id_, _TIMELESS)]

    def _same(self, command: str, *arguments: str) -> bool:
        """A command tells the same of both runs."""
        return _told(command, self.run, *arguments) == _told(command, self.whole, *arguments)

    def left(self) -> list[str]:
        """Processes that still run, and files outside the run folders."""
        processes = survivors(self._children)
        return sorted([*map(command_line, processes), *(outside(self._folder) - self._files)])

    def _start(self, run: Path, jobs: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "tournaments.cli", "run", "killed.yaml", "-o", str(run)]
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [*command, "--jobs", jobs, "--quiet"],
                cwd=self._folder / "work",
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "HOME": str(self._folder / "home"),
                    "TMPDIR": str(self._folder / "tmp"),
                    "PYTHONPATH": str(ROOT),
                },
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                process_group=0,
            )


def tournament(work: Path, rounds: int, sandbox: str) -> dict[str, object]:
    """Settings with three quick bots, compiled ones where there is a compiler."""
    if shutil.which("cc"):
        (work / "instant").mkdir()
        compiled(FLOOR / "instant.c", work / "instant")
        instant = {"command": ["./instant"], "folder": str(work / "instant")}
        bots = [{"name": "one", **instant}, {"name": "other", **instant}]
        third, deals = "c_counting", 10
    else:
        rote = {"folder": str(ROOT / "sample_bots" / "random_legal")}
        bots = [{"name": "one", **rote}, {"name": "other", **rote}]
        third, deals = "high_card", 1
    return {
        "name": "killed",
        "seed": 1,
        "rules": {"max_deals": deals},
        "schedule": {"rounds": rounds},
        "clock": {"start": "60s", "move": "60s"},
        "sandbox": {"backend": sandbox},
        "bots": [*bots, {"name": "third", "folder": str(ROOT / "sample_bots" / third)}],
    }


def _told(command: str, run: Path, *arguments: str) -> str:
    """What a command prints of a run, whatever its status."""
    return CliRunner().invoke(cli, [command, str(run), *arguments]).output


def main() -> None:
    """Plays, prints, and ends with the verdict."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--backend", choices=["none", "bubblewrap"], default=backend())
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.backend}")
    done = 0
    with tempfile.TemporaryDirectory() as name:
        run = Killed(Path(name), options.matches, options.backend, options.jobs)
        began = time.monotonic()
        for done, kill in enumerate(run.kills(options.kills, Random(options.seed)), 1):
            print(
                f"{done:3}  {kill.stood:4} of {run.matches}  +{kill.delay_s:.3f} s  {kill.who}",
                flush=True,
            )
        print(f"played in {time.monotonic() - began:.1f} s")
        left, differences = run.left(), run.differences()
    print(f"kills: {done} of {options.kills}")
    print(f"left: {', '.join(left) or 'nothing'}")
    print(f"different: {', '.join(differences) or 'nothing'}")
    sys.exit(bool(left or differences or done < options.kills))


if __name__ == "__main__":
    main()
