"""Which checks a request is a case of: the corners of the game, seen from what was asked."""

from typing import Final

from protocol.cards import DECKS, Deck
from protocol.messages import Bid, BlindNil, Exchange, Play, Request
from protocol.rules import Rules

CORNERS: Final = (
    "forced_spade_lead",
    "single_card",
    "last_trick",
    "void",
    "broken_spades",
    "nil_bids",
)
"""The most telling one first."""

_ANSWERS: Final[dict[type[Request], str]] = {
    Bid: "answers_bid",
    BlindNil: "answers_blind_nil",
    Exchange: "answers_exchange",
    Play: "answers_play",
}


def marks(request: Request, rules: Rules) -> frozenset[str]:
    """The names of the checks that an answer to `request` speaks for."""
    found = {name for kind, name in _ANSWERS.items() if isinstance(request, kind)}
    if isinstance(request, Play):
        found |= _of_a_card(request, DECKS[rules.deck])
    return frozenset(found)


def _of_a_card(request: Play, deck: Deck) -> set[str]:
    held, legal = deck.card_set(request.hand), deck.card_set(request.legal)
    found = set()
    if 0 in request.bids.values():
        found.add("nil_bids")
    if len(request.hand) == 1:
        found.add("last_trick")
    elif len(request.legal) == 1:
        found.add("single_card")
    if request.trick.cards:
        follows = bool(held & deck.suit_of[request.trick.cards[0]])
        found.add("follows_suit" if follows else "void")
    elif request.broken:
        if legal & deck.spades:
            found.add("broken_spades")
    elif legal & ~deck.spades:
        if legal != held:
            found.add("unbroken_spades")
    else:
        found.add("forced_spade_lead")
    return found
