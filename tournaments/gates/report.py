"""What a gate has come to, as plain data: its verdict, what that rests on, and who is broken."""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from arena.events import MatchStarted
from arena.record import BadRecord, read
from arena.turns import faults_in
from protocol.codec import printable
from tournaments.gates.gate import EXIT_STATUS, Gate, GateSettings, Verdict
from tournaments.gates.sequential import CLASSES, estimate
from tournaments.sources import in_run
from tournaments.storage.reader import Reader

LOG_LINES: Final = 20
"""Of what a bot at fault wrote to standard error, at most: the last ones."""
DIGITS: Final = 6
"""Decimals of a number. The last bits of a logarithm differ between machines; these do not."""


class Contestant(Struct, frozen=True):
    """One of the two bots."""

    name: str
    """A later version in the same folder is `name@2`."""
    hash: str
    """Of its files before the build."""


class PairCounts(Struct, frozen=True):
    """The pairs that the verdict rests on."""

    counted: int
    won: int
    """By the candidate: more than half of the pair's two matches."""
    even: int
    lost: int
    by_quarters: tuple[int, ...]
    """How many have brought the candidate 0, 1/4, 1/2, 3/4 and all of it. Quarters need a draw."""


class Fault(Struct, frozen=True):
    """Why a bot is broken."""

    bot: str
    kind: str
    """A kind of fault, or `build`."""
    detail: str
    """The sentence for its author; of a build, the end of what it printed as well."""
    match: str | None = None
    """Null for a build."""
    log: str = ""
    """The end of what it wrote to standard error in that match."""
    command: str | None = None
    """Reproduces it; null for a build."""


class Report(Struct, frozen=True):
    """`gate.json`. All but `seconds` and `matches_played` is the same however it was come by."""

    verdict: Verdict
    exit_status: int
    sentence: str
    candidate: Contestant
    baseline: Contestant
    rules: str
    seed: int
    non_regression: bool
    elo0: float
    elo1: float
    alpha: float
    beta: float
    max_pairs: int
    pairs: PairCounts
    score: float | None
    """The candidate's share of the pairs; null before the first, as are the next two."""
    elo: float | None
    """How much stronger the candidate is by that."""
    elo_ci95: tuple[float, float] | None
    """A 95 % interval, as if the number of pairs had been fixed before."""
    llr: float
    """The log-likelihood ratio."""
    llr_bounds: tuple[float, float]
    """At or below the first the candidate has failed, at or above the second passed."""
    landslide: bool
    """It was decided before the ratio came to a bound, as the pairs were so one-sided."""
    fault: Fault | None
    """Of the candidate, or else of the baseline."""
    void: str | None
    """Why the arena could not play a match."""
    matches: int
    """That the verdict rests on."""
    matches_played: int
    """By this command: others were played before, or were not needed in the end."""
    seconds: float
    """How long this command took."""
    run: str
    """The run folder."""


def report(
    settings: GateSettings,
    bots: tuple[Contestant, Contestant],
    gate: Gate,
    folder: Path,
    *,
    fault: Fault | None = None,
    played: int = 0,
    seconds: float = 0.0,
) -> Report:
    """The report of a gate that has a verdict; of a broken bot, with its fault.

    `played`, `seconds`: what the command has played, and how long it took.
    """
    assert gate.verdict is not None
    pairs, asked, decision = gate.test.pairs, settings.hypotheses, gate.test.decision
    counted = gate.test.taken_in
    found = estimate(pairs) if counted else None
    won, lost = sum(pairs[3:]), sum(pairs[:2])
    score = sum(quarters * count for quarters, count in enumerate(pairs))
    return Report(
        verdict=gate.verdict,
        exit_status=EXIT_STATUS[gate.verdict],
        sentence=_sentence(settings, bots, gate, fault),
        candidate=bots[0],
        baseline=bots[1],
        rules=settings.rules,
        seed=settings.seed,
        non_regression=settings.non_regression,
        **msgspec.structs.asdict(asked),
        max_pairs=settings.max_pairs,
        pairs=PairCounts(counted, won, pairs[2], lost, tuple(pairs)),
        score=_rounded(score / (CLASSES - 1) / counted) if counted else None,
        elo=_rounded(found.elo) if found else None,
        elo_ci95=(_rounded(found.low), _rounded(found.high)) if found else None,
        llr=_rounded(decision.llr),
        llr_bounds=(_rounded(asked.bounds[0]), _rounded(asked.bounds[1])),
        landslide=decision.landslide,
        fault=fault,
        void=gate.trouble or None,
        matches=gate.matches,
        matches_played=played,
        seconds=seconds,
        run=printable(str(folder)),
    )


def fault_in(store: Reader, gate: Gate) -> Fault | None:
    """The fault that has ended a gate, as its match's record tells it; None where none has."""
    if gate.verdict not in ("broken", "baseline_broken"):
        return None
    match = gate.decisive
    record = store.record(match)
    with store.judging(match):
        _, started = next(read(record))
        assert isinstance(started, MatchStarted)
        found = next(faults_in(record), None)
        if found is None:
            raise BadRecord("no bot is at fault in it, and the result says that one is")
    fault, turn = found
    log = store.logs(match).get(fault.seat, "").splitlines()[-LOG_LINES:]
    return Fault(
        bot=started.players[fault.seat].name,
        kind=fault.kind,
        detail=f"asked for {fault.request}; {fault.detail}",
        match=match,
        log="\n".join(log),
        command=in_run(store.folder, match).debug(fault.seat, turn),
    )


def _sentence(
    settings: GateSettings,
    bots: tuple[Contestant, Contestant],
    gate: Gate,
    fault: Fault | None,
) -> str:
    candidate, baseline = (bot.name for bot in bots)
    if fault is not None:
        how = "its build fails" if fault.match is None else f"{fault.kind} in match {fault.match}"
        if gate.verdict == "broken":
            return f"broken: {candidate}: {how}"
        return f"baseline broken, so nothing can be said of {candidate}: {baseline}: {how}"
    if gate.verdict == "void":
        return (
            f"void, so nothing can be said of {candidate}: match {gate.decisive} could not be"
            " played; run again to try it again"
        )
    question = ("not worse" if settings.non_regression else "better") + f" than {baseline}"
    if gate.verdict == "undecided":
        return (
            f"undecided: {settings.max_pairs:,} pairs don't tell whether {candidate} is {question}"
        )
    if gate.verdict == "passed":
        return f"passed: {candidate} is {question}"
    if settings.non_regression:
        return f"failed: {candidate} is worse than {baseline}"
    return f"failed: {candidate} is not {question}"


def _rounded(number: float) -> float:
    return round(number, DIGITS) + 0.0  # never -0.0
