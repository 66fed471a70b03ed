"""What is known of a match after some events, as immutable values. `arena.fold` makes them.

A match is between deals, or in a phase of one; each phase is a type, so what can happen next is
said by what the state is. Dicts in a state are shared and never changed.
"""

from msgspec import Struct

from arena.events import Decision, FaultPolicy, MatchStarted
from arena.rules import Outcome, sides
from protocol.cards import DECKS, Deck, Seat
from protocol.messages import FaultKind, FinishedTrick, Side
from protocol.rules import Rules


class Deal(Struct, frozen=True):
    """What is known of a deal before its play."""

    number: int
    """1, 2, ..."""
    dealer: Seat
    dealt: dict[Seat, int]
    """The hands as dealt, as card sets."""
    hands: dict[Seat, int]
    """The hands after the exchange of cards, so far."""
    bids: dict[Seat, int]
    """In the order made."""
    blind: tuple[Seat, ...]
    """The seats whose nil is blind."""
    passed: dict[Seat, int]
    """What a seat has passed to its partner, as a card set: in which order it does not tell."""


class Offering(Struct, frozen=True):
    """A seat that must not see its cards yet is offered blind nil (R3.1)."""

    deal: Deal
    turn: Seat


class Bidding(Struct, frozen=True):
    """A seat is to bid."""

    deal: Deal
    turn: Seat
    legal: tuple[int, ...]


class Exchanging(Struct, frozen=True):
    """A seat is to pass cards to its partner (R3.3)."""

    deal: Deal
    turn: Seat
    to: Seat
    later: tuple[tuple[Seat, Seat], ...]
    """Who passes to whom after that."""


class Playing(Struct, frozen=True, gc=False):
    """A seat is to play a card; or, with 13 tricks, the deal is to be scored."""

    deal: Deal
    turn: Seat
    held: int
    """The hand of the seat on turn, as a card set."""
    legal: int
    """A card set; empty after the 13th trick."""
    unplayed: int
    """All cards still held by anybody: a seat's hand is what it had of them."""
    leader: Seat
    led: int
    """All cards of the suit led; 0 before the lead."""
    cards: tuple[str, ...]
    """On the table."""
    tricks: tuple[FinishedTrick, ...]
    taken: dict[Seat, int]
    broken: bool


class Stopped(Struct, frozen=True):
    """A renege has ended the deal, which is to be scored (R9)."""

    deal: Deal
    offender: Side
    tricks: tuple[FinishedTrick, ...]
    taken: dict[Seat, int]


Asking = Offering | Bidding | Exchanging | Playing
"""The phases in which it is a seat's turn."""


class Substituting(Struct, frozen=True):
    """A fault has left a decision to the arena (R9)."""

    asking: Asking
    """The phase in which the seat was at fault."""
    due: Decision
    """What the arena decides: nothing else can follow."""


class State(Struct, frozen=True, gc=False):
    """A match after some events."""

    rules: Rules
    policy: FaultPolicy
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
    started: dict[Seat, int]
    """The number of the deal in which a seat was last sent `hello`; 0: before the first."""
    gone: dict[Seat, FaultKind]
    """The seats whose process has ended, and may be started again: the fault that ended it."""
    phase: Asking | Substituting | Stopped | None
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
        policy=event.faults,
        deck=DECKS[event.rules.deck],
        dealer=event.dealer,
        deals=0,
        score=zero,
        bags=zero,
        points=dict.fromkeys(zero, 0.0),
        faults={},
        started={},
        gone={},
        phase=None,
        outcome=None,
    )


def hand(phase: Exchanging | Bidding | Playing, seat: Seat) -> int:
    """The card set that a seat holds."""
    held = phase.deal.hands[seat]
    return held & phase.unplayed if isinstance(phase, Playing) else held
