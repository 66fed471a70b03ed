"""The score sheet of a match, a line a deal."""

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from arena.replay import Moment, Replay
from arena.rules import sides
from protocol.cards import Seat
from tournaments.replays.words import bid_words, name_of

_WIDTHS: Final = {2: 36, 4: 19}
"""Columns of a side, by the number of sides."""


def score_sheet(replay: Replay, height: int) -> list[Text]:
    """In so many lines at most: the latest deals, where there are more."""
    width = _WIDTHS[len(_sides(replay))]
    heads, columns = "  #", ""
    for side, seats in _sides(replay).items():
        names = " and ".join(dict.fromkeys(name_of(replay, seat) for seat in seats))
        heads += f"{_cut(f'{side} {names}', width - 2):>{width}}"
        columns += _cells("bid", "took", "+/-", "score", "bags", width)
    rows = [Text(line) for line in _rows(replay, width)]
    rows = rows[max(len(rows) - max(height - 2, 1), 0) :]
    return [Text(heads, "bold"), Text(f"   {columns}", "dim"), *rows]


def _sides(replay: Replay) -> dict[str, tuple[Seat, ...]]:
    return sides(replay.started.rules.players)


def _rows(replay: Replay, width: int) -> Iterator[str]:
    for moment in replay.moments:
        end = moment.deal_end
        if end is None:
            continue
        row = f"{end.deal:>3}"
        for side, seats in _sides(replay).items():
            row += _cells(
                _bids(moment, seats),
                str(sum(end.taken[seat] for seat in seats)),
                f"{end.delta[side]:+}",
                str(end.score[side]),
                str(end.bags[side]),
                width,
            )
        yield row


def _bids(moment: Moment, seats: tuple[Seat, ...]) -> str:
    deal = moment.dealt
    assert deal is not None
    return "+".join(bid_words(deal.bids[seat], seat in deal.blind) for seat in seats)


def _cells(bid: str, took: str, change: str, score: str, bags: str, width: int) -> str:
    if width < 30:  # one seat, which bids a number or nil
        bid = {"blind nil": "bn", "nil": "0", "bid": "b"}.get(bid, bid)
        short = {"took": "tk", "score": "sum", "bags": "b"}
        took, score, bags = (short.get(cell, cell) for cell in (took, score, bags))
        return f"{f'{bid}/{took}':>6}{change:>5}{score:>5}{bags:>3}"
    return f"{bid:>14}{took:>5}{change:>6}{score:>6}{bags:>5}"


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else f"{text[: columns - 1]}…"
