"""The options of the game, as they stand in `hello`, in a tournament file and in a record."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from protocol.cards import DeckName

Players = Literal["partners", "solo"]

_Tricks = Annotated[int, Meta(ge=0, le=13)]
_Points = Annotated[int, Meta(ge=0, le=1_000_000)]


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, at the value that `standard` gives it. What each means: R2 to R8."""

    players: Players = "partners"
    """`partners`: sides NS and EW. `solo`: each seat is a side (R8)."""
    deck: DeckName = "standard"
    """52 cards without or with jokers (R7)."""
    target: Annotated[int, Meta(ge=1, le=1_000_000)] = 500
    """A side at this score or more wins (R6.1)."""
    floor: Annotated[int, Meta(ge=-1_000_000, le=-1)] | None = None
    """A side at this score or less loses; null is off (R6.2)."""
    max_deals: Annotated[int, Meta(ge=1, le=1000)] = 100
    """After this many deals the higher score wins, and level is a draw (R6.3)."""
    min_bid: _Tricks = 0
    """The lowest bid a seat may make (R2.3)."""
    min_team_bid: _Tricks = 0
    """What the two bids of a side must come to; 0 is off (R2.4)."""
    nil: _Points = 100
    """Points for a nil made, lost for one broken; 0 forbids nil (R2.3, R5.3)."""
    blind_nil: _Points = 0
    """Points for a blind nil; 0 is off (R3)."""
    blind_nil_deficit: _Points = 0
    """Points a side must trail by to be offered blind nil (R3.2)."""
    blind_nil_exchange: _Tricks = 0
    """Cards that a blind-nil bidder and its partner exchange (R3.3)."""
    lead_spades: Literal["broken", "any_time"] = "broken"
    """When a spade may be led (R4.3, R4.5)."""
    spades_broken_by: Literal["any_spade", "cut"] = "any_spade"
    """What breaks spades: any spade, or only one played on another suit's lead (R4.4)."""
    failed_nil_tricks: Literal["bags", "contract"] = "bags"
    """What a broken nil's tricks are: bags, or tricks towards the contract (R5.4)."""
    set_nil_bags: Literal["count", "over_contract", "none"] = "count"
    """How many of them are bags when the partner is set (R5.5)."""
    bag_points: Annotated[int, Meta(ge=-1000, le=1000)] = 1
    """Points for a bag (R5.7)."""
    bag_limit: Annotated[int, Meta(ge=1, le=1000)] = 10
    """Bags that bring a penalty (R5.7)."""
    bag_penalty: _Points = 100
    """Points that the penalty costs; 0 is off (R5.7)."""
    bag_overflow: Literal["carry", "reset"] = "carry"
    """What becomes of the bags over the limit (R5.7)."""


class HelloRules(Rules, frozen=True, forbid_unknown_fields=False):
    """The same in `hello`: a bot ignores options that only later versions have."""
