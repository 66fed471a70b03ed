"""When a match is over, and for whom (R6)."""

from collections.abc import Mapping

from msgspec import Struct

from protocol.cards import Seat
from protocol.messages import EndReason, Side
from protocol.rules import Rules


class Outcome(Struct, frozen=True):
    """How a match ended."""

    winner: Side | None
    """Null is a draw."""
    reason: EndReason
    forfeited: Side | None = None
    """The side that forfeited, if one did. In solo play that gives nobody the match."""
    offender: Seat | None = None
    """The seat whose fault it was."""


def outcome(rules: Rules, score: Mapping[Side, int], deals: int) -> Outcome | None:
    """The outcome after `deals` finished deals, or None where another deal is played."""
    best = max(score.values())
    leaders = [side for side, points in score.items() if points == best]
    floor = rules.floor
    # R6.1, R6.2: the highest side wins in either case. It is at or under the floor only when every
    # side is. Level at the top: another deal.
    at_target = best >= rules.target
    at_floor = floor is not None and min(score.values()) <= floor
    if (at_target or at_floor) and len(leaders) == 1:
        return Outcome(leaders[0], "target" if at_target else "floor")
    if deals >= rules.max_deals:  # R6.3
        return Outcome(leaders[0] if len(leaders) == 1 else None, "max_deals")
    return None
