"""Every preset is played to its end by every bot, through the real codec."""

import json

import pytest
from msgspec import UNSET

from arena.rules import PRESETS
from protocol.cards import DECKS, DeckName
from protocol.codec import decode_message, decode_reply
from protocol.messages import (
    Bid,
    BidReply,
    BlindNil,
    Exchange,
    ExchangeReply,
    Hello,
    Play,
    PlayReply,
    Request,
)
from protocol.rules import Rules
from tests.sample_bots.seated import BOTS, FIVE_LINES, new, play


@pytest.mark.parametrize(
    ("first", "second"),
    [(FIVE_LINES, FIVE_LINES), (FIVE_LINES, "counting"), ("high_card", "random_legal")],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_match_without_a_fault(preset: str, first: str, second: str) -> None:
    state, seated = play(first, second, seed=1, rules=PRESETS[preset])
    assert state.faults == {}
    assert state.ended
    assert state.outcome
    assert state.outcome.reason in ("target", "floor", "max_deals")
    assert state.deals > 1
    for bot in seated:
        (hello, _), *_, (last, _) = bot.lines
        assert json.loads(hello)["rules"]["target"] == PRESETS[preset].target
        assert json.loads(last)["score"] == state.score
        assert sum(b'"type":"deal_end"' in line for line, _ in bot.lines) == state.deals


@pytest.mark.parametrize("name", [*BOTS, FIVE_LINES])
@pytest.mark.parametrize("deck", DECKS)
def test_every_request_is_answered_with_something_legal(name: str, deck: DeckName) -> None:
    rules = Rules(deck=deck, target=5_000, max_deals=16, blind_nil=200, blind_nil_exchange=2)
    _, seated = play("random_legal", "random_legal", rules=rules)
    bot, answered = new(name), set()
    for line, _ in seated[0].lines:
        request, reply = decode_message(line), bot(line)
        if not isinstance(request, Request):
            assert reply is None
            continue
        assert reply
        answered.add(type(request))
        match request, decode_reply(reply.rstrip(), request):
            case (Bid(), BidReply(bid=bid)):
                assert bid in request.legal
            case (Play(), PlayReply(card=card)):
                assert card in request.legal
            case (Exchange(), ExchangeReply(cards=cards)) if cards is not UNSET:
                assert len(set(cards)) == len(cards) == request.count
                assert set(cards) <= set(request.hand)
    assert answered == {Hello, BlindNil, Bid, Exchange, Play}


@pytest.mark.parametrize("preset", [n for n in PRESETS if PRESETS[n].players == "partners"])
def test_counting_is_ahead_of_high_card_under_all_rules_for_partners(preset: str) -> None:
    won = 0
    for seed in range(2):
        for leg, side in enumerate(("NS", "EW")):
            state, _ = play("counting", "high_card", seed, leg, PRESETS[preset])
            assert state.outcome
            won += state.outcome.winner == side
    assert won >= 3
