"""What the charts of a report are drawn from, by the names that their specifications use."""

from typing import Any, Final

from tournaments.reports.report import Report
from tournaments.reports.tables import Z95, shown
from tournaments.standings.standings import BotStanding

ROWS: Final = 40
"""Bots of a chart that has a row for each, at most: the best ones."""
DIGITS: Final = 3
"""Decimals, at most: more than can be seen."""

Row = dict[str, Any]


def charted(report: Report) -> dict[str, list[Row]]:
    """For each chart its rows; a bot that has nothing to show in one is left out there."""
    bots = report.standings.bots[:ROWS]
    found: dict[str, list[Row]] = {name: [] for name in ("strength", "points")}
    for bot in bots:
        if bot.elo is not None:
            found["strength"].append(_strength(bot))
        if bot.points_per_deal is not None:
            found["points"].append(_points(bot))
    clock = report.comparable["clock"]["move_ms"]
    return found | {
        "ratings": _ratings(report),
        "nils": _nils(report, bots),
        "bags": _bags(report, bots),
        "bids": _bids(report, bots),
        "times": _times(report, bots),
        "clock": [{"ms": clock}],
    }


def _strength(bot: BotStanding) -> Row:
    return {"bot": shown(bot.name), **_between("elo", bot.elo, bot.elo_ci95)}


def _points(bot: BotStanding) -> Row:
    return {
        "bot": shown(bot.name),
        **_between("points", bot.points_per_deal, bot.points_per_deal_ci95),
    }


def _between(name: str, value: float | None, ends: tuple[float, float] | None) -> Row:
    """A value and its interval, also in words; where there is none it has no width."""
    low, high = ends or (value, value)
    told = f"{low:+.1f} to {high:+.1f}" if ends else "not known yet"
    return {**_rounded(**{name: value}, low=low, high=high), "interval": told}


def _ratings(report: Report) -> list[Row]:
    return [
        {
            "bot": shown(bot),
            **_rounded(
                played=point.played,
                mu=point.mu,
                low=point.mu - Z95 * point.sigma,
                high=point.mu + Z95 * point.sigma,
            ),
        }
        for bot, points in report.histories.items()
        for point in points
    ]


def _nils(report: Report, bots: list[BotStanding]) -> list[Row]:
    rows = []
    for bot in bots:
        tricks = report.conduct[bot.name].tricks() if bot.name in report.conduct else ()
        ends = {"made": 0, "broken": 0}
        for bid, taken, times in tricks:
            if bid == 0:
                ends["broken" if taken else "made"] += times
        rows += [{"bot": shown(bot.name), "end": end, "nils": n} for end, n in ends.items()]
    return rows if any(row["nils"] for row in rows) else []


def _bags(report: Report, bots: list[BotStanding]) -> list[Row]:
    found = ((bot.name, report.conduct.get(bot.name)) for bot in bots)
    return [
        {"bot": shown(name), **_rounded(bags=of.bags / of.sides)}
        for name, of in found
        if of and of.sides
    ]


def _bids(report: Report, bots: list[BotStanding]) -> list[Row]:
    """A row a bot, its hands as lists of bid, tricks taken, and how often."""
    found = ((bot.name, report.conduct.get(bot.name)) for bot in bots)
    rows = []
    for name, of in found:
        if of and of.hands:
            hands: dict[tuple[int, int], int] = {}
            for bid, taken, times in of.tricks():
                hands[bid, taken] = hands.get((bid, taken), 0) + times
            rows.append({"bot": shown(name), "hands": [[*k, n] for k, n in sorted(hands.items())]})
    return rows


def _times(report: Report, bots: list[BotStanding]) -> list[Row]:
    found = ((bot.name, report.conduct.get(bot.name)) for bot in bots)
    return [
        {
            "bot": shown(name),
            **_rounded(
                median=of.times.quantile(0.5),
                most=of.times.quantile(0.99),
                longest=of.times.longest,
            ),
        }
        for name, of in found
        if of and of.times.longest
    ]


def _rounded(**numbers: float | None) -> Row:
    return {name: None if n is None else round(n, DIGITS) for name, n in numbers.items()}
