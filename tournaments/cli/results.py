"""`standings`, `record`, `verify`, `backup` and `export`: readers of a run folder."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click

from arena.record import BadRecord, judge, strip_times
from protocol.codec import printable
from tournaments.cli.outputs import tell, write_file
from tournaments.cli.ranking import print_standings
from tournaments.cli.recorded import record_file
from tournaments.cli.typed import Choice, Existing
from tournaments.errors import Damaged, UserError
from tournaments.exports import export as exporting
from tournaments.exports import pbn
from tournaments.ratings.checkpoints import FILE, false_checkpoint
from tournaments.standings.standings import of_store
from tournaments.storage.backup import back_up
from tournaments.storage.reader import Reader
from tournaments.storage.records import DATABASE
from tournaments.storage.store import Store
from tournaments.verification.audit import audit
from tournaments.verification.verify import verify_store

_folder = Existing(file_okay=False)


@click.command(short_help="Show the ranking of a run, also while it is being played.")
@click.argument("run", type=_folder)
@click.option(
    "--format",
    "form",
    type=Choice(["table", "json", "csv", "markdown"]),
    default="table",
    show_default=True,
    help="JSON and CSV have every column.",
)
def standings(run: Path, form: str) -> None:
    """Show the ranking of RUN, a run folder, also while it is being played; below it who
    has won how often against whom (the crosstable) and, in `rotating`, with whom.

    Ranked is by `rating`, TrueSkill's mu - 3 sigma. `elo` is the strength by all
    results in any order, 0 their mean; `±` is half of a 95 % interval.

    \b
    spades-arena standings runs/quickstart --format markdown
    """
    with Store.read(run) as store:
        print_standings(of_store(store), form)


@click.command()
@click.argument("run", type=_folder)
@click.argument("match")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write to this file and not to standard output.",
)
@click.option(
    "--no-times",
    is_flag=True,
    help="Leave out what may differ between two runs: times, date, host.",
)
def record(run: Path, match: str, output: Path | None, no_times: bool) -> None:
    """Print one match's record as JSON lines.

    MATCH is the id that bots see in `hello`, or its beginning of 4 characters or
    more.

    \b
    spades-arena record runs/quickstart ef25c2 -o match.jsonl
    """
    with Store.read(run) as store:
        found = store.record(store.find(match))
    if no_times:
        found = strip_times(found)
    if output is None:
        click.echo(found, nl=False)
    else:
        write_file(output, found)


@click.command(short_help="Replay records through the rules and compare.")
@click.argument(
    "what",
    nargs=-1,
    required=True,
    metavar="RUN | FILE...",
    type=Existing(),
)
@click.pass_context
def verify(ctx: click.Context, what: tuple[Path, ...]) -> None:
    """Replay records through the rules and compare: a run folder's, or those in files.

    Checks legality, tricks, scores, winners, the deals, results against records; of a run
    also its schedule, its bots, and the checkpoints that standings go on from.
    Exit status 1: a difference, named.

    \b
    spades-arena verify runs/quickstart
    spades-arena verify match.jsonl
    """
    good = bad = beside = 0
    for path in what:
        for name, wrong in _verify(path):
            if wrong is None:
                good += 1
                continue
            click.echo(printable(f"{name}: {wrong}"))
            if path.is_dir() and not name.startswith("match "):
                beside += 1
            else:
                bad += 1
    told = [
        "1 record agrees with the rules" if good == 1 else f"{good} records agree with the rules"
    ]
    if bad:
        told.append(f"{bad} do not")
    if beside:
        told.append(f"{beside} more found in the run folder")
    click.echo(", ".join(told))
    if bad or beside:
        ctx.exit(1)


def _verify(path: Path) -> Iterator[tuple[str, str | None]]:
    """What was looked at, and what is wrong with it."""
    if path.is_dir():
        with Store.read(path) as store:
            yield from _verify_run(store)
        return
    try:
        judge(record_file(path))
    except BadRecord as error:
        yield str(path), str(error)
    else:
        yield str(path), None


def _verify_run(store: Reader) -> Iterator[tuple[str, str | None]]:
    try:
        for match, wrong in verify_store(store):
            yield f"match {match}", wrong
        for sentence in audit(store):
            yield str(store.folder / DATABASE), sentence
    except Damaged as error:  # then nothing can be compared
        yield str(store.folder), str(error)
        return
    with suppress(Damaged):  # a result, which was named
        if wrong := false_checkpoint(store):
            yield str(store.folder / FILE), wrong


@click.command(short_help="Copy a run, also while it is being played.")
@click.argument("run", type=_folder)
@click.argument("dest", type=click.Path(path_type=Path))
def backup(run: Path, dest: Path) -> None:
    """Copy RUN, a run folder, to DEST, a new or empty folder, also while it is being played.

    `run -o DEST` goes on from the copy; `standings`, `verify` and all others read it.

    \b
    spades-arena backup runs/friday-league /mnt/backup/friday
    """
    with Store.read(run) as store:
        back_up(store, dest)
        scheduled, finished, *_ = store.counts()
        stored = store.tournament()
    tell(f"{dest} has {finished} of {scheduled} matches")
    if stored.commitment is not None and stored.final is None:
        click.echo("the secret is in it too: keep it to yourself", err=True)


@click.command()
@click.argument("run", type=_folder)
@click.option(
    "--what",
    type=Choice(list(exporting.WHAT)),
    required=True,
    help="What a row is about.",
)
@click.option(
    "--format",
    "form",
    type=Choice(["json", "csv", "pbn"]),
    default="json",
    show_default=True,
    help="JSON is one array; PBN, which card tools read, is for deals.",
)
def export(run: Path, what: str, form: str) -> None:
    """Write the data of RUN to standard output, a row each.

    \b
    spades-arena export runs/quickstart --what matches --format csv > matches.csv
    """
    if form == "pbn" and what != "deals":
        raise UserError(f"PBN is a notation of deals, and has no place for {what}: --what deals")
    with Store.read(run) as store:
        columns, rows = exporting.WHAT[what]
        if form == "pbn":
            pbn.write_pbn(store, sys.stdout)
        elif form == "json":
            exporting.write_json(rows(store), sys.stdout)
        else:
            exporting.write_csv(rows(store), sys.stdout, columns(store))
