"""A moment of a replay in words, and what of it a seat may know."""

from collections.abc import Callable, Iterator
from typing import Final

from arena.events import BidMade, BlindNilAnswered, CardPlayed, CardsPassed, Decision
from arena.replay import Moment, Replay
from arena.state import Bidding, Exchanging, Playing, Stopped
from protocol.cards import PARTNER, Seat
from protocol.codec import printable
from protocol.messages import FinishedTrick

View = Seat | None
"""The seat that is looked from, or None where all hands are open."""

NAME_SHOWN: Final = 40
"""Characters of a bot's name in a sentence."""

_REASONS: Final = {
    "target": "the target was reached",
    "floor": "a side fell to the floor",
    "max_deals": "all deals were played",
    "void": "the match is void",
}


def name_of(replay: Replay, seat: Seat) -> str:
    """The bot at a seat, cut to a fair length."""
    name = printable(replay.started.players[seat].name[: NAME_SHOWN + 1])
    return name if len(name) <= NAME_SHOWN else f"{name[: NAME_SHOWN - 1]}…"


def knows(view: View, seat: Seat) -> bool:
    """Whether what is a seat's own may be shown: its cards, its notes, what it did wrong."""
    return view in (None, seat)


def sees_cards(replay: Replay, moment: Moment, seat: Seat) -> bool:
    """Whether a seat has seen its own cards, which is later where blind nil is offered (R3.1)."""
    phase, deal = moment.phase, moment.dealt
    if not replay.started.rules.blind_nil or isinstance(phase, Exchanging | Playing | Stopped):
        return True
    if isinstance(phase, Bidding) and phase.turn == seat:
        return True
    return deal is not None and seat in deal.bids and seat not in deal.blind


def bid_words(bid: int, blind: bool = False) -> str:
    """`3`, `nil`, `blind nil`."""
    return "blind nil" if blind else "nil" if bid == 0 else str(bid)


def took(milliseconds: float | None) -> str:
    """A time as `0.1 ms`, `27 ms`, `12345 ms`; nothing where it is not known."""
    if milliseconds is None:
        return ""
    form = ".1f" if milliseconds < 10 else ".4g" if milliseconds < 1000 else ".0f"
    return f"{milliseconds:{form}} ms"


def sentence(
    replay: Replay, moment: Moment, view: View = None, card: Callable[[str], str] = str
) -> str:
    """What has happened; `card` writes a card."""
    decision = moment.decision
    if decision is not None:
        return _decided(moment, decision, view, card)
    if moment.kind == "deal":
        return f"deal {moment.position.deal}, dealt by {moment.after.dealer}"
    if moment.kind == "start" and moment.match_end is None:
        return "the match begins"
    return ". ".join(_endings(replay, moment))


def _decided(moment: Moment, decision: Decision, view: View, card: Callable[[str], str]) -> str:
    seat = decision.seat
    who = f"the arena, for {seat}," if decision.substituted else seat
    match decision:
        case BidMade(bid=bid):
            return f"{who} bids {bid_words(bid)}"
        case BlindNilAnswered(blind_nil=blind_nil):
            return f"{who} {'bids' if blind_nil else 'declines'} blind nil"
        case CardsPassed(cards=cards):
            to = PARTNER[seat]
            if knows(view, seat) or knows(view, to):
                return f"{who} passes {' '.join(map(card, cards)) or 'nothing'} to {to}"
            return f"{who} passes {len(cards)} card{'s'[: len(cards) != 1]} to {to}"
        case CardPlayed():
            table = moment.table
            takes = ""
            if isinstance(table, FinishedTrick):
                takes = f", {table.winner} takes trick {len(moment.tricks)}"
            return f"{who} plays {card(decision.card)}{takes}"


def _endings(replay: Replay, moment: Moment) -> Iterator[str]:
    end, result = moment.deal_end, moment.match_end
    if end is not None:
        yield f"deal {end.deal}: " + ", ".join(f"{side} {n:+}" for side, n in end.delta.items())
    if result is not None:
        score = " : ".join(map(str, result.score.values()))
        won = "nobody wins" if result.winner is None else f"{result.winner} wins"
        why = f"{result.forfeited} forfeits" if result.forfeited else _REASONS[result.reason]
        yield f"{won} {score}, as {why}"


def fault_lines(moment: Moment, view: View = None) -> Iterator[str]:
    """What went wrong; to other seats than the offender without what names its cards."""
    for fault, debug in zip(moment.faults, moment.debug, strict=True):
        asked = fault.request.replace("_", " ")
        yield f"fault of {fault.seat}: {fault.kind}, asked for {asked}; ruling: {fault.ruling}"
        if knows(view, fault.seat):
            yield f"  {printable(fault.detail)}"
            if fault.raw is not None:
                yield f"  it wrote {printable(fault.raw)}"
            yield f"  to reproduce: {debug}"


def greeting_lines(moment: Moment, view: View = None) -> Iterator[str]:
    """Bots that were started, and what they said of themselves."""
    for greeting in moment.greetings:
        started = "started" if moment.kind == "start" else "was started again"
        said = [text for text in (greeting.name, greeting.version, greeting.note) if text]
        line = f"{greeting.seat} {started}"
        if greeting.ms is not None:
            line += f" in {took(greeting.ms)}"
        if said and knows(view, greeting.seat):
            line += f" and says {printable(', '.join(said))}"
        yield line
