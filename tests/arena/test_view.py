"""Nothing reaches a seat that it may not know: no request changes when unseen cards do."""

import re
from collections.abc import Callable
from itertools import repeat
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena import fold, view
from arena.bot import ScriptedBot
from arena.events import AnyEvent, CardPlayed, DealEnded, Dealt, Faulted, MatchEnded
from arena.fold import IllegalEvent
from arena.state import Bidding, Playing, State, begin, hand
from protocol.cards import DECKS, SEATS, Seat
from protocol.messages import Bid, DealEnd, Play, PlayReply, Reply, Request
from protocol.rules import Rules
from tests.arena.tables import choose, choosers, play, rules, started, states

CARD = re.compile(r'"((?:[2-9TJQKA][SHDC])|BJ|LJ)"')

encode = msgspec.json.Encoder().encode


def asking(state: State) -> bool:
    """Somebody is on turn."""
    phase = state.phase
    return isinstance(phase, Bidding) or (isinstance(phase, Playing) and bool(phase.legal))


def exchanged(state: State, random: Random) -> State:
    """The same position to the seat on turn, with the other seats' cards anywhere else."""
    phase = state.phase
    assert phase is not None
    unplayed = phase.unplayed if isinstance(phase, Playing) else (1 << 52) - 1
    others = [seat for seat in SEATS if seat != phase.turn]
    held = {seat: phase.deal.hands[seat] & unplayed for seat in others}
    pool = state.deck.names(sum(held.values()))
    random.shuffle(pool)
    hands = dict(phase.deal.hands)
    for seat in others:
        count = held[seat].bit_count()
        hands[seat] ^= held[seat] ^ state.deck.card_set(pool[:count])
        del pool[:count]
    return replace(state, phase=replace(phase, deal=replace(phase.deal, hands=hands)))


@given(rules=rules, seed=st.integers(0, 2**32))
@settings(max_examples=50)
def test_a_request_does_not_change_when_unseen_cards_are_exchanged(rules: Rules, seed: int) -> None:
    events, _ = play(started(rules), choosers(seed))
    random = Random(seed)
    positions = [state for state, _ in states(events) if asking(state)]
    for state in positions:
        other = exchanged(state, random)
        assert encode(view.request(other)) == encode(view.request(state))
    assert any(exchanged(state, random) != state for state in positions)


def test_nor_when_the_deal_was_another_that_was_bid_and_played_the_same() -> None:
    compared = 0
    for seed in range(40):
        random = Random(seed)
        events, _ = play(started(Rules(max_deals=1)), choosers(seed))
        moment = random.choice([i for i, (s, _) in enumerate(states(events)) if asking(s)])
        before = events[1 : moment + 1]
        state = folded(before)
        for _ in range(30):
            other = refolded(before, state, random)
            if other is not None and other != state:
                compared += 1
                assert encode(view.request(other)) == encode(view.request(state))
    assert compared > 200


def folded(events: list[AnyEvent]) -> State:
    state = begin(started(Rules(max_deals=1)))
    for event in events:
        state = fold.apply(state, event)
    return state


def refolded(events: list[AnyEvent], state: State, random: Random) -> State | None:
    """The position after the same events but for the deal; None where they were not legal."""
    phase = state.phase
    assert phase is not None
    played = {event.card for event in events if isinstance(event, CardPlayed)}
    deal = next(event for event in events if isinstance(event, Dealt))
    hands = {seat: list(cards) for seat, cards in deal.hands.items()}
    one, two = random.sample([seat for seat in SEATS if seat != phase.turn], 2)
    ones = [card for card in hands[one] if card not in played]
    twos = [card for card in hands[two] if card not in played]
    for a, b in zip(ones, twos, strict=False):
        if random.random() < 0.4:
            hands[one][hands[one].index(a)], hands[two][hands[two].index(b)] = b, a
    try:
        return folded([replace(e, hands=hands) if e is deal else e for e in events])
    except IllegalEvent:
        return None


@given(rules=rules, seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_request_names_no_card_but_the_seat_s_own_and_those_played(
    rules: Rules, seed: int
) -> None:
    events, _ = play(started(rules), choosers(seed))
    played: set[str] = set()
    for state, event in states(events):
        if isinstance(event, Dealt):
            played = set()
        if asking(state):
            named = set(CARD.findall(encode(view.request(state)).decode()))
            assert named == own_cards(state) | played
        if isinstance(event, CardPlayed):
            played.add(event.card)


def own_cards(state: State) -> set[str]:
    phase = state.phase
    assert phase is not None
    held = hand(phase, phase.turn) if isinstance(phase, Playing) else phase.deal.hands[phase.turn]
    return set(state.deck.names(held))


@given(rules=rules, seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_request_says_what_has_happened(rules: Rules, seed: int) -> None:
    events, _ = play(started(rules), choosers(seed))
    for state, event in states(events):
        if not asking(state):
            continue
        request, phase = view.request(state), state.phase
        assert phase is not None
        assert request.deal == state.deals + 1
        assert (request.seat, request.dealer) == (phase.turn, state.dealer)
        assert (request.score, request.bags) == (state.score, state.bags)
        assert request.hand == state.deck.names(state.deck.card_set(request.hand))  # sorted
        if isinstance(request, Bid):
            assert len(request.hand) == 13
            assert list(request.bids) == clockwise_from(state.dealer)[: len(request.bids)]
            assert request.legal == sorted(request.legal)
        else:
            assert isinstance(event, CardPlayed)
            assert event.card in request.legal
            assert set(request.legal) <= set(request.hand)
            assert len(request.hand) == 13 - len(request.tricks)
            assert list(request.bids) == clockwise_from(state.dealer)
            assert (
                len(request.trick.cards)
                == (SEATS.index(request.seat) - SEATS.index(request.trick.leader)) % 4
            )
            assert sum(request.taken.values()) == len(request.tricks)


def clockwise_from(dealer: Seat) -> list[Seat]:
    """The dealer's left first, the dealer last."""
    first = SEATS.index(dealer) + 1
    return [SEATS[(first + i) % 4] for i in range(4)]


def test_hello_tells_a_seat_its_own_seed_and_nothing_of_the_deals_or_the_others() -> None:
    match = started()
    for seat in SEATS:
        request = view.hello(match, seat)
        text = encode(request).decode()
        assert (request.seat, request.seed) == (seat, match.players[seat].seed)
        assert request.partner == {"N": "S", "E": "W", "S": "N", "W": "E"}[seat]
        for other in SEATS:
            assert (str(match.players[other].seed) in text) == (other == seat)
            assert match.players[other].hash not in text
        assert str(match.origin.seed) not in text
        assert not CARD.findall(text)


def test_nobody_has_a_partner_in_solo_play() -> None:
    match = started(Rules(players="solo", min_bid=1, nil=0))
    assert [view.hello(match, seat).partner for seat in SEATS] == [None] * 4


def test_the_end_of_a_deal_shows_all_hands_as_dealt() -> None:
    events, _ = play(started(Rules(max_deals=2)), choosers(1))
    dealt = [event for event in events if isinstance(event, Dealt)]
    told = [view.deal_end(s, e) for s, e in states(events) if isinstance(e, DealEnded)]
    ended = [event for event in events if isinstance(event, DealEnded)]
    assert len(told) == 2
    for message, deal, end in zip(told, dealt, ended, strict=True):
        assert isinstance(message, DealEnd)
        assert (message.deal, message.dealer, message.hands) == (deal.deal, deal.dealer, deal.hands)
        assert message.taken == end.taken
        assert (message.delta, message.score, message.bags) == (end.delta, end.score, end.bags)
        assert {card for trick in message.tricks for card in trick.cards} == set(
            DECKS["standard"].cards
        )


def careless(random: Random) -> Callable[[Request], Reply]:
    """Bids, then plays any card of the deck."""

    def reply(request: Request) -> Reply:
        if isinstance(request, Play):
            return PlayReply(id=0, card=random.choice(DECKS["standard"].cards))
        return choose(random)(request)

    return reply


def test_the_fault_of_an_illegal_card_names_no_card_of_another_seat() -> None:
    for seed in range(20):
        bots = {**choosers(seed), "E": ScriptedBot(repeat(careless(Random(seed))))}
        events, _ = play(started(), bots)
        state, fault = next((s, e) for s, e in states(events) if isinstance(e, Faulted))
        sent = fault.detail.split("'")[1]
        named = set(re.findall(r"\b[2-9TJQKA][SHDC]\b", view.fault(fault).detail)) - {sent}
        assert named
        assert named <= own_cards(state)


def test_the_result_says_who_was_at_fault_and_why_the_match_ended() -> None:
    event = MatchEnded(
        winner="EW",
        reason="forfeit",
        score={"NS": 1, "EW": 0},
        faults={"N": {"timeout": 1}},
        deals=3,
    )
    message = view.match_end(event)
    assert (message.winner, message.reason, message.score, message.faults) == (
        "EW",
        "forfeit",
        {"NS": 1, "EW": 0},
        {"N": {"timeout": 1}},
    )


@pytest.mark.parametrize("kind", [Bid, Play])
def test_the_clock_of_a_request_is_left_to_whoever_sends_it(kind: type[Bid | Play]) -> None:
    events, _ = play(started(Rules(max_deals=1)), choosers(1))
    requests = [view.request(state) for state, _ in states(events) if asking(state)]
    found = [request for request in requests if isinstance(request, kind)]
    assert {request.id for request in found} == {0}
    assert len({id(request.clock) for request in found}) == len(found)  # none is shared
