"""What a deal costs in the pure rules: 56 decisions, no bots, no processes.

    python -m benchmarks.rules

Folds the same 200 random deals again and again, and prints the fastest and the median round in
milliseconds a deal: legality and state alone; with the names of hand and legal cards; and with
the whole request that a seat would be sent. As at a table (`arena.match`), no garbage is collected
while a deal is played; between deals there is none of theirs.
"""

import gc
import random
import time
from collections.abc import Callable, Iterator
from statistics import median

from arena import ARENA
from arena.deals import deal_hands, deal_key, first_dealer
from arena.events import (
    AnyEvent,
    BidMade,
    CardPlayed,
    Clocks,
    Dealt,
    FaultPolicy,
    MatchStarted,
    Origin,
    Player,
)
from arena.fold import apply
from arena.state import Bidding, Playing, State, begin, hand
from arena.view import request
from protocol.cards import SEATS
from protocol.rules import Rules

DEALS = 200
ROUNDS = 15
GOALS = {"legality and state": 0.1, "with the names of hand and legal": 0.133}
"""Milliseconds a deal, by what is measured."""
KEY = deal_key("seed 1", ["a", "b"], 0)


def first_state() -> State:
    """A match before its first deal, by the standard rules."""
    return begin(
        MatchStarted(
            match="benchmark",
            arena=ARENA,
            rules=Rules(),
            players={seat: Player(name="a", hash="", seed=0) for seat in SEATS},
            origin=Origin(seed=1, commitment=None, bots=["a", "b"], cycle=0, leg=0),
            dealer=first_dealer(KEY),
            clock=Clocks(),
            faults=FaultPolicy(),
            sandbox={},
        )
    )


def random_deal(state: State, number: int, choose: random.Random) -> list[AnyEvent]:
    """The events of a deal with random bids and cards."""
    hands = deal_hands(KEY, number, state.dealer, state.deck)
    events: list[AnyEvent] = [Dealt(deal=1, dealer=state.dealer, hands=hands)]
    state = apply(state, events[0])
    while True:
        phase = state.phase
        if isinstance(phase, Bidding):
            events.append(BidMade(seat=phase.turn, bid=choose.choice(phase.legal[:5])))
        elif isinstance(phase, Playing) and phase.legal:
            card = choose.choice(state.deck.names(phase.legal))
            events.append(CardPlayed(seat=phase.turn, card=card))
        else:
            return events
        state = apply(state, events[-1])


def fold_only(state: State, events: list[AnyEvent]) -> None:
    """Legality and state."""
    for event in events:
        state = apply(state, event)


def fold_and_name(state: State, events: list[AnyEvent]) -> None:
    """What a request lists of cards, before each decision."""
    for event in events:
        phase = state.phase
        if isinstance(phase, Playing):
            state.deck.hand_and_legal(phase.held, phase.legal, phase.led)
        elif isinstance(phase, Bidding):
            state.deck.names(hand(phase, phase.turn))
        state = apply(state, event)


def fold_and_ask(state: State, events: list[AnyEvent]) -> None:
    """The whole request, before each decision."""
    for event in events:
        if state.phase is not None:
            request(state)
        state = apply(state, event)


def measure(
    start: State, deals: list[list[AnyEvent]], go: Callable[[State, list[AnyEvent]], None]
) -> list[float]:
    """Milliseconds a deal, a figure a round."""
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        began = time.perf_counter()
        for events in deals:
            go(start, events)
        found.append((time.perf_counter() - began) * 1000 / len(deals))
    return found


def deals_through_the_rules() -> Iterator[tuple[str, list[float]]]:
    """What is measured, and its milliseconds a deal, a figure a round."""
    start, choose = first_state(), random.Random(1)
    deals = [random_deal(start, number, choose) for number in range(1, DEALS + 1)]
    gc.freeze()  # of the deals that are still to be played a table has none
    gc.disable()
    try:
        yield "legality and state", measure(start, deals, fold_only)
        yield "with the names of hand and legal", measure(start, deals, fold_and_name)
        yield "with the whole request", measure(start, deals, fold_and_ask)
    finally:
        gc.enable()
        gc.unfreeze()


def main() -> None:
    """Measures and prints."""
    print(f"{'milliseconds a deal':36} {'fastest':>8} {'median':>8}")
    for label, rounds in deals_through_the_rules():
        print(f"{label:36} {min(rounds):8.4f} {median(rounds):8.4f}")


if __name__ == "__main__":
    main()
