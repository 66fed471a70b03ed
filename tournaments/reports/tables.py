"""The tables of a report: what stands in each cell, and what a column is sorted by."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from protocol.codec import printable
from tournaments.exports.matrices import matrices
from tournaments.reports.conduct import Conduct
from tournaments.reports.history import Point
from tournaments.reports.report import Report
from tournaments.standings.standings import BotStanding, Standings

BOTS: Final = 200
"""That tables have, at most: the best ones."""
ACROSS: Final = 30
"""Bots that are shown against each other, at most."""
NAME: Final = 64
"""Characters of a bot's name, at most, as many as a tournament file allows."""
STEPS: Final = 8
"""Columns of the table of ratings, at most."""
Z95: Final = 1.96
"""Standard deviations to each side that hold 95 %."""
SHADES: Final = 10
"""Of a likelihood in the crosstable."""


class Cell(NamedTuple):
    """Of a row."""

    text: str
    value: float | None = None
    """What it is sorted by; None: its text, or last of all where the column is of numbers."""
    kind: str = ""
    """Its look."""
    more: str = ""
    """A second line."""


class Table(NamedTuple):
    """Rows of cells; the second cell of a row is its name where the first is a place."""

    name: str
    caption: str
    """What it is called."""
    columns: tuple[str, ...]
    rows: list[list[Cell]]
    note: str = ""
    """What stands in it, in a sentence."""
    sortable: bool = True
    left_out: int = 0
    """Bots that are not shown."""


def shown(name: str, most: int = NAME) -> str:
    """A text of a stranger's on one line, cut, without what would turn a line round."""
    text = printable(" ".join(name[: most + 1].split()))
    return text if len(name) <= most else f"{text[:most]}\N{HORIZONTAL ELLIPSIS}"


def standings_table(standings: Standings) -> Table:
    """The ranking with its intervals."""
    columns = (
        "#", "bot", "rating", "skill", "elo", "played", "won", "drawn", "lost", "points/deal",
        "faults",
    )  # fmt: skip
    rows = [_standing(bot) for bot in standings.bots[:BOTS]]
    return Table("standings", "Standings", columns, rows, left_out=_left_out(standings))


def _standing(bot: BotStanding) -> list[Cell]:
    faults = sum(bot.faults.values())
    told = ", ".join(f"{times:,} {kind}" for kind, times in bot.faults.items())
    return [
        Cell(str(bot.rank), bot.rank),
        Cell(shown(bot.name), more="" if bot.status == "playing" else bot.status),
        _number(bot.rating, ".1f"),
        _around(bot.mu, Z95 * bot.sigma, ".1f"),
        Cell("") if bot.elo is None else _around(bot.elo, _half(bot.elo_ci95), "+.0f"),
        *(Cell(f"{n:,}", n) for n in (bot.played, bot.won, bot.drawn, bot.lost)),
        Cell("")
        if bot.points_per_deal is None
        else _around(bot.points_per_deal, _half(bot.points_per_deal_ci95), "+.1f"),
        Cell(f"{faults:,}", faults, "bad" if faults else "", told),
    ]


def crosstables(standings: Standings) -> Iterator[Table]:
    """Bots against bots and, in `rotating`, with bots."""
    for matrix in matrices(standings, ACROSS):
        places = tuple(str(place) for place, _ in enumerate(standings.bots, 1))
        rows = []
        cells = matrix.cells or []
        likely = standings.superiority if matrix.name == "crosstable" else None
        for i, row in enumerate(cells):
            name = shown(standings.bots[i].name)
            shades = [_shade(each) for each in likely[i]] if likely else [""] * len(row)
            found = (
                Cell(text[0], None, shade, "".join(text[1:]))
                for text, shade in zip(row, shades, strict=True)
            )
            rows.append([Cell(places[i]), Cell(name), *found])
        left_out = len(standings.bots) if matrix.cells is None else 0
        columns = ("#", "bot", *(places if cells else ()))
        yield Table(
            name=matrix.name,
            caption="Opponents" if matrix.name == "crosstable" else "Partners",
            columns=columns,
            rows=rows,
            note=f"{matrix.meaning[0].upper()}{matrix.meaning[1:]}",
            sortable=False,
            left_out=left_out,
        )


def _shade(likely: float | None) -> str:
    return "" if likely is None else f"shade-{round(likely * SHADES)}"


def ratings_table(report: Report) -> Table:
    """Skill on the way: the alternative to the chart of it."""
    most = max((points[-1].played for points in report.histories.values() if points), default=0)
    steps = sorted({max(1, round(most * i / STEPS)) for i in range(1, STEPS + 1)}) if most else []
    rows = [
        [Cell(shown(bot)), *(_at(points, step) for step in steps)]
        for bot, points in report.histories.items()
    ]
    columns = ("bot", *(f"{step:,}" for step in steps))
    note = "Skill (mu) after so many matches of the bot, \N{PLUS-MINUS SIGN} half of the band."
    return Table("ratings", "Ratings over matches", columns, rows, note, sortable=False)


def _at(points: list[Point], played: int) -> Cell:
    """The last point that is not after so many matches; none where the bot has fewer."""
    if not points or points[-1].played < played:
        return Cell("")
    point = [each for each in points if each.played <= played][-1]
    return _around(point.mu, Z95 * point.sigma, ".1f")


def bidding_table(report: Report) -> Table:
    """What bots bid, what became of it, and their nils and bags."""
    columns = (
        "bot", "hands", "bid", "took", "took it", "side made it", "nils", "nils made", "blind nils",
        "blind made", "bags/deal",
    )  # fmt: skip
    rows = [
        [Cell(shown(name)), *_bidding(bot)]
        for name, bot in _conducts(report)
    ]  # fmt: skip
    caption = "Bids, nils and bags"
    return Table("bidding", caption, columns, rows, left_out=_left_out(report.standings))


def _bidding(bot: Conduct) -> Iterator[Cell]:
    bids = sum(bot.bids.values())
    yield Cell(f"{bot.hands:,}", bot.hands)
    yield _mean(sum(bid * times for (bid, _), times in bot.bids.items()), bids, ".2f")
    yield _mean(sum(taken * times for (_, taken), times in bot.bids.items()), bids, ".2f")
    yield _mean(sum(n for (bid, taken), n in bot.bids.items() if taken >= bid), bids, ".0%")
    yield _mean(bot.made, bot.sides, ".0%")
    for nils in (bot.nils, bot.blind_nils):
        tried = sum(nils.values())
        yield Cell(f"{tried:,}", tried)
        yield _mean(nils.get(0, 0), tried, ".0%")
    yield _mean(bot.bags, bot.sides, ".2f")


def times_table(report: Report) -> Table:
    """How long bots thought, and how near they came to their clocks."""
    clock = report.comparable["clock"]
    columns = ("bot", "decisions", "mean", "median", "99 %", "longest", "of the clock", "a match")
    rows = []
    for name, bot in _conducts(report):
        times = bot.times
        mean = times.total / times.decisions if times.decisions else None
        share = times.longest / clock["move_ms"]
        cells = [mean, times.quantile(0.5), times.quantile(0.99), times.longest or None]
        rows.append(
            [
                Cell(shown(name)),
                Cell(f"{times.decisions:,}", times.decisions),
                *map(_time, cells),
                Cell(f"{share:.0%}", share, "bad" if share > 0.9 else "")
                if times.decisions
                else Cell(""),
                _time(bot.longest_match or None),
            ]
        )
    bank = "" if clock["bank_ms"] is None else f", of {duration(clock['bank_ms'])}"
    note = (
        f"The clock for a decision is {duration(clock['move_ms'])}. A match: the most that one seat"
        f" has thought in one{bank}."
    )
    caption = "Thinking time"
    return Table("times", caption, columns, rows, note, left_out=_left_out(report.standings))


def _conducts(report: Report) -> Iterable[tuple[str, Conduct]]:
    """Of the bots that tables have, in the order of the ranking."""
    for bot in report.standings.bots[:BOTS]:
        yield bot.name, report.conduct.get(bot.name, Conduct())


def duration(ms: float) -> str:
    """Milliseconds for people."""
    if ms >= 1000:
        return f"{ms / 1000:,.4g} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.2g} ms"


def _time(ms: float | None) -> Cell:
    return Cell("") if ms is None else Cell(duration(ms), ms)


def _mean(total: float, of: int, form: str) -> Cell:
    return _number(total / of, form) if of else Cell("")


def _number(value: float, form: str) -> Cell:
    return Cell(_minus(f"{value:{form}}"), value)


def _around(value: float, half: float | None, form: str) -> Cell:
    """A value and half of its interval."""
    text = f"{value:{form}}"
    if half is not None:
        text += f" \N{PLUS-MINUS SIGN}{half:{form.lstrip('+')}}"
    return Cell(_minus(text), value)


def _half(ends: tuple[float, float] | None) -> float | None:
    return None if ends is None else (ends[1] - ends[0]) / 2


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def _left_out(standings: Standings) -> int:
    return max(0, len(standings.bots) - BOTS)
