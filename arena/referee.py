"""Asks four bots in turn, judges what they reply, and says what happened as events.

It knows no process, no clock and no file. A bot's misbehaviour reaches it as `BotFault`; any other
exception is a fault of the arena's own and passes through, so that it costs no bot anything.
"""

from collections.abc import Callable, Mapping

from arena import faults, fold, view
from arena.bot import Bot, BotFault
from arena.events import AnyEvent, Dealt, Faulted, MatchStarted
from arena.judgement import greeted, judge
from arena.state import Asking, Playing, State, Stopped, Substituting, begin
from protocol.cards import SEATS, Deck, Seat
from protocol.messages import Message

Emit = Callable[[AnyEvent], None]
Hands = Callable[[int, Seat, Deck], dict[Seat, list[str]]]
"""Number of the deal, dealer, deck -> the hands."""


class Table:
    """One match in progress. Every event goes to `emit`, in order."""

    def __init__(
        self, started: MatchStarted, bots: Mapping[Seat, Bot], hands: Hands, emit: Emit
    ) -> None:
        self._started = started
        self._bots = bots
        self._hands = hands
        self._emit = emit
        self._state = begin(started)

    @property
    def state(self) -> State:
        """What is known of it, also where the arena could not play it to its end."""
        return self._state

    def play(self) -> State:
        """Plays the match to its end and returns its last state."""
        self._emit(self._started)
        for seat in SEATS:
            self._greet(seat)
        while self._state.outcome is None:
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
            self._rule(seat, fault)
            return
        self._happen(greeted(seat, answer))

    def _deal(self) -> None:
        number, dealer = self._state.deals + 1, self._state.dealer
        hands = self._hands(number, dealer, self._state.deck)
        self._happen(Dealt(deal=number, dealer=dealer, hands=hands))

    def _step(self, state: State) -> None:
        """The next thing that happens."""
        phase = state.phase
        if isinstance(phase, Playing) and phase.legal:
            self._ask(state, phase)
        elif phase is None:
            self._deal()
        elif isinstance(phase, Playing | Stopped):
            ended = fold.deal_end(state)
            self._happen(ended)
            self._tell_all(view.deal_end(state, ended))
        elif isinstance(phase, Substituting):
            self._happen(phase.due)
        else:
            self._ask(state, phase)

    def _ask(self, state: State, phase: Asking) -> None:
        """A seat is on turn."""
        if phase.turn in state.gone:
            self._go_on_without(phase.turn)
            return
        request = view.request(state)
        try:
            event = judge(state, phase, self._bots[phase.turn].ask(request))
        except BotFault as fault:
            self._rule(phase.turn, fault)
        else:
            self._happen(event)

    def _go_on_without(self, seat: Seat) -> None:
        """A seat whose process has ended is on turn."""
        if fold.asked(self._state, seat) == "hello":
            self._greet(seat)
        else:
            self._rule(seat, faults.not_asked(self._state, seat))

    def _rule(self, seat: Seat, fault: BotFault) -> None:
        """What the fault policy makes of a fault."""
        asked = fold.asked(self._state, seat)
        assert asked is not None
        event = Faulted(
            seat=seat,
            kind=fault.kind,
            request=asked,
            detail=fault.detail,
            raw=fault.raw,
            ruling=fold.ruling(self._state, seat, fault.kind),
            ms=fault.ms,
        )
        self._happen(event)
        self._bots[seat].tell(view.fault(event))

    def _tell_all(self, message: Message) -> None:
        for seat in SEATS:
            self._bots[seat].tell(message)
