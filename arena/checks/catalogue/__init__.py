"""The checks by name: what each proves, and how to mend a bot that fails it. Plain data."""

from typing import Final

from arena.checks.catalogue.check import Check
from arena.checks.catalogue.play import CORNERS, DECISIONS, RULES, TOLERANCE
from arena.checks.catalogue.process import END, LIFE, REPEATED, RESOURCES
from arena.checks.catalogue.wire import LINES, START

__all__ = ["CHECKS", "ONE_ANSWER_SHOWS", "Check"]

CHECKS: Final[tuple[Check, ...]] = (
    *START,
    *LINES,
    *LIFE,
    *DECISIONS,
    *CORNERS,
    *RULES,
    *TOLERANCE,
    *REPEATED,
    *END,
    *RESOURCES,
)
"""In the order in which they are told."""

ONE_ANSWER_SHOWS: Final = frozenset(
    {check.name for check in (*DECISIONS, *CORNERS, *RULES, *TOLERANCE)} | {"two_at_once"}
)
"""The checks that hold by the answers to certain requests, where there were any."""
