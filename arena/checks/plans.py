"""The conversations: who is dealt what under which rules, and when it ends. Plain data.

A bot has one seat, or those of a side. The other seats bid as the plan says and play their lowest
cards. A match is cut short as matches are: by the forfeit of an opponent.
"""

from itertools import cycle
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from arena.checks.oddities import FEW, FORGIVEN, INNER, LONG, PENALTY, Claim, Oddity, Weather
from arena.rules import PRESETS
from protocol.cards import DECKS, PARTNERSHIPS, SEATS, Seat
from protocol.messages import Side
from protocol.rules import Rules


class Plan(Struct, frozen=True, kw_only=True):
    """One conversation."""

    name: str
    check: str | None
    """The check that a fault in it belongs to; None: that is told by the fault."""
    rules: Rules = Rules()
    seats: tuple[Seat, ...] = ("N",)
    """Where the bot sits."""
    set_after: int | None = None
    """After so many decisions of the bot's a fault of an opponent's ends the deal."""
    stop: int | None = None
    """After so many decisions of the bot's an opponent forfeits; None: the match ends by itself."""
    patience_ms: float | None = None
    """Once the bot has thought for so long an opponent forfeits as well."""
    dealer: Seat = "W"
    hands: tuple[str, ...] = ()
    """What the bot is dealt in the first deals, where that matters."""
    bids: dict[Seat, int] = {}
    """Of the others; 3 where nothing is said."""
    blind: bool = False
    """The partner bids blind nil where it is offered."""
    deals: int = 0
    """So many have been played before, as where a bot is started again."""
    score: dict[Side, int] = {}
    bags: dict[Side, int] = {}
    seed: int = 2_718_281_828_459
    first_id: int | None = None
    """Of the first request after hello, where ids are not to be as in any match."""
    bank: int | None = None
    """The bank, in clocks of a move."""
    odd: dict[int, Oddity] = {}
    """Number of a request, hello is 0 -> what is odd about it."""
    later: bool = False
    """A deal and the match end as a later version may tell of it."""


BASIC: Final = Plan(name="a match", check=None, dealer="N", stop=18)
"""By what happens here a fault is told. Where it fails, nothing else is tried."""

LONGER: Final = replace(
    BASIC,
    name="the same match with a long request",
    stop=2,
    odd={1: Oddity("unknown_fields", fields=FEW), 2: Oddity("longest_request", fields=LONG)},
)
"""Held where BASIC fails when its requests have grown: is it their length?"""

AGAIN: Final = replace(BASIC, name="the same match again", check="same_answers")

WHOLE: Final = Plan(name="a whole match", check="lasts", stop=140, patience_ms=5_000)
"""As long as matches are, for a bot that does not take long."""

_ALL_SPADES: Final = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
_ONE_CLUB: Final = "2C 3D 8D QD KD 4H 9H TH AH 2S 7S JS AS"
_MADE_FOR_NIL: Final = "2C 4C 6C 2D 3D 7D 9D 2H 5H 6H 3S 4S 5S"

CORNERS: Final = Plan(
    name="corners",
    check=None,
    stop=18,
    hands=(_ALL_SPADES, _ONE_CLUB),
    bids={"S": 0, "W": 4},
)

TOLERANCE: Final = Plan(
    name="later versions",
    check=None,
    stop=15,
    hands=(_MADE_FOR_NIL,),
    odd={
        0: Oddity("unknown_fields", fields=FEW, inner=INNER),
        1: Oddity("unknown_fields", fields=FEW, inner=INNER),
        2: Oddity("unknown_fields", fields=FEW, inner=INNER),
        3: Oddity("unknown_messages", before=Weather()),
        4: Oddity("unknown_requests", before=Claim()),
        5: Oddity("fault_messages", before=FORGIVEN),
        6: Oddity("unknown_fields", fields=FEW, inner=INNER),
        7: Oddity("unknown_values", before=PENALTY),
    },
    later=True,
)
"""A whole deal, and the first bid of the next."""

PARTNERS: Final = Plan(name="both seats of a side", check="two_at_once", seats=("N", "S"), stop=8)

ENDED_DEAL: Final = Plan(
    name="a deal that a fault ends", check="ended_deal", seats=("W",), set_after=3, stop=6
)

BANK: Final = Plan(name="a bank of time", check="bank", seats=("E",), stop=4, bank=20)

NUMBERS: Final = Plan(
    name="the last deal of a long match",
    check="large_numbers",
    rules=Rules(
        deck="jokers_nyc",
        lead_spades="any_time",
        target=1_000_000,
        max_deals=1000,
        blind_nil=200,
        blind_nil_exchange=2,
    ),
    blind=True,
    deals=999,
    score={"NS": -131_240, "EW": 128_990},
    bags={"NS": 7, "EW": 9},
    seed=2**53 - 1,
    first_id=3_900_000,
)
"""The ids are those after a thousand deals, at the steps by which they grow at most."""


def _by(preset: str, rules: Rules, seat: Seat) -> Plan:
    """The last bid and two cards; or a whole deal where the cards are unusual."""
    jokers = rules.deck != "standard"
    if rules.players == "solo":
        check = "solo_play"
    else:
        check = "joker_decks" if jokers else "every_preset"
    behind = rules.blind_nil_deficit > 0
    return Plan(
        name=f"the preset {preset}",
        check=check,
        rules=rules,
        seats=(seat,),
        dealer=seat,
        stop=14 if jokers else 5 if rules.blind_nil else 3,
        hands=(" ".join(DECKS[rules.deck].cards[::-4]),) if jokers else (),
        blind=True,
        deals=4 if behind else 0,
        score={side: -120 if seat in side else 150 for side in PARTNERSHIPS} if behind else {},
    )


_PRESETS: Final = {name: rules for name, rules in PRESETS.items() if rules != BASIC.rules}

PLANS: Final = (
    BASIC,
    AGAIN,
    WHOLE,
    CORNERS,
    TOLERANCE,
    PARTNERS,
    ENDED_DEAL,
    BANK,
    NUMBERS,
    *(_by(*preset, seat) for preset, seat in zip(_PRESETS.items(), cycle(SEATS), strict=False)),
)
"""The first one first, and the others in any order."""
