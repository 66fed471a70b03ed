"""Whether a proper reply is allowed: the decision that it makes, or the fault that it is (R9)."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import UNSET, UnsetType

from arena.bot import Answer, BotFault
from arena.events import (
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    Decision,
    Greeted,
)
from arena.rules import why_illegal, why_not_bid, why_not_passed
from arena.state import Asking, Bidding, Exchanging, Offering, Playing, State, hand
from protocol.cards import Seat
from protocol.codec import quote
from protocol.messages import (
    NOTE_LIMIT,
    BidReply,
    BlindNilReply,
    ExchangeReply,
    HelloReply,
    PlayReply,
)

NAME_LIMIT: Final = 100
"""Characters kept of the name and version that a bot gives itself."""

_CARDS_QUOTED: Final = 20
_DIGITS_QUOTED: Final = 20


def judge(state: State, phase: Asking, answer: Answer) -> Decision:
    """The decision that a reply to the seat on turn makes.

    Raises BotFault (`illegal`) for one that the rules forbid. `phase` is the state's.
    """
    reply, note = answer.reply, answer.reply.note[:NOTE_LIMIT] or None
    if isinstance(reply, PlayReply) and isinstance(phase, Playing):
        if not state.deck.bit.get(reply.card, 0) & phase.legal:
            raise _illegal_card(state, phase, reply.card, answer.ms)
        return CardPlayed(
            seat=phase.turn, card=reply.card, note=note, ms=answer.ms, cpu_ms=answer.cpu_ms
        )
    match reply:
        case BidReply(bid=bid) if isinstance(phase, Bidding):
            if bid not in phase.legal:
                reason = why_not_bid(state.rules, bid)
                shown = _short(str(bid))
                raise _illegal(f"the bid {shown}", shown, reason, phase.legal, answer.ms)
            return BidMade(seat=phase.turn, bid=bid, note=note, ms=answer.ms, cpu_ms=answer.cpu_ms)
        case BlindNilReply(blind_nil=blind_nil) if isinstance(phase, Offering):
            return BlindNilAnswered(
                seat=phase.turn, blind_nil=blind_nil, note=note, ms=answer.ms, cpu_ms=answer.cpu_ms
            )
        case ExchangeReply(cards=cards) if isinstance(phase, Exchanging):
            chosen = _passed(state, phase, cards, answer.ms)
            return CardsPassed(
                seat=phase.turn, cards=tuple(chosen), note=note, ms=answer.ms, cpu_ms=answer.cpu_ms
            )
    raise AssertionError(f"{answer.reply} can't answer what is asked in {phase}")


def greeted(seat: Seat, answer: Answer) -> Greeted:
    """What the reply to a hello comes to."""
    reply = answer.reply
    assert isinstance(reply, HelloReply)
    return Greeted(
        seat=seat,
        name=_cut(reply.name, NAME_LIMIT),
        version=_cut(reply.version, NAME_LIMIT),
        note=_cut(reply.note, NOTE_LIMIT),
        ms=answer.ms,
        cpu_ms=answer.cpu_ms,
    )


def _cut(text: str, limit: int) -> str | None:
    return text[:limit] or None


def _short(digits: str) -> str:
    """A number that may have thousands of digits."""
    return digits if len(digits) <= _DIGITS_QUOTED else f"{digits[:_DIGITS_QUOTED]}..."


def _illegal_card(state: State, phase: Playing, card: str, ms: float) -> BotFault:
    deck = state.deck
    reason = why_illegal(state.rules, deck, card, phase.held, phase.led)
    return _illegal(f"the card {quote(card.encode())}", card, reason, deck.names(phase.legal), ms)


def _passed(
    state: State, phase: Exchanging, cards: list[str] | UnsetType, ms: float
) -> Sequence[str]:
    """The cards that go; the lowest where the reply names none."""
    deck, held = state.deck, hand(phase, phase.turn)
    if cards is UNSET:
        return deck.names(held)[: state.rules.blind_nil_exchange]
    reason = why_not_passed(state.rules, deck, held, cards)
    if reason is not None:
        shown = " ".join(cards[:_CARDS_QUOTED])
        raise _illegal(f"passing {quote(shown.encode())}", shown, reason, deck.names(held), ms)
    return cards


def _illegal(what: str, choice: str, reason: str, choices: Iterable[object], ms: float) -> BotFault:
    return BotFault(
        "illegal",
        f"{what} is not legal: {reason} - choose from {' '.join(map(str, choices))}",
        quote(choice.encode()),
        ms,
    )
