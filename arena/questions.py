"""Questions about the rules, and what their answers look like. `arena.answers` has the answers.

What a question does not say is taken to be usual: the rules `standard`, no score and no bags yet,
an empty table, spades not broken, no blind nil. Fields that no question has are ignored, so a
question may have its answer in it.
"""

from typing import Annotated, Final

from msgspec import Meta, Raw, Struct

from protocol.cards import Seat
from protocol.messages import Side

TRICKS: Final = 13

Id = str | int | None
Tricks = Annotated[int, Meta(ge=0, le=TRICKS)]
Points = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
Bags = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class Question(Struct, frozen=True, tag_field="kind", kw_only=True):
    """What every question has; its `kind` tells which it is."""

    id: Id = None
    """Whoever asks chooses it; the answer has it again."""
    rules: Raw = Raw(b'"standard"')
    """As under `rules:` of a tournament file."""


class Before(Struct, frozen=True):
    """Where the sides stand before a deal; null: nobody has anything yet."""

    score: dict[Side, Points] | None = None
    bags: dict[Side, Bags] | None = None


class Scoring(Question, frozen=True, tag="scoring", kw_only=True):
    """What does a finished deal score? The bids are taken as made (R5)."""

    bids: dict[Seat, Tricks]
    tricks: dict[Seat, Tricks]
    before: Before = Before()
    blind: tuple[Seat, ...] = ()
    """The seats whose nil is blind."""


class MatchEnd(Question, frozen=True, tag="match_end", kw_only=True):
    """Is the match over after this deal? It is not said how many deals there were, so `max_deals`
    never ends it here (R6)."""

    delta: dict[Side, Points]
    before: dict[Side, Points] | None = None
    """The scores; null: nobody has anything yet."""


class Bidding(Question, frozen=True, tag="bidding", kw_only=True):
    """What may the next seat of a side bid, and is it offered blind nil first (R2, R3)?"""

    partner_bid: Tricks | None = None
    """Null: not made yet, or there is no partner."""
    score: dict[Side, Points] | None = None
    """Null: level."""
    side: Side | None = None
    """The bidder's; must be there beside a score."""


class Legality(Question, frozen=True, tag="legality", kw_only=True):
    """Which cards of a hand may be played (R4)?"""

    hand: list[str]
    trick: list[str] = []
    """The cards on the table, in order."""
    broken: bool = False


class TrickWinner(Question, frozen=True, tag="trick_winner", kw_only=True):
    """Who takes a trick (R4.6)?"""

    cards: list[str]
    """Four, in order."""


class ScoringAnswer(Struct, frozen=True):
    """The change of score, bag penalty included, and the bags after it."""

    id: Id
    delta: dict[Side, int]
    bags: dict[Side, int]


class MatchEndAnswer(Struct, frozen=True):
    """Whether the match is over, and for whom."""

    id: Id
    over: bool
    winner: Side | None


class BiddingAnswer(Struct, frozen=True):
    """The bids that may be made, ascending, and whether blind nil is offered first."""

    id: Id
    legal: tuple[int, ...]
    blind_nil_offered: bool


class LegalityAnswer(Struct, frozen=True):
    """The cards that may be played, sorted as plain strings."""

    id: Id
    legal: list[str]


class TrickWinnerAnswer(Struct, frozen=True):
    """The index of the card that takes the trick."""

    id: Id
    winner: int


class Refusal(Struct, frozen=True):
    """There is no answer, and why."""

    id: Id
    error: str


AnyQuestion = Scoring | MatchEnd | Bidding | Legality | TrickWinner
AnyAnswer = ScoringAnswer | MatchEndAnswer | BiddingAnswer | LegalityAnswer | TrickWinnerAnswer
KINDS: Final = ("scoring", "match_end", "bidding", "legality", "trick_winner")
