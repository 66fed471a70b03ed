"""The standings as text: for programs, spreadsheets, pages, and terminals."""

import io
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec

from protocol.codec import printable
from tournaments.export import write_csv
from tournaments.standings import BotStanding, Standings

if TYPE_CHECKING:
    from rich.table import Table

NAME_WIDTH: Final = 12
"""Columns of a terminal that a name has at least, before it is folded."""


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
        f"**{escaped(caption(standings))}**",
        "",
        _line(_COLUMNS),
        _line("---" if column in _TEXTS else "---:" for column in _COLUMNS),
        *(_line(map(escaped, _cells(bot))) for bot in standings.bots),
    ]
    if standings.disqualified:
        lines += ["", escaped(_disqualified(standings))]
    return "\n".join(lines) + "\n"


def to_table(standings: Standings) -> "Table":
    """For a terminal; it fits in 80 columns."""
    from rich import box  # slow to import, and only this needs it
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(caption(standings)),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    if standings.disqualified:
        table.caption, table.caption_justify = Text(_disqualified(standings)), "left"
    names = [line for bot in standings.bots for line in _named(bot).splitlines()]
    kinds = [kind for bot in standings.bots for kind in bot.faults]
    # Else the numbers would be cut to make room for a long name.
    widths = {
        "bot": min(max(map(len, names), default=0), NAME_WIDTH),
        "faults": max(map(len, kinds), default=0),
    }
    for column in _COLUMNS:
        text = column in _TEXTS
        table.add_column(
            column,
            justify="left" if text else "right",
            no_wrap=not text,
            overflow="fold",
            min_width=widths.get(column),
        )
    for bot in standings.bots:
        table.add_row(*map(Text, _cells(bot)))
    return table


def caption(standings: Standings) -> str:
    """The tournament and how far it is, as in `league: 46 of 48 matches, 2 void`.

    Also the beta that results have chosen, since it changes what a rating means.
    """
    matches = standings.matches
    adaptive = standings.adaptive
    most = "at most " if adaptive and adaptive.stopped is None else ""
    parts = [f"{standings.tournament}: {matches.finished} of {most}{matches.scheduled} matches"]
    if adaptive:
        parts.append(f"adaptive: {adaptive}")
    if matches.void:
        parts.append(f"{matches.void} void")
    if matches.retired:
        parts.append(f"{matches.retired} of bots that play no more")
    if standings.final:
        parts.append("final")
    if standings.rating.auto:
        parts.append(f"beta {standings.rating.beta:.3g} (auto)")
    return ", ".join(parts)


def _disqualified(standings: Standings) -> str:
    names = ", ".join(standings.disqualified)
    return f"disqualified, so that what they have played counts for nobody: {names}"


_COLUMNS: Final = (
    "#", "bot", "rating", "mu", "sigma", "played", "w-d-l", "points/deal", "faults",
)  # fmt: skip
_TEXTS: Final = ("bot", "faults")
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>#|~&$!]|(?<=www)\.|:(?=//)", re.IGNORECASE)


def _cells(bot: BotStanding) -> list[str]:
    return [
        str(bot.rank),
        _named(bot),
        f"{bot.rating:.1f}",
        f"{bot.mu:.1f}",
        f"{bot.sigma:.1f}",
        str(bot.played),
        f"{bot.won}-{bot.drawn}-{bot.lost}",
        _points(bot),
        _faults(bot),
    ]


def _named(bot: BotStanding) -> str:
    """A bot's name, and on a line of its own why it plays no more."""
    name = printable(bot.name, but="\n")
    return name if bot.status == "playing" else f"{name}\n({bot.status})"


def _points(bot: BotStanding) -> str:
    """Points a deal, and half the width of their 95 % interval."""
    if bot.points_per_deal is None:
        return ""
    half = ""
    if bot.points_per_deal_ci95 is not None:
        low, high = bot.points_per_deal_ci95
        half = f" ±{(high - low) / 2:.1f}"
    return f"{bot.points_per_deal:+.1f}{half}"


def _faults(bot: BotStanding) -> str:
    return ", ".join(f"{times} {kind}" for kind, times in bot.faults.items())


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line, also in a table.

    Nothing in it is markup, a link, or calls anybody by name as `@name` does on a forge.
    """
    shown = _MARKUP.sub(r"\\\g<0>", printable(" ".join(text.split())))
    return re.sub(r"(?<!\w)@", "@<!-- -->", shown)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
