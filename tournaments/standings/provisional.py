"""The standings while a run goes on: every match is taken in as it ends.

The order of results matters to ratings, and the standings are those of the schedule's. To keep to
it while matches end in any order would be to hold back whatever has overtaken another one, without
a bound. So these are provisional: what is counted is exact, ratings may differ in the decimals.
"""

from collections.abc import Mapping

from arena.match import MatchResult
from tournaments.ratings.checkpoints import tally_of
from tournaments.ratings.tally import Tally
from tournaments.standings.standings import BotStanding, leaders
from tournaments.storage.reader import Reader
from tournaments.storage.results import ScheduledRow, Status, as_finished


class Provisional:
    """Takes in matches, each at the same cost, and knows who leads."""

    def __init__(self, tally: Tally, statuses: Mapping[str, Status]) -> None:
        """Goes on from a tally; bots as label -> status."""
        self._tally = tally
        self._statuses = statuses

    @classmethod
    def of_store(cls, store: Reader) -> "Provisional":
        """After all that a run folder holds, from its checkpoints where there are any."""
        return cls(tally_of(store), {bot.label: bot.status for bot in store.bots()})

    def add(self, row: ScheduledRow, result: MatchResult) -> None:
        """Takes in a match that has ended."""
        self._tally.add(as_finished(row, result))

    def leaders(self, most: int) -> list[BotStanding]:
        """So many, best first."""
        return leaders(self._statuses, self._tally, most)
