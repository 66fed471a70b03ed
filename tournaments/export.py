"""The data of a run as rows, streamed: matches and decisions."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TextIO

from arena.events import BidMade, CardPlayed, Dealt, MatchStarted
from arena.record import read
from protocol.cards import PARTNERSHIPS, SEATS
from tournaments.store import Store

Row = dict[str, Any]

MATCH_COLUMNS: Final = (
    "number", "match", "cycle", "leg", *SEATS, "winner", "reason", "deals",
    *(f"score_{side}" for side in PARTNERSHIPS), *(f"points_{side}" for side in PARTNERSHIPS),
    "faults",
)  # fmt: skip
DECISION_COLUMNS: Final = ("match", "deal", "bot", "seat", "type", "choice", "note", "ms")


def matches(store: Store) -> Iterator[Row]:
    """A row a finished match, in schedule order: MATCH_COLUMNS.

    `number` in the schedule, `match` id, `cycle`, `leg`, the bot at each seat (`N`, `E`,
    `S`, `W`), `winner` (side, empty for a draw), `reason`, `deals` finished, and for each side its
    score and points (a bag at its long-run worth), and `faults` as `seat:kind:count` words.
    """
    for match in store.finished():
        row: Row = {
            "number": match.number,
            "match": match.match,
            "cycle": match.cycle,
            "leg": match.leg,
            **{seat: match.seats[seat] for seat in SEATS},
            "winner": match.winner,
            "reason": match.reason,
            "deals": match.deals,
        }
        row |= {f"score_{side}": match.score[side] for side in PARTNERSHIPS}
        row |= {f"points_{side}": match.points[side] for side in PARTNERSHIPS}
        row["faults"] = " ".join(
            f"{seat}:{kind}:{times}"
            for seat, kinds in match.faults.items()
            for kind, times in kinds.items()
        )
        yield row


def decisions(store: Store) -> Iterator[Row]:
    """A row a bid or card, in the order played: DECISION_COLUMNS."""
    for match, record in store.records():
        deal = 0
        bots: dict[str, str] = {}
        for _, event in read(record):
            if isinstance(event, MatchStarted):
                bots = {seat: player.name for seat, player in event.players.items()}
            elif isinstance(event, Dealt):
                deal = event.deal
            elif isinstance(event, BidMade | CardPlayed):
                is_bid = isinstance(event, BidMade)
                yield {
                    "match": match,
                    "deal": deal,
                    "bot": bots[event.seat],
                    "seat": event.seat,
                    "type": "bid" if is_bid else "play",
                    "choice": event.bid if isinstance(event, BidMade) else event.card,
                    "note": event.note,
                    "ms": event.ms,
                }


class Export(NamedTuple):
    """What can be exported."""

    columns: tuple[str, ...]
    rows: Callable[[Store], Iterator[Row]]
    """Dicts with these keys, in their order."""


WHAT: Final = {
    "matches": Export(MATCH_COLUMNS, matches),
    "decisions": Export(DECISION_COLUMNS, decisions),
}


def write_json(rows: Iterable[Row], out: TextIO) -> None:
    """One array, a row a line."""
    out.write("[")
    for i, row in enumerate(rows):
        out.write(",\n" if i else "\n")
        json.dump(row, out, ensure_ascii=False)
    out.write("\n]\n")


def write_csv(rows: Iterable[Row], out: TextIO, columns: Sequence[str] = ()) -> None:
    """A line of column names, then a line a row.

    Without `columns` the names are those of the first row, and nothing is written without one.
    """
    writer = csv.writer(out)
    if columns:
        writer.writerow(columns)
    for i, row in enumerate(rows):
        if i == 0 and not columns:
            writer.writerow(row)
        writer.writerow(_cell(value) for value in row.values())


def _cell(value: Any) -> Any:
    """A spreadsheet runs a text that begins like a formula; the quote before it says text."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r", "\n")):
        return f"'{value}"
    return value
