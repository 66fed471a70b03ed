"""Replays every stored match through the rules and compares it with what the store says of it."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, Final

from msgspec import to_builtins

from arena.deals import bot_seed, commitment, encounter, seed_of
from arena.events import MOST_MS, MatchStarted
from arena.record import BadRecord, judge
from arena.state import State
from protocol.cards import SEATS, Seat
from tournaments.errors import Damaged
from tournaments.schedules.schedule import match_id
from tournaments.schedules.scheduler import Matches
from tournaments.storage.reader import Reader
from tournaments.storage.results import FinishedMatch, StoredTournament

_SETTINGS: Final = ("rules", "clock", "faults", "sandbox")


def verify_store(store: Reader) -> Iterator[tuple[str, str | None]]:
    """Each stored match's id, and what is wrong with it as a sentence, or None.

    Compares result and record, also of matches that the present schedule no longer has, the deals
    with what the seed or secret deals, and the key with the bots and settings that it comes from.
    Standings are computed from results, so that they agree as well when every match does; of what
    the store says of all of them see `verification.audit`, and of the checkpoints that standings go
    on from `ratings.checkpoints.false_checkpoint`. Raises Damaged where the settings or the
    bots can't be read.
    """
    tournament = store.tournament()
    hashes = {bot.label: bot.hash for bot in store.bots()}
    settings = tournament.changing.schedule
    matches = Matches(tournament.comparable, tournament.root, settings, hashes)
    for key, row, ms, finished in store.kept_rows():
        try:
            match = store.finished_match(row)
            wrong = _wrong(store, tournament, matches, key, match) or _impossible(
                match, store.logs(match.match), ms, finished
            )
        except (BadRecord, Damaged) as error:  # also a record that can't be unpacked
            wrong = str(error)
        yield row[1], wrong


def _wrong(
    store: Reader, tournament: StoredTournament, matches: Matches, key: str, match: FinishedMatch
) -> str | None:
    deals = matches.deals(match.cycle, match.seats)
    started, final = judge(store.record(match.match), deals)
    due = matches.key(deals, match.cycle, match.leg, match.seats)
    return (
        _other_match(match, started, tournament)
        or _other_result(match, final)
        or _other_key(match, key, due)
    )


def _other_match(
    match: FinishedMatch, started: MatchStarted, tournament: StoredTournament
) -> str | None:
    """Where the record is of another match than the result, or of another tournament."""
    root, settings, origin = tournament.root, tournament.comparable, started.origin
    bots = encounter(match.seats, tournament.players)
    seeds = {seat: bot_seed(root, bots, match.cycle, match.leg, seat) for seat in SEATS}
    return _difference(
        {
            "match": (match.match, started.match),
            "bots": (match.seats, {seat: started.players[seat].name for seat in SEATS}),
            "seeds": (seeds, {seat: started.players[seat].seed for seat in SEATS}),
            "origin": (
                (seed_of(root), commitment(root), bots, match.cycle, match.leg),
                (origin.seed, origin.commitment, origin.bots, origin.cycle, origin.leg),
            ),
            "settings": (
                {name: settings.get(name) for name in _SETTINGS},
                {name: _setting(started, name) for name in _SETTINGS},
            ),
        }
    )


def _other_result(match: FinishedMatch, final: State) -> str | None:
    """Where the record comes to another result."""
    assert final.outcome is not None
    return _difference(
        {
            "winner": (match.winner, final.outcome.winner),
            "reason": (match.reason, final.outcome.reason),
            "forfeited": (match.forfeited, final.outcome.forfeited),
            "offender": (match.offender, final.outcome.offender),
            "score": (match.score, final.score),
            "points": (match.points, final.points),
            "deals": (match.deals, final.deals),
            "faults": (match.faults, final.faults),
        }
    )


def _difference(pairs: dict[str, tuple[Any, Any]]) -> str | None:
    for name, (stored, replayed) in pairs.items():
        if stored != replayed:
            return f"{name} is stored as {stored}, and its record comes to {replayed}"
    return None


def _other_key(match: FinishedMatch, key: str, due: str) -> str | None:
    """Whether it was played by other bots, or in another tournament, than is stored."""
    if match_id(due) != match.match:
        return f"its id is {match_id(due)} by the settings and hashes of bots that are stored"
    return None if due == key else f"its key is {due}, and it is stored under {key}"


def _impossible(
    match: FinishedMatch, logs: Collection[Seat], ms: float, finished: str
) -> str | None:
    """What can't be of that which no record tells."""
    if strangers := set(logs) - match.faults.keys():
        return f"standard error is kept of {', '.join(sorted(strangers))}, not at fault"
    if not 0 <= ms <= MOST_MS:
        return f"it has taken {ms} ms"
    return not_a_date("when it was finished", finished)


def not_a_date(what: str, text: str) -> str | None:
    """What is wrong with a text that is to be a date and time."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return f"{what} is no date: {text}"
    return None


def _setting(started: MatchStarted, name: str) -> Any:
    """A setting of a record as the tournament stores it: without what follows from it."""
    setting = to_builtins(getattr(started, name))
    return {k: v for k, v in setting.items() if k != "guarantees"} if name == "sandbox" else setting
