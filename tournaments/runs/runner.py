"""Plays what is missing of a tournament: the store says what, an executor plays, the store keeps.

Only the process that runs this writes the store. Results are kept as they come; everything that
depends on their order is computed later, in schedule order.
"""

import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from arena.deals import commitment, secret_root, seed_root
from arena.lag import ArenaLag
from arena.match import MatchResult, MatchSpec, play, specify
from arena.program import Program
from tournaments.bots.bots import BotSource
from tournaments.boxes import box_for
from tournaments.errors import ArenaError, UserError, machine_trouble, shown
from tournaments.files.source import found_later
from tournaments.runs.watcher import Telling, Watcher
from tournaments.schedules.scheduler import Scheduler, comparable
from tournaments.storage.comparison import Incomparable
from tournaments.storage.entered import GIVE_UP_AFTER
from tournaments.storage.results import ScheduledRow
from tournaments.storage.store import Store
from tournaments.tournament import Tournament

STOP_AFTER: Final = 5
"""Matches given up one after the other for what the machine refuses: then it refuses all others."""


class ClockHealth(Struct):
    """How well the clocks of the matches of one run were watched."""

    matches: int = 0
    """That were finished."""
    latest_ms: float = 0.0
    """How late the arena was at most (`arena.lag`)."""
    voided: int = 0
    """Tries of matches that were void for lag."""


class Run:
    """One tournament in one run folder, whose store is held by this process."""

    def __init__(self, tournament: Tournament, store: Store) -> None:
        self._tournament = tournament
        self._store = store
        self._programs: dict[str, Program] = {}
        """By label."""
        self._refused = 0
        """Matches given up for what the machine refuses since one was finished."""
        self.clocks = ClockHealth()
        self._sandbox = box_for(tournament.sandbox)
        self._root = _root(tournament, store.root)

    def begin(self) -> None:
        """Registers the settings in the store, before anything else is done in its folder.

        Raises UserError, at the first that has changed, where they make the results in the store
        incomparable.
        """
        tournament = self._tournament
        try:
            self._store.begin(
                name=tournament.name,
                root=self._root,
                comparable=comparable(tournament),
                settings=_settings(tournament),
            )
        except Incomparable as error:
            place = tuple(error.setting.removesuffix("_ms").split("."))
            raise found_later(tournament.path, place, str(error)) from None

    def enter(self, programs: Sequence[Program]) -> list[str]:
        """Registers the bots that play, and the schedule, in the store.

        Returns the labels of bots whose files have changed: they are new versions, and all their
        matches are to be played. Raises UserError, and nothing is changed, where something is to be
        played in a run that is final.
        """
        with self._store.transaction():
            changed = self.register({p.name: p.hash for p in programs})
            self.schedule()
        labels = {name: label for name, (label, _) in self._playing.items()}
        self._programs = {
            labels[p.name]: msgspec.structs.replace(p, name=labels[p.name]) for p in programs
        }
        return changed

    def register(self, hashes: Mapping[str, str]) -> list[str]:
        """Registers settings that may change, and the bots that play, as name -> hash.

        It is the first part of `enter`: what is refused there changes nothing.
        """
        tournament, store = self._tournament, self._store
        store.change(tournament.name, _settings(tournament))
        before = {bot.label for bot in store.bots()}
        sources = {source.name: _describe(source) for source in tournament.bots}
        labels = store.register(
            [(name, hash_, sources[name]) for name, hash_ in hashes.items()],
            tournament.withdrawn,
            tournament.disqualified,
        )
        self._playing = {name: (labels[name], hash_) for name, hash_ in hashes.items()}
        self._scheduler = Scheduler(tournament, store, self._root, self._playing)
        return [label for name, label in labels.items() if label not in {name, *before}]

    def schedule(self) -> None:
        """Registers the schedule: the second part of `enter`."""
        self._scheduler.enter()
        self._store.forgive()
        self._refuse_final()

    def total(self) -> int:
        """How many matches there are in all, once bots are registered."""
        return self._scheduler.total()

    def _refuse_final(self) -> None:
        final = self._store.tournament().final
        if final is None:
            return
        scheduled, finished, *_ = self._store.counts()
        if finished < scheduled:
            raise UserError(
                f"the run in {shown(self._store.folder)} is final since {final}, and"
                f" {scheduled - finished} of its matches were not played there: play them in"
                " another folder (-o), or put the file back"
            )

    def play(
        self,
        executor: Executor,
        tables: int,
        watcher: Watcher,
        enough: Callable[[], bool] = lambda: False,
    ) -> None:
        """Plays every match that the store lacks, `tables` at once, or until there is `enough`.

        What is being played then is left to the executor, and is not kept. Raises ArenaError where
        the store fails, or the machine refuses match after match.
        """
        scheduled, finished, *_ = self._store.counts()
        adaptive = self._tournament.schedule.type == "adaptive"
        watcher.began(scheduled, finished, at_most=adaptive and finished < scheduled)
        self._play_missing(executor, tables, watcher, enough)
        while not enough() and self._scheduler.draw():
            self._play_missing(executor, tables, watcher, enough)

    def _play_missing(
        self, executor: Executor, tables: int, watcher: Watcher, enough: Callable[[], bool]
    ) -> None:
        """Plays what is scheduled and neither played nor given up."""
        waiting: dict[Future[MatchResult], ScheduledRow] = {}
        again: deque[ScheduledRow] = deque()
        missing = self._store.missing()
        line = executor if isinstance(executor, Telling) and watcher.patience is not None else None
        while not enough():
            while len(waiting) < tables:
                row = again.popleft() if again else next(missing, None)
                if row is None:
                    break
                told = (line.tell,) if line else ()
                waiting[executor.submit(play, self._spec(row), *told)] = row
            if not waiting:
                return
            done, _ = wait(waiting, watcher.patience, return_when=FIRST_COMPLETED)
            for future in done:
                row = waiting.pop(future)
                if not self._keep(row, future, watcher):
                    again.append(row)
            if watcher.patience is not None:
                watcher.look(waiting.values(), line.heard() if line else ())

    def _keep(self, row: ScheduledRow, future: Future[MatchResult], watcher: Watcher) -> bool:
        """Whether the match is done with: finished, or given up."""
        try:
            result = future.result()
            self._check_files(row, result)
        except Exception as error:  # whatever it is, it is ours, and costs no bot anything
            return self._give_up(row, error, watcher)
        self._store.add(row, result)
        self._refused = 0
        self.clocks.matches += 1
        self.clocks.latest_ms = max(self.clocks.latest_ms, result.lag_ms)
        watcher.finished(row, result)
        return True

    def _check_files(self, row: ScheduledRow, result: MatchResult) -> None:
        """Raises OSError where a bot did not run because its files are there no more."""
        for seat, faults in result.faults.items():
            program = self._programs[row.seats[seat]]
            if faults.keys() & {"start", "exit"}:
                for path in (program.folder, program.command[0]):
                    Path(path).stat()

    def _give_up(self, row: ScheduledRow, error: Exception, watcher: Watcher) -> bool:
        """Whether the match that the arena has failed so has had all its tries."""
        trouble = machine_trouble(error)
        reason = trouble or "\n".join(
            [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])]
        )
        if isinstance(error, ArenaLag):
            reason = str(error)
            self.clocks.voided += 1
            self.clocks.latest_ms = max(self.clocks.latest_ms, error.late_ms)
        tries = self._store.add_void(row.key, reason)
        watcher.voided(row, reason, tries)
        if tries < GIVE_UP_AFTER:
            return False
        self._refused = self._refused + 1 if trouble else 0
        if self._refused == STOP_AFTER:
            raise ArenaError(
                f"{STOP_AFTER} matches in a row could not be played: {trouble}, and run again:"
                " finished matches are kept"
            )
        return True

    def _spec(self, row: ScheduledRow) -> MatchSpec:
        """All that a worker needs for a match; the secret is not among it."""
        tournament = self._tournament
        return specify(
            row.match,
            self._root,
            {seat: self._programs[label] for seat, label in row.seats.items()},
            cycle=row.cycle,
            leg=row.leg,
            rules=tournament.rules,
            clock=tournament.clock,
            faults=tournament.faults,
            sandbox=self._sandbox,
        )


def _root(tournament: Tournament, stored: str | None) -> str:
    """What all deals come from (`arena.deals`)."""
    if tournament.seed is not None:
        return seed_root(tournament.seed)
    if stored is not None and commitment(stored):
        return stored
    return secret_root(secrets.token_hex(16))


def _settings(tournament: Tournament) -> dict[str, Any]:
    """Those that may change from run to run."""
    return {
        "schedule": msgspec.to_builtins(tournament.schedule),
        "rating": msgspec.to_builtins(tournament.rating),
        "entrants": {
            "bots": [bot.name for bot in tournament.bots],
            "withdrawn": list(tournament.withdrawn),
            "disqualified": list(tournament.disqualified),
        },
    }


def _describe(source: BotSource) -> dict[str, Any]:
    """What the store keeps of a bot: for people to read, and to run it once more (`kept`)."""
    return {
        "command": list(source.command),
        "env": dict(source.env),
        "build": source.build and list(source.build),
        "folder": None if source.owns_folder else str(source.folder),
        "version": source.version,
        "author": source.author,
        "language": source.language,
        "description": source.description,
    }
