"""`run`: plays what is missing of a tournament and shows the standings."""

import math
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from tournaments import leftovers
from tournaments.bots import prepare_all
from tournaments.boxes import TRUSTED, box_for
from tournaments.cli.results import print_standings
from tournaments.cli.seed import seed_option
from tournaments.config import Tournament, load_tournament
from tournaments.errors import ArenaError, UserError
from tournaments.executors import LocalExecutor, tables_for
from tournaments.layout import to_json
from tournaments.progress import watch
from tournaments.runner import ClockHealth, Run
from tournaments.signals import Interrupted
from tournaments.standings import Standings, of_store
from tournaments.store import Store

_CORRECTED: Final = timedelta(minutes=1)
"""By so much a clock may be set back without a word: clocks are put right all the time."""


@click.command(short_help="Play what is missing of a tournament, show the standings.")
@click.argument("tournament", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="The run folder; runs/NAME by default.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Tables at once; by default as many as the processor cores allow.",
)
@seed_option("Repeatable deals, in place of the file's seed.")
@click.option("--quiet", is_flag=True, help="No progress and no notices, only the standings.")
def run(
    tournament: Path, output: Path | None, jobs: int | None, seed: int | None, quiet: bool
) -> None:
    """Play what is missing of TOURNAMENT, a YAML file, and show the standings.

    Run again on the same folder it goes on where it stopped.

    \b
    spades-arena run tournaments/examples/quickstart.yaml -o /tmp/quick --jobs 2
    """
    wanted = load_tournament(tournament)
    if seed is not None:
        wanted = replace(wanted, seed=seed)
    folder = output or Path("runs") / wanted.name
    tables = tables_for(jobs, wanted.cores)
    if not tables:
        raise UserError(
            f"{tournament}: cores: a table needs {wanted.cores}, and this machine has fewer"
        )
    try:
        sandbox = box_for(wanted.sandbox)
    except UserError as error:
        raise UserError(f"{tournament}: sandbox: {error}") from None
    with Store.hold(folder) as store:
        leftovers.clear(folder)
        _notices(wanted, jobs, len(tables), quiet)
        if not quiet:
            _tell_of_the_clock(store)
        this_run = Run(wanted, store)
        this_run.begin()
        copies = (folder / "bots").absolute()
        changed = this_run.enter(prepare_all(wanted.bots, copies, sandbox))
        if changed and not quiet:
            labels = ", ".join(changed)
            click.echo(f"changed since the last run, so played anew: {labels}", err=True)
        if wanted.seed is None:  # also when quiet: it must be known before the first match
            sha = store.tournament().commitment
            click.echo(
                f"deals come from a secret; publish its SHA-256 now, to prove it later: {sha}",
                err=True,
            )
        try:
            _play(this_run, LocalExecutor(tables, leftovers.prefix(folder)), len(tables), quiet)
        except Interrupted as interrupted:
            finished = store.counts().finished
            click.echo(
                f"interrupted by {interrupted}; {finished} finished matches are kept in {folder},"
                " the same command goes on from there",
                err=True,
            )
            raise SystemExit(interrupted.exit_status) from None
        if this_run.clocks.matches and not quiet:
            click.echo(_told(this_run.clocks), err=True)
        standings = of_store(store)
        try:
            (folder / "standings.json").write_text(f"{to_json(standings)}\n")
        finally:
            printed = _printed(standings)
    if not standings.complete:
        raise ArenaError(
            f"{standings.matches.void} matches could not be played; run again to try them again"
        )
    if not printed:
        raise ArenaError(
            "standard output was closed before the standings were printed: they are in"
            f" {folder / 'standings.json'}"
        )


def _printed(standings: Standings) -> bool:
    """False where standard output is closed: what else is to be told must still be told."""
    try:
        print_standings(standings, "table")
        sys.stdout.flush()
    except (BrokenPipeError, ArenaError):
        return False
    return True


def _play(this_run: Run, executor: LocalExecutor, tables: int, quiet: bool) -> None:
    try:
        with watch(quiet) as watcher:
            this_run.play(executor, tables, watcher)
    finally:
        try:
            executor.close()
        except Interrupted:
            executor.close()  # only the first signal interrupts
            raise


def _told(clocks: ClockHealth) -> str:
    return (
        f"clocks: arena at most {math.ceil(clocks.latest_ms)} ms late in {clocks.matches} matches,"
        f" {clocks.voided} voided for lag"
    )


def _notices(wanted: Tournament, jobs: int | None, tables: int, quiet: bool) -> None:
    """What the user should know before the first match."""
    if quiet:
        return
    if wanted.sandbox.backend == "none":
        click.echo(TRUSTED, err=True)
    if jobs is not None and jobs > tables:
        click.echo(
            f"--jobs {jobs} cut to {tables}: never more tables at once than cores allow", err=True
        )


def _tell_of_the_clock(store: Store) -> None:
    """Says so where matches were finished in what is now the future."""
    newest = store.newest()
    if newest and newest > (datetime.now(UTC) + _CORRECTED).isoformat(timespec="milliseconds"):
        click.echo(
            f"the clock of this machine is behind, as a match was finished at {newest}: set it if"
            " it is wrong. Dates will be out of order; no result depends on them",
            err=True,
        )
