"""Blind nil, from the offer to the exchange of cards: who is asked what, in which order (R3)."""

import json
import re
from collections.abc import Callable, Mapping
from itertools import accumulate, repeat
from random import Random

import msgspec
import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from arena import fold, view
from arena.bot import ScriptedBot
from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    Dealt,
    Faulted,
)
from arena.fold import IllegalEvent, apply
from arena.state import Bidding, Exchanging, Offering, Playing, State, begin
from protocol.cards import SEATS, Seat
from protocol.messages import (
    BidReply,
    BlindNil,
    BlindNilReply,
    Exchange,
    ExchangeReply,
    HelloReply,
    Play,
    Reply,
    Request,
)
from protocol.rules import Rules
from tests.arena.tables import DEALER, choose, choosers, hands, play, started

ALWAYS = Rules(blind_nil=200)
BEHIND = Rules(blind_nil=200, blind_nil_deficit=100)
TEAM = Rules(blind_nil=200, min_team_bid=4)
TWO = Rules(max_deals=1, blind_nil=200, blind_nil_exchange=2)
SOLO = Rules(players="solo", blind_nil=200, blind_nil_deficit=100)
ORDER: list[Seat] = ["W", "N", "E", "S"]  # S deals


def dealt(rules: Rules, score: Mapping[str, int] | None = None) -> State:
    """The first deal is dealt, at this score."""
    state = begin(started(rules))
    state = replace(state, score={**state.score, **(score or {})})
    return apply(state, Dealt(deal=1, dealer=DEALER, hands=hands(1, DEALER, state.deck)))


def bidding(state: State, choices: Mapping[Seat, int | None]) -> tuple[State, list[str]]:
    """The state after all bids, None being a blind nil where it is offered; and what was asked."""
    asked: list[str] = []
    while isinstance(state.phase, Offering | Bidding):
        seat = state.phase.turn
        choice = choices.get(seat, 4)
        if isinstance(state.phase, Offering):
            asked.append(f"{seat}?")
            state = apply(state, BlindNilAnswered(seat=seat, blind_nil=choice is None))
        else:
            asked.append(seat)
            state = apply(state, BidMade(seat=seat, bid=choice or 0))
    return state, asked


OFFERS: list[tuple[Rules, dict[str, int], dict[Seat, int | None], str]] = [
    # without a deficit everybody is asked, whatever the score
    (Rules(), {"NS": -500}, {}, "W N E S"),
    (ALWAYS, {}, {}, "W? W N? N E? E S? S"),
    (ALWAYS, {"NS": 400}, {}, "W? W N? N E? E S? S"),
    (ALWAYS, {}, {"N": None}, "W? W N? E? E S? S"),
    (ALWAYS, {}, dict.fromkeys(SEATS), "W? N? E? S?"),
    # with one, a side that trails by it or more
    (BEHIND, {}, {}, "W N E S"),
    (BEHIND, {"NS": 99}, {}, "W N E S"),
    (BEHIND, {"NS": 100}, {}, "W? W N E? E S"),
    (BEHIND, {"NS": 101}, {}, "W? W N E? E S"),
    (BEHIND, {"EW": 100}, {}, "W N? N E S? S"),
    (BEHIND, {"NS": -100}, {}, "W N? N E S? S"),
    (BEHIND, {"NS": -300, "EW": -200}, {"N": None, "S": None}, "W N? E S?"),
    # a bid of this deal changes nothing
    (BEHIND, {"EW": 100}, {"W": 13, "E": 13}, "W N? N E S? S"),
    # R2.4: no nil beside a bid under the minimum, blind or not
    (TEAM, {}, {"W": 3, "N": 4}, "W? W N? N E S? S"),
    (TEAM, {}, {"W": 4, "N": 13}, "W? W N? N E? E S? S"),
    (TEAM, {}, {"W": None, "N": 0}, "W? N? N E S"),
    # in solo play whoever trails the leader
    (SOLO, {"N": 100, "E": 1, "S": 0, "W": -50}, {}, "W? W N E S? S"),
    (SOLO, {"N": 100, "E": 0, "S": 0, "W": 0}, {"E": None, "S": None}, "W? W N E? S?"),
]


@pytest.mark.parametrize(("rules", "score", "choices", "expected"), OFFERS)
def test_blind_nil_is_offered_to_whom_the_rules_say(
    rules: Rules, score: dict[str, int], choices: dict[Seat, int | None], expected: str
) -> None:
    state, asked = bidding(dealt(rules, score), choices)
    assert " ".join(asked) == expected
    assert isinstance(state.phase, Playing)
    blind = [seat for seat in ORDER if f"{seat}?" in asked and choices.get(seat, 4) is None]
    assert list(state.phase.deal.blind) == blind
    assert all(state.phase.deal.bids[seat] == 0 for seat in blind)
    assert list(state.phase.deal.bids) == ORDER


def test_the_offer_has_no_hand_and_names_no_card() -> None:
    for deck in ("standard", "jokers", "jokers_nyc"):
        state = dealt(replace(ALWAYS, deck=deck))
        request = view.request(state)
        assert isinstance(request, BlindNil)
        text = msgspec.json.encode(request).decode()
        assert set(json.loads(text)) == {
            *("type", "id", "deal", "seat", "dealer", "bids", "blind", "score", "bags", "clock")
        }
        assert not re.findall(r"[2-9TJQKA][SHDC]|BJ|LJ", text)


def test_who_declines_sees_the_cards_and_bids_and_who_accepts_has_bid_nil() -> None:
    state = dealt(TWO)
    declined = apply(state, BlindNilAnswered(seat="W", blind_nil=False))
    request = view.request(declined)
    assert isinstance(declined.phase, Bidding)
    assert (declined.phase.turn, declined.phase.deal.bids) == ("W", {})
    assert not isinstance(request, BlindNil)
    assert request.hand == tuple(hands(1, DEALER, state.deck)["W"])

    accepted = apply(state, BlindNilAnswered(seat="W", blind_nil=True))
    assert isinstance(accepted.phase, Offering)
    assert accepted.phase.turn == "N"
    told = view.request(accepted)
    assert (told.bids, told.blind) == ({"W": 0}, ("W",))


PASSES: list[tuple[str, str]] = [
    ("", ""),
    ("W", "WE EW"),
    ("E", "EW WE"),
    ("N", "NS SN"),
    ("S", "SN NS"),
    # both partners: one exchange, and the earlier bidder passes first
    ("WE", "WE EW"),
    ("NS", "NS SN"),
    # both sides: the side whose bidder bid first begins
    ("WN", "WE EW NS SN"),
    ("NE", "NS SN EW WE"),
    ("ES", "EW WE SN NS"),
    ("WS", "WE EW SN NS"),
    ("NES", "NS SN EW WE"),
    ("WES", "WE EW SN NS"),
    ("WNES", "WE EW NS SN"),
]


@pytest.mark.parametrize(("blind", "expected"), PASSES)
@pytest.mark.parametrize("count", [0, 1, 2, 13])
def test_cards_are_passed_in_this_order(blind: str, expected: str, count: int) -> None:
    rules = replace(TWO, blind_nil_exchange=count)
    state, _ = bidding(dealt(rules), {seat: None for seat in SEATS if seat in blind})
    steps = []
    while isinstance(state.phase, Exchanging):
        phase = state.phase
        steps.append(f"{phase.turn}{phase.to}")
        cards = state.deck.names(phase.deal.hands[phase.turn])[-count:]
        state = apply(state, CardsPassed(seat=phase.turn, cards=cards))
    assert " ".join(steps) == (expected if count else "")
    assert isinstance(state.phase, Playing)
    assert state.phase.turn == "W"
    assert all(held.bit_count() == 13 for held in state.phase.deal.hands.values())


@pytest.mark.parametrize("count", [1, 2, 13])
def test_the_partner_sees_the_cards_and_may_pass_the_same_ones_back(count: int) -> None:
    state, _ = bidding(dealt(replace(TWO, blind_nil_exchange=count)), {"N": None})
    before = {seat: tuple(cards) for seat, cards in hands(1, DEALER, state.deck).items()}
    first = view.request(state)
    assert isinstance(first, Exchange)
    assert (first.seat, first.to, first.count) == ("N", "S", count)
    assert (first.hand, first.received) == (before["N"], ())
    cards = before["N"][-count:]
    state = apply(state, CardsPassed(seat="N", cards=cards[::-1]))

    second = view.request(state)
    assert isinstance(second, Exchange)
    assert (second.seat, second.to, second.received) == ("S", "N", cards)
    assert set(second.hand) == {*before["S"], *cards}
    state = apply(state, CardsPassed(seat="S", cards=cards))

    assert isinstance(state.phase, Playing)
    assert state.phase.deal.hands == state.phase.deal.dealt


def test_the_order_in_which_cards_are_passed_tells_the_partner_nothing() -> None:
    state, _ = bidding(dealt(TWO), {"W": None})
    one, two = hands(1, DEALER, state.deck)["W"][:2]
    seen = set()
    for cards in ((one, two), (two, one)):
        passed = apply(state, CardsPassed(seat="W", cards=cards))
        seen.add(msgspec.json.encode(view.request(passed)))
        back = apply(passed, CardsPassed(seat="E", cards=cards))
        turned = apply(back, CardPlayed(seat="W", card=one))
        turned = apply(turned, CardPlayed(seat="N", card="JC"))
        request = view.request(turned)
        assert isinstance(request, Play)
        assert request.seat == "E"
        seen.add(msgspec.json.encode(request))
    assert len(seen) == 2


def hello() -> HelloReply:
    return HelloReply(id=0)


def accept() -> BlindNilReply:
    return BlindNilReply(id=0, blind_nil=True)


def exchange(cards: list[str] | UnsetType) -> ExchangeReply:
    return ExchangeReply(id=0, cards=cards)


def against(*script: Reply | Callable[[Request], Reply]) -> tuple[ScriptedBot, list[AnyEvent]]:
    """A match of three sound bots and a script at W, which bids first."""
    bots = {**choosers(1), "W": ScriptedBot(script)}
    events, _ = play(started(TWO), bots)
    return bots["W"], events


def test_without_cards_in_the_reply_the_lowest_go() -> None:
    bot, events = against(hello(), accept(), exchange(UNSET), *repeat(choose(Random(1)), 13))
    passed = [event for event in events if isinstance(event, CardsPassed)]
    assert (passed[0].seat, passed[0].cards) == ("W", ("2C", "3C"))
    assert [type(request).__name__ for request in bot.asked[:4]] == [
        *("Hello", "BlindNil", "Exchange", "Play")
    ]


def test_a_blind_nil_is_declined_by_a_reply_without_the_field() -> None:
    declines, bid = BlindNilReply(id=0), BidReply(id=0, bid=3)
    bot, events = against(hello(), declines, bid, *repeat(choose(Random(1)), 14))
    assert BlindNilAnswered(seat="W", blind_nil=False, ms=0.0) in events
    assert [type(request).__name__ for request in bot.asked[1:3]] == ["BlindNil", "Bid"]


# W holds 2C 3C 4C 6C 8C 9C TC QC TD AD 2H 6S 8S.
HAND = "2C 3C 4C 6C 8C 9C TC QC TD AD 2H 6S 8S"


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ([], f"passing '' is not legal: 2 cards are to be passed, not 0 - choose from {HAND}"),
        (["2C"], "passing '2C' is not legal: 2 cards are to be passed, not 1 - choose from"),
        (["2C", "3C", "4C"], "'2C 3C 4C' is not legal: 2 cards are to be passed, not 3"),
        (["2C", "2C"], "passing '2C 2C' is not legal: a card stands twice"),
        (["2C", "AS"], "passing '2C AS' is not legal: not all of them are in the hand"),
        (["2C", "2c"], "not all of them are in the hand"),
        (["2C", "BJ"], "not all of them are in the hand"),
        (["2C 3C", ""], "not all of them are in the hand"),
        (["2C", "\0\n"], r"passing '2C \x00\n' is not legal: not all"),
        (["2C"] * 1_000, "2 cards are to be passed, not 1000"),
        (["x" * 30_000] * 2, "x...' is not legal: a card stands twice"),
    ],
)
def test_cards_that_can_not_be_passed_are_illegal_with_a_sentence(
    cards: list[str], sentence: str
) -> None:
    _, events = against(hello(), accept(), exchange(cards))
    (fault,) = (event for event in events if isinstance(event, Faulted))
    assert (fault.seat, fault.kind, fault.request) == ("W", "illegal", "exchange")
    assert sentence in fault.detail
    assert fault.detail.isprintable()
    assert len(fault.detail) < 700
    assert fault.raw is not None
    assert len(fault.raw) < 210


START = dealt(TWO)
BID: list[AnyEvent] = [
    BlindNilAnswered(seat="W", blind_nil=True),
    *(
        event
        for seat in ORDER[1:]
        for event in (BlindNilAnswered(seat=seat, blind_nil=False), BidMade(seat=seat, bid=3))
    ),
]
PASSED: list[AnyEvent] = [
    CardsPassed(seat="W", cards=("2C", "AD")),
    CardsPassed(seat="E", cards=("5C", "2C")),
]


@pytest.mark.parametrize(
    ("before", "event", "reason"),
    [
        # the offer
        ([], BidMade(seat="W", bid=3), "a bid of W, whose turn it is not (R2.1)"),
        ([], BidMade(seat="W", bid=0), "a bid of W, whose turn it is not"),
        ([], BlindNilAnswered(seat="N", blind_nil=True), "N was not offered blind nil (R3.1)"),
        (BID[:1], BlindNilAnswered(seat="W", blind_nil=True), "W was not offered blind nil"),
        (BID[:2], BlindNilAnswered(seat="N", blind_nil=True), "N was not offered blind nil"),
        (BID[:2], BidMade(seat="E", bid=3), "a bid of E, whose turn it is not"),
        ([], PASSED[0], "W passes cards, whose turn it is not (R3.3)"),
        # the exchange
        (BID, PASSED[1], "E passes cards, whose turn it is not"),
        (BID, CardPlayed(seat="W", card="2C"), "a card of W, whose turn it is not (R4.1)"),
        (BID, CardsPassed(seat="W", cards=("2C",)), "2 cards are to be passed, not 1 (R3.3)"),
        (BID, CardsPassed(seat="W", cards=("2C", "2C")), "a card stands twice (R3.3)"),
        (BID, CardsPassed(seat="W", cards=("2C", "5C")), "not all of them are in the hand (R3.3)"),
        ([*BID, PASSED[0]], PASSED[0], "W passes cards, whose turn it is not"),
        ([*BID, PASSED[0]], CardsPassed(seat="N", cards=("JC", "3D")), "N passes cards, whose"),
        ([*BID, PASSED[0]], CardsPassed(seat="E", cards=("2C", "3C")), "not all of them are in"),
        ([*BID, *PASSED], PASSED[0], "W passes cards, whose turn it is not"),
        ([*BID, *PASSED], CardPlayed(seat="W", card="AD"), "W may not play AD: it is not in the"),
    ],
)
def test_an_event_that_is_not_allowed_is_refused_with_the_reason(
    before: list[AnyEvent], event: AnyEvent, reason: str
) -> None:
    *_, state = accumulate(before, fold.apply, initial=START)
    with pytest.raises(IllegalEvent) as caught:
        apply(state, event)
    assert reason in str(caught.value)


def test_after_the_exchange_the_cards_received_may_be_played() -> None:
    *_, state = accumulate([*BID, *PASSED], fold.apply, initial=START)
    state = apply(state, CardPlayed(seat="W", card="5C"))
    state = apply(state, CardPlayed(seat="N", card="JC"))
    assert isinstance(state.phase, Playing)
    assert state.deck.names(state.phase.legal) == ("KC", "AC")


def test_hands_of_any_deck_can_be_exchanged() -> None:
    def jokers_away(request: Request) -> Reply:
        if isinstance(request, BlindNil):
            return accept()
        if isinstance(request, Exchange):
            return exchange(list(request.hand[-request.count :]))
        return choose(Random(1))(request)

    for deck in ("jokers", "jokers_nyc"):
        rules = replace(TWO, deck=deck, max_deals=3)
        events, state = play(
            started(rules), {seat: ScriptedBot(repeat(jokers_away)) for seat in SEATS}
        )
        assert state.deals == 3
        cards = {card for e in events if isinstance(e, CardsPassed) for card in e.cards}
        assert {"BJ", "LJ"} <= cards
