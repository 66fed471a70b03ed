"""A run as a page tells of it, gathered from its store; what grows with the run is bounded."""

from pathlib import Path
from typing import Any, Final

from msgspec import Struct, to_builtins

from tournaments.exports.export import Row
from tournaments.reports.conduct import Conduct, conduct
from tournaments.reports.history import Point, histories
from tournaments.reports.matches import Matches, faults, matches
from tournaments.standings.standings import Standings
from tournaments.storage.reader import Reader
from tournaments.storage.results import StoredBot

LINES: Final = 12
"""Bots whose ratings are drawn over their matches, at most: the best ones."""


class Report(Struct, frozen=True):
    """All of it but the replays."""

    folder: Path
    """The run folder."""
    standings: Standings
    bots: list[StoredBot]
    comparable: dict[str, Any]
    """The settings that make results comparable."""
    settings: dict[str, Any]
    """The other settings; who takes part is in `bots`."""
    created: str
    """When the run was begun, ISO 8601, UTC."""
    newest: str | None
    """When the latest match was finished; None before the first."""
    conduct: dict[str, Conduct]
    """Of each bot that has played, by label."""
    histories: dict[str, list[Point]]
    """Of the best LINES, in the order of the ranking."""
    faults: list[Row]
    matches: Matches


def gather(store: Reader, standings: Standings) -> Report:
    """The report of a run with these standings. Raises Damaged."""
    tournament = store.tournament()
    return Report(
        folder=store.folder,
        standings=standings,
        bots=store.bots(),
        comparable=to_builtins(tournament.compared),
        settings={k: v for k, v in tournament.settings.items() if k != "entrants"},
        created=tournament.created,
        newest=store.newest(),
        conduct=conduct(store),
        histories=histories(store, [bot.name for bot in standings.bots[:LINES]]),
        faults=faults(store),
        matches=matches(store),
    )
