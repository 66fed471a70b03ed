"""What happens at the table beside the bot that is looked at: the deal, the others, the end."""

from typing import Final

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
    FaultPolicy,
)
from arena.state import Asking, Bidding, Exchanging, Offering, Playing, State, hand
from protocol.cards import PARTNER, SEATS, Seat
from protocol.messages import FaultKind

POLICY: Final = FaultPolicy(malformed="set")

_BID: Final = 3


def dealt(plan: Plan, state: State) -> Dealt:
    """The next deal: the bot's hand is that of the plan, where it has one; the rest goes around."""
    number, deck = state.deals + 1, state.deck
    nth = state.deals - plan.deals
    if nth >= len(plan.hands):
        hands = deal_hands("check", number, state.dealer, deck)
    else:
        given = plan.hands[nth].split()
        rest = [card for card in deck.cards if card not in given]
        seats = [seat for seat in SEATS if seat != plan.seats[0]]
        hands = {plan.seats[0]: given, **{seat: rest[i::3] for i, seat in enumerate(seats)}}
    return Dealt(deal=number, dealer=state.dealer, hands=hands)


def decision(plan: Plan, state: State, phase: Asking) -> Decision:
    """What another seat decides: the bid of the plan, the lowest cards."""
    seat = phase.turn
    match phase:
        case Offering():
            return BlindNilAnswered(
                seat=seat, blind_nil=plan.blind and seat == PARTNER[plan.seats[0]]
            )
        case Bidding():
            return BidMade(seat=seat, bid=max(plan.bids.get(seat, _BID), phase.legal[0]))
        case Exchanging():
            cards = state.deck.names(hand(phase, seat))
            return CardsPassed(seat=seat, cards=cards[: state.rules.blind_nil_exchange])
        case Playing():
            return CardPlayed(seat=seat, card=state.deck.names(phase.legal)[0])


def fault(state: State, seat: Seat, kind: FaultKind) -> Faulted:
    """A fault of an opponent's: by POLICY `malformed` ends the deal, and any other the match."""
    asked = fold.asked(state, seat)
    assert asked is not None
    return Faulted(
        seat=seat,
        kind=kind,
        request=asked,
        detail="it was to be so",
        raw=None,
        ruling=fold.ruling(state, seat, kind),
    )
