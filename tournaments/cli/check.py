"""`check`: is this a sound bot?"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from arena.checks import Status, examine
from arena.events import Clocks
from arena.lag import ArenaLag
from tournaments.bots.bots import bot_from_argument
from tournaments.bots.preparation import prepare_all
from tournaments.boxes import box_for
from tournaments.cli.sandbox import sandbox_option, sandbox_settings
from tournaments.cli.typed import Choice
from tournaments.errors import ArenaError
from tournaments.exports.check_report import FORMATS, report, to_text
from tournaments.runs.executors import LocalExecutor, WorkerDied, ended, tables_for

TABLES: Final = 4
"""Conversations at the same time, at most, each on a core of its own."""

_COLOURS: Final[Mapping[Status, str]] = {
    "passed": "green",
    "warning": "yellow",
    "failed": "red",
    "skipped": "cyan",
}


@click.command(short_help="Tell whether a bot is sound: named checks, and how to mend it.")
@click.argument("bot", metavar="BOT")
@sandbox_option("none", "What the bot is boxed in: auto, bubblewrap or none.")
@click.option(
    "--format",
    "form",
    type=Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="What to print: text, JSON, or JUnit's XML.",
)
@click.pass_context
def check(ctx: click.Context, bot: str, backend: str, form: str) -> None:
    """Tell whether BOT is sound: what a match may ask of it is tried, and more.

    BOT is a folder with bot.yaml, a program file, or a command. It is started
    some twenty times, and held to the clocks and limits that are the defaults of
    a tournament file. What fails is told with the lines that show it, and how
    to mend it. Exit status 1: a check has failed.

    \b
    spades-arena check ./my-bot --sandbox auto
    """
    sandbox = box_for(sandbox_settings(backend), "--sandbox none")
    source, clock = bot_from_argument(bot, Path.cwd()), Clocks()
    with TemporaryDirectory(prefix="bots-", ignore_cleanup_errors=True) as copies:
        # A box may change nothing of the user's folder, also not while a bot is built.
        snapshots = None if sandbox.backend == "none" else Path(copies)
        (program,) = prepare_all([source], snapshots, sandbox)
        try:
            with ended(LocalExecutor(tables_for(TABLES, 1), "check-")) as executor, _told() as tell:
                found = examine(program, clock, sandbox, executor.map, tell)
        except ArenaLag as lag:
            raise ArenaError(f"the check was disturbed: {lag}, and try again") from None
        except WorkerDied as error:
            raise ArenaError(f"the check was disturbed: {error}") from None
    told = report(program, sandbox, clock, found)
    coloured = form == "text" and sys.stdout.isatty()
    click.echo(to_text(told, _paint) if coloured else FORMATS[form](told), nl=False)
    if told.failed:
        ctx.exit(1)


def _paint(text: str, status: Status) -> str:
    return click.style(text, fg=_COLOURS[status])


@contextmanager
def _told() -> Iterator[Callable[[int, int], None]]:
    """Shows a terminal how many conversations are done; the line is gone in the end."""

    def tell(done: int, of: int) -> None:
        if watched:
            click.echo(f"\rconversation {min(done + 1, of)} of {of}", err=True, nl=False)

    watched = sys.stderr.isatty()
    try:
        yield tell
    finally:
        if watched:
            click.echo("\r\x1b[K", err=True, nl=False)
