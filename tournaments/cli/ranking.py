"""Standings as they are printed: by `standings`, and by `run` when it ends."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from tournaments.exports import layout
from tournaments.standings.standings import Standings

if TYPE_CHECKING:
    from rich.console import RenderableType


def print_standings(table: Standings, form: str) -> None:
    """Writes the standings to standard output in one of the formats of `standings`."""
    if form == "json":
        click.echo(layout.to_json(table))
    elif form == "csv":
        click.echo(layout.to_csv(table), nl=False)
    elif form == "markdown":
        click.echo(layout.to_markdown(table), nl=False)
    else:
        _print(lambda width: [layout.to_table(table), *layout.to_matrices(table, width)])


def print_ranking(table: Standings) -> None:
    """Writes the ranking alone, for a terminal."""
    _print(lambda _: [layout.to_table(table)])


def _print(made: Callable[[int], Iterable["RenderableType"]]) -> None:
    """Prints what is made for a terminal of so many columns."""
    from rich.console import Console

    console = Console(highlight=False)
    with console.capture() as text:
        console.print(*made(console.width), sep="\n")
    click.echo(text.get(), nl=False)
