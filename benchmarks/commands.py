"""How long a user waits for a command, from its start to its end."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figures import Figure

ROUNDS = 7
CLI = [sys.executable, "-m", "tournaments.cli"]

TOURNAMENT = """\
name: one-match
seed: 1
schedule: {rounds: 1, mirror: false}
sandbox: {backend: none}
bots:
  - {name: one, command: [./bot], folder: bot}
  - {name: two, command: [./bot], folder: bot}
"""


def seconds(command: Sequence[str], folder: Path) -> float:
    """What one run of a command takes."""
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - began


def measure(bot: Path) -> list[Figure]:
    """The version, one match, and a tournament of one match, of a compiled bot."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bot").mkdir()
        shutil.copy(bot, folder / "bot" / "bot")
        (folder / "one.yaml").write_text(TOURNAMENT)
        version, match, run = [], [], []
        for i in range(ROUNDS):
            version.append(seconds([*CLI, "--version"], folder))
            match.append(seconds([*CLI, "match", "bot/bot", "bot/bot", "--seed", "1"], folder))
            run.append(seconds([*CLI, "run", "one.yaml", "-o", f"run-{i}"], folder))
    return [
        Figure("command --version", "s", version, most=0.1),
        Figure("command match, C bots", "s", match, most=0.6),
        Figure("command run of one match, C bots", "s", run, most=0.6),
    ]
