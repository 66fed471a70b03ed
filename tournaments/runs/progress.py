"""How a run goes on, for people: a live view in a terminal, a plain line now and then elsewhere."""

import sys
import time
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Final

from arena.events import Faulted
from arena.lines import last_words
from arena.match import MatchResult
from arena.news import News
from arena.turns import Turn, faults_in
from protocol.codec import printable
from protocol.messages import FaultKind
from protocol.rules import Players
from tournaments.runs.notices import duration
from tournaments.runs.screen import Display, InPlay, Picture, bar, field, line, terminal
from tournaments.runs.watcher import Watcher
from tournaments.sources import in_run
from tournaments.standings.provisional import Provisional
from tournaments.storage.entered import GIVE_UP_AFTER
from tournaments.storage.reader import Reader
from tournaments.storage.results import ScheduledRow

PLAIN_SECONDS: Final = 10.0
"""Between two plain lines."""
REDRAW_SECONDS: Final = 0.5
"""Between two pictures of a live view at the least."""
REST: Final = 40
"""Times as long as it took to draw a picture none is drawn: tables need the processor, too."""
FAULTS_SHOWN: Final = 20
"""Faults that are told: the first of each kind of each bot. The rest are only counted."""
VOIDS_SHOWN: Final = 20
"""Matches that are told to be void; the rest are only counted."""
TOLD_SHOWN: Final = 4
"""Lines of a live view for the latest of what is told."""

LOG_SHOWN: Final = 200
"""Characters of a bot's log that are told with a fault."""


@contextmanager
def watch(quiet: bool, store: Reader) -> Iterator[Watcher]:
    """The watcher of the run in a store that fits standard error."""
    if quiet:
        yield Quiet()
    elif display := terminal():
        field = Provisional.of_store(store)
        live = LiveRun(display, store.tournament().players, field, store.folder)
        with live.shown():
            yield live
    else:
        yield Plain(store.folder)


class Quiet:
    """Says only what must be said: that the arena failed a match."""

    patience: float | None = None

    def __init__(self, folder: Path | str = "RUN") -> None:
        """`folder` is that of the run, for the lines that reproduce faults."""
        self._folder = folder
        self._told: set[tuple[str, FaultKind]] = set()
        self._played = 0
        self._voided = 0
        self._given_up = 0

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        self._scheduled, self._before = scheduled, finished
        self._most = "at most " if at_most else ""
        self._started = time.monotonic()

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        self._played += 1

    def voided(self, row: ScheduledRow, reason: str, tries: int) -> None:
        self._voided += 1
        self._given_up += tries >= GIVE_UP_AFTER
        if self._voided > VOIDS_SHOWN:
            if self._voided == VOIDS_SHOWN + 1:
                self._say("more matches are void: the standings count those that are given up")
            return
        ending = "given up" if tries >= GIVE_UP_AFTER else "it is played again"
        self._say(f"match {row.match} is void, {ending}: {reason}")

    def look(self, playing: Collection[ScheduledRow], news: Iterable[News]) -> None:
        pass

    def _say(self, text: str) -> None:
        print(printable(text, but="\n"), file=sys.stderr)

    def _elapsed(self) -> float:
        return max(time.monotonic() - self._started, 1e-9)

    def _pace(self) -> str:
        return f"{60 * self._played / self._elapsed():.0f} a minute"

    def _so_far(self) -> str:
        return f"{timedelta(seconds=int(self._elapsed()))} so far"

    def _tell_faults(self, row: ScheduledRow, result: MatchResult) -> None:
        found = {(row.seats[seat], kind) for seat, of in result.faults.items() for kind in of}
        if found <= self._told or len(self._told) > FAULTS_SHOWN:
            return
        for fault, turn in faults_in(zlib.decompress(result.record)):
            if (row.seats[fault.seat], fault.kind) not in self._told:
                self._tell_fault(row, fault, turn, result.logs.get(fault.seat, ""))

    def _tell_fault(self, row: ScheduledRow, fault: Faulted, turn: Turn, log: str) -> None:
        """The first fault of its kind of a bot, with its sentence and the end of the bot's log."""
        bot = row.seats[fault.seat]
        self._told.add((bot, fault.kind))
        if len(self._told) > FAULTS_SHOWN:
            if len(self._told) == FAULTS_SHOWN + 1:
                self._say("more bots are at fault: `export RUN --what faults` tells all")
            return
        debug = in_run(self._folder, row.match).debug(fault.seat, turn)
        self._say(f"{bot}: {fault.kind} in match {row.match}: {printable(fault.detail)}")
        self._say(f"  to reproduce: {debug}")
        if said := last_words(log):
            self._say(f"  its standard error: {said[:LOG_SHOWN]}")


class Plain(Quiet):
    """A line at the start, every PLAIN_SECONDS, and at the end."""

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        super().began(scheduled, finished, at_most)
        self._spoke = self._started
        self._say(f"{self._most}{scheduled} matches, {finished} of them played before")

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        super().finished(row, result)
        self._tell_faults(row, result)
        done, now = self._before + self._played, time.monotonic()
        if now - self._spoke >= PLAIN_SECONDS or done == self._scheduled:
            self._spoke = now
            self._say(f"{done} of {self._most}{self._scheduled} matches, {self._pace()}")


class Live(Quiet):
    """A picture, drawn again now and then, with the tables in play.

    What is told meanwhile stands in it, and is printed when the terminal is given back.
    """

    patience = REDRAW_SECONDS

    def __init__(self, display: Display, players: Players, folder: Path | str = "RUN") -> None:
        super().__init__(folder)
        self._display = display
        self._in_play = InPlay(players)
        self._said: list[str] = []
        self._next = 0.0

    @contextmanager
    def shown(self) -> Iterator[None]:
        """The terminal is the picture's."""
        try:
            with self._display:
                yield
        finally:
            for text in self._said:
                super()._say(text)

    def began(self, scheduled: int, finished: int, at_most: bool = False) -> None:
        super().began(scheduled, finished, at_most)
        self.look((), ())

    def voided(self, row: ScheduledRow, reason: str, tries: int) -> None:
        super().voided(row, reason, tries)
        self._in_play.forget(row.match)

    def look(self, playing: Collection[ScheduledRow], news: Iterable[News]) -> None:
        self._in_play.update(playing, news)
        began = time.monotonic()
        if began >= self._next:
            self._display.draw(self._picture(self._display.lines))
            ended = time.monotonic()
            self._next = ended + max(REDRAW_SECONDS, REST * (ended - began))

    def _picture(self, lines: int) -> Picture:
        """All that is drawn on so many lines, one below the other."""
        raise NotImplementedError

    def _tables(self, lines: int) -> Picture:
        """The tables in play, as many as a third of the lines holds, after an empty line."""
        most = max(1, lines // 3)
        yield line("")
        yield self._in_play.drawn(most)
        more = self._in_play.places - most
        yield line(f"and {more} more tables" if more > 0 else "", "dim")

    def _latest(self) -> Picture:
        for text in self._said[-TOLD_SHOWN:]:
            yield line(text.partition("\n")[0])

    def _say(self, text: str) -> None:
        self._said.append(text)


class LiveRun(Live):
    """How far it is, who leads so far, and who was at fault."""

    def __init__(
        self,
        display: Display,
        players: Players,
        provisional: Provisional,
        folder: Path | str = "RUN",
    ) -> None:
        super().__init__(display, players, folder)
        self._provisional = provisional
        self._faults: dict[tuple[str, FaultKind], int] = {}
        """Bot and kind -> how many in this run; the latest are the last."""

    def finished(self, row: ScheduledRow, result: MatchResult) -> None:
        super().finished(row, result)
        self._provisional.add(row, result)
        self._tell_faults(row, result)
        for seat, kinds in result.faults.items():
            for kind, times in kinds.items():
                fault = row.seats[seat], kind
                self._faults[fault] = self._faults.pop(fault, 0) + times

    def _picture(self, lines: int) -> Picture:
        done = self._before + self._played
        yield bar(done, self._scheduled)
        yield line(", ".join(self._words(done)))
        yield line("")
        yield line("provisional standings, rated in the order in which matches end", "dim")
        others = 10 + TOLD_SHOWN + min(self._in_play.places, max(1, lines // 3))
        yield field(self._provisional.leaders(max(1, lines - others)))
        yield from self._tables(lines)
        if self._faults:
            yield line(f"faults: {self._counted()}", "bold")
        yield from self._latest()

    def _words(self, done: int) -> Iterator[str]:
        yield f"{done:,} of {self._most}{self._scheduled:,} matches"
        if self._played:
            yield self._pace()
        yield self._so_far()
        left = self._scheduled - done - self._given_up
        if self._played and left > 0:
            yield f"{duration(left * self._elapsed() / self._played)} left"
        if self._voided:
            yield f"{self._voided} void"

    def _counted(self) -> str:
        """The latest first; those that a line has no room for are left out."""
        latest = islice(reversed(self._faults.items()), FAULTS_SHOWN)
        return ", ".join(f"{bot} {times} {kind}" for (bot, kind), times in latest)
