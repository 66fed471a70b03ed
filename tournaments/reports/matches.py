"""The matches that a report names: those with faults and the latest, a bounded number of each."""

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct

from tournaments.exports import export
from tournaments.storage.reader import Reader
from tournaments.storage.results import FinishedMatch

LISTED: Final = 1500
"""Of the latest matches, and as many of those with a fault."""
FAULTS: Final = 200
"""Of all that are shown, at most."""
OF_A_KIND: Final = 5
"""Faults of a bot and kind that are shown: the first ones."""
MOST_READ: Final = 20_000
"""Faults that are looked through."""


class Matches(Struct, frozen=True):
    """Those that are listed."""

    listed: list[FinishedMatch]
    """In schedule order."""
    more: int
    """Finished ones that are not."""

    def by_interest(self) -> Iterator[str]:
        """Ids: those with a fault first, the latest first among them and among the others."""
        for faulty in (True, False):
            yield from (m.match for m in reversed(self.listed) if bool(m.faults) is faulty)


def matches(store: Reader) -> Matches:
    """Those of a run."""
    latest: deque[FinishedMatch] = deque(maxlen=LISTED)
    faulty: deque[FinishedMatch] = deque(maxlen=LISTED)
    finished = 0
    for match in store.finished():
        finished += 1
        latest.append(match)
        if match.faults:
            faulty.append(match)
    begun = latest[0].number if latest else 0
    listed = [*(match for match in faulty if match.number < begun), *latest]
    return Matches(listed, finished - len(listed))


def faults(store: Reader) -> list[export.Row]:
    """Those that are shown, in schedule order: a few of each bot and kind."""
    counts: dict[tuple[object, object], int] = {}
    found: list[export.Row] = []
    for fault in islice(export.faults(store), MOST_READ):
        which = fault["bot"], fault["kind"]
        counts[which] = counts.get(which, 0) + 1
        if counts[which] <= OF_A_KIND:
            found.append(fault)
            if len(found) == FAULTS:
                break
    return found
