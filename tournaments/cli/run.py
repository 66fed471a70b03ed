"""`run`: plays what is missing of a tournament and shows the standings."""

import math
import sys
from collections.abc import Iterable
from pathlib import Path

import click
from msgspec.structs import replace

from arena.sandbox import Sandbox
from tournaments.bots.preparation import prepare_all
from tournaments.boxes import box_for
from tournaments.cli.outputs import tell
from tournaments.cli.ranking import print_ranking
from tournaments.cli.seed import seed_option
from tournaments.cli.typed import Existing, Whole
from tournaments.config import load_tournament
from tournaments.errors import ArenaError, UserError
from tournaments.exports.layout import to_json
from tournaments.files.source import found_later
from tournaments.runs import leftovers, notices
from tournaments.runs.executors import LocalExecutor, ended, tables_for
from tournaments.runs.plan import plan
from tournaments.runs.progress import watch
from tournaments.runs.runner import ClockHealth, Run
from tournaments.signals import Interrupted
from tournaments.standings.standings import Standings, of_store
from tournaments.storage.store import Store
from tournaments.tournament import Tournament


@click.command(short_help="Play what is missing of a tournament, show the standings.")
@click.argument("tournament", type=Existing(dir_okay=False))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="The run folder; runs/NAME by default.",
)
@click.option(
    "--jobs",
    type=Whole(min=1),
    metavar="N",
    help="Tables at once; by default as many as the processor cores allow.",
)
@seed_option("Repeatable deals, in place of the file's seed.")
@click.option("--quiet", is_flag=True, help="No progress and no notices, only the standings.")
@click.option("--dry-run", is_flag=True, help="Tell what there is to play, and how long it takes.")
@click.option("--final", is_flag=True, help="Play nothing after this, and reveal the secret.")
def run(
    tournament: Path,
    output: Path | None,
    jobs: int | None,
    seed: int | None,
    quiet: bool,
    dry_run: bool,
    final: bool,
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
    tables, sandbox = _tables(wanted, jobs), _box(wanted)
    if dry_run:
        for line in notices.planned(plan(wanted, folder), len(tables), folder):
            tell(line)
        return
    with Store.hold(folder) as store:
        leftovers.clear(folder)
        this_run = Run(wanted, store)
        this_run.begin()
        if not (final and _complete(store)):  # else the secret itself is told now
            _commit(store)
        if not quiet:
            _tell(notices.of_tables(wanted.sandbox.backend, jobs, len(tables)))
        if store.tournament().final:
            plan(wanted, folder)  # refuses what may not be played any more before it is built
        copies = (folder / "bots").absolute()
        changed = this_run.enter(prepare_all(wanted.playing, copies, sandbox))
        if not quiet:
            _tell(notices.before(store, changed))
        try:
            with (
                ended(LocalExecutor(tables, leftovers.prefix(folder))) as executor,
                watch(quiet, store) as watcher,
            ):
                this_run.play(executor, len(tables), watcher)
        except Interrupted as interrupted:
            _tell(notices.interrupted(str(interrupted), store, final))
            raise SystemExit(interrupted.exit_status) from None
        if this_run.clocks.matches and not quiet:
            click.echo(_told(this_run.clocks), err=True)
        found = of_store(store)
        if not quiet:
            _tell(notices.stopped(found))
        if final and _complete(store):
            store.make_final()
            found = of_store(store)
        _conclude(found, folder, final)


def _tables(wanted: Tournament, jobs: int | None) -> list[set[int]]:
    """The cores of each table. Raises UserError where this machine has not enough for one."""
    tables = tables_for(jobs, wanted.cores)
    if not tables:
        message = f"cores: a table needs {wanted.cores}, and this machine has fewer"
        raise found_later(wanted.path, ("cores",), message)
    return tables


def _box(wanted: Tournament) -> Sandbox:
    """Raises UserError, with the name of the file, where the bots can't be boxed in so."""
    try:
        return box_for(wanted.sandbox)
    except UserError as error:
        raise found_later(wanted.path, ("sandbox", "backend"), f"sandbox: {error}") from None


def _conclude(standings: Standings, folder: Path, final: bool) -> None:
    """Writes and prints the standings. Raises ArenaError where that fails, or any are missing."""
    try:
        (folder / "standings.json").write_text(f"{to_json(standings)}\n")
    finally:
        printed = _printed(standings)
        _tell(notices.final(standings, folder))
    if not standings.complete:
        raise ArenaError(
            f"{standings.matches.void} matches could not be played; run again to try them again"
            + (notices.NOT_FINAL if final else "")
        )
    if not printed:
        raise ArenaError(
            "standard output was closed before the standings were printed: they are in"
            f" {folder / 'standings.json'}"
        )


def _complete(store: Store) -> bool:
    scheduled, finished, *_ = store.counts()
    return store.tournament().complete(scheduled, finished)


def _commit(store: Store) -> None:
    """Tells, also when quiet, what will prove that the deals were fixed before the first match."""
    stored = store.tournament()
    if stored.commitment is not None and stored.final is None:
        click.echo(
            "deals come from a secret; publish its SHA-256 now, to prove it later:"
            f" {stored.commitment}",
            err=True,
        )


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        tell(line, err=True)


def _printed(standings: Standings) -> bool:
    """False where standard output is closed: what else is to be told must still be told."""
    try:
        print_ranking(standings)
        sys.stdout.flush()
    except (BrokenPipeError, ArenaError):
        return False
    return True


def _told(clocks: ClockHealth) -> str:
    return (
        f"clocks: arena at most {math.ceil(clocks.latest_ms)} ms late in {clocks.matches} matches,"
        f" {clocks.voided} voided for lag"
    )
