"""The rule cases, and 400 whole deals that another engine made, judged by the engine here.

`tests/cases` holds them as data. A case's `rules` is what stands under `rules:` in a tournament
file.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena import fold
from arena.events import BidMade, CardPlayed, Dealt
from arena.rules import (
    SeatResult,
    legal_bids,
    legal_cards,
    offers_blind_nil,
    outcome,
    resolve,
    score_side,
    sides,
    trick_winner,
)
from arena.state import Bidding, Playing, State, begin
from protocol.cards import DECKS, SEATS
from tests.arena.tables import started

Case = dict[str, Any]

CASES = Path(__file__).parent.parent / "cases"
RULE_CASES: dict[str, list[Case]] = json.loads((CASES / "rules.json").read_text())
DEALS: list[Case] = [json.loads(line) for line in (CASES / "deals.jsonl").open()]

READINGS = {"standard": {}, "failed_nil_tricks=contract": {"failed_nil_tricks": "contract"}}
"""What a deal's results are named after, and the options that give them."""


def cases(kind: str) -> pytest.MarkDecorator:
    """A test of every case of a kind."""
    found = RULE_CASES[kind]
    assert found
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


@cases("scoring")
def test_a_deal_scores_what_the_case_says(case: Case) -> None:
    rules = resolve(case["rules"])
    blind = case.get("blind", [])
    for side, seats in sides(rules.players).items():
        results = [SeatResult(case["bids"][s], case["tricks"][s], s in blind) for s in seats]
        score = score_side(rules, results, case["before"]["bags"][side])
        assert (score.delta, score.bags) == (case["delta"][side], case["bags"][side]), side


@cases("match_end")
def test_a_match_ends_when_the_case_says_so_and_for_that_side(case: Case) -> None:
    score = {side: points + case["delta"][side] for side, points in case["before"].items()}
    ended = outcome(resolve(case["rules"]), score, deals=9)
    assert (ended is not None) == case["over"]
    assert (ended.winner if ended else None) == case["winner"]


@cases("bidding")
def test_the_bids_of_the_case_are_legal_and_no_others(case: Case) -> None:
    rules = resolve(case["rules"])
    assert list(legal_bids(rules, case["partner_bid"])) == case["legal"]
    score, side = case.get("score", {"NS": 0, "EW": 0}), case.get("side", "NS")
    offered = offers_blind_nil(rules, score, side, case["partner_bid"])
    assert offered == case["blind_nil_offered"]


@cases("legality")
def test_the_cards_of_the_case_are_legal_and_no_others(case: Case) -> None:
    rules = resolve(case["rules"])
    deck = DECKS[rules.deck]
    led = deck.suit_of[case["trick"][0]] if case["trick"] else 0
    legal = legal_cards(rules, deck, deck.card_set(case["hand"]), led, case["broken"])
    assert sorted(deck.names(legal)) == case["legal"]


@cases("trick_winner")
def test_the_card_of_the_case_takes_the_trick(case: Case) -> None:
    deck = DECKS[resolve(case["rules"]).deck]
    assert trick_winner(deck, tuple(case["cards"])) == case["winner"]


def test_there_are_400_deals() -> None:
    assert len(DEALS) == 400


@pytest.mark.parametrize("case", DEALS, ids=lambda case: f"deal{case['id']}")
def test_another_engine_s_deal_replays_to_the_same_legal_cards_winners_and_scores(
    case: Case,
) -> None:
    for reading, options in READINGS.items():
        before = begin(started(resolve(options), dealer=case["dealer"]))
        before = replace(before, score=case["before"]["score"], bags=case["before"]["bags"])
        phase = _replay(case, before)
        assert isinstance(phase.phase, Playing)
        assert [trick.winner for trick in phase.phase.tricks] == case["winners"]

        checkpoint = fold.deal_end(phase)
        assert checkpoint.taken == case["tricks"]
        assert {"delta": checkpoint.delta, "bags": checkpoint.bags} == case[reading]
        after = fold.apply(phase, checkpoint)
        assert after.bags == case[reading]["bags"]
        assert after.score == {
            side: points + case[reading]["delta"][side]
            for side, points in case["before"]["score"].items()
        }


def _replay(case: Case, state: State) -> State:
    """The state after the 13th trick."""
    state = fold.apply(state, Dealt(deal=1, dealer=case["dealer"], hands=case["hands"]))
    for _ in SEATS:
        assert isinstance(state.phase, Bidding)
        seat = state.phase.turn
        state = fold.apply(state, BidMade(seat=seat, bid=case["bids"][seat]))
    for seat, card, legal in case["plays"]:
        assert isinstance(state.phase, Playing)
        assert state.phase.turn == seat
        assert sorted(state.deck.names(state.phase.legal)) == legal
        state = fold.apply(state, CardPlayed(seat=seat, card=card))
    return state
