"""`report`: a run for those who don't open its folder."""

from pathlib import Path

import click

from protocol.codec import printable
from tournaments import summary
from tournaments.cli.results import write_file
from tournaments.standings import of_store
from tournaments.store import Store

FILES = {"junit.xml": summary.junit, "summary.md": summary.markdown}
"""What is written into the run folder, and by what."""


@click.command(short_help="Write a run's report, for CI and pull requests.")
@click.argument("run", type=click.Path(exists=True, file_okay=False, path_type=Path))
def report(run: Path) -> None:
    """Write the report of RUN, a run folder, into it, also while it is played.

    \b
    junit.xml   for CI servers: a case for each bot and each fault
    summary.md  for a comment: standings, faults, what to do next

    \b
    spades-arena report runs/quickstart
    """
    with Store.read(run) as store:
        standings = of_store(store)
        for name, text_of in FILES.items():
            write_file(run / name, text_of(store, standings).encode())
            click.echo(printable(str(run / name)))
