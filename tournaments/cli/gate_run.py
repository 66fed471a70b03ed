"""Plays what a gate lacks in its run folder, to a report."""

import time
from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from arena.process import Program
from protocol.codec import printable
from tournaments import leftovers, notices
from tournaments.bots import BotSource, hashes_of, prepare_all
from tournaments.boxes import box_for
from tournaments.errors import UserError
from tournaments.executors import LocalExecutor, ended, tables_for
from tournaments.gate import Feeder, Gate, GateSettings
from tournaments.gate_layout import FILES
from tournaments.gate_report import Contestant, Fault, Report, fault_in, report
from tournaments.progress import watch_gate
from tournaments.runner import Run
from tournaments.signals import Interrupted
from tournaments.store import Store


def play_gate(settings: GateSettings, output: Path | None, jobs: int | None, quiet: bool) -> Report:
    """Plays what is missing, and leaves the report in the run folder too: `output`, or its own.

    Raises UserError for a bot that is not there, a baseline that can't be built, and a folder of
    something that is not comparable.
    """
    started = time.monotonic()
    sources = settings.candidate, settings.baseline
    hashes = hashes_of(sources)
    folder = output or settings.folder(hashes)
    with Store.hold(folder) as store:
        leftovers.clear(folder)
        for name in FILES:
            (folder / name).unlink(missing_ok=True)  # so that nobody reads an older verdict
        tables = tables_for(jobs, 1)
        told = notices.of_tables(settings.sandbox.backend, jobs, len(tables))
        _tell(told, quiet)
        run = Run(settings.tournament(settings.max_pairs), store)
        run.begin()
        programs = _built(settings, (folder / "bots").absolute())
        if isinstance(programs, Fault):
            gate = Gate(settings, programs.bot)
            gate.verdict = "broken"
            bots = Contestant(sources[0].name, hashes[0]), Contestant(sources[1].name, hashes[1])
            return _left(report(settings, bots, gate, folder, fault=programs), started, folder)
        _tell(notices.before(store, run.enter(programs)), quiet)
        labels = {bot.name: bot.label for bot in store.bots() if bot.status == "playing"}
        candidate, baseline = (
            Contestant(labels[source.name], hash_)
            for source, hash_ in zip(sources, hashes, strict=True)
        )
        gate = Gate(settings, candidate.name)
        played = _play(run, gate, store, tables, quiet)
        if gate.verdict != "void":
            _cut(settings, gate, store, programs)
        found = report(
            settings,
            (candidate, baseline),
            gate,
            folder,
            fault=fault_in(store, gate),
            played=played,
        )
        return _left(found, started, folder)


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
        gate.add(match, match)
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
    """Leaves in the schedule what the verdict rests on, so that `standings` tell of just that."""
    pairs = max(1, -(-gate.matches // 2))
    Run(settings.tournament(pairs), store).enter(programs)


def _left(found: Report, started: float, folder: Path) -> Report:
    """The report with its time, also as files in the run folder."""
    whole = msgspec.structs.replace(found, seconds=round(time.monotonic() - started, 3))
    for name, form in FILES.items():
        (folder / name).write_text(form(whole), encoding="utf-8")
    return whole


def _tell(lines: Iterable[str], quiet: bool) -> None:
    for line in lines:
        if not quiet:
            click.echo(line, err=True)
