"""Replays every stored match through the rules and compares it with what the store says of it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import to_builtins

from arena.deals import (
    bot_seed,
    commitment,
    deal_hands,
    deal_key,
    encounter,
    first_dealer,
    seed_of,
)
from arena.events import Dealt, MatchStarted
from arena.record import BadRecord, judge, read
from arena.state import State
from protocol.cards import DECKS, SEATS
from tournaments.errors import ArenaError
from tournaments.results import FinishedMatch, StoredTournament
from tournaments.schedule import match_id, match_key
from tournaments.scheduler import digest
from tournaments.store import Store

_SETTINGS: Final = ("rules", "clock", "faults", "sandbox")


def verify_store(store: Store) -> Iterator[tuple[str, str | None]]:
    """Each stored match's id, and what is wrong with it as a sentence, or None.

    Compares result and record, also of matches that the present schedule no longer has, the deals
    with what the seed or secret deals, and the id with the bots and settings that it comes from.
    Standings are computed from results, so that they agree as well when every match does; of the
    checkpoints that they go on from, see `tournaments.checkpoints.false_checkpoint`.
    """
    tournament = store.tournament()
    hashes = {bot.label: bot.hash for bot in store.bots()}
    for match in store.results():
        try:
            record = store.record(match.match)
            started, final = judge(record)
        except (BadRecord, ArenaError) as error:  # also one that can't be unpacked
            yield match.match, str(error)
            continue
        yield (
            match.match,
            _first_difference(match, started, final, tournament)
            or _wrong_deal(record, started, tournament.root)
            or _wrong_id(match, hashes, tournament),
        )


def _first_difference(
    match: FinishedMatch, started: MatchStarted, final: State, tournament: StoredTournament
) -> str | None:
    """Where the record parts from the result, or from the tournament."""
    assert final.outcome is not None
    root, settings = tournament.root, tournament.comparable
    origin, seats = started.origin, {seat: started.players[seat].name for seat in SEATS}
    bots = encounter(seats, started.rules.players)
    cycle, leg = origin.cycle, origin.leg
    pairs = {
        "match": (match.match, started.match),
        "bots": (match.seats, seats),
        "seeds": (
            {seat: bot_seed(root, bots, cycle, leg, seat) for seat in SEATS},
            {seat: started.players[seat].seed for seat in SEATS},
        ),
        "origin": (
            (seed_of(root), commitment(root), bots, match.cycle, match.leg),
            (origin.seed, origin.commitment, origin.bots, cycle, leg),
        ),
        "settings": (
            {name: settings[name] for name in _SETTINGS},
            {name: _setting(started, name) for name in _SETTINGS},
        ),
        "winner": (match.winner, final.outcome.winner),
        "reason": (match.reason, final.outcome.reason),
        "forfeited": (match.forfeited, final.outcome.forfeited),
        "offender": (match.offender, final.outcome.offender),
        "score": (match.score, final.score),
        "points": (match.points, final.points),
        "deals": (match.deals, final.deals),
        "faults": (match.faults, final.faults),
    }
    for name, (stored, replayed) in pairs.items():
        if stored != replayed:
            return f"{name} is stored as {stored}, and its record comes to {replayed}"
    return None


def _wrong_id(
    match: FinishedMatch, hashes: Mapping[str, str], tournament: StoredTournament
) -> str | None:
    """Whether it was played by other bots, or in another tournament, than is stored."""
    bots = encounter(match.seats, tournament.comparable["rules"]["players"])
    players = {seat: (label, hashes[label]) for seat, label in match.seats.items()}
    key = match_key(
        digest(tournament.comparable),
        deal_key(tournament.root, bots, match.cycle),
        match.cycle,
        match.leg,
        players,
    )
    if match_id(key) == match.match:
        return None
    return f"its id is {match_id(key)} by the settings and hashes of bots that are stored"


def _setting(started: MatchStarted, name: str) -> Any:
    """A setting of a record as the tournament stores it: without what follows from it."""
    setting = to_builtins(getattr(started, name))
    return {k: v for k, v in setting.items() if k != "guarantees"} if name == "sandbox" else setting


def _wrong_deal(record: bytes, started: MatchStarted, root: str) -> str | None:
    """The first deal that is not the one that the seed or secret makes."""
    key = deal_key(root, started.origin.bots, started.origin.cycle)
    if started.dealer != first_dealer(key):
        return f"line 1: the first dealer is {first_dealer(key)}"
    deck = DECKS[started.rules.deck]
    for number, event in read(record):
        if isinstance(event, Dealt) and event.hands != deal_hands(
            key, event.deal, event.dealer, deck
        ):
            return f"line {number}: deal {event.deal} does not come from the tournament's deals"
    return None
