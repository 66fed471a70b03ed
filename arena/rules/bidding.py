"""What a seat may bid (R2)."""

from typing import Final

from protocol.rules import Rules

HIGHEST_BID: Final = 13


def legal_bids(rules: Rules, partner_bid: int | None) -> list[int]:
    """The bids a seat may make, ascending, never empty.

    `partner_bid` is None while the partner has not bid, and in solo play.
    """
    # R2.2, R2.3: without nil no 0, whatever the lowest bid.
    lowest = rules.min_bid if rules.nil else max(rules.min_bid, 1)
    bids = range(lowest, HIGHEST_BID + 1)
    if partner_bid is None or not rules.min_team_bid:
        return list(bids)
    # R2.4: a nil brings nothing to the side, so the other bid alone must reach the minimum.
    needed = rules.min_team_bid - partner_bid
    return [bid for bid in bids if bid >= needed]
