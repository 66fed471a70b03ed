"""The fold: every legal match goes through, and no event that the rules forbid does."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena import fold
from arena.events import (
    AnyEvent,
    BidMade,
    CardPlayed,
    DealEnded,
    Dealt,
    Faulted,
    FaultPolicy,
    Greeted,
    MatchEnded,
    RequestType,
)
from arena.fold import IllegalEvent, apply, asked
from arena.state import Bidding, Exchanging, Offering, Playing, State, Substituting, begin, hand
from protocol.cards import SEATS, Seat
from protocol.messages import FaultKind
from protocol.rules import Rules
from tests.arena import naive_rules as naive
from tests.arena.naive_match import NaiveMatch
from tests.arena.tables import (
    KINDS,
    SET,
    STANDARD,
    choosers,
    every,
    play,
    policies,
    rules,
    started,
    states,
)

# Deal 1 of the vectors: S deals, W leads, and only S holds the AS.
HANDS: dict[Seat, list[str]] = {
    "N": ["JC", "3D", "5D", "6D", "9D", "3H", "6H", "QH", "KH", "AH", "4S", "9S", "KS"],
    "E": ["5C", "KC", "AC", "2D", "8D", "JD", "QD", "KD", "4H", "5H", "TH", "2S", "3S"],
    "S": ["7C", "4D", "7D", "7H", "8H", "9H", "JH", "5S", "7S", "TS", "JS", "QS", "AS"],
    "W": ["2C", "3C", "4C", "6C", "8C", "9C", "TC", "QC", "TD", "AD", "2H", "6S", "8S"],
}
DEAL = Dealt(deal=1, dealer="S", hands=HANDS)
BIDS: list[AnyEvent] = [BidMade(seat=seat, bid=3) for seat in ("W", "N", "E", "S")]


def after(*events: AnyEvent, rules: Rules = STANDARD) -> State:
    state = begin(started(rules))
    for event in events:
        state = apply(state, event)
    return state


def card(seat: Seat, name: str) -> CardPlayed:
    return CardPlayed(seat=seat, card=name)


def faulted(seat: Seat, request: RequestType) -> Faulted:
    return Faulted(
        seat=seat, kind="exit", request=request, detail="it ended", raw=None, ruling="forfeit"
    )


def dealt(**changes: object) -> Dealt:
    return replace(DEAL, **changes)


def hands(seat: Seat, *cards: str) -> dict[Seat, list[str]]:
    return {**HANDS, seat: list(cards)}


PLAYED = [DEAL, *BIDS]
TRICK = [card("W", "2C"), card("N", "JC"), card("E", "5C"), card("S", "7C")]

ILLEGAL: list[tuple[list[AnyEvent], AnyEvent, str]] = [
    # the deal
    ([], dealt(deal=2), "deal 1, dealt by S, is due (R1.3)"),
    ([], dealt(deal=0), "deal 1, dealt by S, is due"),
    ([], dealt(dealer="N"), "deal 1, dealt by S, is due"),
    ([], dealt(hands=hands("N", *HANDS["N"][1:])), "13 of the 52 cards (R1.4)"),
    ([], dealt(hands=hands("N", *HANDS["N"], "JC")), "13 of the 52 cards"),
    ([], dealt(hands=hands("N", "AS", *HANDS["N"][1:])), "13 of the 52 cards"),
    ([], dealt(hands=hands("N", *HANDS["N"], "2C")), "13 of the 52 cards"),
    ([], dealt(hands=hands("W", "AS", *HANDS["W"][1:])), "13 of the 52 cards"),
    ([], dealt(hands=hands("N")), "13 of the 52 cards"),
    ([], dealt(hands=hands("N", "BJ", *HANDS["N"][1:])), "no 'BJ'"),
    ([], dealt(hands=hands("N", "", *HANDS["N"][1:])), "no ''"),
    ([], dealt(hands={seat: HANDS[seat] for seat in SEATS[:3]}), "no 'W'"),
    ([DEAL], DEAL, "a deal where none is due"),
    (PLAYED, DEAL, "a deal where none is due"),
    # the bids
    ([], BIDS[0], "a bid of W, whose turn it is not (R2.1)"),
    ([DEAL], BIDS[1], "a bid of N, whose turn it is not"),
    ([DEAL, BIDS[0]], BIDS[0], "a bid of W, whose turn it is not"),
    ([DEAL], BidMade(seat="W", bid=14), "W may not bid 14 (R2)"),
    ([DEAL], BidMade(seat="W", bid=-1), "W may not bid -1"),
    (PLAYED, BIDS[0], "a bid of W, whose turn it is not"),
    ([DEAL], card("W", "2C"), "a card of W, whose turn it is not (R4.1)"),
    # the cards
    (PLAYED, card("N", "JC"), "a card of N, whose turn it is not"),
    (PLAYED, card("W", "JC"), "W may not play JC: it is not in the hand"),
    (PLAYED, card("W", "XX"), "W may not play XX: this deck has no such card"),
    (PLAYED, card("W", "BJ"), "W may not play BJ: this deck has no such card"),
    (PLAYED, card("W", ""), "this deck has no such card"),
    (PLAYED, card("W", "6S"), "spades are not broken and may not be led yet (R4.3)"),
    (
        [*PLAYED, TRICK[0]],
        card("N", "AH"),
        "clubs were led, and the hand has JC to follow (R4.2)",
    ),
    ([*PLAYED, TRICK[0]], card("N", "4S"), "to follow (R4.2)"),
    ([*PLAYED, TRICK[0]], card("E", "5C"), "a card of E, whose turn it is not"),
    ([*PLAYED, *TRICK], card("W", "3C"), "a card of W, whose turn it is not"),
    ([*PLAYED, *TRICK], card("N", "JC"), "it is not in the hand"),
    # checkpoints that are not due, and greetings
    ([], DealEnded(deal=1, taken={}, delta={}, score={}, bags={}), "the deal is not over"),
    (PLAYED, DealEnded(deal=1, taken={}, delta={}, score={}, bags={}), "the deal is not over"),
    (
        PLAYED,
        MatchEnded(winner="NS", reason="target", score={}, faults={}, deals=0),
        "the match is not over",
    ),
    ([DEAL], Greeted(seat="N"), "a greeting of N, which was not to be started here"),
    ([], started(), "the match has begun already"),
    # faults of those who were not asked
    ([], faulted("N", "bid"), "N could not be asked for 'bid' here"),
    ([DEAL], faulted("N", "bid"), "N could not be asked for 'bid' here"),
    ([DEAL], faulted("W", "play"), "W could not be asked for 'play' here"),
    (PLAYED, faulted("W", "bid"), "W could not be asked for 'bid' here"),
    (PLAYED, faulted("W", "hello"), "W could not be asked for 'hello' here"),
    (PLAYED, faulted("N", "play"), "N could not be asked for 'play' here"),
]


@pytest.mark.parametrize(("before", "event", "reason"), ILLEGAL)
def test_an_event_that_is_not_allowed_is_refused_with_the_reason(
    before: list[AnyEvent], event: AnyEvent, reason: str
) -> None:
    state = after(*before)
    with pytest.raises(IllegalEvent) as caught:
        apply(state, event)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    "before", [[], [DEAL], PLAYED, [*PLAYED, *TRICK]], ids=["hello", "bid", "play", "play2"]
)
def test_nothing_but_the_end_follows_a_forfeit(before: list[AnyEvent]) -> None:
    asked = after(*before)
    match asked.phase:
        case Bidding(turn=turn):
            fault = faulted(turn, "bid")
        case Playing(turn=turn):
            fault = faulted(turn, "play")
        case None:
            fault = faulted("N", "hello")
    state = apply(asked, fault)
    for event in (DEAL, BIDS[0], TRICK[0], card("N", "9D"), fault, Greeted(seat="N")):
        with pytest.raises(IllegalEvent, match="nothing but its end can follow"):
            apply(state, event)
    due = fold.match_end(state)
    sides = ("EW", "NS") if fault.seat in "NS" else ("NS", "EW")
    assert (due.winner, due.forfeited) == sides
    assert (due.reason, due.deals, due.faults) == ("forfeit", 0, {fault.seat: {"exit": 1}})
    ended = apply(state, due)
    for event in (DEAL, fault, due):
        with pytest.raises(IllegalEvent, match="the match has ended"):
            apply(ended, event)


WRONG: list[tuple[str, Callable[[DealEnded], DealEnded]]] = [
    ("deal", lambda due: replace(due, deal=due.deal + 1)),
    ("taken", lambda due: replace(due, taken={**due.taken, "N": due.taken["N"] + 1})),
    ("taken", lambda due: replace(due, taken={})),
    ("delta", lambda due: replace(due, delta={**due.delta, "EW": due.delta["EW"] - 1})),
    ("score", lambda due: replace(due, score={**due.score, "NS": due.score["NS"] + 1})),
    ("score", lambda due: replace(due, score={**due.score, "N": 0})),
    ("bags", lambda due: replace(due, bags={**due.bags, "NS": due.bags["NS"] + 1})),
]


@pytest.mark.parametrize(("field", "change"), WRONG)
def test_a_checkpoint_with_a_wrong_number_names_the_field(
    field: str, change: Callable[[DealEnded], DealEnded]
) -> None:
    events, _ = play(started(Rules(max_deals=1)), choosers(1))
    state, due = next((s, e) for s, e in states(events) if isinstance(e, DealEnded))
    apply(state, due)
    with pytest.raises(IllegalEvent, match=f"^{field} is .*, recomputed [^;]*$"):
        apply(state, change(due))


def test_a_result_with_a_wrong_number_names_the_field() -> None:
    events, _ = play(started(Rules(max_deals=1)), choosers(1))
    state, due = list(states(events))[-1]
    assert isinstance(due, MatchEnded)
    other = "EW" if due.winner == "NS" else "NS"
    for field, event in (
        ("winner", replace(due, winner=other)),
        ("winner", replace(due, winner=None)),
        ("reason", replace(due, reason="target")),
        ("forfeited", replace(due, forfeited=other)),
        ("score", replace(due, score={**due.score, "NS": 500})),
        ("deals", replace(due, deals=2)),
        ("faults", replace(due, faults={"N": {"timeout": 1}})),
    ):
        with pytest.raises(IllegalEvent, match=f"^{field} is .*, recomputed [^;]*$"):
            apply(state, event)


@given(rules=rules, seed=st.integers(0, 2**32), faults=st.sampled_from([0.0, 0.0, 0.01]))
@settings(max_examples=40)
def test_every_match_ends_and_keeps_its_cards(rules: Rules, seed: int, faults: float) -> None:
    events, final = play(started(rules, faults=SET), choosers(seed, faults))
    assert final.ended
    assert final.outcome
    assert final.deals <= rules.max_deals
    assert final.deals or final.outcome.reason == "forfeit"
    everything = (1 << 52) - 1
    for state, event in states(events):
        phase = state.phase
        if isinstance(phase, Bidding):
            assert phase.legal
        if isinstance(phase, Offering | Bidding):
            assert phase.deal.hands == phase.deal.dealt
        if isinstance(phase, Offering | Bidding | Exchanging):
            assert sum(phase.deal.hands.values()) == everything
            assert sum(held.bit_count() for held in phase.deal.hands.values()) == 52
        if not isinstance(phase, Playing):
            continue
        on_table = state.deck.card_set(phase.cards)
        held = [hand(phase, seat) for seat in SEATS]
        gone = [state.deck.card_set(trick.cards) for trick in phase.tricks]
        # Every card is in exactly one place.
        assert sum(held) + on_table + sum(gone) == everything
        assert sum(map(int.bit_count, [*held, on_table, *gone])) == 52
        assert sum(phase.taken.values()) == len(phase.tricks)
        assert phase.held == hand(phase, phase.turn)
        assert phase.legal & ~phase.held == 0
        assert bool(phase.legal) == (len(phase.tricks) < 13)
        assert all(held.bit_count() == 13 for held in phase.deal.hands.values())
        assert isinstance(event, CardPlayed | Faulted if phase.legal else DealEnded)


@given(
    rules=rules,
    seed=st.integers(0, 2**32),
    faults=st.sampled_from([0.0, 0.01, 0.01, 0.3]),
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=3),
    policy=policies | st.builds(every, st.just("substitute"), st.integers(2, 100)),
)
@settings(max_examples=75)
def test_every_match_is_the_one_that_the_naive_rules_make(
    rules: Rules, seed: int, faults: float, kinds: list[FaultKind], policy: FaultPolicy
) -> None:
    events, _ = play(started(rules, faults=policy), choosers(seed, faults, kinds))
    lines = [json.loads(msgspec.json.encode(event)) for event in events]
    match = NaiveMatch(lines[0])
    for (state, _), line in zip(states(events), lines[1:], strict=True):
        due, seat = match.due()
        if seat or due == "deal_end":
            asks = {turn: request for request, turn in filter(None, [match.asked()])}
            assert {other: asked(state, other) for other in SEATS} == {
                other: asks.get(other) for other in SEATS
            }
        if seat:
            choices = match.choices()
            assert choices
            assert choices_of(state) == choices
        if isinstance(state.phase, Playing):
            assert state.phase.broken == naive.spades_broken(rules, match.tricks)
            assert [trick.winner for trick in state.phase.tricks] == match.winners()
        match.take(line)


def choices_of(state: State) -> list[Any]:
    """What may be bid, passed or played."""
    phase = state.phase
    match phase.asking if isinstance(phase, Substituting) else phase:
        case Bidding(legal=legal):
            return list(legal)
        case Exchanging(turn=turn) as phase:
            return list(state.deck.names(hand(phase, turn)))
        case Playing(legal=legal):
            return list(state.deck.names(legal))
    return [True, False]


def test_the_deal_and_the_lead_pass_clockwise_and_the_winner_leads() -> None:
    events, _ = play(started(Rules(max_deals=4)), choosers(3))
    assert [event.dealer for event in events if isinstance(event, Dealt)] == ["S", "W", "N", "E"]
    first_bidders = [
        state.phase.turn
        for state, _ in states(events)
        if isinstance(state.phase, Bidding) and not state.phase.deal.bids
    ]
    assert first_bidders == ["W", "N", "E", "S"]
    state = after(*PLAYED, *TRICK)
    assert isinstance(state.phase, Playing)
    assert (state.phase.turn, state.phase.leader, state.phase.led) == ("N", "N", 0)
    assert state.phase.taken == {"N": 1, "E": 0, "S": 0, "W": 0}


def test_a_state_is_never_changed_by_what_follows_it() -> None:
    events, _ = play(started(Rules(max_deals=2)), choosers(5))
    seen = [(state, repr(state)) for state, _ in states(events)]
    assert all(repr(state) == text for state, text in seen)


def test_spades_led_by_a_hand_of_spades_break_them_unless_only_a_cut_does() -> None:
    suits = {"N": "C", "E": "S", "S": "D", "W": "H"}
    own = {seat: [rank + suits[seat] for rank in naive.PLAIN] for seat in SEATS}
    for breaking, broken in (("any_spade", True), ("cut", False)):
        state = begin(started(Rules(spades_broken_by=breaking), dealer="N"))  # type: ignore[arg-type]
        state = apply(state, Dealt(deal=1, dealer="N", hands=own))
        for seat in ("E", "S", "W", "N"):
            state = apply(state, BidMade(seat=seat, bid=3))
        state = apply(state, card("E", "2S"))
        assert isinstance(state.phase, Playing)
        assert state.phase.broken == broken
