"""How often the sequential test of `gate` errs, and how many pairs it takes.

    python -m benchmarks.sequential [--gates 20000] [--max-pairs 2000] [--seed N] [--jobs 2]

Pairs are drawn, not played: won, even or lost with known chances. Each line is a strength by one of
the hypotheses and a variance: 1 is that of two matches that have nothing to do with each other, and
mirrored deals leave 0.5 to 1 of it. Many gates go on side by side, a pair at a time; those that
have come to the same pairs are one state, which is decided once. Ends with status 1 if an error
rate is more than a hundredth over what was asked for.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from multiprocessing import Pool
from random import Random
from typing import Final

from msgspec import Struct

from tournaments.gates.sequential import Hypotheses, decide, elo_of, expected_score

ERROR: Final = 0.05
"""The alpha and beta that are asked for: the defaults of `gate`."""
OVER: Final = 0.01
"""What may come on top of them."""
VARIANCES: Final = (0.5, 0.75, 1.0)
"""Of a pair, as a share of that of two independent matches."""
TESTED: Final = {
    "0 / 20 Elo": (0.0, 20.0),
    "-20 / 0 Elo": (-20.0, 0.0),
    "score .47 / .50": (elo_of(0.47), 0.0),
    "score .45 / .50": (elo_of(0.45), 0.0),
}

Pairs = tuple[int, int, int]
"""How many were lost, even, won."""


class Scenario(Struct, frozen=True):
    """Gates between two bots of known strengths."""

    name: str
    """A key of TESTED."""
    hypothesis: int
    """Which is true: 0 or 1."""
    variance: float
    gates: int
    max_pairs: int
    seed: int


class Found(Struct, frozen=True):
    """What a scenario came to."""

    scenario: Scenario
    accepted: int
    rejected: int
    landslides: int
    pairs: int
    """Of all gates together."""

    @property
    def errors(self) -> float:
        """The share of gates with the wrong verdict."""
        return (self.rejected if self.scenario.hypothesis else self.accepted) / self.scenario.gates

    @property
    def reached(self) -> bool:
        """Whether it errs seldom enough, but for three standard errors of the simulation."""
        noise = 3 * sqrt(ERROR * (1 - ERROR) / self.scenario.gates)
        return self.errors <= ERROR + OVER + noise


def chances(score: float, variance: float) -> tuple[float, float, float]:
    """Of a pair to be lost, even, won: its mean is the score, its variance a share of the usual."""
    lead = 2 * score - 1
    decided = 2 * variance * score * (1 - score) + lead * lead
    return (decided - lead) / 2, 1 - decided, (decided + lead) / 2


def simulate(scenario: Scenario) -> Found:
    """Plays the gates of a scenario, all of them a pair further at a time."""
    hypotheses = Hypotheses(*TESTED[scenario.name], alpha=ERROR, beta=ERROR)
    elo = (hypotheses.elo0, hypotheses.elo1)[scenario.hypothesis]
    weights = chances(expected_score(elo), scenario.variance)
    random = Random(f"{scenario.name} {scenario.hypothesis} {scenario.variance} {scenario.seed}")
    open_gates: Counter[Pairs] = Counter({(0, 0, 0): scenario.gates})
    verdicts: Counter[str | None] = Counter()
    landslides = pairs = 0
    for _ in range(scenario.max_pairs):
        pairs += open_gates.total()
        further: Counter[Pairs] = Counter()
        for (lost, even, won), gates in open_gates.items():
            drawn = random.choices(range(3), weights, k=gates)
            further[lost + 1, even, won] += drawn.count(0)
            further[lost, even + 1, won] += drawn.count(1)
            further[lost, even, won + 1] += drawn.count(2)
        open_gates.clear()
        for (lost, even, won), gates in further.items():
            if gates:
                decision = decide((lost, 0, even, 0, won), hypotheses)
                if decision.verdict is None:
                    open_gates[lost, even, won] = gates
                else:
                    verdicts[decision.verdict] += gates
                    landslides += gates * decision.landslide
    return Found(scenario, verdicts["accepted"], verdicts["rejected"], landslides, pairs)


def scenarios(gates: int, max_pairs: int, seed: int) -> Iterator[Scenario]:
    """Everything that is measured."""
    for name in TESTED:
        for hypothesis in (0, 1):
            for variance in VARIANCES:
                yield Scenario(name, hypothesis, variance, gates, max_pairs, seed)


def row(found: Found) -> str:
    """A line of a Markdown table."""
    scenario, gates = found.scenario, found.scenario.gates
    undecided = gates - found.accepted - found.rejected
    cells = [
        scenario.name,
        f"H{scenario.hypothesis}",
        f"{scenario.variance:g}",
        f"{found.errors:.4f}",
        f"{found.pairs / gates:,.0f}",
        f"{undecided / gates:.2%}",
        f"{found.landslides / gates:.2%}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gates", type=int, default=20_000)
    parser.add_argument("--max-pairs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    wanted = parser.parse_args()
    print("| test | true | variance | wrong | pairs | undecided | landslides |")
    print("|---|---|---|---|---|---|---|")
    reached = True
    with Pool(wanted.jobs) as pool:
        measured = scenarios(wanted.gates, wanted.max_pairs, wanted.seed)
        for found in pool.imap(simulate, measured):
            print(row(found), flush=True)
            reached &= found.reached
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
