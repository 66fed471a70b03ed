"""An adaptive tournament: its next encounters are those that tell most about the order of the bots.

They are drawn in batches, from the finished matches alone, in schedule order. One half of a batch
goes on with the round robin: where bots are intransitive, who meets neighbours only is ranked by
those alone. The other half goes to the pairs whose order matters and is likeliest to be wrong. No
more are drawn when all that matters is right with the confidence that was asked for.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, cycle, islice
from math import exp, sqrt
from statistics import NormalDist
from typing import Final

import msgspec

from tournaments.ratings.likelihood import ELO
from tournaments.ratings.meetings import Meeting, met
from tournaments.ratings.strength import Strengths, strengths
from tournaments.schedules.schedule import Encounter, Pairing, encounters, legs, pair
from tournaments.tournament import ScheduleSettings

BATCH: Final = 2
"""Encounters that are drawn at once, for each bot that plays."""
FEWEST: Final = 20
"""Encounters of each bot, before an order may be taken for right: few results go far by luck."""

ELSEWHERE: Final = 0.5
"""An encounter of one of two with a third says a quarter as much of their difference as one of
their own. What their next one says falls with the square of the part that their matches count."""

_DIGITS: Final = 6
"""Decimals of what is compared: the last bits differ between machines."""

_normal: Final = NormalDist()


class History:
    """What a draw depends on: who was drawn with whom, and how the finished matches went."""

    def __init__(self) -> None:
        self._drawn: Counter[Pairing] = Counter()
        self._of_bot: Counter[str] = Counter()
        self._meetings: Sequence[Meeting] = ()
        self._found: dict[tuple[str, ...], Strengths] = {}
        """What the results so far come to, so that it is computed once."""

    def draw(self, one: str, other: str, encounters: int = 1) -> None:
        """Takes in encounters that were drawn."""
        self._drawn[_pairing(one, other)] += encounters
        for bot in (one, other):
            self._of_bot[bot] += encounters

    def take_in(self, meetings: Sequence[Meeting]) -> None:
        """Takes in the meetings of all finished matches, instead of those before."""
        self._meetings = meetings
        self._found.clear()

    def drawn(self, one: str, other: str) -> int:
        """How many encounters of two bots were drawn, played or not."""
        return self._drawn[_pairing(one, other)]

    def drawn_of(self, bot: str) -> int:
        """How many encounters of a bot were drawn."""
        return self._of_bot[bot]

    def drawn_among(self, bots: Iterable[str]) -> int:
        """How many encounters were drawn in which all play."""
        playing = set(bots)
        return sum(
            encounters for pairing, encounters in self._drawn.items() if playing >= set(pairing)
        )

    def strengths(self, bots: Iterable[str]) -> Strengths:
        """Of bots that play, by all results, also against those that have left."""
        known = tuple(dict.fromkeys([*bots, *met(self._meetings)]))
        if known not in self._found:
            self._found[known] = strengths(known, self._meetings)
        return self._found[known]


class Order:
    """Bots by their strengths, and how likely what matters of it is right."""

    def __init__(self, bots: Sequence[str], found: Strengths, top: int | None) -> None:
        """`bots`: those that play, in the order of the file, which counts where they are equal.

        `top`: only the first places matter, in order; None: all of them.
        """
        self.bots = sorted(bots, key=lambda bot: -round(found.elo(bot), _DIGITS))
        self._found = found
        self.decisive = list(self._decisive(top))
        """Pairs that must be in the right order, the stronger first."""

    def _decisive(self, top: int | None) -> Iterator[Pairing]:
        last = len(self.bots) if top is None else min(top, len(self.bots))
        yield from zip(self.bots[: last - 1], self.bots[1:last], strict=True)
        # Behind the last place that matters anybody might be better than who holds it.
        yield from ((self.bots[last - 1], other) for other in self.bots[last:])

    @property
    def confidence(self) -> float:
        """How likely all that matters is right, at least: 0 to 1.

        That any of several is wrong is at most as likely as they are all together (Bonferroni).
        """
        wrong = sum(1 - self._found.superiority(*pairing) for pairing in self.decisive)
        return max(0.0, round(1 - wrong, _DIGITS))

    def doubtful(self, matches: int, drawn: Callable[[str, str], int]) -> Iterator[Pairing]:
        """The pairs to meet next, without an end: each time for the most that can be found out.

        That is the likelihood that two are in the wrong order, times the part of its variance that
        an encounter of so many matches takes away, after those that were given before. Where their
        own matches hardly count any more one of them meets whom it has met least; `drawn` says how
        often two have met.
        """
        doubts = [_Doubt(self._found, pairing, matches) for pairing in self.decisive]
        while doubts:
            most = max(doubts, key=lambda doubt: doubt.worth)
            most.meet()
            if most.direct:
                yield most.pairing
            else:
                others = [
                    (bot, other) for bot in most.pairing for other in self.bots if bot != other
                ]
                yield min(others, key=lambda pairing: drawn(*pairing))


class _Doubt:
    """Whether two bots are in the right order."""

    def __init__(self, found: Strengths, pairing: Pairing, matches: int) -> None:
        self.pairing = pairing
        ahead, variance = found.ahead(*pairing)
        self._ahead = round(ahead, _DIGITS)
        self._variance = max(round(variance, _DIGITS), 10**-_DIGITS)
        counted = round(found.counted(*pairing), _DIGITS)
        self.direct = counted >= ELSEWHERE
        """They meet each other."""
        chance = 1 / (1 + exp(-self._ahead / ELO))
        information = matches * chance * (1 - chance) / ELO**2
        self._information = information * max(counted, ELSEWHERE) ** 2
        self._weigh()

    def meet(self) -> None:
        """Takes it that they meet once more."""
        self._variance /= 1 + self._information * self._variance
        self._weigh()

    def _weigh(self) -> None:
        wrong = _normal.cdf(-self._ahead / sqrt(self._variance))
        told = self._information * self._variance
        self.worth = round(wrong * told / (1 + told), 2 * _DIGITS)


def draw(bots: Sequence[str], history: History, settings: ScheduleSettings) -> list[Encounter]:
    """The next batch of encounters between bots that play, in the order of the file.

    It is empty where the budget is used up, or the order is right with the confidence wanted. All
    encounters drawn before must be finished. Those that it gives become part of the history.
    """
    left = budget(bots, history, settings)
    if not left or settled(bots, history, settings):
        return []
    size, before = min(left, BATCH * len(bots)), history.drawn_among(bots)
    order = Order(bots, history.strengths(bots), settings.top)
    doubtful = order.doubtful(legs("pairs", mirror=settings.mirror), history.drawn)
    going_on = _round_robin(bots, settings, before // 2, size - size // 2)
    batch = []
    for pairing in chain(going_on, islice(doubtful, size // 2)):
        batch.append(pair(pairing, history.drawn(*pairing)))
        history.draw(*pairing)
    return batch


def budget(bots: Sequence[str], history: History, settings: ScheduleSettings) -> int:
    """How many encounters of bots that play may still be drawn."""
    in_cycle = len(bots) * (len(bots) - 1) // 2
    return max(0, settings.rounds * in_cycle - history.drawn_among(bots))


def settled(bots: Sequence[str], history: History, settings: ScheduleSettings) -> bool:
    """Whether what matters of the order is right with the confidence wanted."""
    if min(map(history.drawn_of, bots), default=0) < FEWEST:
        return False
    order = Order(bots, history.strengths(bots), settings.top)
    return order.confidence >= settings.confidence


def _round_robin(
    bots: Sequence[str], settings: ScheduleSettings, first: int, count: int
) -> Iterator[Pairing]:
    """So many pairs of a round robin that goes around and around, from one of them on."""
    once = msgspec.structs.replace(settings, type="round_robin", rounds=1)
    around = [_pairing(*each.around) for each in encounters(once, bots)]
    yield from islice(cycle(around), first % len(around), first % len(around) + count)


def _pairing(one: str, other: str) -> Pairing:
    return (one, other) if one < other else (other, one)
