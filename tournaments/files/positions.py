"""A file's data with the position of everything in it, and what was found to be wrong there."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tournaments.errors import UserError

SHOWN_PROBLEMS: Final = 50
"""Problems of a file that one error shows; it counts the others."""
SHOWN_COLUMNS: Final = 100
"""Characters of a line that an error shows."""

LINE_BREAK: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
"""What YAML takes for the end of a line."""

Place = tuple[str | int, ...]
"""Keys and indices that lead from the top to a value: `("bots", 0, "name")`."""


class Mark(NamedTuple):
    """A position in a file, both from 1."""

    line: int
    column: int


class SourceError(UserError):
    """Mistakes in a file: for each `file:line:col: message`, the line, and a caret under it."""


class Spot(NamedTuple):
    """The position of a value, kept without its file, for mistakes that come up later."""

    where: str
    """`file:line:col`"""
    shown: str
    """The line, and a caret under it."""

    def error(self, message: str) -> SourceError:
        """A mistake there."""
        return SourceError(f"{self.where}: {message}\n{self.shown}")


class Source:
    """A file that was read, and the problems found in it so far.

    Problems are collected, so that a user sees them all at once; `raise_problems` ends it.
    """

    def __init__(self, path: Path, text: str) -> None:
        """Takes the text only; `files.source` fills in the data and the positions."""
        self.path: Final = path
        self.data: Any = None
        self.values: Final[dict[Place, Mark]] = {}
        """Where each value begins."""
        self.keys: Final[dict[Place, Mark]] = {}
        """Where the key of each value begins."""
        self._lines = LINE_BREAK.split(text)
        self._problems: dict[tuple[Mark, str], str] = {}
        self._unsound: set[Place] = set()

    def at(self, place: Place) -> Any:
        """What stands under these keys, or None where one of them is missing."""
        found = self.data
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        return found

    def add(self, place: Place, message: str, *, on_key: bool = False) -> None:
        """Notes a problem with the value at `place`, or with its key.

        For a place that is not in the file, such as a missing key's, the position is that of the
        nearest value around it.
        """
        mark = self._nearest(place, self.keys if on_key and place in self.keys else self.values)
        self._note(place, mark, message, str(self.refuse(mark, message)))

    def add_error(self, place: Place, error: UserError) -> None:
        """Notes a mistake that came up elsewhere on account of the value at `place`."""
        if isinstance(error, SourceError):  # it names another file, and shows the line there
            self._note(place, self.values[place], str(error), str(error))
        else:
            self.add(place, str(error))

    def sound(self, *place: str | int) -> bool:
        """No problem was found at this place or below it."""
        return place not in self._unsound

    def spot(self, place: Place) -> Spot:
        """The position of a value, or of the nearest around it."""
        return self._spot(self._nearest(place, self.values))

    def raise_problems(self) -> None:
        """Raises SourceError with all problems, in the order of the file, if there are any."""
        if not self._problems:
            return
        texts = [self._problems[key] for key in sorted(self._problems)]
        if len(texts) > SHOWN_PROBLEMS:
            left = len(texts) - SHOWN_PROBLEMS
            texts[SHOWN_PROBLEMS:] = [f"{self.path}: and {left:,} more such mistakes"]
        raise SourceError("\n".join(texts))

    def refuse(self, mark: Mark, message: str) -> SourceError:
        """An error to raise at once, for a text that can't be read on."""
        return self._spot(mark).error(message)

    def _note(self, place: Place, mark: Mark, message: str, text: str) -> None:
        self._problems.setdefault((mark, message), text)
        self._unsound.update(place[:end] for end in range(len(place) + 1))

    def _nearest(self, place: Place, known: Mapping[Place, Mark]) -> Mark:
        while place not in known:
            place = place[:-1]
        return known[place]

    def _spot(self, mark: Mark) -> Spot:
        line = self._lines[mark.line - 1] if mark.line <= len(self._lines) else ""
        # One of a megabyte is shown around the column.
        start = max(0, min(mark.column - SHOWN_COLUMNS // 2, len(line) - SHOWN_COLUMNS))
        shown = "".join(_as_wide(c) for c in line[start : start + SHOWN_COLUMNS]).rstrip()
        caret = " " * (mark.column - 1 - start) + "^"
        return Spot(f"{self.path}:{mark.line}:{mark.column}", f"    {shown}\n    {caret}")


def end_of(text: str) -> Mark:
    """The position after a text."""
    lines = LINE_BREAK.split(text)
    return Mark(len(lines), len(lines[-1]) + 1)


def _as_wide(character: str) -> str:
    """The same, or one as wide that a terminal does not obey."""
    if character.isprintable():
        return character
    return " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"
