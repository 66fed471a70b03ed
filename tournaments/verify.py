"""Replays every stored match through the rules and compares it with what the store says of it."""

from collections.abc import Iterator

from arena.deals import bot_seed, commitment, deal_hands, deal_key, first_dealer, seed_of
from arena.events import Dealt, MatchStarted
from arena.record import BadRecord, judge, read
from arena.state import State
from protocol.cards import DECKS, SEATS
from tournaments.store import FinishedMatch, Store


def verify_store(store: Store) -> Iterator[tuple[str, str | None]]:
    """Each stored match's id, and what is wrong with it as a sentence, or None.

    Compares result and record, and the deals with what the seed or secret deals. Standings are
    computed from results, so that they agree as well when every match does.
    """
    root = store.root
    assert root is not None
    for match, (_, record) in zip(store.finished(), store.records(), strict=True):
        try:
            started, final = judge(record)
            wrong = _first_difference(match, started, final, root) or _wrong_deal(
                record, started, root
            )
        except BadRecord as error:
            wrong = str(error)
        yield match.match, wrong


def _first_difference(
    match: FinishedMatch, started: MatchStarted, final: State, root: str
) -> str | None:
    """Where result and record part."""
    assert final.outcome is not None
    origin, bots = started.origin, sorted(set(match.seats.values()))
    pairs = {
        "match": (match.match, started.match),
        "bots": (match.seats, {seat: started.players[seat].name for seat in SEATS}),
        "seeds": (
            {seat: bot_seed(root, bots, match.cycle, match.leg, seat) for seat in SEATS},
            {seat: started.players[seat].seed for seat in SEATS},
        ),
        "origin": (
            (seed_of(root), commitment(root), bots, match.cycle, match.leg),
            (origin.seed, origin.commitment, origin.bots, origin.cycle, origin.leg),
        ),
        "winner": (match.winner, final.outcome.winner),
        "reason": (match.reason, final.outcome.reason),
        "score": (match.score, final.score),
        "points": (match.points, final.points),
        "deals": (match.deals, final.deals),
        "faults": (match.faults, final.faults),
    }
    for name, (stored, replayed) in pairs.items():
        if stored != replayed:
            return f"{name} is stored as {stored}, and its record comes to {replayed}"
    return None


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
