"""`new`: a bot to start from."""

import shlex
from pathlib import Path

import click

from protocol.codec import printable
from tournaments.bots.starters import LANGUAGES, make, missing


@click.command(short_help="Make a bot to start from, with its test.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--language",
    default="python",
    show_default=True,
    metavar="LANG",
    help=f"What it is written in: {', '.join(LANGUAGES)}.",
)
def new(folder: Path, language: str) -> None:
    """Make a small, good bot in DIR, which is new or empty, with its test.

    It needs no library, not even this one. The README in it says what to
    change, and how to build, test and debug it.

    \b
    spades-arena new my-bot --language rust
    """
    name = make(folder, language)
    title, lacking = LANGUAGES[language].title, missing(language)
    # Without the dot a name that begins with a dash would be read as an option.
    where = printable(shlex.quote(f"./{folder}" if str(folder).startswith("-") else str(folder)))
    click.echo(f"{where}: the bot {name!r}, in {title}; its README.md says what to change. Next:\n")
    steps = {
        f"spades-arena check {where}": "is it sound?",
        f"spades-arena match {where} {where} -o match.jsonl": "against itself",
        f"spades-arena debug match.jsonl --seat N -- {where}": "its answers again",
    }
    width = max(map(len, steps))
    for command, why in steps.items():
        click.echo(f"    {command:<{width}}  # {why}")
    if lacking:
        click.echo(
            f"\nTo build and run it this machine lacks {' and '.join(lacking)}:"
            f" {LANGUAGES[language].install}"
        )
