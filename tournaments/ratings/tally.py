"""What the standings are computed from: finished matches, taken in one at a time.

They are taken in in schedule order, always. What is known after some of them is plain data, a
`TallyState`, from which another tally goes on and comes to the same, bit for bit.
"""

from msgspec import Struct, msgpack

from protocol.cards import SEATS, Seat
from tournaments.files.vocabulary import Format
from tournaments.ratings.beta import BetaRatings, Rated
from tournaments.storage.results import FinishedMatch, margins, places, sides
from tournaments.tournament import RatingSettings


class BotTally(Struct):
    """What is counted of one bot."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0
    """Own ones less the opponents', of all finished deals, bags at their long-run worth."""
    deals: int = 0
    faults: dict[str, int] = {}
    """Kind -> how many."""

    @property
    def per_deal(self) -> float | None:
        """Points a deal, or None before the first deal."""
        return self.points / self.deals if self.deals else None


class TallyState(Struct):
    """What is known after some matches."""

    matches: int = 0
    """How many."""
    bots: dict[str, BotTally] = {}
    """By label; those that have played."""
    ratings: list[Rated] = []
    """One under each beta that the settings leave the choice of."""


class Tally:
    """The finished matches of a tournament so far."""

    def __init__(
        self, rating: RatingSettings, form: Format = "pairs", after: TallyState | None = None
    ) -> None:
        """`after`: goes on from there."""
        self._form = form
        self._state = TallyState() if after is None else _copy(after)
        self._ratings = BetaRatings(rating, form, self._state.ratings)

    @property
    def matches(self) -> int:
        """How many were taken in."""
        return self._state.matches

    @property
    def settings(self) -> RatingSettings:
        """Of the ratings, with the beta that is in use."""
        return self._ratings.settings

    def state(self) -> TallyState:
        """All that is known at this moment."""
        self._state.ratings = self._ratings.state()
        return _copy(self._state)

    def bot(self, label: str) -> BotTally:
        """What is counted of a bot."""
        return self._state.bots.setdefault(label, BotTally())

    def rating(self, label: str) -> tuple[float, float]:
        """The mu and sigma of a bot, those of the settings before its first result."""
        return self._ratings.of(label)

    def add(self, match: FinishedMatch) -> tuple[str, ...]:
        """Takes in the next match. Returns the bots that it was rated for, by seat."""
        self._state.matches += 1
        for bot, points in margins(match).items():
            self.bot(bot).points += points
            self.bot(bot).deals += match.deals
        for seat, kinds in match.faults.items():
            faults = self.bot(match.seats[seat]).faults
            for kind, times in kinds.items():
                faults[kind] = faults.get(kind, 0) + times
        played = sides(match)
        if match.offender is not None and self._form != "pairs":
            self._count_forfeit(match, match.offender)
            return (match.seats[match.offender],)
        best = max(match.score.values())
        for side, bots in played.items():
            for bot in bots:
                if match.winner is None and match.score[side] == best:
                    self.bot(bot).drawn += 1
                elif side == match.winner:
                    self.bot(bot).won += 1
                else:
                    self.bot(bot).lost += 1
        place = places(match.score, match.winner)
        of_sides = {bots: place[side] for side, bots in played.items()}
        if not self._ratings.finish(of_sides, played_out=match.offender is None):
            return ()
        return tuple(dict.fromkeys(match.seats[seat] for seat in SEATS))

    def _count_forfeit(self, match: FinishedMatch, offender: Seat) -> None:
        """Of four bots one has lost, and the match says nothing of the others."""
        bot = match.seats[offender]
        opponents = [other for bots in sides(match).values() if bot not in bots for other in bots]
        self.bot(bot).lost += 1
        self._ratings.forfeit(bot, opponents)


def _copy(state: TallyState) -> TallyState:
    """Nothing that changes is shared. Ten times as fast as `deepcopy`: a state has all bots."""
    return msgpack.decode(msgpack.encode(state), type=TallyState)
