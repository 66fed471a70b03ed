"""The standings as text: for programs, spreadsheets, pages, and terminals."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from protocol.codec import printable
from tournaments.exports.export import write_csv
from tournaments.exports.matrices import Cells, Matrix, matrices
from tournaments.standings.standings import BotStanding, Standings

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

NAME_WIDTH: Final = 12
"""Columns of a terminal that a name has at least, before it is folded."""
MOST_ACROSS: Final = 12
"""Bots that Markdown shows against each other."""
GAP: Final = 2
"""Columns of a terminal between those of a table."""


def to_json(standings: Standings) -> str:
    """For programs."""
    return msgspec.json.format(msgspec.json.encode(standings), indent=2).decode()


def to_csv(standings: Standings) -> str:
    """For spreadsheets: a line of column names, and a line a bot."""
    rows = []
    for bot in standings.bots:
        low, high = bot.points_per_deal_ci95 or (None, None)
        elo_low, elo_high = bot.elo_ci95 or (None, None)
        row = msgspec.structs.asdict(bot)
        del row["points_per_deal_ci95"], row["faults"], row["elo"], row["elo_ci95"]
        row |= {"ci95_low": low, "ci95_high": high, "faults": _faults(bot)}
        rows.append(row | {"elo": bot.elo, "elo_low": elo_low, "elo_high": elo_high})
    out = io.StringIO()
    write_csv(rows, out)
    return out.getvalue()


def to_markdown(standings: Standings) -> str:
    """For a comment or a page: the ranking, and bots against bots where they are not too many."""
    lines = [
        f"**{escaped(caption(standings))}**",
        "",
        _line(_COLUMNS),
        _line("---" if column in _TEXTS else "---:" for column in _COLUMNS),
        *(_line(map(escaped, _cells(bot))) for bot in standings.bots),
    ]
    if standings.disqualified:
        lines += ["", escaped(_disqualified(standings))]
    for matrix in matrices(standings, MOST_ACROSS):
        lines += ["", *_matrix_in_markdown(matrix, standings)]
    return "\n".join(lines) + "\n"


def _matrix_in_markdown(matrix: Matrix, standings: Standings) -> list[str]:
    if matrix.cells is None:
        return [_left_out(matrix, standings)]
    numbers = [str(place) for place, _ in enumerate(standings.bots, 1)]
    lines = [
        f"{matrix.name}: {matrix.meaning}",
        "",
        _line(["#", "bot", *numbers]),
        _line(["---:", "---", *["---:" for _ in numbers]]),
    ]
    for number, bot, row in zip(numbers, standings.bots, matrix.cells, strict=True):
        cells = (", ".join(filter(None, cell)) for cell in row)
        lines.append(_line([number, escaped(bot.name), *map(escaped, cells)]))
    return lines


def to_matrices(standings: Standings, width: int) -> Iterator["Table | Text"]:
    """Bots against bots for a terminal of so many columns; one that is too wide is left out."""
    from rich.text import Text

    for matrix in matrices(standings, most=width // GAP):
        if matrix.cells is None or _least_width(matrix.cells, standings) > width:
            yield Text(f"\n{_left_out(matrix, standings)}")
        else:
            yield Text(f"\n{matrix.name}: {matrix.meaning}")
            yield _matrix_as_table(matrix.cells, standings)


def _least_width(cells: Cells, standings: Standings) -> int:
    """Columns of a terminal that a matrix has at least."""
    names = max(len(bot.name) for bot in standings.bots)
    widths = [len(str(len(cells))), min(names, NAME_WIDTH), *_widths(cells)]
    return sum(widths) + GAP * len(widths)


def _widths(cells: Cells) -> list[int]:
    return [
        max(len(line) for cell in column for line in cell) for column in zip(*cells, strict=True)
    ]


def _matrix_as_table(cells: Cells, standings: Standings) -> "Table":
    from rich.text import Text

    table = _table()
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", overflow="fold")
    for place, width in enumerate(_widths(cells), 1):
        table.add_column(str(place), justify="right", no_wrap=True, min_width=width)
    for place, (bot, row) in enumerate(zip(standings.bots, cells, strict=True), 1):
        table.add_row(str(place), Text(_shown(bot.name)), *(Text("\n".join(cell)) for cell in row))
    return table


def _left_out(matrix: Matrix, standings: Standings) -> str:
    return (
        f"{matrix.name}: too wide for {len(standings.bots)} bots here;"
        " `standings RUN --format json` has it"
    )


def to_table(standings: Standings) -> "Table":
    """The ranking for a terminal; it fits in 80 columns."""
    from rich.text import Text

    table = _table(Text(caption(standings)))
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


def _table(title: "Text | None" = None) -> "Table":
    from rich import box  # slow to import, and only tables need it
    from rich.table import Table

    return Table(
        title=title,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )


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
    if standings.format == "solo":
        parts.append("solo, a rating of its own")
    if standings.final:
        parts.append("final")
    if standings.rating.auto:
        parts.append(f"beta {standings.rating.beta:.3g} (auto)")
    return ", ".join(parts)


def _disqualified(standings: Standings) -> str:
    names = ", ".join(standings.disqualified)
    return f"disqualified, so that what they have played counts for nobody: {names}"


_COLUMNS: Final = (
    "#", "bot", "rating", "elo", "w-d-l", "points/deal", "faults",
)  # fmt: skip
_TEXTS: Final = ("bot", "faults")
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>#|~&$!]|(?<=www)\.|:(?=//)", re.IGNORECASE)


def _cells(bot: BotStanding) -> list[str]:
    return [
        str(bot.rank),
        _named(bot),
        f"{bot.rating:.1f}",
        _elo(bot),
        f"{bot.won}-{bot.drawn}-{bot.lost}",
        _points(bot),
        _faults(bot),
    ]


def _named(bot: BotStanding) -> str:
    """A bot's name, and on a line of its own why it plays no more."""
    name = _shown(bot.name)
    return name if bot.status == "playing" else f"{name}\n({bot.status})"


def _elo(bot: BotStanding) -> str:
    """Elo points, and half the width of their 95 % interval."""
    if bot.elo is None or bot.elo_ci95 is None:
        return ""
    low, high = bot.elo_ci95
    return f"{round(bot.elo):+d} ±{(high - low) / 2:.0f}"


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


def _shown(text: str) -> str:
    """Text on one line, without what would rule a terminal or turn a line around."""
    return printable(" ".join(text.split()))


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line, also in a table.

    Nothing in it is markup, a link, or calls anybody by name as `@name` does on a forge.
    """
    return re.sub(r"(?<!\w)@", "@<!-- -->", _MARKUP.sub(r"\\\g<0>", _shown(text)))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
