"""What is told of a run beside its standings, in sentences."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from arena.sandbox import Wanted
from protocol.cards import SEATS
from tournaments.boxes import TRUSTED
from tournaments.errors import shown
from tournaments.runs.plan import SEAT_DECISIONS, USUAL_DEALS, Plan
from tournaments.schedules.drawing import percent
from tournaments.standings.standings import Standings
from tournaments.storage.results import Status, StoredBot
from tournaments.storage.store import Store

NAMES_SHOWN: Final = 20
"""Of bots, in a sentence."""

_CORRECTED: Final = timedelta(minutes=1)
"""By so much a clock may be set back without a word: clocks are put right all the time."""

NOT_FINAL: Final = "; the run is not final"

_GONE: Final[dict[Status, str]] = {
    "withdrawn": "withdrawn, what it has played counts",
    "disqualified": "disqualified, what it has played counts for nobody",
    "superseded": "superseded by a new version, what it has played counts",
    "absent": "not in the file any more, what it has played counts for nobody",
}

_UNITS: Final = ((86_400, "days"), (3_600, "hours"), (60, "minutes"))


def of_tables(backend: Wanted, jobs: int | None, tables: int) -> Iterator[str]:
    """What a box that is none means, and jobs that were asked for in vain."""
    if backend == "none":
        yield TRUSTED
    if jobs is not None and jobs > tables:
        yield f"--jobs {jobs} cut to {tables}: never more tables at once than cores allow"


def before(store: Store, changed: list[str]) -> Iterator[str]:
    """What the clock, changed bots, bots that left and another schedule mean, before the start."""
    yield from _clock(store.newest())
    if changed:
        yield f"changed since the last run, so new versions play: {_listed(changed)}"
    yield from gone(store.bots())
    yield from left_out(store.left_out())
    scheduled, *_, retired = store.counts()
    if not scheduled:
        yield "nobody is left to meet: no match is scheduled"
    if retired:
        yield f"{_matches(retired)} of bots that play no more: taken in after all others"


def _clock(newest: str | None) -> Iterator[str]:
    """Where a match was finished, at the latest, in what is now the future."""
    if newest and newest > (datetime.now(UTC) + _CORRECTED).isoformat(timespec="milliseconds"):
        yield (
            f"the clock of this machine is behind, as a match was finished at {newest}: set it if"
            " it is wrong. Dates will be out of order; no result depends on them"
        )


def gone(bots: Iterable[StoredBot]) -> Iterator[str]:
    """A line for each way in which bots have left: `withdrawn, what it has played counts: x`."""
    labels: dict[Status, list[str]] = {}
    for bot in bots:
        labels.setdefault(bot.status, []).append(bot.label)
    for status, words in _GONE.items():
        if status in labels:
            yield f"{words}: {_listed(labels[status])}"


def left_out(matches: int) -> Iterator[str]:
    """Of matches that the schedule has no more."""
    if matches:
        yield (
            f"{_finished(matches)} not in the schedule any more: kept in the record, and left out"
            " of the ranking"
        )


def interrupted(by: str, store: Store, final: bool) -> Iterator[str]:
    """Where an interrupted run is, and how it goes on; `final`: it was to become that."""
    yield (
        f"interrupted by {by}; {store.counts().finished} finished matches are kept in"
        f" {shown(store.folder)}, the same command goes on from there{NOT_FINAL if final else ''}"
    )


def stopped(standings: Standings) -> Iterator[str]:
    """Why an adaptive schedule has no more matches, if it has not."""
    adaptive, finished = standings.adaptive, standings.matches.finished
    if adaptive and adaptive.stopped == "confidence":
        yield f"stopped: {adaptive} after {finished:,} of at most {_matches(adaptive.most)}"
    if adaptive and adaptive.stopped == "budget":
        yield (
            f"the budget is used up: after {_matches(finished)} {adaptive},"
            f" {percent(adaptive.confidence)} were wanted"
        )


def final(standings: Standings, folder: Path) -> Iterator[str]:
    """What anybody may know, and check, once nothing more is played."""
    if not standings.final:
        return
    yield f"final since {standings.final}: nothing more can be played in {shown(folder)}"
    if standings.secret is None:
        yield f"all deals came from the seed {standings.seed}"
        return
    yield f"all deals came from the secret {standings.secret}"
    yield "its SHA-256 is what was told before the first match and stands in every record:"
    yield f"  printf {standings.secret} | sha256sum    # {standings.commitment}"


def planned(plan: Plan, tables: int, folder: Path) -> Iterator[str]:
    """A plan in lines."""
    scheduled, finished, *_ = plan.counts
    missing = scheduled - finished
    most = "at most " if plan.at_most and missing else ""
    yield f"{most}{_matches(scheduled)}: {finished:,} played before, {most}{missing:,} to be played"
    playing = sum(bot.status == "playing" for bot in plan.bots)
    yield f"bots that play: {playing}"
    if plan.changed:
        yield f"changed since the last run, so new versions play: {_listed(plan.changed)}"
    yield from gone(plan.bots)
    if plan.left_out:
        yield from left_out(plan.left_out)
        if plan.left_out_before:
            yield f"  (as things are, {plan.left_out_before:,})"
    yield f"tables at once: {tables}, with {tables * len(SEATS)} processes of bots"
    if missing:
        yield _time(plan, tables, folder)
    yield "nothing was written, built or played"


def _time(plan: Plan, tables: int, folder: Path) -> str:
    needed = duration(plan.seconds(tables))
    if plan.mean_ms:
        each = f"{plan.mean_ms / 1000:.2g} s each"
        return (
            f"time: {needed}, as {_matches(plan.measured)} measured in {shown(folder)} took {each}"
        )
    return (
        f"time: at most {needed} by the clocks, in matches of {USUAL_DEALS} deals of"
        f" {SEAT_DECISIONS * len(SEATS)} decisions; most bots take far less, and no match was"
        " measured here yet"
    )


def duration(seconds: float) -> str:
    """`about 12 minutes`: in the largest unit of which there are two."""
    for unit, name in _UNITS:
        if seconds >= 2 * unit:
            return f"about {seconds / unit:,.0f} {name}"
    return "about a minute" if seconds >= 45 else "under a minute"


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count:,} matches"


def _finished(count: int) -> str:
    return "1 finished match is" if count == 1 else f"{count:,} finished matches are"


def _listed(labels: list[str]) -> str:
    more = len(labels) - NAMES_SHOWN
    return ", ".join(labels[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
