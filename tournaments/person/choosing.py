"""What a person has chosen so far, and what a key makes of it: the keys of every question.

A choice is judged before it is made: what is illegal is answered with the rule, and is no fault.
"""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from arena.rules import why_illegal, why_not_bid, why_not_passed
from protocol.cards import DECKS, SUITS, Deck
from protocol.messages import (
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    Exchange,
    ExchangeReply,
    Play,
    PlayReply,
    Reply,
)
from protocol.rules import Rules
from tournaments.replays.table import sign

Question = BlindNil | Bid | Exchange | Play
Wish = Literal["leave", "hint", "keys", "score"]
"""What a person may want beside choosing."""

_WISHES: Final[dict[str, Wish]] = {"?": "keys", "h": "hint", "s": "score"}
_STEPS: Final = {"left": -1, "down": -1, "right": 1, "up": 1}
_ENTER: Final = ("\n", "\r")
_BACKSPACE: Final = ("\x7f", "\b")
_SIGNS: Final = dict(zip("♣♦♥♠", SUITS, strict=True))
_CARDS: Final = "with ← → or its name, such as QS, then Enter"


class Choosing(Struct, frozen=True):
    """A question, and what was chosen so far."""

    question: Question
    rules: Rules
    cursor: str | None = None
    """The card that is pointed at. None at first, so that an Enter too many plays nothing."""
    marked: tuple[str, ...] = ()
    """Cards that are to be passed."""
    typed: str = ""
    """Of a card's name, or of a bid."""
    told: str = ""
    """Why the last key did not do what it was pressed for."""
    leaving: bool = False
    """`y` leaves the table."""

    @property
    def deck(self) -> Deck:
        """That of the game."""
        return DECKS[self.rules.deck]


def begin(question: Question, rules: Rules) -> Choosing:
    """Nothing is chosen yet, but for a card that is the only legal one."""
    only = question.legal[0] if isinstance(question, Play) and len(question.legal) == 1 else None
    return Choosing(question, rules, cursor=only)


def after_key(choosing: Choosing, key: str) -> Choosing | Reply | Wish:
    """What a key makes of a choice: the next one, the reply, or a wish."""
    on_cards = isinstance(choosing.question, Play | Exchange)
    if choosing.leaving:
        if key in ("y", "Y"):
            return "leave"
        queen = key == "space" or f"Q{key.upper()}" in choosing.deck.bit
        if not (on_cards and queen):
            return replace(choosing, leaving=False, typed="")
    choosing = replace(choosing, told="", leaving=False)
    if not choosing.typed:
        if key in _WISHES:
            return _WISHES[key]
        if key == "q":
            return replace(choosing, leaving=True, typed="Q" if on_cards else "")
    if key in _BACKSPACE:
        return replace(choosing, typed=choosing.typed[:-1])
    match choosing.question:
        case BlindNil():
            return _blind_nil(choosing, key)
        case Bid() as question:
            return _bid(choosing, question, key)
        case Exchange() as question:
            return _exchange(choosing, question, key)
        case Play() as question:
            return _play(choosing, question, key)


def _blind_nil(choosing: Choosing, key: str) -> Choosing | Reply:
    if key in ("y", "n"):
        return BlindNilReply(id=choosing.question.id, blind_nil=key == "y")
    return replace(choosing, told="y bids blind nil; n looks at the cards and bids then")


def _bid(choosing: Choosing, question: Bid, key: str) -> Choosing | Reply:
    legal, typed = question.legal, choosing.typed
    if key in _STEPS:
        if not typed:
            start = next((bid for bid in legal if bid > 0), legal[0])
            return replace(choosing, typed=str(start))
        bid = min(max(int(typed) + _STEPS[key], legal[0]), legal[-1])
        return replace(choosing, typed=str(bid))
    if key == "n":
        return replace(choosing, typed="0")
    if len(key) == 1 and key in "0123456789":
        return replace(choosing, typed=str(int(typed + key))[:2])
    if key not in _ENTER:
        return choosing
    if not typed:
        return replace(choosing, told="type the tricks you bid for, 0 for nil, then Enter")
    if int(typed) not in legal:
        told = f"{typed} can't be bid: {why_not_bid(choosing.rules, int(typed))}"
        return replace(choosing, typed="", told=told)
    return BidReply(id=question.id, bid=int(typed))


def _exchange(choosing: Choosing, question: Exchange, key: str) -> Choosing | Reply:
    if key in _ENTER and not choosing.typed:
        hand = choosing.deck.card_set(question.hand)
        why = why_not_passed(choosing.rules, choosing.deck, hand, choosing.marked)
        if why is not None:
            return replace(choosing, told=f"{why}: space marks a card, or type its name")
        return ExchangeReply(id=question.id, cards=list(choosing.marked))
    if key == "space" and not choosing.typed:
        return choosing if choosing.cursor is None else _marked(choosing, choosing.cursor)
    found = _pointed(choosing, question.hand, key)
    if isinstance(found, Choosing):
        return found
    if found not in question.hand:
        return replace(choosing, typed="", told=f"{sign(found)} is not in your hand")
    return _marked(replace(choosing, typed="", cursor=found), found)


def _marked(choosing: Choosing, card: str) -> Choosing:
    """Marks it, or takes the mark away."""
    rest = tuple(other for other in choosing.marked if other != card)
    return replace(choosing, marked=rest if card in choosing.marked else (*rest, card))


def _play(choosing: Choosing, question: Play, key: str) -> Choosing | Reply:
    if key in _ENTER and not choosing.typed:
        if choosing.cursor is None:
            return replace(choosing, told=f"choose a card {_CARDS}")
        return PlayReply(id=question.id, card=choosing.cursor)
    found = _pointed(choosing, question.legal, key)
    if isinstance(found, Choosing):
        return found
    if found in question.legal:
        return replace(choosing, typed="", cursor=found)
    deck, table = choosing.deck, question.trick.cards
    led = deck.suit_of[table[0]] if table else 0
    why = why_illegal(choosing.rules, deck, found, deck.card_set(question.hand), led)
    return replace(choosing, typed="", told=f"{sign(found)} may not be played: {why}")


def _pointed(choosing: Choosing, cards: Sequence[str], key: str) -> Choosing | str:
    """The card whose name a key has completed; or else the choice with what the key adds to it."""
    if key in _STEPS:
        if choosing.cursor not in cards:
            return replace(choosing, typed="", cursor=cards[0 if _STEPS[key] > 0 else -1])
        at = (cards.index(choosing.cursor) + _STEPS[key]) % len(cards)
        return replace(choosing, typed="", cursor=cards[at])
    if key in _ENTER:
        return replace(choosing, typed="", told=f"{choosing.typed} is no card: choose one {_CARDS}")
    if len(key) != 1 or not key.isprintable():
        return choosing
    typed = choosing.typed + _SIGNS.get(key, key.upper())
    name = typed.replace("10", "T")
    if name in choosing.deck.bit:
        return name
    if typed == "1" or any(card.startswith(name) for card in choosing.deck.cards):
        return replace(choosing, typed=name)
    return replace(choosing, typed="", told=f"no card is called {typed}: choose one {_CARDS}")
