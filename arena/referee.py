"""Asks four bots in turn, judges what they reply, and says what happened as events.

It knows no process, no clock and no file. A bot's misbehaviour reaches it as `BotFault`; any other
exception is a fault of the arena's own and passes through, so that it costs no bot anything.
"""

from collections.abc import Callable, Iterable, Mapping

from arena import fold, view
from arena.bot import Answer, Bot, BotFault
from arena.events import (
    AnyEvent,
    BidMade,
    CardPlayed,
    Dealt,
    Faulted,
    Greeted,
    MatchStarted,
    RequestType,
)
from arena.rules import why_illegal
from arena.state import Bidding, Playing, State, begin, hand
from protocol.cards import SEATS, Deck, Seat
from protocol.codec import quote
from protocol.messages import (
    NOTE_LIMIT,
    Bid,
    BidReply,
    HelloReply,
    Message,
    PlayReply,
)

NAME_LIMIT = 100
"""Characters kept of the name and version that a bot gives itself."""

Emit = Callable[[AnyEvent], None]
Hands = Callable[[int, Seat, Deck], dict[Seat, list[str]]]
"""Number of the deal, dealer, deck -> the hands."""


def play_match(started: MatchStarted, bots: Mapping[Seat, Bot], hands: Hands, emit: Emit) -> State:
    """Plays a match to its end and returns its last state. Every event goes to `emit`, in order."""
    return _Table(started, bots, hands, emit).play()


class _Table:
    """One match in progress."""

    def __init__(
        self, started: MatchStarted, bots: Mapping[Seat, Bot], hands: Hands, emit: Emit
    ) -> None:
        self._started = started
        self._bots = bots
        self._hands = hands
        self._emit = emit
        self._state = begin(started)

    def play(self) -> State:
        self._emit(self._started)
        for seat in SEATS:
            self._greet(seat)
        while self._state.outcome is None:
            self._deal()
            while self._state.outcome is None and self._state.phase is not None:
                self._step(self._state)
        ended = fold.match_end(self._state)
        self._happen(ended)
        self._tell_all(view.match_end(ended))
        return self._state

    def _happen(self, event: AnyEvent) -> None:
        self._state = fold.apply(self._state, event)
        self._emit(event)

    def _greet(self, seat: Seat) -> None:
        if self._state.outcome is not None:
            return
        request = view.hello(self._started, seat)
        try:
            answer = self._bots[seat].ask(request)
        except BotFault as fault:
            self._rule(seat, "hello", fault)
            return
        reply = answer.reply
        assert isinstance(reply, HelloReply)
        self._happen(
            Greeted(
                seat=seat,
                name=_cut(reply.name, NAME_LIMIT),
                version=_cut(reply.version, NAME_LIMIT),
                note=_cut(reply.note, NOTE_LIMIT),
                ms=answer.ms,
            )
        )

    def _deal(self) -> None:
        number, dealer = self._state.deals + 1, self._state.dealer
        hands = self._hands(number, dealer, self._state.deck)
        self._happen(Dealt(deal=number, dealer=dealer, hands=hands))

    def _step(self, state: State) -> None:
        phase = state.phase
        assert phase is not None
        if isinstance(phase, Playing) and not phase.legal:
            ended = fold.deal_end(state)
            self._happen(ended)
            self._tell_all(view.deal_end(state, ended))
            return
        request = view.request(state)
        try:
            answer = self._bots[phase.turn].ask(request)
            event = _judge(state, phase, answer)
        except BotFault as fault:
            self._rule(phase.turn, "bid" if isinstance(request, Bid) else "play", fault)
        else:
            self._happen(event)

    def _rule(self, seat: Seat, request: RequestType, fault: BotFault) -> None:
        """What the fault policy makes of a fault."""
        event = Faulted(
            seat=seat,
            kind=fault.kind,
            request=request,
            detail=fault.detail,
            raw=fault.raw,
            ruling="forfeit",
        )
        self._happen(event)
        self._bots[seat].tell(view.fault(event))

    def _tell_all(self, message: Message) -> None:
        for seat in SEATS:
            self._bots[seat].tell(message)


def _judge(state: State, phase: Bidding | Playing, answer: Answer) -> BidMade | CardPlayed:
    """The event that a proper reply makes. Raises BotFault for one that the rules forbid (R9)."""
    reply, note = answer.reply, _cut(answer.reply.note, NOTE_LIMIT)
    if isinstance(phase, Playing):
        assert isinstance(reply, PlayReply)
        if not state.deck.bit.get(reply.card, 0) & phase.legal:
            held = hand(phase, phase.turn)
            reason = why_illegal(state.rules, state.deck, reply.card, held, phase.led)
            raise _illegal("card", reply.card, reason, state.deck.names(phase.legal))
        return CardPlayed(seat=phase.turn, card=reply.card, note=note, ms=answer.ms)
    assert isinstance(reply, BidReply)
    if reply.bid not in phase.legal:
        raise _illegal("bid", reply.bid, "R2", phase.legal)
    return BidMade(seat=phase.turn, bid=reply.bid, note=note, ms=answer.ms)


def _illegal(what: str, choice: str | int, reason: str, legal: Iterable[object]) -> BotFault:
    shown = quote(str(choice).encode())
    return BotFault(
        "illegal",
        f"the {what} {shown} is not legal ({reason}) - choose from"
        f' "legal": {" ".join(map(str, legal))}',
        shown,
    )


def _cut(text: str | None, limit: int) -> str | None:
    return text[:limit] if text else None
