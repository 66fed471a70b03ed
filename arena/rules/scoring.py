"""What a deal is worth to a side (R5)."""

from collections.abc import Iterable

from msgspec import Struct

from protocol.rules import Rules


class SeatResult(Struct, frozen=True):
    """One seat's deal."""

    bid: int
    """0 is nil."""
    taken: int
    """Tricks."""
    blind: bool = False
    """The nil was bid blind."""


class SideScore(Struct, frozen=True):
    """One side's deal."""

    tricks: int
    """Points for contract and nils, without those for bags."""
    new_bags: int
    """Bags taken in this deal."""
    delta: int
    """The change of score: tricks, bags and bag penalty."""
    bags: int
    """The running bag count after the deal: a number of its own, whatever the score (R5.8)."""


def score_side(rules: Rules, seats: Iterable[SeatResult], bags: int) -> SideScore:
    """Scores a finished deal for the seats of one side, whose bag count was `bags`."""
    contract = counted = broken_nil_tricks = nil_points = 0
    for seat in seats:
        if seat.bid:
            contract += seat.bid  # R5.1
            counted += seat.taken
            continue
        worth = rules.blind_nil if seat.blind else rules.nil
        nil_points += -worth if seat.taken else worth  # R5.3: each nil on its own seat
        if rules.failed_nil_tricks == "contract":  # R5.4, other reading
            counted += seat.taken
        else:
            broken_nil_tricks += seat.taken

    if counted >= contract:  # R5.2; with two nils the contract is 0 and made (R5.6)
        points = 10 * contract
        new_bags = counted - contract + broken_nil_tricks
    else:
        points = -10 * contract
        new_bags = _bags_when_set(rules, broken_nil_tricks, counted, contract)

    penalty, bags = _count_bags(rules, bags + new_bags)
    tricks = points + nil_points
    return SideScore(
        tricks=tricks,
        new_bags=new_bags,
        delta=tricks + new_bags * rules.bag_points - penalty,
        bags=bags,
    )


def score_stopped(
    rules: Rules, seats: Iterable[SeatResult], bags: int, *, offending: bool
) -> SideScore:
    """Scores a deal that a renege has ended (R9), for the seats of one side.

    The offending side is set and its nils fail; any other makes its contract exactly and its nils
    are kept. There are no bags.
    """
    points = 0
    for seat in seats:
        points += 10 * seat.bid if seat.bid else rules.blind_nil if seat.blind else rules.nil
    points = -points if offending else points
    return SideScore(tricks=points, new_bags=0, delta=points, bags=bags)


def _bags_when_set(rules: Rules, broken_nil_tricks: int, counted: int, contract: int) -> int:
    """R5.5: which of a broken nil's tricks are bags although the partner is set."""
    if rules.set_nil_bags == "count":
        return broken_nil_tricks
    if rules.set_nil_bags == "over_contract":
        return max(0, counted + broken_nil_tricks - contract)
    return 0


def _count_bags(rules: Rules, bags: int) -> tuple[int, int]:
    """R5.7: the penalty for a bag count, and the count that stays."""
    if not rules.bag_penalty or bags < rules.bag_limit:
        return 0, bags
    if rules.bag_overflow == "reset":
        return rules.bag_penalty, 0
    times, rest = divmod(bags, rules.bag_limit)
    return times * rules.bag_penalty, rest


def long_run_points(rules: Rules, score: SideScore) -> float:
    """A deal's points with each bag at its long-run worth: its points less its part of a penalty.

    With the defaults a bag is worth 1 - 10. Unlike `delta` this does not depend on the bag count
    before the deal, so deals can be compared.
    """
    worth = rules.bag_points - rules.bag_penalty / rules.bag_limit
    return score.tricks + score.new_bags * worth
