"""A property that holds whatever a bot writes, and what it is tried on."""

from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, seed, settings
from hypothesis.strategies import SearchStrategy


class Property(NamedTuple):
    """`check` raises where it does not hold."""

    check: Callable[..., None]
    examples: int
    """How many the suite tries."""
    tried_on: dict[str, SearchStrategy[Any]]

    def hold(self) -> None:
        """Tries it, as the suite does."""
        settings(max_examples=self.examples)(given(**self.tried_on)(self.check))()

    def hold_long(self, number: int, times: int = 5) -> None:
        """Tries it on so many times the suite's examples, those of a seed."""
        many = settings(
            max_examples=times * self.examples,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        )
        seed(number)(many(given(**self.tried_on)(self.check)))()


def check_sentence(text: str) -> None:
    """It may stand in a record and on a terminal, and says what to do."""
    assert text.isprintable()
    assert " - " in text
    assert len(text) < 2_000
