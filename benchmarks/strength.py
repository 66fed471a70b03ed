"""How strong `sampling` is by the work that it puts into a move: matches against `counting`.

    python -m benchmarks.strength [--against BOT] [--pairs N] [--seed 1] [--jobs 1]

Work is counted in steps, `STEPS` in the bot's environment; what they take is read from the record.
Each line is a tournament of mirrored pairs of matches by the standard rules. The more steps, the
fewer pairs: it takes half an hour on one core, with `--pairs 2` two minutes. Needs `make` and a C++
compiler.
"""

import argparse
import csv
import json
import subprocess
import tempfile
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Final

from msgspec import Struct

from benchmarks.commands import CLI
from benchmarks.compiled import ROOT

PAIRS: Final = {1_000: 60, 7_000: 60, 30_000: 60, 150_000: 30, 500_000: 8}
"""Steps a move, and how many pairs are played with them."""
BOT: Final = ROOT / "sample_bots" / "sampling"
AGAINST: Final = ROOT / "sample_bots" / "counting"

TOURNAMENT: Final = """\
name: strength
seed: {seed}
schedule: {{rounds: {pairs}}}
clock: {{move: 10s}}  # far more than any of these takes, or the bot would do less
sandbox: {{backend: none, pause: false}}
bots:
  - {{name: {bot.name}, folder: {bot}, env: {{STEPS: "{steps}"}}}}
  - {against}
"""


class Strength(Struct, frozen=True):
    """What a level has come to."""

    steps: int
    ms: float
    """A decision, on average; the bot's own and the way there and back."""
    matches: int
    won: int
    points: float
    """Own minus theirs, a deal."""
    points_ci95: tuple[float, float] | None


def measure(folder: Path, steps: int, pairs: int, against: Path, seed: int, jobs: int) -> Strength:
    """Plays a level, in a folder that is empty."""
    (folder / "strength.yaml").write_text(
        TOURNAMENT.format(seed=seed, pairs=pairs, bot=BOT, steps=steps, against=against)
    )
    output(folder, "run", "strength.yaml", "-o", "run", "--jobs", str(jobs), "--quiet")
    standings = json.loads(output(folder, "standings", "run", "--format", "json"))
    decisions = output(folder, "export", "run", "--what", "decisions", "--format", "csv")
    rows = csv.DictReader(decisions.splitlines())
    [bot] = [bot for bot in standings["bots"] if bot["name"] == BOT.name]
    if bot["faults"]:
        raise RuntimeError(f"not sound: {bot['faults']}")
    return Strength(
        steps=steps,
        ms=fmean(float(row["ms"]) for row in rows if row["bot"] == BOT.name),
        matches=bot["played"],
        won=bot["won"],
        points=bot["points_per_deal"],
        points_ci95=bot["points_per_deal_ci95"],
    )


def output(folder: Path, *arguments: str) -> str:
    """What a command prints there."""
    done = subprocess.run([*CLI, *arguments], cwd=folder, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode()


def interval(won: int, matches: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a chance."""
    z = 1.96
    share, spread = won / matches, z * z / matches
    middle = share + spread / 2
    around = z * sqrt((share * (1 - share) + spread / 4) / matches)
    return (middle - around) / (1 + spread), (middle + around) / (1 + spread)


def row(found: Strength) -> str:
    """A line of a Markdown table."""
    low, high = interval(found.won, found.matches)
    points = ""
    if found.points_ci95 is not None:
        points = f" ({found.points_ci95[0]:+.1f} to {found.points_ci95[1]:+.1f})"
    cells = [
        f"{found.steps:,}",
        f"{found.ms:.1f}",
        f"{found.matches}",
        f"{found.won / found.matches:.0%} ({low:.0%} to {high:.0%})",
        f"{found.points:+.1f}{points}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", type=Path, default=AGAINST, metavar="BOT")
    parser.add_argument("--pairs", type=int, default=max(PAIRS.values()), help="of each line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    wanted = parser.parse_args()
    print("| steps a move | ms a move | matches | won (95 %) | points a deal (95 %) |")
    print("|---|---|---|---|---|")
    for steps, pairs in PAIRS.items():
        with tempfile.TemporaryDirectory() as name:
            found = measure(
                Path(name),
                steps,
                min(pairs, wanted.pairs),
                wanted.against.resolve(),
                wanted.seed,
                wanted.jobs,
            )
        print(row(found), flush=True)


if __name__ == "__main__":
    main()
