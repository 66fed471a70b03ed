"""What happens at the table beside the bot that is looked at: the deal, the others, the end."""

from arena import fold
from arena.checks.plans import Plan
from arena.deals import deal_hands
from arena.events import (
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    Dealt,
    Decision,
    Faulted,
)
from arena.state import Asking, Bidding, Exchanging, Offering, Playing, State, hand
from protocol.cards import SEATS, Seat

_BID = 3


def dealt(plan: Plan, state: State) -> Dealt:
    """The next deal: N's hand is that of the plan, where it has one, and the rest goes around."""
    number, deck = state.deals + 1, state.deck
    nth = state.deals - plan.deals
    if nth >= len(plan.hands):
        hands = deal_hands("check", number, state.dealer, deck)
    else:
        given = plan.hands[nth].split()
        rest = [card for card in deck.cards if card not in given]
        hands = {seat: rest[i::3] for i, seat in enumerate(SEATS[1:])}
        hands["N"] = given
    return Dealt(deal=number, dealer=state.dealer, hands=hands)


def decision(plan: Plan, state: State, phase: Asking) -> Decision:
    """What another seat decides: the bid of the plan, the lowest cards."""
    seat = phase.turn
    match phase:
        case Offering():
            return BlindNilAnswered(seat=seat, blind_nil=plan.blind and seat == "S")
        case Bidding():
            return BidMade(seat=seat, bid=max(plan.bids.get(seat, _BID), phase.legal[0]))
        case Exchanging():
            cards = state.deck.names(hand(phase, seat))
            return CardsPassed(seat=seat, cards=cards[: state.rules.blind_nil_exchange])
        case Playing():
            return CardPlayed(seat=seat, card=state.deck.names(phase.legal)[0])


def forfeit(state: State, seat: Seat) -> Faulted:
    """An opponent is late, and the match is over."""
    asked = fold.asked(state, seat)
    assert asked is not None
    return Faulted(
        seat=seat,
        kind="timeout",
        request=asked,
        detail="no complete line within its clock",
        raw=None,
        ruling="forfeit",
    )
