"""What the rules in words are made of: sections of numbered rules, and what else can be chosen."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from protocol.rules import Rules

Value = int | str | None
"""What an option can be set to."""
Documents = tuple[str, ...]
"""As in `DOCUMENTS`. None: it is the arena's own."""
Readings = Mapping[Value, tuple[str, Documents]]
"""Value of an option -> what a rule says with it, and the documents that say so."""


class Choice(NamedTuple):
    """An option at a value."""

    option: str
    value: Value


class Rule(Struct, frozen=True):
    """A rule as some options have it."""

    number: str
    """As it is cited: R5.4."""
    text: str
    documents: Documents
    """What the text rests on."""
    note: str = ""
    """Where the documents contradict each other or are silent, and what the default is."""
    alternatives: tuple[Choice, ...] = ()
    """What gives another reading."""


class Section(Struct, frozen=True):
    """The rules of one matter."""

    number: str
    title: str
    rules: tuple[Rule, ...]


def alternatives(rules: Rules, option: str, *values: Value) -> tuple[Choice, ...]:
    """Those of the values that `rules` do not have."""
    return tuple(Choice(option, value) for value in values if getattr(rules, option) != value)
