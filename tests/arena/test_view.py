"""Nothing reaches a seat that it may not know: no request changes when unseen cards do."""

import re
from collections.abc import Callable, Sequence
from itertools import accumulate, repeat
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena import fold, view
from arena.bot import ScriptedBot
from arena.events import (
    AnyEvent,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    DealEnded,
    Dealt,
    Faulted,
    MatchEnded,
    MatchStarted,
)
from arena.fold import IllegalEvent
from arena.state import Bidding, Exchanging, Offering, Playing, State, begin, hand
from protocol.cards import DECKS, PARTNER, SEATS, Deck, Seat
from protocol.messages import (
    NO_CLOCK,
    Bid,
    BlindNil,
    DealEnd,
    Exchange,
    Exchanged,
    Play,
    PlayReply,
    Reply,
    Request,
)
from protocol.rules import Rules
from tests.arena.tables import KINDS, choose, choosers, every, play, rules, started, states

CARD = re.compile(r'"((?:[2-9TJQKA][SHDC])|BJ|LJ)"')
BLIND = Rules(max_deals=1, blind_nil=200, blind_nil_exchange=2)

FORGIVING = every("substitute", 1000)

encode = msgspec.json.Encoder().encode

Asking = Offering | Bidding | Exchanging | Playing


def asking(state: State) -> Asking | None:
    """The phase, where somebody is on turn."""
    phase = state.phase
    if isinstance(phase, Offering | Bidding | Exchanging):
        return phase
    return phase if isinstance(phase, Playing) and phase.legal else None


def faulty(seed: int) -> dict[Seat, ScriptedBot]:
    """In every third match the arena decides a twentieth of all."""
    return choosers(seed, 0.05 if seed % 3 == 0 else 0.0, KINDS)


def exchanged(state: State, random: Random) -> State:
    """The same position to the seat on turn, with the cards it can't see anywhere else."""
    phase = asking(state)
    assert phase
    deal, turn = phase.deal, phase.turn
    unplayed = phase.unplayed if isinstance(phase, Playing) else (1 << 52) - 1
    # Who is still to bid blind or not has not seen its own cards either.
    hidden = [seat for seat in SEATS if seat != turn or isinstance(phase, Offering)]
    held = {seat: deal.hands[seat] & unplayed for seat in hidden}
    pool = list(state.deck.names(sum(held.values())))
    random.shuffle(pool)
    hands = dict(deal.hands)
    for seat in hidden:
        count = held[seat].bit_count()
        hands[seat] ^= held[seat] ^ state.deck.card_set(pool[:count])
        del pool[:count]
    own = {turn, PARTNER[turn]}
    passed = {seat: cards if seat in own else hands[seat] for seat, cards in deal.passed.items()}
    other = replace(deal, hands=hands, dealt=hands, passed=passed)
    return replace(state, phase=replace(phase, deal=other))


@given(rules=rules, seed=st.integers(0, 2**32))
@settings(max_examples=50)
def test_a_request_does_not_change_when_unseen_cards_are_exchanged(rules: Rules, seed: int) -> None:
    events, _ = play(started(rules, faults=FORGIVING), faulty(seed))
    random = Random(seed)
    positions = [state for state, _ in states(events) if asking(state)]
    for state in positions:
        other = exchanged(state, random)
        assert encode(view.request(other)) == encode(view.request(state))
    assert any(exchanged(state, random) != state for state in positions)


@pytest.mark.parametrize(
    ("rules", "least"),
    [(Rules(max_deals=1), 200), (BLIND, 200), (replace(BLIND, deck="jokers_nyc"), 200)],
    ids=["standard", "blind", "blind with jokers"],
)
def test_nothing_sent_changes_when_the_deal_was_another_that_was_bid_and_played_the_same(
    rules: Rules, least: int
) -> None:
    compared: dict[str, int] = {}
    for seed in range(60):
        random = Random(seed)
        events, _ = play(started(rules, faults=FORGIVING), faulty(seed))
        # Half of the moments before the play, which is most of a deal.
        asked = [i for i, (state, _) in enumerate(states(events), 1) if asking(state)]
        moment = random.choice(asked if seed % 2 else asked[:10])
        before = events[:moment]
        for seat in SEATS:
            sent = sent_to(seat, before)
            for _ in range(8):
                other = with_other_cards(before, seat, DECKS[rules.deck], random)
                if other and other != before:
                    kind = type(sent[-1]).__name__ if sent else "nothing"
                    compared[kind] = compared.get(kind, 0) + 1
                    assert list(map(encode, sent_to(seat, other))) == list(map(encode, sent))
    assert sum(compared.values()) > least
    if rules.blind_nil:
        assert {"nothing", "BlindNil", "Bid", "Exchange", "Play"} <= set(compared)


def sent_to(seat: Seat, events: Sequence[AnyEvent]) -> list[Request]:
    """What a seat has been asked when these events have happened."""
    first, *rest = events
    assert isinstance(first, MatchStarted)
    found: list[Request] = []
    for state in accumulate(rest, fold.apply, initial=begin(first)):
        phase = asking(state)
        if phase and phase.turn == seat:
            found.append(view.request(state))
    return found


def with_other_cards(
    events: list[AnyEvent], seat: Seat, deck: Deck, random: Random
) -> list[AnyEvent] | None:
    """The same events with some cards changed that `seat` has not seen; None if not legal."""
    deal = next(event for event in events if isinstance(event, Dealt))
    seen = {event.card for event in events if isinstance(event, CardPlayed)}
    if any(isinstance(request, Bid | Exchange | Play) for request in sent_to(seat, events)):
        seen |= set(deal.hands[seat])
        for event in events:
            if isinstance(event, CardsPassed) and event.seat == PARTNER[seat]:
                seen |= set(event.cards)
    unseen = [card for card in deck.cards if card not in seen]
    if len(unseen) < 2:
        return None
    other = {card: card for card in deck.cards}
    for _ in range(random.randint(1, 8)):
        a, b = random.sample(unseen, 2)
        other[a], other[b] = other[b], other[a]
    changed: list[AnyEvent] = []
    for event in events:
        if isinstance(event, Dealt):
            hands = {s: [other[card] for card in cards] for s, cards in event.hands.items()}
            changed.append(replace(event, hands=hands))
        elif isinstance(event, CardsPassed):
            changed.append(replace(event, cards=tuple(other[card] for card in event.cards)))
        else:
            changed.append(event)
    try:
        sent_to(seat, changed)
    except IllegalEvent:
        return None
    return changed


@given(rules=rules, seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_request_names_no_card_but_the_seat_s_own_those_it_passed_and_those_played(
    rules: Rules, seed: int
) -> None:
    events, _ = play(started(rules), choosers(seed))
    played: set[str] = set()
    passed: dict[Seat, tuple[str, ...]] = {}
    for state, event in states(events):
        if isinstance(event, Dealt):
            played, passed = set(), {}
        phase = asking(state)
        if phase:
            named = set(CARD.findall(encode(view.request(state)).decode()))
            assert named == own_cards(state) | played | set(passed.get(phase.turn, ()))
        if isinstance(event, CardPlayed):
            played.add(event.card)
        if isinstance(event, CardsPassed):
            passed[event.seat] = event.cards


def own_cards(state: State) -> set[str]:
    """Those that the seat on turn may see in its hand."""
    phase = asking(state)
    assert phase
    return set() if isinstance(phase, Offering) else set(state.deck.names(hand(phase, phase.turn)))


@given(rules=rules, seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_request_says_what_has_happened(rules: Rules, seed: int) -> None:
    events, _ = play(started(rules), choosers(seed))
    blind: list[Seat] = []
    for state, event in states(events):
        if isinstance(event, Dealt):
            blind = []
        phase = asking(state)
        if not phase:
            continue
        request = view.request(state)
        assert request.deal == state.deals + 1
        assert (request.seat, request.dealer) == (phase.turn, state.dealer)
        assert (request.score, request.bags) == (state.score, state.bags)
        assert list(request.bids) == clockwise_from(state.dealer)[: len(request.bids)]
        assert list(request.blind) == blind
        assert all(request.bids[seat] == 0 for seat in blind)
        if not isinstance(request, BlindNil):
            assert list(request.hand) == sorted(request.hand, key=state.deck.number.__getitem__)
        if isinstance(event, BlindNilAnswered) and event.blind_nil:
            blind.append(event.seat)
        if isinstance(request, Bid):
            assert len(request.hand) == 13
            assert list(request.legal) == sorted(request.legal)
            assert request.seat not in request.bids
        if isinstance(request, Exchange):
            assert isinstance(event, CardsPassed)
            assert len(request.bids) == 4
            assert request.to == PARTNER[request.seat]
            assert len(request.hand) == 13 + len(request.received)
            assert set(request.received) <= set(request.hand)
            assert len(request.received) in (0, request.count)
        if isinstance(request, Play):
            assert isinstance(event, CardPlayed)
            assert event.card in request.legal
            assert set(request.legal) <= set(request.hand)
            assert len(request.hand) == 13 - len(request.tricks)
            assert len(request.bids) == 4
            assert (
                len(request.trick.cards)
                == (SEATS.index(request.seat) - SEATS.index(request.trick.leader)) % 4
            )
            assert sum(request.taken.values()) == len(request.tricks)


def clockwise_from(dealer: Seat) -> list[Seat]:
    """The dealer's left first, the dealer last."""
    first = SEATS.index(dealer) + 1
    return [SEATS[(first + i) % 4] for i in range(4)]


@given(seed=st.integers(0, 2**32), deck=st.sampled_from(list(DECKS)), count=st.integers(1, 13))
@settings(max_examples=30)
def test_an_exchange_is_told_to_the_two_partners_in_play_and_to_all_at_the_end(
    seed: int, deck: str, count: int
) -> None:
    rules = replace(BLIND, deck=deck, blind_nil_exchange=count)
    events, _ = play(started(rules), choosers(seed))
    sort = DECKS[rules.deck].number.__getitem__
    gave = {e.seat: tuple(sorted(e.cards, key=sort)) for e in events if isinstance(e, CardsPassed)}
    due = {seat: Exchanged(cards, gave[PARTNER[seat]]) for seat, cards in gave.items()}
    blind = {e.seat for e in events if isinstance(e, BlindNilAnswered) and e.blind_nil}
    assert set(due) == blind | {PARTNER[seat] for seat in blind}
    for state, event in states(events):
        if isinstance(state.phase, Playing) and asking(state):
            request = view.request(state)
            assert isinstance(request, Play)
            assert request.exchange == due.get(request.seat)
        if isinstance(event, DealEnded):
            assert view.deal_end(state, event).exchanged == (due or None)


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


@pytest.mark.parametrize("rules", [Rules(max_deals=2), replace(BLIND, max_deals=2)])
def test_the_end_of_a_deal_shows_all_hands_as_dealt(rules: Rules) -> None:
    events, _ = play(started(rules), choosers(1))
    dealt = [event for event in events if isinstance(event, Dealt)]
    told = [view.deal_end(s, e) for s, e in states(events) if isinstance(e, DealEnded)]
    ended = [event for event in events if isinstance(event, DealEnded)]
    assert len(told) == 2
    assert any(isinstance(event, CardsPassed) for event in events) == bool(rules.blind_nil)
    for message, deal, end in zip(told, dealt, ended, strict=True):
        assert isinstance(message, DealEnd)
        assert (message.deal, message.dealer) == (deal.deal, deal.dealer)
        assert message.hands == {seat: tuple(cards) for seat, cards in deal.hands.items()}
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
        forfeited="NS",
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


@pytest.mark.parametrize("kind", [BlindNil, Bid, Exchange, Play])
def test_the_clock_of_a_request_is_left_to_whoever_sends_it(
    kind: type[BlindNil | Bid | Exchange | Play],
) -> None:
    events, _ = play(started(BLIND), choosers(1))
    requests = [view.request(state) for state, _ in states(events) if asking(state)]
    found = [request for request in requests if isinstance(request, kind)]
    assert {request.id for request in found} == {0}
    assert {request.clock for request in found} == {NO_CLOCK}


def test_requests_may_share_cards_tricks_and_clock_as_nobody_can_change_them() -> None:
    events, _ = play(started(BLIND), choosers(1))
    for state, event in states(events):
        if asking(state):
            request = view.request(state)
            for name in request.__struct_fields__:
                value = getattr(request, name)
                if not isinstance(value, dict):
                    hash(value)  # a TypeError for what can be changed, however deep inside
        if isinstance(event, DealEnded):
            message = view.deal_end(state, event)
            hash((*message.hands.values(), *(message.exchanged or {}).values(), message.tricks))
