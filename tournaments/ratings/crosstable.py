"""Who has met whom, as opponents and as partners, and how that went: summed up from meetings."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tournaments.ratings.meetings import Meeting
from tournaments.storage.results import Team


class Opponents(Struct, frozen=True):
    """Two bots that have met."""

    bot: str
    opponent: str
    played: int
    """Matches against each other."""
    score: float
    """Wins and half draws of `bot`."""


class Partners(Struct, frozen=True):
    """Two bots that have played together."""

    bot: str
    partner: str
    played: int
    """Matches together."""
    score: float
    """Their wins and half draws."""


def opponents(meetings: Iterable[Meeting], order: Sequence[str]) -> list[Opponents]:
    """Each two bots that were opponents, once, in the order of bots.

    A match that one of four forfeits is lost by that bot to each opponent, and is none of the
    others'. Raises KeyError for a meeting of a bot that is not in the order.
    """
    scores = _Scores(order)
    for one, other, played, score in _results(meetings):
        for bot in one:
            for opponent in other:
                scores.add(bot, opponent, played, score, played - score)
    return [Opponents(*each) for each in scores.all()]


def partners(meetings: Iterable[Meeting], order: Sequence[str]) -> list[Partners]:
    """Each two bots that were partners, once, in the order of bots.

    A match that one of them forfeits is not theirs together. Raises as `opponents` does.
    """
    scores = _Scores(order)
    for one, other, played, score in _results(meetings):
        for team, theirs in ((one, score), (other, played - score)):
            if len(team) == 2:
                scores.add(*team, played, theirs, theirs)
    return [Partners(*each) for each in scores.all()]


def _results(meetings: Iterable[Meeting]) -> Iterator[tuple[Team, Team, int, float]]:
    """Two teams, their matches, and the wins and half draws of the first."""
    for meeting in meetings:
        for (one, other, legs), gained in zip(meeting.comparisons, meeting.gained, strict=True):
            yield one, other, legs * meeting.encounters, gained


class _Scores:
    """Sums for each two bots, from the side of the one that comes first in an order."""

    def __init__(self, order: Sequence[str]) -> None:
        self._order = order
        self._places = {bot: place for place, bot in enumerate(order)}
        self._sums: dict[tuple[int, int], tuple[int, float]] = {}

    def add(self, one: str, other: str, played: int, score: float, other_score: float) -> None:
        """`score` is that of the one."""
        first, second = self._places[one], self._places[other]
        if first > second:
            first, second, score = second, first, other_score
        before, scored = self._sums.get((first, second), (0, 0.0))
        self._sums[first, second] = before + played, scored + score

    def all(self) -> Iterator[tuple[str, str, int, float]]:
        """The two bots, matches, and the score of the first, in order."""
        for first, second in sorted(self._sums):
            yield self._order[first], self._order[second], *self._sums[first, second]
