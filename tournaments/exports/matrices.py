"""Bots against bots as cells of text: the crosstable, and who won how much with whom."""

from typing import Final, NamedTuple

from tournaments.standings.standings import Standings

DIAGONAL: Final = "·"
NEVER_MET: Final = "-"
UPSET: Final = "!"

Cells = list[list[tuple[str, ...]]]
"""Row by row; a cell has one line or two."""


class Matrix(NamedTuple):
    """A square table of bots, rows and columns in the order of the ranking."""

    name: str
    meaning: str
    """What stands in a cell."""
    cells: Cells | None
    """None where there are more bots than wanted."""


def matrices(standings: Standings, most: int) -> list[Matrix]:
    """Those in which there is something to be said. `most`: bots whose cells are wanted."""
    wanted = len(standings.bots) <= most
    found = []
    if standings.crosstable:
        meaning = (
            "what the bot of a row has won of its matches against that of a column, a draw a half;"
            " and how likely it is the stronger of the two, by the results of all."
            f" With {UPSET} it has won more than half against one that stands higher."
        )
        found.append(Matrix("crosstable", meaning, _crosstable(standings) if wanted else None))
    if standings.partners:
        meaning = "what two bots have won of their matches together, a draw a half."
        found.append(Matrix("partners", meaning, _partners(standings) if wanted else None))
    return found


def _crosstable(standings: Standings) -> Cells:
    places = {bot.name: place for place, bot in enumerate(standings.bots)}
    scores = _square(len(places))
    for met in standings.crosstable:
        high, low = places[met.bot], places[met.opponent]
        upset = UPSET if 2 * met.score < met.played else ""
        scores[high][low] = _fraction(met.score, met.played)
        scores[low][high] = _fraction(met.played - met.score, met.played) + upset
    return [
        [(score, _percent(likely)) for score, likely in zip(*row, strict=True)]
        for row in zip(scores, standings.superiority, strict=True)
    ]


def _partners(standings: Standings) -> Cells:
    places = {bot.name: place for place, bot in enumerate(standings.bots)}
    scores = _square(len(places))
    for team in standings.partners or ():
        one, other = places[team.bot], places[team.partner]
        scores[one][other] = scores[other][one] = _fraction(team.score, team.played)
    return [[(score,) for score in row] for row in scores]


def _square(size: int) -> list[list[str]]:
    return [
        [DIAGONAL if row == column else NEVER_MET for column in range(size)] for row in range(size)
    ]


def _fraction(score: float, of: int) -> str:
    """A score of so many matches, as in `31½/40`."""
    whole, half = divmod(round(2 * score), 2)
    return f"{whole or '' if half else whole}{'½' * half}/{of}"


def _percent(likely: float | None) -> str:
    """A likelihood in words that never claim to be sure."""
    if likely is None:
        return ""
    if not 0.005 < likely < 0.995:
        return ">99 %" if likely > 0.5 else "<1 %"
    return f"{100 * likely:.0f} %"
