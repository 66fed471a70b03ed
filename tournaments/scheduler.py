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
from tournaments.boxes import box_for
from tournaments.drawing import drawing
from tournaments.fingerprint import of_modules
from tournaments.results import ScheduledRow
from tournaments.schedule import (
    Encounter,
    encounters,
    legs,
    match_id,
    match_key,
    seats,
    total,
)
from tournaments.store import Store
from tournaments.tournament import Tournament

VERSION: Final = 1
"""Of schedules: kept ones of another are made anew."""
MADE_BY: Final = ("circle", "designs", "schedule", "scheduler", "seating")
"""The modules whose text a schedule depends on that settings and bots alone come to. It is made
anew by another text, which costs nothing but time. What results have drawn stays, as was played."""


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
        self._legs = legs(self._form, mirror=self._settings.mirror)
        known = {bot.name: bot.label for bot in store.bots()}
        self._labels = [
            playing[bot.name][0] if bot.name in playing else known.get(bot.name, bot.name)
            for bot in tournament.bots
        ]
        """Also of bots that play no more: whoever left keeps his place, so that no other moves."""
        self._compared = digest(comparable(tournament))
        bots = [label for label in self._labels if label in self._hashes]
        self._drawing = drawing(self._settings, self._form, bots, store)

    def enter(self) -> None:
        """Puts into the store all of the schedule that is known."""
        settings = self._settings
        if self._drawing is not None:
            entered = self._digest(settings.type, settings.mirror)
            self._store.keep_drawn(entered, self._drawing.rounds)
            self._store.set_undrawn(self._drawing.left())
            return
        bots = [(label, self._hashes.get(label)) for label in self._labels]
        statuses = [(bot.label, bot.status) for bot in self._store.bots()]
        made_of = msgspec.to_builtins(settings), bots, statuses
        entered = self._digest(*made_of, ARENA, of_modules(MADE_BY))
        if entered != self._store.tournament().entered:
            met = encounters(settings, self._labels, self._form)
            rows = self._rows(met)
            self._store.set_schedule(rows, entered, legs=self._legs, rounds=settings.rounds)

    def total(self) -> int:
        """How many matches it is in all, at most: without their keys, so that it is fast."""
        if self._drawing is not None:
            return total(self._settings, len(self._hashes), self._form)
        met = encounters(self._settings, self._labels, self._form)
        return self._legs * sum(map(self._play, met))

    def draw(self) -> bool:
        """Adds the next round or batch to the store; False where there is none, or not yet."""
        if self._drawing is None:
            return False
        met = self._drawing.draw()
        if met:
            self._store.add_round(self._rows(met, self._store.drawn_matches()))
        self._store.set_undrawn(self._drawing.left())
        return bool(met)

    def _rows(self, met: Iterable[Encounter], first: int = 0) -> Iterator[ScheduledRow]:
        """The matches of encounters in which all play, numbered."""
        numbers = count(first)
        for each in met:
            if not self._play(each):
                continue
            names = encounter(seats(each, 0), self._tournament.rules.players)
            deals = deal_key(self._root, names, each.cycle)
            for leg in range(self._legs):
                seated = seats(each, leg)
                players = {seat: (label, self._hashes[label]) for seat, label in seated.items()}
                key = match_key(self._compared, deals, each.cycle, leg, players)
                yield ScheduledRow(next(numbers), key, match_id(key), each.cycle, leg, seated)

    def _play(self, met: Encounter) -> bool:
        """Whether all of an encounter do."""
        return self._hashes.keys() >= set(met.around)

    def _digest(self, *made_of: Any) -> str:
        parts = [VERSION, self._compared.decode(), self._root, *made_of]
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
