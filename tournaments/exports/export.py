"""The data of a run as rows, streamed: matches, deals, decisions, faults and ratings."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TextIO

from arena.events import (
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    Dealt,
    Decision,
    MatchStarted,
)
from arena.record import read
from arena.rules import sides
from arena.turns import faults_in
from protocol.cards import SEATS
from protocol.codec import printable
from protocol.messages import Side
from tournaments.exports.finished_deals import kept_deals
from tournaments.sources import in_run
from tournaments.standings import rating_history
from tournaments.storage.reader import Reader

Row = dict[str, Any]

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a text begins with that a spreadsheet runs; the last four are wide forms of the first."""

DECISION_COLUMNS: Final = (
    "match", "deal", "bot", "seat", "type", "choice", "note", "ms", "cpu_ms", "substituted",
)  # fmt: skip

FAULT_COLUMNS: Final = (
    "match", "deal", "bot", "seat", "kind", "request", "ruling", "detail", "raw", "log", "debug",
)  # fmt: skip


def match_columns(store: Reader) -> Sequence[str]:
    """The columns of `matches`: those of score and points depend on who plays for whom."""
    names = _sides(store)
    return (
        "number", "match", "cycle", "leg", *SEATS, "winner", "reason", "forfeited", "offender",
        "deals",
        *(f"score_{side}" for side in names), *(f"points_{side}" for side in names), "faults",
    )  # fmt: skip


def _sides(store: Reader) -> Iterable[Side]:
    return sides(store.tournament().players)


def matches(store: Reader) -> Iterator[Row]:
    """A row a finished match, in schedule order: `match_columns`.

    `number` in the schedule, `match` id, `cycle`, `leg`, the bot at each seat, `winner` (a side;
    nobody in a draw, and where one forfeits in solo play), `reason`, the side that `forfeited`, the
    seat that was the `offender`, `deals` finished, for each side its score and points (a bag at its
    long-run worth), and `faults` as `seat:kind:count` words.
    """
    names = _sides(store)
    for match in store.finished():
        row: Row = {
            "number": match.number,
            "match": match.match,
            "cycle": match.cycle,
            "leg": match.leg,
            **{seat: match.seats[seat] for seat in SEATS},
            "winner": match.winner,
            "reason": match.reason,
            "forfeited": match.forfeited,
            "offender": match.offender,
            "deals": match.deals,
        }
        row |= {f"score_{side}": match.score[side] for side in names}
        row |= {f"points_{side}": match.points[side] for side in names}
        row["faults"] = " ".join(
            f"{seat}:{kind}:{times}"
            for seat, kinds in match.faults.items()
            for kind, times in kinds.items()
        )
        yield row


def deal_columns(store: Reader) -> Sequence[str]:
    """The columns of `deals`: those of a score depend on who plays for whom."""
    of_seats = (f"{what}_{seat}" for what in ("hand", "bid", "gave", "taken") for seat in SEATS)
    of_sides = (f"{what}_{side}" for what in ("delta", "score", "bags") for side in _sides(store))
    return ("match", "deal", "dealer", *SEATS, *of_seats, "blind", "stopped", *of_sides)


def deals(store: Reader) -> Iterator[Row]:
    """A row a finished deal, in the order played: `deal_columns`.

    `dealer`, the bot at each seat; for each seat its hand as dealt and the cards it gave to its
    partner, each one text and sorted as on the wire, its bid, the tricks it has taken; the seats
    whose nil was `blind`, the seat whose fault has `stopped` the deal; for each side what the deal
    brought, and its score and bags after it.
    """
    for match, deal in kept_deals(store):
        row: Row = {"match": match, "deal": deal.end.deal, "dealer": deal.dealt.dealer}
        row |= {seat: deal.match.players[seat].name for seat in SEATS}
        row |= {f"hand_{seat}": " ".join(deal.dealt.hands[seat]) for seat in SEATS}
        row |= {f"bid_{seat}": deal.bids[seat] for seat in SEATS}
        gave = {seat: " ".join(cards) for seat, cards in deal.gave.items()}
        row |= {f"gave_{seat}": gave.get(seat) for seat in SEATS}
        row |= {f"taken_{seat}": deal.end.taken[seat] for seat in SEATS}
        row |= {"blind": " ".join(deal.blind), "stopped": deal.stopped}
        for what in ("delta", "score", "bags"):
            row |= {f"{what}_{side}": n for side, n in getattr(deal.end, what).items()}
        yield row


def decisions(store: Reader) -> Iterator[Row]:
    """A row a decision, in the order made: DECISION_COLUMNS.

    Cards passed are one text. What the arena decided, after a fault of the bot, is `substituted`.
    """
    for match, record in store.records():
        with store.judging(match):
            yield from _decisions(match, record)


def _decisions(match: str, record: bytes) -> Iterator[Row]:
    deal = 0
    bots: dict[str, str] = {}
    for _, event in read(record):
        if isinstance(event, MatchStarted):
            bots = {seat: player.name for seat, player in event.players.items()}
        elif isinstance(event, Dealt):
            deal = event.deal
        elif isinstance(event, Decision):
            yield {
                "match": match,
                "deal": deal,
                "bot": bots[event.seat],
                "seat": event.seat,
                "type": event.__struct_config__.tag,
                "choice": _choice(event),
                "note": event.note,
                "ms": event.ms,
                "cpu_ms": event.cpu_ms,
                "substituted": event.substituted,
            }


def faults(store: Reader) -> Iterator[Row]:
    """A row a fault, in schedule order and the order in which they happened: FAULT_COLUMNS.

    `request` is what was asked, `raw` the line at fault, `log` the bot's standard error, head and
    tail, of the whole match, `debug` the line that reproduces it.
    """
    for match in store.finished():
        if not match.faults:
            continue
        logs, source = store.logs(match.match), in_run(store.folder, match.match)
        with store.judging(match.match):
            for fault, turn in faults_in(store.record(match.match)):
                yield {
                    "match": match.match,
                    "deal": turn.deal,
                    "bot": match.seats[fault.seat],
                    "seat": fault.seat,
                    "kind": fault.kind,
                    "request": fault.request,
                    "ruling": fault.ruling,
                    "detail": fault.detail,
                    "raw": fault.raw,
                    "log": logs.get(fault.seat, ""),
                    "debug": source.debug(fault.seat, turn),
                }


def _choice(event: Decision) -> str | int | bool:
    match event:
        case BidMade(bid=bid):
            return bid
        case CardPlayed(card=card):
            return card
        case BlindNilAnswered(blind_nil=blind_nil):
            return blind_nil
        case CardsPassed(cards=cards):
            return " ".join(cards)


class Export(NamedTuple):
    """What can be exported."""

    columns: Callable[[Reader], Sequence[str]]
    rows: Callable[[Reader], Iterator[Row]]
    """Dicts with these keys, in their order."""


WHAT: Final = {
    "matches": Export(match_columns, matches),
    "deals": Export(deal_columns, deals),
    "decisions": Export(lambda _: DECISION_COLUMNS, decisions),
    "faults": Export(lambda _: FAULT_COLUMNS, faults),
    "ratings": Export(lambda _: rating_history.COLUMNS, rating_history.rating_history),
}


def write_json(rows: Iterable[Row], out: TextIO) -> None:
    """One array, a row a line; what is no printable character is an escape, as in `\\u202e`."""
    out.write("[")
    for i, row in enumerate(rows):
        out.write(",\n" if i else "\n")
        text = json.dumps(row, ensure_ascii=False)  # `dump` writes in bits, ten times slower
        out.write(text if text.isprintable() else "".join(map(_escape, text)))
    out.write("\n]\n")


def _escape(character: str) -> str:
    return character if character.isprintable() else json.dumps(character)[1:-1]


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
    """A text without what rules a terminal or ends a text, shown as escapes.

    A spreadsheet runs a text that begins like a formula; the quote before it says text.
    """
    if not isinstance(value, str):
        return value
    value = printable(value, but="\n\t")
    return f"'{value}" if value.startswith(FORMULAS) else value
