"""What a seat may bid (R2)."""

from typing import Final

from protocol.rules import Rules

HIGHEST_BID: Final = 13
_BIDS: Final = tuple(range(HIGHEST_BID + 1))


def legal_bids(rules: Rules, partner_bid: int | None) -> tuple[int, ...]:
    """The bids a seat may make, ascending, never empty.

    `partner_bid` is None while the partner has not bid, and in solo play.
    """
    # R2.2, R2.3: without nil no 0, whatever the lowest bid.
    lowest = rules.min_bid if rules.nil else max(rules.min_bid, 1)
    if partner_bid is not None and rules.min_team_bid:
        # R2.4: a nil brings nothing to the side, so the other bid alone must reach the minimum.
        lowest = max(lowest, rules.min_team_bid - partner_bid)
    return _BIDS[lowest:]


def why_not_bid(rules: Rules, bid: int) -> str:
    """Why `bid`, which `legal_bids` does not hold, may not be made: half a sentence."""
    if not 0 <= bid <= HIGHEST_BID:
        return f"a bid is a number from 0 to {HIGHEST_BID} (R2.2)"
    if bid == 0 and not rules.nil:
        return "there is no nil in these rules (R2.3)"
    if bid < rules.min_bid:
        return f"the lowest bid in these rules is {rules.min_bid} (R2.3)"
    return f"with the partner's bid the side must come to {rules.min_team_bid} (R2.4)"
