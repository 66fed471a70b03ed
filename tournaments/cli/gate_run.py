"""Plays what a gate lacks in its run folder, to a report."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from arena.program import Program
from protocol.codec import printable
from tournaments.bots.bots import BotSource
from tournaments.bots.preparation import hashes_of, prepare_all
from tournaments.boxes import box_for
from tournaments.cli.outputs import tell
from tournaments.errors import UserError, shown
from tournaments.gates.gate import Feeder, Gate, GateSettings
from tournaments.gates.layout import FILES
from tournaments.gates.progress import watch_gate
from tournaments.gates.report import Contestant, Fault, Report, fault_in, report
from tournaments.runs import leftovers, notices
from tournaments.runs.executors import LocalExecutor, ended, tables_for
from tournaments.runs.runner import Run
from tournaments.signals import Interrupted
from tournaments.storage.store import Store


def play_gate(settings: GateSettings, output: Path | None, jobs: int | None, quiet: bool) -> Report:
    """Plays what is missing, and leaves the report in the run folder too: `output`, or its own.

    Raises UserError for a bot that is not there, a baseline that can't be built, and a folder of
    something that is not comparable.
    """
    started = time.monotonic()
    hashes = hashes_of((settings.candidate, settings.baseline))
    folder = output or settings.folder(hashes)
    with Store.hold(folder) as store:
        _refuse_others(settings, store)
        leftovers.clear(folder)
        for name in FILES:
            (folder / name).unlink(missing_ok=True)  # so that nobody reads an older verdict
        tables = tables_for(jobs, 1)
        _tell(notices.of_tables(settings.sandbox.backend, jobs, len(tables)), quiet)
        run = Run(settings.tournament(settings.max_pairs), store)
        run.begin()
        programs = _built(settings, (folder / "bots").absolute())
        if isinstance(programs, Fault):
            found = _unplayed(settings, hashes, folder, programs)
        else:
            _tell(notices.before(store, run.enter(programs)), quiet)
            found = _decided(settings, run, programs, store, tables, quiet)
        found = msgspec.structs.replace(found, seconds=round(time.monotonic() - started, 3))
        for name, form in FILES.items():
            (folder / name).write_text(form(found), encoding="utf-8")
        return found


def _refuse_others(settings: GateSettings, store: Store) -> None:
    """Raises UserError for the run of anything but a gate between these two, either way around."""
    if store.root is None:
        return
    turned = msgspec.structs.replace(
        settings, candidate=settings.baseline, baseline=settings.candidate
    )
    held = store.tournament().name
    if held not in (settings.tournament(1).name, turned.tournament(1).name):
        raise UserError(
            f"{shown(store.folder)} is the run of {held!r}, not of this gate: choose another (-o)"
        )


def _unplayed(settings: GateSettings, hashes: Sequence[str], folder: Path, fault: Fault) -> Report:
    """The report of a candidate that can't be built."""
    gate = Gate(settings, settings.candidate.name)
    gate.verdict = "broken"
    names = settings.candidate.name, settings.baseline.name
    candidate, baseline = map(Contestant, names, hashes)
    return report(settings, (candidate, baseline), gate, folder, fault=fault)


def _decided(
    settings: GateSettings,
    run: Run,
    programs: list[Program],
    store: Store,
    tables: list[set[int]],
    quiet: bool,
) -> Report:
    """Plays until there is a verdict."""
    labels = {bot.name: bot.label for bot in store.bots() if bot.status == "playing"}
    candidate, baseline = (Contestant(labels[each.name], each.hash) for each in programs)
    gate = Gate(settings, candidate.name)
    played = _play(run, gate, store, tables, quiet)
    if gate.verdict != "void":
        _cut(settings, gate, store, programs)
    fault = fault_in(store, gate)
    return report(settings, (candidate, baseline), gate, store.folder, fault=fault, played=played)


def _built(settings: GateSettings, copies: Path) -> list[Program] | Fault:
    """The programs of both bots, or what is wrong with the candidate's build.

    Raises UserError where the baseline's build fails, and for all that is nobody's build.
    """
    box = box_for(settings.sandbox)

    def built(source: BotSource) -> Program:
        (program,) = prepare_all([source], copies, box)
        return program

    try:
        baseline = built(settings.baseline)
    except UserError as error:
        if settings.baseline.build is None:
            raise
        raise UserError(f"the baseline is broken, nothing was played: {error}") from None
    try:
        return [built(settings.candidate), baseline]
    except UserError as error:
        if settings.candidate.build is None:
            raise
        told = "\n".join(map(printable, str(error).splitlines()))
        return Fault(settings.candidate.name, "build", told)


def _play(run: Run, gate: Gate, store: Store, tables: list[set[int]], quiet: bool) -> int:
    """Feeds the gate what was played, plays on until it has a verdict; how many matches now."""
    for match in store.finished():
        gate.add(match)
        if gate.ended:
            return 0
    executor = LocalExecutor(tables, leftovers.prefix(store.folder))
    try:
        with ended(executor), watch_gate(quiet, gate) as watcher:
            feeder = Feeder(gate, watcher)
            run.play(executor, len(tables), feeder, lambda: gate.ended)
    except Interrupted as interrupted:
        _tell(notices.interrupted(str(interrupted), store, final=False), quiet=False)
        raise SystemExit(interrupted.exit_status) from None
    return feeder.played


def _cut(settings: GateSettings, gate: Gate, store: Store, programs: list[Program]) -> None:
    """Leaves in the schedule what the verdict rests on, so that `standings` tell of just that.

    Where a fault has ended it in the first match of a pair, that is half of the pair: whether the
    other match was finished as well depends on the number of jobs.
    """
    pairs = max(1, -(-gate.matches // 2))
    with store.transaction():
        Run(settings.tournament(pairs), store).enter(programs)
        store.cut_schedule(gate.matches)


def _tell(lines: Iterable[str], quiet: bool) -> None:
    for line in lines:
        if not quiet:
            tell(line, err=True)
