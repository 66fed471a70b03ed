"""What a run folder says of itself as a whole against what that comes to: bots, schedule, the end.

A schedule is made once more from settings and bots. Of one that results draw the draws are taken as
they are, since who took part in each is not kept; what follows from them is not.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice, zip_longest
from typing import Final

from arena.deals import commitment
from protocol.cards import SEATS
from tournaments.errors import quoted
from tournaments.schedules.drawing import drawing
from tournaments.schedules.schedule import encounters, match_id, total
from tournaments.schedules.scheduler import Matches, digest, drawn_digest, in_order
from tournaments.storage.database import Row
from tournaments.storage.reader import Reader
from tournaments.storage.results import Entrants, Status, StoredBot, StoredTournament
from tournaments.verification.verify import not_a_date

COLUMNS: Final = ("number", "key", "match", "cycle", "leg", *SEATS)
"""Of a row of the schedule."""


def audit(store: Reader) -> Iterator[str]:
    """What is wrong, in sentences. Raises Damaged where settings or bots can't be read."""
    stored, bots = store.tournament(), store.bots()
    yield from _tournament(stored)
    yield from _bots(bots, stored.changing.entrants)
    yield from store.strays()
    yield from _schedule(store, stored, bots)
    counts = store.counts()
    if stored.final and counts.finished < counts.scheduled:
        missing = counts.scheduled - counts.finished
        yield f"it is final since {stored.final}, and {missing} of its matches are not finished"


def _tournament(stored: StoredTournament) -> Iterator[str]:
    if stored.commitment != commitment(stored.root):
        yield "the SHA-256 of the secret is not the one that was published"
    dates = {"when it was begun": stored.created, "when it became final": stored.final}
    for what, text in dates.items():
        if text is not None and (wrong := not_a_date(what, text)):
            yield wrong


def _bots(bots: Sequence[StoredBot], entrants: Entrants) -> Iterator[str]:
    """Versions, labels, and statuses by what the tournament file said last."""
    left: dict[str, Status] = dict.fromkeys(entrants.withdrawn, "withdrawn")
    left |= dict.fromkeys(entrants.disqualified, "disqualified")
    play = set(entrants.bots) - left.keys() if bots else set()
    for name, versions in groupby(sorted(bots, key=lambda bot: bot.name), lambda bot: bot.name):
        known = list(versions)
        for version, bot in enumerate(known, 1):
            label = name if version == 1 else f"{name}@{version}"
            if (bot.version, bot.label) != (version, label):
                yield f"version {version} of bot {name} is kept as {bot.version}, {bot.label}"
            due = {"playing", "superseded"} if name in play else {left.get(name, "absent")}
            if bot.status not in due:
                yield f"bot {bot.label} is {bot.status}, and {' or '.join(sorted(due))} by the file"
        playing = sum(bot.status == "playing" for bot in known)
        if name in play and playing != 1:
            yield f"{playing} versions of bot {name} play"
        play.discard(name)
    if play:
        yield f"there is no bot {', '.join(sorted(play))}, which the file has"


def _schedule(store: Reader, stored: StoredTournament, bots: Sequence[StoredBot]) -> Iterator[str]:
    settings = stored.changing.schedule
    if settings.type in ("swiss", "adaptive"):
        yield from _drawn(store, stored, bots)
        return
    if stored.drawn or stored.undrawn or store.drawn_matches():
        yield f"results are said to have drawn matches, and {settings.type} is not drawn"
    playing = {bot.name: bot.label for bot in bots if bot.status == "playing"}
    hashes = {bot.label: bot.hash for bot in bots if bot.status == "playing"}
    matches = Matches(stored.comparable, stored.root, settings, hashes)
    labels = in_order(stored.changing.entrants.bots, playing, bots)
    try:  # a run may have been ended before its bots were entered
        met = encounters(settings, labels, stored.form) if bots else iter(())
    except ValueError as error:
        yield f"the schedule can't be made: {error}"
        return
    due = (
        (each.number, each.key, each.match, each.cycle, each.leg, *each.seats.values())
        for each in matches.of(met)
    )
    # A gate cuts its schedule to the matches that its verdict rests on, maybe half of a pair.
    spare = 0 if stored.entered else matches.legs - 1
    yield from _difference("the schedule", due, store.scheduled_rows(), spare)
    if retired := store.wrongly_retired(matches.legs, settings.rounds):
        yield f"{retired} matches of bots that play no more stand wrongly in the schedule, or lack"


def _drawn(store: Reader, stored: StoredTournament, bots: Sequence[StoredBot]) -> Iterator[str]:
    settings = stored.changing.schedule
    swiss = settings.type == "swiss"
    if bots and stored.entered != drawn_digest(digest(stored.comparable), stored.root, settings):
        yield "what results have drawn is entered as that of another schedule"
    hashes = {bot.label: bot.hash for bot in bots}
    matches = Matches(stored.comparable, stored.root, settings, hashes)
    due = _draws(matches, store.drawn_rows(), in_rounds=swiss)
    yield from _difference("what was drawn", due, store.drawn_rows())
    holding = store.holding_rows(settings.rounds if swiss else None)
    yield from _difference("the schedule", holding, store.scheduled_rows())
    if store.counts().retired:
        yield "matches are said to be retired, and of drawn ones none is"
    playing = [bot.label for bot in bots if bot.status == "playing"]
    if not swiss:  # how many batches there were, and may still be, results have said on the way
        if not 0 <= stored.undrawn <= total(settings, len(playing)):
            yield f"{stored.undrawn} matches are said to be still to be drawn"
        return
    if stored.drawn != (rounds := store.drawn_cycles()):
        yield f"{stored.drawn} rounds are said to be drawn, and {rounds} are"
    rounds_ = drawing(settings, stored.form, playing, store)
    if bots and rounds_ and stored.undrawn != (left := rounds_.left()):
        yield f"{stored.undrawn} matches are said to be still to be drawn, and {left} are"


def _draws(matches: Matches, rows: Iterable[Row], *, in_rounds: bool) -> Iterator[Row]:
    """What drawn rows have to be, by the cycle and the seats of the first leg of each encounter.

    One more where an encounter is not whole. A round follows the other.
    """
    cycle = number = -1
    leg = matches.legs - 1
    seated: tuple[str | None, ...] = ()
    for number, (*_, found, _, n, e, s, w) in enumerate(rows):
        leg = (leg + 1) % matches.legs
        if leg:
            seated = (*seated[1:], seated[0])
        else:
            seated = (n, e, s, w)
            cycle = min(max(found, cycle, 0), cycle + 1) if in_rounds else max(found, 0)
        yield _draw(matches, number, cycle, leg, seated)
    if leg != matches.legs - 1:
        yield _draw(matches, number + 1, cycle, leg + 1, (*seated[1:], seated[0]))


def _draw(
    matches: Matches, number: int, cycle: int, leg: int, seated: tuple[str | None, ...]
) -> Row:
    bots = {seat: label for seat, label in zip(SEATS, seated, strict=True) if label is not None}
    if len(bots) < len(SEATS):  # a bot is not there any more, which is told elsewhere
        return (number, "", "", cycle, leg, *seated)
    key = matches.key(matches.deals(cycle, bots), cycle, leg, bots)
    return (number, key, match_id(key), cycle, leg, *seated)


def _difference(
    what: str, due: Iterator[Row], found: Iterator[Row], spare: int = 0
) -> Iterator[str]:
    """The first one between rows. So many may lack at the end."""
    for number, (wanted, row) in enumerate(zip_longest(due, found)):
        if wanted == row:
            continue
        if row is None and spare and next(islice(due, spare - 1, None), None) is None:
            return
        if row is None or wanted is None:
            yield f"match {number} of {what} is {'missing' if row is None else 'one too many'}"
            return
        column = next(i for i, value in enumerate(wanted) if value != row[i])
        yield (
            f"{COLUMNS[column]} of match {number} of {what} is {_shown(row[column])}, and it comes"
            f" to {_shown(wanted[column])}"
        )
        return


def _shown(value: object) -> str:
    return quoted(value) if isinstance(value, str) else str(value)
