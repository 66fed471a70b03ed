"""Interim."""

from collections.abc import Sequence

from tournaments.results import FinishedMatch
from tournaments.schedule import Encounter
from tournaments.tournament import Format


class History:
    def add(self, match: FinishedMatch) -> None: ...


def draw(round_: int, bots: Sequence[str], history: History, form: Format) -> list[Encounter]:
    return [Encounter(round_, tuple(pair)) for pair in zip(bots[::2], bots[1::2], strict=False)]
