"""`replay`: walks through a match, in the terminal or in a page of its own."""

from pathlib import Path

import click

from arena.packing import pack
from arena.record import BadRecord
from arena.replay import Replay
from arena.replay import replay as replayed
from tournaments.cli.outputs import at_a_screen, tell, write_file
from tournaments.cli.recorded import recorded
from tournaments.cli.typed import Existing, Whole
from tournaments.errors import UserError, shown


@click.command(short_help="Walk through a match, in the terminal or in a browser.")
@click.argument("what", metavar="FILE | RUN MATCH", type=Existing())
@click.argument("match", required=False, metavar="")
@click.option("--deal", type=Whole(min=1), metavar="N", help="Begin there, or print it.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help="Write a page for a browser, one file, and show nothing here.",
)
def replay(what: Path, match: str | None, deal: int | None, html: Path | None) -> None:
    """Walk through a match: of a record in FILE, or MATCH of RUN, a run folder.

    MATCH is the id that bots see in `hello`, or its beginning of 4 characters or
    more. In a terminal keys lead through the match (? tells them); into a pipe all
    of it, or one deal, is printed.

    \b
    spades-arena replay match.jsonl
    spades-arena replay runs/quickstart ef25c2 --html match.html
    """
    found = _replay(what, match)
    if deal is not None and deal > found.deals:
        has = "1 deal" if found.deals == 1 else f"{found.deals} deals"
        raise UserError(f"--deal {deal}: the match has {has}")
    if html is not None:
        if deal is not None:
            raise UserError(f"--html has all deals: leave out --deal, and open {html}#{deal}")
        _write_page(found, html)
    elif at_a_screen():
        from tournaments.replays.walk import walk

        walk(found, deal)
    else:
        from tournaments.replays.text import lines

        for line in lines(found, deal):
            tell(line)


def _replay(what: Path, match: str | None) -> Replay:
    """Raises UserError for what is no record, with the sentence that `verify` has for it."""
    name, record, source = recorded(what, match)
    try:
        return replayed(record, source)
    except BadRecord as error:
        raise UserError(f"{shown(name)}: {error}") from None


def _write_page(found: Replay, path: Path) -> None:
    from tournaments.pages import replay_page

    write_file(path, replay_page(pack(found)).encode())
