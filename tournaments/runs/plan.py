"""What a run would do, found out without doing it: nothing is written, copied, built or started.

The run's own code enters bots and schedule into what the store would become, which is thrown away.
So this refuses what the run would refuse, and comes to the same matches.
"""

from pathlib import Path
from typing import Final

from msgspec import Struct

from protocol.cards import SEATS
from tournaments.bots.preparation import hashes_of
from tournaments.runs.runner import Run
from tournaments.storage.results import Counts, StoredBot
from tournaments.storage.store import Store
from tournaments.tournament import Tournament

USUAL_DEALS: Final = 9
"""Of a match to 500."""
SEAT_DECISIONS: Final = 14
"""In a deal: a bid and 13 cards."""


class Plan(Struct, frozen=True):
    """What a run would find and have to do."""

    counts: Counts
    bots: list[StoredBot]
    """With the status that each would have."""
    changed: list[str]
    """Labels of new versions."""
    left_out: int
    """Finished matches that would count for nobody, those of disqualified bots left aside."""
    left_out_before: int
    """How many they are now."""
    measured: int
    """Matches in the folder."""
    mean_ms: float
    """Of a match measured; 0 where none is."""
    most_ms: float
    """What the clocks allow in a match of the usual length."""
    at_most: bool
    """An adaptive schedule may stop earlier."""

    def seconds(self, tables: int) -> float:
        """How long it would take: as long as the matches measured, or else as the clocks allow."""
        missing = self.counts.scheduled - self.counts.finished
        return missing / min(tables, missing or 1) * (self.mean_ms or self.most_ms) / 1000


def plan(tournament: Tournament, folder: Path) -> Plan:
    """What `run` would do in a folder, which may be held by another run, or not exist.

    Raises UserError where it would be refused.
    """
    bots = tournament.playing
    hashes = {bot.name: hash_ for bot, hash_ in zip(bots, hashes_of(bots), strict=True)}
    with Store.on_trial(folder) as store:
        before = store.left_out()
        measured, mean_ms = store.measured()
        run = Run(tournament, store)
        run.begin()
        changed = run.register(hashes)
        if measured or store.tournament().final:
            run.schedule()
            counts = store.counts()
        else:  # then no match need be found by its key, and keys are what takes long
            counts = Counts(run.total(), 0, 0)
        return Plan(
            counts=counts,
            bots=store.bots(),
            changed=changed,
            left_out=store.left_out() if measured else 0,
            left_out_before=before,
            measured=measured,
            mean_ms=mean_ms,
            most_ms=_most_ms(tournament),
            at_most=tournament.schedule.type == "adaptive",
        )


def _most_ms(tournament: Tournament) -> float:
    """What the clocks allow in a match of the usual length."""
    clock = tournament.clock
    deals = min(USUAL_DEALS, tournament.rules.max_deals)
    thinking = deals * SEAT_DECISIONS * clock.move_ms
    if clock.bank_ms is not None:
        thinking = min(thinking, clock.bank_ms)
    return len(SEATS) * (clock.start_ms + thinking) + clock.exit_ms
