"""The two kinds of failure that end a command, and the words for a user's mistake."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

QUOTE_LIMIT: Final = 80
"""Characters of a user's text that a message quotes."""


class UserError(Exception):
    """A mistake in what was typed or in a file; its text says which, where, and what to do."""


class ArenaError(Exception):
    """The arena's own failure: nobody's mistake but ours or the machine's."""


def quoted(text: str) -> str:
    """The text in quotes, on one line, cut to a fair length."""
    return repr(text) if len(text) <= QUOTE_LIMIT else f"{text[:QUOTE_LIMIT]!r}..."


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """`: did you mean 'seed'?` for the nearest of `words`, or nothing if none is near."""
    near = get_close_matches(word[:QUOTE_LIMIT], list(words), n=1)
    return f": did you mean {near[0]!r}?" if near else ""
