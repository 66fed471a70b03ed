"""`report`: a run for those who don't open its folder."""

from pathlib import Path
from typing import Final

import click

from protocol.codec import printable
from tournaments.cli.outputs import write_file
from tournaments.cli.typed import Existing
from tournaments.errors import UserError, shown
from tournaments.exports import summary
from tournaments.standings.standings import Standings, of_store
from tournaments.storage.reader import Reader
from tournaments.storage.store import Store

FOLDER: Final = "report"


def _page(store: Reader, standings: Standings) -> str:
    from tournaments.pages.report_page import report_page  # its libraries are slow to import

    return report_page(store, standings)


FILES = {
    "junit.xml": summary.junit,
    "summary.md": summary.markdown,
    f"{FOLDER}/index.html": _page,
}
"""What is written into the run folder, and by what."""


@click.command(short_help="Write a run's report: a page, and files for CI and pull requests.")
@click.argument("run", type=Existing(file_okay=False))
def report(run: Path) -> None:
    """Write the report of RUN, a run folder, into it, also while it is played.

    \b
    report/index.html  for a browser: one file with standings, charts, replays
    junit.xml          for CI servers: a case for each bot and each fault
    summary.md         for a comment: standings, faults, what to do next

    \b
    spades-arena report runs/quickstart
    """
    with Store.read(run) as store:
        standings = of_store(store)
        _make_folder(run / FOLDER)
        for name, text_of in FILES.items():
            write_file(run / name, text_of(store, standings).encode())
            click.echo(printable(str(run / name)))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"{shown(folder)} can't be made: {error.strerror}") from None
