"""What the reference pages are put together from."""

from collections.abc import Iterable, Sequence
from typing import Final

MADE: Final = """\
This page is made from the code; a test compares them. To write it anew:

    python -m tournaments.reference docs/reference
"""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a cell is Markdown in one line."""
    lines = [_line(head), "|---" * len(head) + "|", *map(_line, rows)]
    return "\n".join(lines)


def indented(text: str) -> str:
    """A block of code."""
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def code(text: object) -> str:
    return f"`{text}`"


def page(*parts: str) -> str:
    """The parts, with a blank line between them."""
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
