"""A run of two bots for tests of the store: rows and results by their number."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from msgspec import to_builtins

from arena.match import MatchResult
from protocol.cards import Seat
from tournaments.storage.results import FinishedMatch, ScheduledRow
from tournaments.storage.store import Store
from tournaments.tournament import RatingSettings

RULES: Final = {
    "format": "pairs",
    "rules": {"target": 500, "deck": "standard", "players": "partners"},
    "cores": 1,
}
SETTINGS: Final = {"rating": to_builtins(RatingSettings()), "schedule": {"mirror": True}}
RECORD: Final = b'{"type":"match"}\n{"type":"seal"}\n'


def seats(ns: str = "a", ew: str = "b") -> dict[Seat, str]:
    return {"N": ns, "E": ew, "S": ns, "W": ew}


def key(number: int) -> str:
    return f"{number * 2654435761 % 2**32:08x}".ljust(64, "0")


def row(number: int) -> ScheduledRow:
    return ScheduledRow(
        number=number,
        key=key(number),
        match=key(number)[:16],
        cycle=number // 2,
        leg=number % 2,
        seats=seats("b", "a") if number % 2 else seats("a", "b"),
    )


def result(number: int, winner: str | None = "NS", record: bytes = RECORD) -> MatchResult:
    return MatchResult(
        match=key(number)[:16],
        winner=winner,
        reason="forfeit",
        forfeited="EW",
        offender="E",
        score={"NS": 503, "EW": 311},
        points={"NS": 410.5, "EW": -12.0},
        deals=8,
        faults={"E": {"timeout": 1}},
        logs={"E": "Traceback \x00 \N{SNOWMAN}"},
        record=zlib.compress(record),
    )


def start(store: Store, matches: int = 0) -> None:
    store.begin("league", "seed 7", RULES, SETTINGS)
    store.register([("a", "hash a", {}), ("b", "hash b", {})])
    store.set_schedule(map(row, range(matches)), "", legs=2, rounds=1)


def numbers(rows: Iterator[ScheduledRow] | Iterator[FinishedMatch]) -> list[int]:
    return [each.number for each in rows]


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """The database as another program sees it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection
