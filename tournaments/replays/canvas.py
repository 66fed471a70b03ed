"""What is drawn on a terminal line by line, over what stands there, so that nothing flickers."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from rich.console import Console
from rich.text import Text

_HOME, _CLEAR_LINE, _CLEAR_REST = "\x1b[H", "\x1b[K", "\x1b[J"

Drawing = Callable[[int, int], list[Text]]
"""Columns and lines of a window -> what is shown in it."""

LOOK_SECONDS: Final = 0.2
"""How long a key is waited for before it is looked whether the window has another size."""


class Canvas:
    """A whole screen."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines, at this moment."""
        return self._console.size

    def draw(self, lines: Iterable[Text]) -> None:
        """Draws them in place of what is shown."""
        sys.stdout.write(_HOME + "\r\n".join(self._as_written(lines)) + _CLEAR_REST)
        sys.stdout.flush()

    def _as_written(self, lines: Iterable[Text]) -> Iterator[str]:
        console = self._console
        for line in lines:
            with console.capture() as written:
                console.print(
                    line, end="", no_wrap=True, overflow="crop", crop=True, soft_wrap=True
                )
            yield written.get() + _CLEAR_LINE
