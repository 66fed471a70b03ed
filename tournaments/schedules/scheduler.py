"""The schedule of a run: settings, bots and results come to matches, each with its key.

What is known before the first match stands in the store at once. What results draw is added to it
bit by bit, each when the one before is played: a round or batch is drawn once, and stays.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import count
from typing import Any, Final

import msgspec

from arena import ARENA
from arena.deals import deal_key, encounter
from protocol.cards import Seat
from tournaments.bots.fingerprint import of_modules
from tournaments.boxes import box_for
from tournaments.schedules.drawing import drawing
from tournaments.schedules.schedule import (
    Encounter,
    encounters,
    legs,
    match_id,
    match_key,
    seats,
    total,
)
from tournaments.storage.results import Comparable, ScheduledRow, StoredBot
from tournaments.storage.store import Store
from tournaments.tournament import ScheduleSettings, Tournament

VERSION: Final = 1
"""Of schedules: kept ones of another are made anew."""
MADE_BY: Final = (
    "schedules.circle",
    "schedules.designs",
    "schedules.schedule",
    "schedules.scheduler",
    "schedules.seating",
)
"""The modules whose text a schedule depends on that settings and bots alone come to. It is made
anew by another text, which costs nothing but time. What results have drawn stays, as was played."""


class Matches:
    """The matches of encounters, each with its key."""

    def __init__(
        self,
        compared: Mapping[str, Any],
        root: str,
        settings: ScheduleSettings,
        hashes: Mapping[str, str],
    ) -> None:
        """`compared`: the settings that make results comparable; `hashes`: label -> hash of each
        bot that plays."""
        typed = msgspec.convert(compared, Comparable)
        self.legs = legs(typed.format, mirror=settings.mirror)
        self._digest = digest(compared)
        self._players = typed.rules.players
        self._root = root
        self._hashes = hashes

    def of(self, met: Iterable[Encounter], first: int = 0) -> Iterator[ScheduledRow]:
        """Those of encounters in which all play, numbered."""
        numbers = count(first)
        for each in met:
            if not self.plays(each):
                continue
            deals = self.deals(each.cycle, seats(each, 0))
            for leg in range(self.legs):
                seated = seats(each, leg)
                key = self.key(deals, each.cycle, leg, seated)
                yield ScheduledRow(next(numbers), key, match_id(key), each.cycle, leg, seated)

    def plays(self, met: Encounter) -> bool:
        """Whether all of an encounter do."""
        return self._hashes.keys() >= set(met.around)

    def deals(self, cycle: int, seated: Mapping[Seat, str]) -> str:
        """The key of the deals of an encounter, by the bot at each seat in any leg."""
        return deal_key(self._root, encounter(seated, self._players), cycle)

    def key(self, deals: str, cycle: int, leg: int, seated: Mapping[Seat, str]) -> str:
        """That of one match."""
        players = {seat: (label, self._hashes[label]) for seat, label in seated.items()}
        return match_key(self._digest, deals, cycle, leg, players)


def in_order(
    names: Iterable[str], playing: Mapping[str, str], bots: Iterable[StoredBot]
) -> list[str]:
    """The labels of bots in the order of the file, also of those that play no more: whoever left
    keeps his place, so that no other moves. `playing`: name -> label."""
    labels = {bot.name: bot.label for bot in bots} | dict(playing)
    return [labels.get(name, name) for name in names]


class Scheduler:
    """Makes the schedule of one tournament in a store that this process holds."""

    def __init__(
        self,
        tournament: Tournament,
        store: Store,
        root: str,
        playing: Mapping[str, tuple[str, str]],
    ) -> None:
        """`playing`: name -> label and hash of each bot that plays; all are registered."""
        self._tournament = tournament
        self._store = store
        self._root = root
        self._hashes = dict(playing.values())
        self._settings, self._form = tournament.schedule, tournament.format
        self._labels = in_order(
            [bot.name for bot in tournament.bots],
            {name: label for name, (label, _) in playing.items()},
            store.bots(),
        )
        compared = comparable(tournament)
        self._matches = Matches(compared, root, self._settings, self._hashes)
        self._compared = digest(compared)
        bots = [label for label in self._labels if label in self._hashes]
        self._drawing = drawing(self._settings, self._form, bots, store)

    def enter(self) -> None:
        """Puts into the store all of the schedule that is known."""
        settings = self._settings
        if self._drawing is not None:
            entered = drawn_digest(self._compared, self._root, settings)
            self._store.keep_drawn(entered, self._drawing.rounds)
            self._store.set_undrawn(self._drawing.left())
            return
        bots = [(label, self._hashes.get(label)) for label in self._labels]
        statuses = [(bot.label, bot.status) for bot in self._store.bots()]
        made_of = msgspec.to_builtins(settings), bots, statuses
        entered = _digest(self._compared, self._root, *made_of, ARENA, of_modules(MADE_BY))
        if entered != self._store.tournament().entered:
            met = encounters(settings, self._labels, self._form)
            rows, legs_ = self._matches.of(met), self._matches.legs
            self._store.set_schedule(rows, entered, legs=legs_, rounds=settings.rounds)

    def total(self) -> int:
        """How many matches it is in all, at most: without their keys, so that it is fast."""
        if self._drawing is not None:
            return total(self._settings, len(self._hashes), self._form)
        met = encounters(self._settings, self._labels, self._form)
        return self._matches.legs * sum(map(self._matches.plays, met))

    def draw(self) -> bool:
        """Adds the next round or batch to the store; False where there is none, or not yet."""
        if self._drawing is None:
            return False
        met = self._drawing.draw()
        with self._store.transaction():
            if met:
                self._store.add_round(self._matches.of(met, self._store.drawn_matches()))
            self._store.set_undrawn(self._drawing.left())
        return bool(met)


def drawn_digest(compared: bytes, root: str, settings: ScheduleSettings) -> str:
    """What a schedule that results draw is entered as: what it has drawn holds for no other."""
    return _digest(compared, root, settings.type, settings.mirror)


def _digest(compared: bytes, root: str, *made_of: Any) -> str:
    parts = [VERSION, compared.decode(), root, *made_of]
    return sha256(msgspec.json.encode(parts)).hexdigest()


def digest(compared: Mapping[str, Any]) -> bytes:
    """Of the settings that make results comparable, as match keys have it."""
    return sha256(msgspec.json.encode(compared, order="sorted")).hexdigest().encode()


def comparable(tournament: Tournament) -> dict[str, Any]:
    """The settings that must be the same for two results to be comparable.

    Raises UserError where the bots can't be boxed in as the tournament wants it.
    """
    return {
        "format": tournament.format,
        "rules": msgspec.to_builtins(tournament.rules),
        "clock": msgspec.to_builtins(tournament.clock),
        "faults": msgspec.to_builtins(tournament.faults),
        "sandbox": msgspec.to_builtins(box_for(tournament.sandbox)),
        "cores": tournament.cores,
    }
