"""What is known of a match after some events, as immutable values. `arena.fold` makes them.

Dicts in a state are shared and never changed.
"""

from msgspec import Struct

from arena.events import MatchStarted
from arena.rules import Outcome, sides
from protocol.cards import DECKS, Deck, Seat
from protocol.messages import FaultKind, FinishedTrick, Side
from protocol.rules import Rules


class Deal(Struct, frozen=True):
    """What stays the same while a deal is played."""

    number: int
    """1, 2, ..."""
    dealer: Seat
    hands: dict[Seat, int]
    """As dealt, as card sets."""
    bids: dict[Seat, int]
    """In the order made."""
    blind: tuple[Seat, ...]
    """The seats whose nil is blind."""


class Bidding(Struct, frozen=True):
    """A seat is to bid."""

    deal: Deal
    turn: Seat
    legal: tuple[int, ...]


class Playing(Struct, frozen=True):
    """A seat is to play a card; or, with 13 tricks, the deal is to be scored."""

    deal: Deal
    turn: Seat
    legal: int
    """A card set."""
    unplayed: int
    """All cards still held by anybody: a seat's hand is what it was dealt of them."""
    leader: Seat
    led: int
    """All cards of the suit led; 0 before the lead."""
    cards: tuple[str, ...]
    """On the table."""
    tricks: tuple[FinishedTrick, ...]
    taken: dict[Seat, int]
    broken: bool


class State(Struct, frozen=True):
    """A match after some events."""

    rules: Rules
    deck: Deck
    dealer: Seat
    """Of the deal in progress, or else of the next."""
    deals: int
    """Finished ones."""
    score: dict[Side, int]
    bags: dict[Side, int]
    points: dict[Side, float]
    """Of all finished deals, a bag at its long-run worth (`long_run_points`)."""
    faults: dict[Seat, dict[FaultKind, int]]
    phase: Bidding | Playing | None
    """None between deals."""
    outcome: Outcome | None
    """None while the match goes on."""
    ended: bool = False
    """`match_end` has been said."""


def begin(event: MatchStarted) -> State:
    """The state before the first deal."""
    zero = dict.fromkeys(sides(event.rules.players), 0)
    return State(
        rules=event.rules,
        deck=DECKS[event.rules.deck],
        dealer=event.dealer,
        deals=0,
        score=zero,
        bags=zero,
        points=dict.fromkeys(zero, 0.0),
        faults={},
        phase=None,
        outcome=None,
    )


def hand(phase: Playing, seat: Seat) -> int:
    """The card set that a seat holds."""
    return phase.deal.hands[seat] & phase.unplayed
