"""A gate: whether a candidate is better than a baseline, decided in schedule order.

It is a tournament of two bots, played by what plays all others, that ends when it is decided.
Matches end in any order; they are taken in strictly in that of the schedule. So the verdict and its
numbers are the same with any number of jobs and after any interruption.
"""

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from arena.deals import seed_root
from arena.events import Clocks, FaultPolicy
from arena.match import MatchResult
from arena.news import News
from arena.rules import PRESETS, seats_of
from tournaments.bots.bots import BotSource
from tournaments.gates.sequential import Hypotheses, SequentialTest
from tournaments.runs.watcher import Watcher
from tournaments.schedules.scheduler import comparable
from tournaments.storage.entered import GIVE_UP_AFTER
from tournaments.storage.results import FinishedMatch, ScheduledRow, as_finished
from tournaments.tournament import RatingSettings, SandboxSettings, ScheduleSettings, Tournament

Verdict = Literal["passed", "failed", "undecided", "broken", "baseline_broken", "void"]
"""What a gate comes to:

- passed: the candidate is better; of a gate for regressions, not worse
- failed: it is not
- undecided: the most pairs that were allowed don't tell
- broken: the candidate was at fault in a match that was needed, or its build fails
- baseline_broken: the baseline was at fault, so nothing can be said of the candidate
- void: the arena could not play a match that was needed
"""

EXIT_STATUS: Final[dict[Verdict, int]] = {
    "passed": 0,
    "failed": 1,
    "undecided": 3,
    "broken": 4,
    "baseline_broken": 3,
    "void": 3,
}

BETTER: Final = Hypotheses(elo0=0, elo1=20, alpha=0.05, beta=0.05)
NO_REGRESSION: Final = Hypotheses(elo0=-20, elo1=0, alpha=0.05, beta=0.05)
MAX_PAIRS: Final = 2_000
MOST_PAIRS: Final = 100_000
"""That may be asked for: all are scheduled before the first match."""
SEED: Final = 0
"""Of the deals, where none is given: a verdict can be repeated."""

_LEGS: Final = 2
_NAME_LIMIT: Final = 64


class GateSettings(Struct, frozen=True):
    """What is asked."""

    candidate: BotSource
    baseline: BotSource
    """Of another name than the candidate."""
    hypotheses: Hypotheses = BETTER
    non_regression: bool = False
    """The question is whether the candidate is not worse."""
    max_pairs: int = MAX_PAIRS
    rules: str = "standard"
    """A preset with partners."""
    seed: int = SEED
    sandbox: SandboxSettings = SandboxSettings()

    def tournament(self, pairs: int) -> Tournament:
        """The tournament of the first so many pairs."""
        return Tournament(
            name=f"{self.candidate.name}-vs-{self.baseline.name}",
            seed=self.seed,
            rules=PRESETS[self.rules],
            format="pairs",
            schedule=ScheduleSettings(rounds=pairs, mirror=True),
            clock=Clocks(),
            faults=FaultPolicy(),
            sandbox=self.sandbox,
            cores=1,
            rating=RatingSettings(),
            bots=(self.candidate, self.baseline),
            withdrawn=(),
            disqualified=(),
            path=Path("gate"),
        )

    def folder(self, hashes: Sequence[str]) -> Path:
        """The run folder for these hashes of candidate and baseline, if none is named.

        It is the same for all that can go on from the same matches, and for nothing else.
        """
        tournament = self.tournament(self.max_pairs)
        parts = [tournament.name, *hashes, seed_root(self.seed), comparable(tournament)]
        digest = sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()
        return Path("runs") / "gate" / f"{tournament.name}-{digest[:12]}"


def apart(candidate: BotSource, baseline: BotSource) -> BotSource:
    """The baseline by a name that is not the candidate's: `bot.baseline` where both are `bot`."""
    if baseline.name != candidate.name:
        return baseline
    name = f"{baseline.name}.baseline"
    return msgspec.structs.replace(baseline, name=name if len(name) <= _NAME_LIMIT else "baseline")


class Gate:
    """Finished matches, added in any order and taken in in that of the schedule, to a verdict."""

    def __init__(self, settings: GateSettings, candidate: str) -> None:
        """`candidate` is its label in the store."""
        self.test = SequentialTest(settings.hypotheses)
        self.verdict: Verdict | None = None
        self.matches = 0
        """How many were taken in."""
        self.decisive = ""
        """The match that a fault or the arena's failure has ended it at."""
        self.trouble = ""
        """Why the arena could not play it."""
        self._candidate = candidate
        self._max_pairs = settings.max_pairs
        self._ahead: dict[int, FinishedMatch] = {}
        """By number: finished before all that come first in the schedule were."""
        self._given_up: dict[int, tuple[str, str]] = {}
        """By number: match and reason."""
        self._quarters = 0
        """Of the pair that is being taken in."""

    @property
    def ended(self) -> bool:
        """Whether no further match is wanted."""
        return self.verdict is not None

    def add(self, match: FinishedMatch) -> None:
        """A match is finished."""
        if match.number < _LEGS * self._max_pairs:  # those of retired bots stand behind
            self._ahead[match.number] = match
            self._go_on()

    def give_up(self, row: ScheduledRow, reason: str) -> None:
        """The arena can't play a match."""
        self._given_up[row.number] = row.match, reason
        self._go_on()

    def _go_on(self) -> None:
        while self.verdict is None and (known := self._ahead.pop(self.matches, None)):
            self._take_in(known)
        if self.verdict is None and self.matches in self._given_up:
            self.verdict = "void"
            self.decisive, self.trouble = self._given_up[self.matches]

    def _take_in(self, match: FinishedMatch) -> None:
        self.matches += 1
        if match.offender is not None:
            own = match.seats[match.offender] == self._candidate
            self.verdict = "broken" if own else "baseline_broken"
            self.decisive = match.match
            return
        if match.winner is None:
            self._quarters += 1
        elif match.seats[seats_of(match.winner)[0]] == self._candidate:
            self._quarters += 2
        if self.matches % _LEGS:
            return
        self.test.add(self._quarters)
        self._quarters = 0
        decided = self.test.decision.verdict
        if decided is not None:
            self.verdict = "passed" if decided == "accepted" else "failed"
        elif self.test.taken_in == self._max_pairs:
            self.verdict = "undecided"


class Feeder:
    """Gives a gate what a run plays, and then tells a watcher."""

    def __init__(self, gate: Gate, watcher: Watcher) -> None:
        self._gate = gate
        self._watcher = watcher
        self.played = 0
        """Matches, in this run."""

    @property
    def patience(self) -> float | None:
        return self._watcher.patience

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        self._watcher.began(scheduled, finished, at_most)

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        self.played += 1
        self._gate.add(as_finished(row, result))
        self._watcher.finished(row, result)

    def voided(self, row: ScheduledRow, reason: str, tries: int) -> None:
        if tries >= GIVE_UP_AFTER:
            self._gate.give_up(row, reason)
        self._watcher.voided(row, reason, tries)

    def look(self, playing: Collection[ScheduledRow], news: Iterable[News]) -> None:
        self._watcher.look(playing, news)
