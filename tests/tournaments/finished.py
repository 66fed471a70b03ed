"""Finished matches made by hand, and the standings that they come to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from arena.rules import seats_of, sides
from protocol.cards import SEATS, Seat
from protocol.messages import FaultKind
from protocol.rules import Players
from tournaments.files.vocabulary import Format
from tournaments.ratings.margin import Margin, Margins
from tournaments.ratings.meetings import Meeting, Meetings, Outcome
from tournaments.ratings.tally import Tally
from tournaments.schedules.schedule import legs as legs_of
from tournaments.standings.standings import BotStanding, Standings, standings
from tournaments.storage.results import (
    Counts,
    FinishedMatch,
    Status,
    StoredTournament,
    Team,
    leads,
    places,
)
from tournaments.storage.results import sides as sides_of
from tournaments.tournament import RatingSettings

RATING: Final = RatingSettings()
TOURNAMENT: Final = StoredTournament(
    name="league",
    root="seed 7",
    commitment=None,
    comparable={"format": "pairs"},
    settings={},
    created="2026-03-01T18:00:00.000+00:00",
    final=None,
    entered="",
    drawn=0,
)


def match(
    number: int,
    ns: str,
    ew: str,
    winner: str | None = "NS",
    points: tuple[float, float] = (0.0, 0.0),
    deals: int = 8,
    leg: int = 0,
    faults: dict[Seat, dict[FaultKind, int]] | None = None,
    forfeited: str | None = None,
) -> FinishedMatch:
    """One of two bots, each at the two seats of a side."""
    return FinishedMatch(
        number=number,
        match=f"{number:016x}",
        cycle=0,
        leg=leg,
        seats={"N": ns, "E": ew, "S": ns, "W": ew},
        winner=winner,
        reason="forfeit" if forfeited else "target" if winner else "max_deals",
        forfeited=forfeited,
        offender=seats_of(forfeited)[0] if forfeited else None,
        score={"NS": 0, "EW": 0},
        points={"NS": points[0], "EW": points[1]},
        deals=deals,
        faults=faults or {},
    )


def solo_match(
    number: int,
    bots: str,
    score: Sequence[int],
    *,
    points: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    deals: int = 8,
    leg: int = 0,
    faults: dict[Seat, dict[FaultKind, int]] | None = None,
    forfeited: Seat | None = None,
) -> FinishedMatch:
    """One of four bots, each a letter, from N on; the best score wins, alone at the top."""
    best = max(score)
    alone = forfeited is None and list(score).count(best) == 1
    return FinishedMatch(
        number=number,
        match=f"{number:016x}",
        cycle=0,
        leg=leg,
        seats=dict(zip(SEATS, bots, strict=True)),
        winner=SEATS[score.index(best)] if alone else None,
        reason="forfeit" if forfeited else "target" if alone else "max_deals",
        forfeited=forfeited,
        offender=forfeited,
        score=dict(zip(SEATS, score, strict=True)),
        points=dict(zip(SEATS, points, strict=True)),
        deals=deals,
        faults=faults or {},
    )


def stand(
    finished: Iterable[FinishedMatch],
    labels: Sequence[str] = ("a", "b"),
    scheduled: int = 0,
    mirror: bool = True,
    form: Format = "pairs",
    statuses: Mapping[str, Status] | None = None,
) -> Standings:
    """The standings of bots that play, but those of `statuses`."""
    tally, finished = Tally(RATING, form), list(finished)
    players: Players = "solo" if form == "solo" else "partners"
    for each in finished:
        tally.add(each)
    return standings(
        replace(TOURNAMENT, comparable={"format": form}),
        {**dict.fromkeys(labels, "playing"), **(statuses or {})},
        tally,
        meetings_of(finished, players),
        margins_of(finished, legs_of(form, mirror=mirror)),
        Counts(scheduled, tally.matches, 0),
    )


def meetings_of(finished: Iterable[FinishedMatch], players: Players) -> list[Meeting]:
    """The meetings, one encounter after the other."""
    encounters: dict[int, list[Outcome]] = {}
    for each in finished:
        place = places(each.score, each.winner)
        encounters.setdefault(each.number - each.leg, []).append(
            Outcome(
                tuple(each.seats[seat] for seat in SEATS),
                tuple(place[side] for side in sides(players)),
                each.offender,
            )
        )
    found = Meetings(players)
    for legs in encounters.values():
        found.add(legs)
    return found.all()


def margins_of(finished: Iterable[FinishedMatch], legs: int) -> dict[str, list[Margin]]:
    """The margins of whole encounters, which have so many legs."""
    encounters: dict[int, list[FinishedMatch]] = {}
    for each in finished:
        encounters.setdefault(each.number - each.leg, []).append(each)
    found = Margins()
    for matches in encounters.values():
        if len(matches) == legs:
            points: dict[Team, float] = {}
            for each in matches:
                lead = leads(each.points)
                for side, bots in sides_of(each).items():
                    team = tuple(sorted(bots))
                    points[team] = points.get(team, 0.0) + lead[side]
            found.add(points, sum(each.deals for each in matches))
    return found.of_bots()


def bot(found: Standings, name: str) -> BotStanding:
    (one,) = (each for each in found.bots if each.name == name)
    return one


def league(pairs: int) -> Iterator[FinishedMatch]:
    """Mirrored pairs of a and b, of which a is the better."""
    random = Random(5)
    for number in range(2 * pairs):
        leg = number % 2
        lead = random.gauss(30, 120) * (-1 if leg else 1)
        yield match(
            number,
            "ab"[leg],
            "ba"[leg],
            winner="NS" if lead > 0 else "EW",
            points=(200 + lead / 2, 200 - lead / 2),
            deals=random.randrange(5, 13),
            leg=leg,
        )
