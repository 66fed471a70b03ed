"""Lines as they happen: coloured in a terminal alone, and as long as they are."""

from functools import cache
from typing import TYPE_CHECKING

import click

from protocol.codec import printable
from tournaments.debugging.refed import Line

if TYPE_CHECKING:
    from rich.console import Console


@cache
def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def say(line: Line) -> None:
    """Prints it at once."""
    console, text = _console(), printable(line.text)
    if line.style and console.is_terminal:
        with console.capture() as drawn:
            console.print(text, style=line.style)
        click.echo(drawn.get(), nl=False)
    else:
        click.echo(text)
