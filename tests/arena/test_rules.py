"""The rules against a second, naive implementation; the presets against their published table."""

import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.rules import (
    PRESETS,
    RulesError,
    SeatResult,
    breaks_spades,
    exchanges,
    legal_bids,
    legal_cards,
    long_run_points,
    offers_blind_nil,
    outcome,
    resolve,
    score_side,
    score_stopped,
    side_of,
    sides,
    trick_winner,
    why_illegal,
    why_not_passed,
)
from protocol.cards import DECKS, PARTNER, SEATS, DeckName
from protocol.rules import Rules
from tests.arena import naive_rules as naive
from tests.arena import tables

DECK_NAMES: list[DeckName] = ["standard", "jokers", "jokers_nyc"]
decks = st.sampled_from(DECK_NAMES)
cards_of = {name: st.permutations(naive.all_cards(name)) for name in DECK_NAMES}


@given(rules=tables.rules, data=st.data(), broken=st.booleans())
def test_the_legal_cards_are_those_of_the_naive_rules(
    rules: Rules, data: st.DataObject, broken: bool
) -> None:
    deck = DECKS[rules.deck]
    shuffled = data.draw(cards_of[rules.deck])
    table = shuffled[: data.draw(st.integers(0, 3))]
    # Short hands, and hands of one suit, are where the exceptions are.
    hand = shuffled[3 : 3 + data.draw(st.integers(1, 13))]
    if data.draw(st.booleans()):
        some = [card for card in hand if naive.suit(rules.deck, card) == "S"]
        hand = some or hand
    led = deck.suit_of[table[0]] if table else 0
    held = deck.card_set(hand)

    legal = legal_cards(rules, deck, held, led, broken)

    assert sorted(deck.names(legal)) == sorted(naive.legal_cards(rules, hand, table, broken))
    for card in deck.cards:
        if not deck.bit[card] & legal:
            reason = why_illegal(rules, deck, card, held, led)
            assert ("not in the hand" in reason) == (card not in hand)
            assert ("R4.2" in reason) == (card in hand and bool(table))
            assert ("R4.3" in reason) == (card in hand and not table)


@pytest.mark.parametrize(
    ("deck_name", "led", "card", "reason"),
    [
        ("standard", "AC", "AH", "clubs were led, and the hand has 6C 7C to follow (R4.2)"),
        ("standard", "2D", "AH", "diamonds were led, and the hand has 9D to follow (R4.2)"),
        ("standard", "AS", "6C", "spades were led, and the hand has TS JS to follow (R4.2)"),
        ("jokers", "BJ", "6C", "spades were led, and the hand has TS JS to follow (R4.2)"),
        ("jokers_nyc", "2D", "9D", "spades were led, and the hand has TS JS to follow (R4.2)"),
        ("jokers_nyc", "3D", "AH", "diamonds were led, and the hand has 9D to follow (R4.2)"),
    ],
)
def test_who_does_not_follow_is_told_the_suit_and_the_cards_that_would(
    deck_name: DeckName, led: str, card: str, reason: str
) -> None:
    deck = DECKS[deck_name]
    hand = deck.card_set(["6C", "7C", "9D", "AH", "TS", "JS"])
    assert why_illegal(Rules(deck=deck_name), deck, card, hand, deck.suit_of[led]) == reason


@given(deck_name=decks, data=st.data())
def test_the_trick_goes_where_the_naive_rules_send_it(
    deck_name: DeckName, data: st.DataObject
) -> None:
    cards = tuple(data.draw(cards_of[deck_name])[:4])
    assert trick_winner(DECKS[deck_name], cards) == naive.trick_winner(deck_name, cards)


@given(rules=tables.rules, data=st.data())
def test_spades_are_broken_by_the_card_that_the_naive_rules_name(
    rules: Rules, data: st.DataObject
) -> None:
    deck = DECKS[rules.deck]
    cards = data.draw(cards_of[rules.deck])[: data.draw(st.integers(1, 4))]
    led = deck.suit_of[cards[0]]
    broken = any(breaks_spades(rules, deck, deck.bit[card], led) for card in cards)
    assert broken == naive.spades_broken(rules, [cards])


@given(
    min_bid=st.integers(0, 13),
    min_team_bid=st.integers(0, 13),
    nil=st.sampled_from([0, 100]),
    partner_bid=st.none() | st.integers(0, 13),
)
def test_the_bids_are_those_of_the_naive_rules_and_there_is_always_one(
    min_bid: int, min_team_bid: int, nil: int, partner_bid: int | None
) -> None:
    rules = Rules(min_bid=min_bid, min_team_bid=min_team_bid, nil=nil)
    legal = legal_bids(rules, partner_bid)
    assert list(legal) == naive.legal_bids(rules, partner_bid)
    assert legal


@given(
    rules=tables.rules,
    score=st.lists(st.integers(-2, 2).map(lambda n: n * 25), min_size=4, max_size=4),
    partner_bid=st.none() | st.integers(0, 13),
)
def test_blind_nil_is_offered_as_in_the_naive_rules(
    rules: Rules, score: list[int], partner_bid: int | None
) -> None:
    scores = dict(zip(sides(rules.players), score, strict=False))
    partner_bid = partner_bid if rules.players == "partners" else None
    offered = [offers_blind_nil(rules, scores, side, partner_bid) for side in scores]
    assert offered == [naive.offers_blind_nil(rules, scores, s, partner_bid) for s in scores]
    if any(offered) and rules.nil and not rules.min_bid:
        assert 0 in legal_bids(rules, partner_bid)  # a nil that is refused is refused blind too


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("count", [0, 1, 2])
def test_cards_are_exchanged_in_the_order_of_the_naive_rules(dealer: int, count: int) -> None:
    rules = Rules(blind_nil=200, blind_nil_exchange=count)
    bidders = [SEATS[(dealer + 1 + i) % 4] for i in range(4)]
    for number in range(5):
        for blind in itertools.permutations(SEATS, number):
            steps = exchanges(rules, bidders, blind)
            assert list(steps) == naive.exchanges(rules, bidders, blind)
            assert len(steps) == len({seat for seat, _ in steps})
            assert bool(steps) == bool(blind and count)


@given(deck_name=decks, data=st.data(), count=st.integers(1, 13))
def test_cards_may_be_passed_that_are_held_and_named_once(
    deck_name: DeckName, data: st.DataObject, count: int
) -> None:
    deck, rules = DECKS[deck_name], Rules(blind_nil=200, blind_nil_exchange=count)
    shuffled = data.draw(cards_of[deck_name])
    hand, others = shuffled[:13], [*shuffled[13:], "1S", "as", ""]
    cards = list(hand[:count])
    assert why_not_passed(rules, deck, deck.card_set(hand), cards) is None
    place = data.draw(st.integers(0, count - 1))
    wrong: dict[str, list[str]] = {
        f"{count} cards are to be passed, not {count - 1}": cards[1:],
        f"{count} cards are to be passed, not {count + 1}": [*cards, hand[-1]],
        "not all of them are in the hand": [
            *cards[:place],
            data.draw(st.sampled_from(others)),
            *cards[place + 1 :],
        ],
    }
    if count > 1:
        wrong["a card stands twice"] = [*cards[:-1], cards[0]]
    for reason, choice in wrong.items():
        assert why_not_passed(rules, deck, deck.card_set(hand), choice) == reason


@given(
    rules=tables.rules,
    seats=st.lists(st.tuples(st.integers(0, 13), st.booleans()), min_size=1, max_size=2),
    bags=st.integers(0, 40),
    offending=st.booleans(),
)
def test_a_stopped_deal_scores_as_in_the_naive_rules(
    rules: Rules, seats: list[tuple[int, bool]], bags: int, offending: bool
) -> None:
    results = [SeatResult(bid, taken=3, blind=blind) for bid, blind in seats]
    score = score_stopped(rules, results, bags, offending=offending)
    assert score.delta == naive.score_stopped(rules, seats, offending)
    assert (score.tricks, score.new_bags, score.bags) == (score.delta, 0, bags)
    assert long_run_points(rules, score) == score.delta


@given(
    rules=tables.rules,
    blind_nil=st.sampled_from([0, 200]),
    seats=st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13), st.booleans()), max_size=2),
    bags=st.integers(0, 40),
)
def test_a_side_scores_as_in_the_naive_rules(
    rules: Rules, blind_nil: int, seats: list[tuple[int, int, bool]], bags: int
) -> None:
    assume(sum(taken for _, taken, _ in seats) <= 13)
    rules = replace(rules, blind_nil=blind_nil)
    if rules.bag_penalty:
        bags %= rules.bag_limit

    score = score_side(rules, [SeatResult(*seat) for seat in seats], bags)

    assert (score.delta, score.bags, score.new_bags) == naive.score_side(rules, seats, bags)
    assert 0 <= score.new_bags <= 13
    # The identity that ties the three numbers together, whatever the options.
    penalty = score.tricks + score.new_bags * rules.bag_points - score.delta
    assert penalty >= 0
    assert penalty == 0 or rules.bag_penalty


@given(seats=st.lists(st.tuples(st.integers(0, 13), st.integers(0, 6), st.booleans()), max_size=2))
def test_the_long_run_worth_of_a_deal_is_its_points_with_nine_off_for_each_bag(
    seats: list[tuple[int, int, bool]],
) -> None:
    results = [SeatResult(*seat) for seat in seats]
    scores = [score_side(Rules(), results, bags) for bags in range(10)]
    # The mean over all bag counts that a deal can begin with: a penalty is spread over ten bags.
    assert long_run_points(Rules(), scores[0]) == sum(score.delta for score in scores) / 10


@given(
    rules=tables.rules,
    scores=st.lists(st.integers(-30, 30).map(lambda n: n * 10), min_size=4, max_size=4),
    deals=st.integers(1, 4),
)
def test_a_match_ends_as_in_the_naive_rules(rules: Rules, scores: list[int], deals: int) -> None:
    score = dict(zip(sides(rules.players), scores, strict=False))
    ended = outcome(rules, score, deals)
    due = naive.outcome(rules, score, deals)
    assert (ended and (ended.winner, ended.reason)) == due
    if deals == rules.max_deals:
        assert ended


def test_the_cards_of_every_deck_stand_in_the_order_of_the_wire() -> None:
    for name in DECK_NAMES:
        assert list(DECKS[name].cards) == naive.all_cards(name)


def test_partners_sit_opposite_and_solo_seats_are_sides() -> None:
    assert sides("partners") == {"NS": ("N", "S"), "EW": ("E", "W")}
    assert sides("solo") == {seat: (seat,) for seat in SEATS}
    assert all(side_of("partners")[seat] == side_of("partners")[PARTNER[seat]] for seat in SEATS)
    assert side_of("solo") == {seat: seat for seat in SEATS}


DEFAULTS: dict[str, Any] = {
    "players": "partners",
    "deck": "standard",
    "target": 500,
    "floor": None,
    "max_deals": 100,
    "min_bid": 0,
    "min_team_bid": 0,
    "nil": 100,
    "blind_nil": 0,
    "blind_nil_deficit": 0,
    "blind_nil_exchange": 0,
    "lead_spades": "broken",
    "spades_broken_by": "any_spade",
    "failed_nil_tricks": "bags",
    "set_nil_bags": "count",
    "bag_points": 1,
    "bag_limit": 10,
    "bag_penalty": 100,
    "bag_overflow": "carry",
}
DIFFERENCES: dict[str, dict[str, Any]] = {
    "standard": {},
    "classic": {"bag_overflow": "reset", "set_nil_bags": "over_contract"},
    "four_player": {"spades_broken_by": "cut", "failed_nil_tricks": "contract"},
    "app": {"floor": -200},
    "quick": {"floor": -200, "target": 250},
    "playingcards": {"blind_nil": 200, "spades_broken_by": "cut"},
    "blind": {"blind_nil": 200, "blind_nil_deficit": 100, "blind_nil_exchange": 2},
    "min4": {"min_team_bid": 4},
    "no_bags": {"bag_penalty": 0},
    "barmore": {"deck": "jokers", "lead_spades": "any_time"},
    "nyc": {"deck": "jokers_nyc", "lead_spades": "any_time"},
    "solo": {"players": "solo", "min_bid": 1, "nil": 0, "bag_penalty": 0},
    "solo_short": {"players": "solo", "min_bid": 1, "nil": 0, "bag_penalty": 0, "target": 300},
    "solo_bags": {"players": "solo", "min_bid": 1, "nil": 0, "bag_penalty": 100},
}


def test_the_presets_are_those_of_the_published_table() -> None:
    assert list(PRESETS) == list(DIFFERENCES)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_preset_has_the_values_of_the_published_table(name: str) -> None:
    assert msgspec.to_builtins(resolve(name)) == DEFAULTS | DIFFERENCES[name]
    assert resolve({"preset": name}) == resolve(name)


@given(name=st.sampled_from(list(DIFFERENCES)), rules=tables.rules)
def test_any_option_of_a_preset_can_be_overridden(name: str, rules: Rules) -> None:
    options: dict[str, Any] = msgspec.to_builtins(rules)
    # Some presets are for partners only and some for solo play only.
    del options["players"], options["min_team_bid"], options["blind_nil_exchange"]
    resolved = resolve({"preset": name, **options})
    assert msgspec.to_builtins(resolved) == DEFAULTS | DIFFERENCES[name] | options


@pytest.mark.parametrize(
    ("written", "phrase"),
    [
        ({"players": "solo", "min_team_bid": 4}, "min_team_bid needs partners"),
        ({"preset": "min4", "players": "solo"}, "min_team_bid needs partners"),
        ({"preset": "blind", "players": "solo"}, "blind_nil_exchange needs partners"),
        ({"floor": 0}, "floor"),
        ({"floor": 10}, "floor"),
        ("standart", "unknown preset 'standart': there are standard, classic"),
        ({"preset": None}, "unknown preset None"),
        ({"preset": ["standard"]}, "unknown preset"),
        ({"preset": {}}, "unknown preset"),
        ({"target": 0}, "target"),
        ({"target": "500"}, "target"),
        ({"target": 500.0}, "target"),
        ({"target": True}, "target"),
        ({"target": None}, "target"),
        ({"target": 10**30}, "target"),
        ({"max_deals": 0}, "max_deals"),
        ({"min_bid": 14}, "min_bid"),
        ({"min_bid": -1}, "min_bid"),
        ({"nil": -100}, "nil"),
        ({"bag_limit": 0}, "bag_limit"),
        ({"deck": "Jokers"}, "deck"),
        ({"spades_broken_by": "any"}, "spades_broken_by"),
        ({"bag_limits": 10}, "bag_limits"),
        ({1: 2}, "key"),
    ],
)
def test_options_that_make_no_game_are_refused(written: Any, phrase: str) -> None:
    with pytest.raises(RulesError, match=phrase):
        resolve(written)
