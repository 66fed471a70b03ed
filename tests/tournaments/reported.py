"""Runs to report on, their records made by hand: of bots that are fair, faulty and hostile."""

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import to_builtins

from arena.events import Clocks, FaultPolicy, MatchEnded, MatchStarted
from arena.match import MatchResult
from arena.record import read
from protocol.cards import SEATS
from protocol.rules import Rules
from tests.arena.tables import every
from tests.tournaments import replayed
from tests.tournaments.replayed import HOSTILE, ILLEGAL, LONG, record
from tests.tournaments.small_run import key
from tournaments.storage.results import ScheduledRow
from tournaments.storage.store import Store
from tournaments.tournament import RatingSettings

LOG: Final = f"Traceback: {HOSTILE}\n{LONG}the end {HOSTILE}\n"
SECRET: Final = "00112233445566778899aabbccddeeff"


def store_records(
    folder: Path,
    records: Sequence[bytes],
    root: str = "seed 7",
    name: str = "league",
    finished: int | None = None,
) -> Path:
    """A run folder with a schedule of these matches, all finished or so many."""
    starts = [next(e for _, e in read(each) if isinstance(e, MatchStarted)) for each in records]
    ends = [next(e for _, e in read(each) if isinstance(e, MatchEnded)) for each in records]
    rows = [
        ScheduledRow(
            number=number,
            key=key(number),
            match=key(number)[:16],
            cycle=number // 2,
            leg=number % 2,
            seats={seat: player.name for seat, player in start.players.items()},
        )
        for number, start in enumerate(starts)
    ]
    names = dict.fromkeys(each.seats[seat] for each in rows for seat in SEATS)
    with Store.hold(folder) as store:
        store.begin(name, root, comparable(starts[0].rules), settings())
        store.register([(bot, f"{i:064x}", {}) for i, bot in enumerate(names)])
        store.set_schedule(rows, "", legs=2, rounds=1)
        for row, end, each in list(zip(rows, ends, records, strict=True))[:finished]:
            store.add(row, result(row, end, each))
    return folder


def comparable(rules: Rules) -> dict[str, Any]:
    return {
        "format": "solo" if rules.players == "solo" else "pairs",
        "rules": to_builtins(rules),
        "clock": to_builtins(Clocks()),
        "faults": to_builtins(FaultPolicy()),
        "sandbox": {"backend": "none"},
        "cores": 1,
    }


def settings() -> dict[str, Any]:
    return {
        "rating": to_builtins(RatingSettings()),
        "schedule": {"type": "round_robin", "rounds": 1, "mirror": True, "of": []},
    }


def result(row: ScheduledRow, end: MatchEnded, packed: bytes) -> MatchResult:
    offender = next((seat for seat in end.faults if end.forfeited and seat in end.forfeited), None)
    return MatchResult(
        match=row.match,
        winner=end.winner,
        reason=end.reason,
        forfeited=end.forfeited,
        offender=offender,
        score=end.score,
        points={side: float(points) for side, points in end.score.items()},
        deals=end.deals,
        faults=end.faults,
        logs=dict.fromkeys(end.faults, LOG),
        record=zlib.compress(packed),
    )


def league(folder: Path) -> Path:
    """Three bots in 24 matches; `careless` is at fault in some."""
    names = ["counting", "lowest", "careless"]
    pairs = [(one, other) for one in names for other in names if one < other]
    records: list[bytes] = []
    for cycle in range(4):
        for one, other in pairs:
            for sides in ((one, other), (other, one)):
                faulty = "careless" in sides and cycle % 2
                seat = SEATS[sides.index("careless")] if faulty else "N"
                faults = {seat: {9 + cycle: ILLEGAL}} if faulty else {}
                policy = every("substitute", limit=100)
                records.append(record(names=sides, faults=faults, policy=policy, seed=len(records)))
    return store_records(folder, records)


def hostile(folder: Path) -> Path:
    """Bots whose names, notes, replies and standard error are meant to do harm."""
    return store_records(folder, [replayed.hostile()] * 3, name=HOSTILE)
