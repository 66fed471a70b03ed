"""Who is told how a run goes on; and what tells of matches that are not finished."""

from collections.abc import Collection, Iterable
from typing import Protocol, runtime_checkable

from arena.match import MatchResult
from arena.news import News, Tell
from tournaments.storage.results import ScheduledRow


class Watcher(Protocol):
    """Is told how a run goes on."""

    @property
    def patience(self) -> float | None:
        """The seconds from one `look` to the next where no match ends; None: it never looks."""
        ...

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        """Before the first match: how many there are, perhaps at most, and how many were played
        before."""
        ...

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        """A match is in the store."""
        ...

    def voided(self, row: ScheduledRow, reason: str, tries: int) -> None:
        """The arena failed a match; it is played again until it has had GIVE_UP_AFTER tries."""
        ...

    def look(self, playing: Collection[ScheduledRow], news: Iterable[News]) -> None:
        """What is being played at this moment, and what its tables have told since the last time.

        Called whenever matches have ended, and after `patience`. Where the executor has no line to
        its tables there is no news.
        """
        ...


@runtime_checkable
class Telling(Protocol):
    """An executor that has a line from where matches are played to here."""

    @property
    def tell(self) -> Tell:
        """Is sent along with a match, and called where that is played. It never waits."""
        ...

    def heard(self) -> Iterable[News]:
        """What was told since it was last asked. It never waits."""
        ...
