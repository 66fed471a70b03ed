"""Hints: what the bot behind a person says, whatever it says."""

import pytest

from arena.bot import BotFault, ScriptedBot
from arena.lag import ArenaLag
from protocol.messages import (
    BidReply,
    BlindNilReply,
    ExchangeReply,
    PlayReply,
    Reply,
    Request,
)
from tests.tournaments.person.test_choosing import BID, BLIND, EXCHANGE, NO_NIL, play
from tournaments.person.hints import Adviser

FOLLOW = play("5H", "QH", led="AH")
ESCAPE = r"\x1b"
LATE = BotFault("timeout", "no reply within 1000 ms - \x1b hurry")
GONE = BotFault("exit", "it exited with status 1")


@pytest.mark.parametrize(
    ("asked", "reply", "told"),
    [
        (FOLLOW, PlayReply(id=0, card="QH", note="high \x07"), r"play Q♥ (high \x07)"),
        (FOLLOW, PlayReply(id=0, card="KS"), "play KS, which is illegal"),
        (FOLLOW, PlayReply(id=0, card=""), "play , which is illegal"),
        (FOLLOW, PlayReply(id=0, card="\x1b" * 99), f"play {ESCAPE * 40}, which is illegal"),
        (BID, BidReply(id=0, bid=0), "bid nil"),
        (NO_NIL, BidReply(id=0, bid=3), "bid 3, which is illegal"),
        (BLIND, BlindNilReply(id=0, blind_nil=True), "bid blind nil"),
        (BLIND, BlindNilReply(id=0), "decline blind nil"),
        (EXCHANGE, ExchangeReply(id=0, cards=["QS", "3C"]), "pass Q♠ 3♣"),
        (EXCHANGE, ExchangeReply(id=0), "pass 3♣ 10♦"),
        (EXCHANGE, ExchangeReply(id=0, cards=["2S", "3C"]), "pass 2S 3C, which is illegal"),
    ],
)
def test_a_reply_is_a_hint_in_words(asked: Request, reply: Reply, told: str) -> None:
    assert Adviser("counting", ScriptedBot([reply])).consider(asked) == f"counting would {told}"


def test_a_bot_that_fails_costs_its_hint_and_one_that_has_ended_is_not_asked_again() -> None:
    bot = ScriptedBot([LATE, PlayReply(id=0, card="5H"), GONE])
    adviser = Adviser("counting", bot)
    assert adviser.consider(FOLLOW) == (
        r"no hint from counting, timeout: no reply within 1000 ms - \x1b hurry"
    )
    assert adviser.consider(FOLLOW) == "counting would play 5♥"
    for _ in range(3):
        assert "no hint from counting, exit: it exited" in adviser.consider(FOLLOW)
    assert len(bot.asked) == 3


def test_an_arena_that_is_late_costs_hints_and_never_the_match() -> None:
    def late(request: Request) -> Reply:
        raise ArenaLag(30.0)

    bot = ScriptedBot([late])
    adviser = Adviser("counting", bot)
    for _ in range(2):
        assert adviser.consider(FOLLOW).startswith("no hints from counting any more")
    assert len(bot.asked) == 1
