"""Who leads: one pass over the finished matches in schedule order, and the ways to show it."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from tournaments.config import RatingSettings
from tournaments.export import write_csv
from tournaments.margin import Margin
from tournaments.rating import Ratings
from tournaments.store import FinishedMatch

if TYPE_CHECKING:
    from rich.table import Table

DIGITS: Final = 9
"""Decimals of a number. The last bits of a logarithm differ between machines; these do not."""


class MatchCounts(Struct, frozen=True):
    """How far a tournament is."""

    scheduled: int
    finished: int
    void: int
    """Given up after all tries: the arena's failure."""


class BotStanding(Struct, frozen=True):
    """One bot."""

    rank: int
    """1 is best; equal ratings share a rank, and the next is as many lower."""
    name: str
    mu: float
    sigma: float
    rating: float
    """mu - 3 sigma."""
    played: int
    won: int
    drawn: int
    lost: int
    points_per_deal: float | None
    """Own minus opponents', a bag at its long-run worth; null before the first deal."""
    points_per_deal_ci95: tuple[float, float] | None
    """Its 95 % confidence interval; null under ten pairs."""
    faults: dict[str, int]
    """Kind -> how many."""


class Standings(Struct, frozen=True):
    """The ranking, as `standings --format json` prints it."""

    tournament: str
    complete: bool
    matches: MatchCounts
    bots: list[BotStanding]


class _Tally:
    """What is counted of one bot."""

    def __init__(self) -> None:
        self.won = self.drawn = self.lost = 0
        self.all = Margin()
        self.units = Margin()
        """Only what the interval may be computed from."""
        self.faults: Counter[str] = Counter()


def standings(
    name: str,
    labels: Sequence[str],
    finished: Iterable[FinishedMatch],
    *,
    scheduled: int,
    void: int,
    rating: RatingSettings,
    mirror: bool,
) -> Standings:
    """The standings of the bots `labels` after the matches `finished`, in schedule order.

    With `mirror` the two legs of an encounter are one unit for the interval: they share deals.
    """
    ratings = Ratings(rating)
    tallies = {label: _Tally() for label in labels}
    count = 0
    before: FinishedMatch | None = None
    for match in finished:
        count += 1
        _count(match, tallies, ratings)
        if not mirror:
            _add_unit([match], tallies)
        elif match.leg and before is not None and before.number == match.number - 1:
            _add_unit([before, match], tallies)
        before = match
    return Standings(
        tournament=name,
        complete=count == scheduled,
        matches=MatchCounts(scheduled, count, void),
        bots=_ranked([_standing(label, tallies[label], ratings) for label in labels]),
    )


def _players(match: FinishedMatch) -> dict[str, str]:
    """Side -> its bot."""
    return {"NS": match.seats["N"], "EW": match.seats["E"]}


def _margins(match: FinishedMatch) -> dict[str, float]:
    """Bot -> its points less the opponents'."""
    lead = match.points["NS"] - match.points["EW"]
    players = _players(match)
    return {players["NS"]: lead, players["EW"]: -lead}


def _count(match: FinishedMatch, tallies: dict[str, _Tally], ratings: Ratings) -> None:
    players = _players(match)
    if match.winner is None:
        for bot in players.values():
            tallies[bot].drawn += 1
    else:
        winner = players.pop(match.winner)
        (loser,) = players.values()
        tallies[winner].won += 1
        tallies[loser].lost += 1
        ratings.win(winner, loser)
    for bot, points in _margins(match).items():
        tallies[bot].all.add(points, match.deals)
    for seat, kinds in match.faults.items():
        tallies[match.seats[seat]].faults.update(kinds)


def _add_unit(matches: Sequence[FinishedMatch], tallies: dict[str, _Tally]) -> None:
    margins = [_margins(match) for match in matches]
    deals = sum(match.deals for match in matches)
    for bot in margins[0]:
        tallies[bot].units.add(sum(margin[bot] for margin in margins), deals)


def _standing(label: str, tally: _Tally, ratings: Ratings) -> BotStanding:
    mu, sigma = map(_rounded, ratings.of(label))
    per_deal, interval = tally.all.per_deal, tally.units.interval()
    return BotStanding(
        rank=0,
        name=label,
        mu=mu,
        sigma=sigma,
        rating=mu - 3 * sigma,
        played=tally.won + tally.drawn + tally.lost,
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        points_per_deal=None if per_deal is None else _rounded(per_deal),
        points_per_deal_ci95=interval and (_rounded(interval[0]), _rounded(interval[1])),
        faults=dict(sorted(tally.faults.items())),
    )


def _rounded(number: float) -> float:
    return round(number, DIGITS) + 0.0  # never -0.0


def _ranked(bots: Iterable[BotStanding]) -> list[BotStanding]:
    """Best first, by name where ratings are equal."""
    ranked: list[BotStanding] = []
    for place, bot in enumerate(sorted(bots, key=lambda bot: (-bot.rating, bot.name)), 1):
        shared = ranked and ranked[-1].rating == bot.rating
        ranked.append(msgspec.structs.replace(bot, rank=ranked[-1].rank if shared else place))
    return ranked


def to_json(standings: Standings) -> str:
    """For programs."""
    return msgspec.json.format(msgspec.json.encode(standings), indent=2).decode()


def to_csv(standings: Standings) -> str:
    """For spreadsheets: a line of column names, and a line a bot."""
    rows = []
    for bot in standings.bots:
        low, high = bot.points_per_deal_ci95 or (None, None)
        row = msgspec.structs.asdict(bot)
        del row["points_per_deal_ci95"], row["faults"]
        rows.append(row | {"ci95_low": low, "ci95_high": high, "faults": _faults(bot)})
    out = io.StringIO()
    write_csv(rows, out)
    return out.getvalue()


def to_markdown(standings: Standings) -> str:
    """For a comment or a page."""
    lines = [
        f"**{_escaped(caption(standings))}**",
        "",
        _line(_COLUMNS),
        _line("---" if column in _TEXTS else "---:" for column in _COLUMNS),
        *(_line(map(_escaped, _cells(bot))) for bot in standings.bots),
    ]
    return "\n".join(lines) + "\n"


def to_table(standings: Standings) -> "Table":
    """For a terminal."""
    from rich.table import Table  # slow to import, and only this needs it
    from rich.text import Text

    table = Table(title=Text(caption(standings)))
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column in _TEXTS else "right")
    for bot in standings.bots:
        table.add_row(*map(Text, _cells(bot)))
    return table


def caption(standings: Standings) -> str:
    """The tournament and how far it is, as in `league: 46 of 48 matches, 2 void`."""
    matches = standings.matches
    void = f", {matches.void} void" if matches.void else ""
    return f"{standings.tournament}: {matches.finished} of {matches.scheduled} matches{void}"


_COLUMNS: Final = (
    "#", "bot", "rating", "mu", "sigma", "played", "won", "drawn", "lost",
    "points a deal", "95 %", "faults",
)  # fmt: skip
_TEXTS: Final = ("bot", "faults")


def _cells(bot: BotStanding) -> list[str]:
    interval, per_deal = bot.points_per_deal_ci95, bot.points_per_deal
    return [
        str(bot.rank),
        bot.name,
        f"{bot.rating:.2f}",
        f"{bot.mu:.2f}",
        f"{bot.sigma:.2f}",
        *map(str, (bot.played, bot.won, bot.drawn, bot.lost)),
        "" if per_deal is None else f"{per_deal:+.2f}",
        "" if interval is None else f"{interval[0]:+.2f} to {interval[1]:+.2f}",
        _faults(bot),
    ]


def _faults(bot: BotStanding) -> str:
    return ", ".join(f"{times} {kind}" for kind, times in bot.faults.items())


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, also in a table."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&$!])", r"\\\1", " ".join(text.split()))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
