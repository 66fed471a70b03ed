"""The rules once more, naively, from their text alone: what the engine's are compared with.

Slow and plain on purpose: lists of card names, one step at a time, nothing shared with the engine
but the options' names. Where the two differ, read the rule, not this file.
"""

from collections.abc import Mapping, Sequence

from protocol.rules import Rules

PLAIN = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
TRUMPS = {  # R1.1, R7, low to high
    "standard": [rank + "S" for rank in PLAIN],
    "jokers": [rank + "S" for rank in PLAIN[1:]] + ["2S", "LJ", "BJ"],
    "jokers_nyc": [rank + "S" for rank in PLAIN[1:]] + ["2S", "2D", "LJ", "BJ"],
}
GONE = {"standard": [], "jokers": ["2C", "2H"], "jokers_nyc": ["2C", "2H"]}


def all_cards(deck: str) -> list[str]:
    """All 52, sorted as on the wire: clubs, diamonds, hearts, trumps, low to high."""
    plain = [rank + suit for suit in "CDH" for rank in PLAIN]
    return [c for c in plain if c not in GONE[deck] and c not in TRUMPS[deck]] + TRUMPS[deck]


def suit(deck: str, card: str) -> str:
    """S for every trump (R7.3), else the letter on the card."""
    return "S" if card in TRUMPS[deck] else card[1]


def legal_cards(rules: Rules, hand: Sequence[str], table: Sequence[str], broken: bool) -> list[str]:
    """R4.2, R4.3, R4.5."""
    if table:
        led = suit(rules.deck, table[0])
        following = [card for card in hand if suit(rules.deck, card) == led]
        return following if following else list(hand)
    if rules.lead_spades == "any_time" or broken:
        return list(hand)
    others = [card for card in hand if suit(rules.deck, card) != "S"]
    return others if others else list(hand)


def spades_broken(rules: Rules, tricks: Sequence[Sequence[str]]) -> bool:
    """R4.4, from all cards of the deal, trick by trick."""
    for cards in tricks:
        for card in cards:
            if suit(rules.deck, card) != "S":
                continue
            if rules.spades_broken_by == "any_spade" or suit(rules.deck, cards[0]) != "S":
                return True
    return False


def trick_winner(deck: str, cards: Sequence[str]) -> int:
    """R4.6: the index of the winner."""
    trumps = [card for card in cards if card in TRUMPS[deck]]
    if trumps:
        return cards.index(max(trumps, key=TRUMPS[deck].index))
    following = [card for card in cards if card[1] == cards[0][1]]
    return cards.index(max(following, key=lambda card: PLAIN.index(card[0])))


def legal_bids(rules: Rules, partner_bid: int | None) -> list[int]:
    """R2.2 to R2.4."""
    legal = []
    for bid in range(14):
        if bid < rules.min_bid:
            continue
        if bid == 0 and rules.nil == 0:
            continue
        if partner_bid is not None and rules.min_team_bid:
            if bid == 0 and partner_bid < rules.min_team_bid:
                continue
            if bid + partner_bid < rules.min_team_bid:
                continue
        legal.append(bid)
    return legal


def offers_blind_nil(
    rules: Rules, score: Mapping[str, int], side: str, partner_bid: int | None
) -> bool:
    """R3.1, R3.2; and R2.4 of a nil beside a low bid."""
    if rules.blind_nil == 0:
        return False
    if partner_bid is not None and partner_bid < rules.min_team_bid:
        return False
    if rules.blind_nil_deficit == 0:
        return True
    return any(points - score[side] >= rules.blind_nil_deficit for points in score.values())


def exchanges(rules: Rules, bidders: Sequence[str], blind: Sequence[str]) -> list[tuple[str, str]]:
    """R3.3, R3.4: who passes to whom; `bidders` are the seats in the order they bid."""
    steps: list[tuple[str, str]] = []
    for pair in ("NS", "EW"):
        # A side's first blind bidder begins.
        first = [seat for seat in bidders if seat in pair and seat in blind][:1]
        for seat in first:
            other = pair.replace(seat, "")
            steps += [(seat, other), (other, seat)]
    # The side whose blind bidder bid first comes first.
    if len(steps) == 4 and bidders.index(steps[0][0]) > bidders.index(steps[2][0]):
        steps = steps[2:] + steps[:2]
    return steps if rules.blind_nil_exchange else []


def score_stopped(rules: Rules, seats: Sequence[tuple[int, bool]], offending: bool) -> int:
    """R9, for (bid, was the nil blind) of each seat: change of score."""
    delta = 0
    for bid, blind in seats:
        if bid > 0:
            worth = 10 * bid
        elif blind:
            worth = rules.blind_nil
        else:
            worth = rules.nil
        delta = delta - worth if offending else delta + worth
    return delta


def score_side(
    rules: Rules, seats: Sequence[tuple[int, int, bool]], bags: int
) -> tuple[int, int, int]:
    """R5, for (bid, tricks taken, was the nil blind) of each seat: change of score, bags after it,
    and the bags of this deal."""
    contract = sum(bid for bid, _, _ in seats)
    towards = sum(taken for bid, taken, _ in seats if bid > 0)
    by_nils = sum(taken for bid, taken, _ in seats if bid == 0)
    delta = 0
    for bid, taken, blind in seats:
        if bid == 0:
            worth = rules.blind_nil if blind else rules.nil
            delta = delta + worth if taken == 0 else delta - worth
    if rules.failed_nil_tricks == "contract":
        towards, by_nils = towards + by_nils, 0

    if towards >= contract:
        delta += 10 * contract
        new = towards - contract + by_nils
    else:
        delta -= 10 * contract
        new = {
            "count": by_nils,
            "over_contract": max(0, sum(taken for _, taken, _ in seats) - contract),
            "none": 0,
        }[rules.set_nil_bags]

    delta += new * rules.bag_points
    if rules.bag_penalty == 0:
        return delta, bags + new, new
    if rules.bag_overflow == "reset":
        if bags + new >= rules.bag_limit:
            return delta - rules.bag_penalty, 0, new
        return delta, bags + new, new
    for _ in range(new):
        bags += 1
        if bags == rules.bag_limit:
            bags = 0
            delta -= rules.bag_penalty
    return delta, bags, new


def outcome(rules: Rules, score: Mapping[str, int], deals: int) -> tuple[str | None, str] | None:
    """R6: (winner or None for a draw, reason), or None for another deal."""

    def highest(sides: list[str]) -> list[str]:
        return [s for s in sides if all(score[s] >= score[other] for other in sides)]

    home = [side for side in score if score[side] >= rules.target]
    sunk = [side for side in score if rules.floor is not None and score[side] <= rules.floor]
    if home:
        best, reason = highest(home), "target"
    elif sunk:
        best, reason = highest([s for s in score if s not in sunk] or list(score)), "floor"
    else:
        best, reason = [], ""
    if len(best) == 1:
        return best[0], reason
    if deals >= rules.max_deals:
        best = highest(list(score))
        return (best[0] if len(best) == 1 else None), "max_deals"
    return None
