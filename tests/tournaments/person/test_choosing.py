"""Keys to choices: every question, with what is legal and what is answered with the rule."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.bot import Answer
from arena.judgement import judge
from arena.rules import PRESETS
from arena.state import Asking
from arena.view import request
from protocol.messages import (
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    Exchange,
    ExchangeReply,
    Play,
    PlayReply,
    Reply,
    Trick,
)
from protocol.rules import Rules
from tests.arena.tables import choosers, started, states
from tests.arena.tables import play as play_match
from tournaments.person.choosing import Choosing, Question, after_key, begin
from tournaments.replays.keyboard import keys

DEAL: dict[str, Any] = {
    "deal": 1, "seat": "S", "dealer": "S", "bids": {}, "blind": (), "score": {}, "bags": {},
}  # fmt: skip
HAND = ("3C", "TD", "5H", "QH", "QS", "KS")


def play(*legal: str, led: str = "", hand: tuple[str, ...] = HAND) -> Play:
    """A card is asked for, in a trick that was led with `led`."""
    return Play(
        **DEAL,
        hand=hand,
        legal=legal or hand,
        trick=Trick("W", (led,) if led else ()),
        tricks=(),
        taken={},
        broken=False,
    )


BID = Bid(**DEAL, hand=HAND, legal=tuple(range(14)))
NO_NIL = Bid(**DEAL, hand=HAND, legal=tuple(range(4, 14)))
BLIND = BlindNil(**DEAL)
EXCHANGE = Exchange(**DEAL, hand=HAND, count=2, to="N", received=())
RULES = Rules(blind_nil=200, blind_nil_exchange=2)
RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"


def pressed(question: Question, typed: str, rules: Rules = RULES) -> Choosing | Reply | str:
    """What comes of these keys, up to a reply or a wish."""
    found: Choosing | Reply | str = begin(question, rules)
    for key in keys(typed):
        assert isinstance(found, Choosing), f"{key!r} comes too late"
        found = after_key(found, key)
    return found


FOLLOW = play("5H", "QH", led="AH")


@pytest.mark.parametrize(
    ("question", "typed", "due"),
    [
        (FOLLOW, f"{RIGHT}\n", "5H"),
        (FOLLOW, f"{RIGHT}{RIGHT}\r", "QH"),
        (FOLLOW, f"{RIGHT}{RIGHT}{RIGHT}\n", "5H"),
        (FOLLOW, f"{LEFT}\n", "QH"),
        (FOLLOW, f"{DOWN}{UP}\n", "5H"),
        (FOLLOW, "5h\n", "5H"),
        (FOLLOW, "q h\n", "QH"),
        (FOLLOW, "qx5♥\n", "5H"),
        (FOLLOW, "ks5h\n", "5H"),
        (FOLLOW, "5\x7fqh\n", "QH"),
        (play("QH", led="AH"), "\n", "QH"),
        (play(), "10d\n", "TD"),
        (play(), "td\n", "TD"),
        (play(), "QS\n", "QS"),
        (play(hand=("2D", "LJ", "BJ")), "lj\n", "LJ"),
        (play(hand=("2D", "LJ", "BJ")), "2d\n", "2D"),
        (BID, "4\n", 4),
        (BID, "13\n", 13),
        (BID, "04\n", 4),
        (BID, "n\n", 0),
        (BID, "0\n", 0),
        (BID, f"{UP}{UP}{RIGHT}{DOWN}\n", 2),
        (BID, "1\x7f5\n", 5),
        (BID, "99\n3\n", 3),
        (NO_NIL, f"{UP}{DOWN}{DOWN}\n", 4),
        (NO_NIL, "0\n5\n", 5),
        (BLIND, "y", True),
        (BLIND, "n", False),
        (BLIND, "xqnn", False),
        (BLIND, "?", "keys"),
        (EXCHANGE, f"{RIGHT} {RIGHT}{RIGHT} \n", ["3C", "5H"]),
        (EXCHANGE, "qs3c\n", ["QS", "3C"]),
        (EXCHANGE, "qs3cqs\n5h\n", ["3C", "5H"]),
        (EXCHANGE, "as2d3ctd\n", ["3C", "TD"]),
        *[
            (question, *wish)
            for question in (FOLLOW, BID, BLIND, EXCHANGE)
            for wish in (("h", "hint"), ("s", "score"), ("?", "keys"), ("qy", "leave"))
        ],
        (FOLLOW, "qnqy", "leave"),
    ],
)
def test_keys_come_to_a_choice_or_a_wish(question: Question, typed: str, due: object) -> None:
    rules = PRESETS["nyc"] if "LJ" in getattr(question, "hand", ()) else RULES
    match pressed(question, typed, rules):
        case PlayReply(card=card):
            assert card == due
        case BidReply(bid=bid):
            assert bid == due
        case BlindNilReply(blind_nil=blind_nil):
            assert blind_nil == due
        case ExchangeReply(cards=cards):
            assert cards == due
        case found:
            assert found == due


@pytest.mark.parametrize(
    ("question", "typed", "told"),
    [
        (FOLLOW, "ks", "K♠ may not be played: hearts were led, and the hand has 5H QH to follow"),
        (FOLLOW, "as", "A♠ may not be played: it is not in the hand"),
        (play("3C", "TD"), "qs", "spades are not broken and may not be led yet (R4.3)"),
        (FOLLOW, "\n", "choose a card with ← → or its name, such as QS, then Enter"),
        (FOLLOW, "k\n", "K is no card"),
        (FOLLOW, "x", "no card is called X"),
        (FOLLOW, "1x", "no card is called 1X"),
        (play(), "l", "no card is called L:"),
        (BID, "\n", "type the tricks you bid for"),
        (BID, "14\n", "14 can't be bid: a bid is a number from 0 to 13 (R2.2)"),
        (NO_NIL, "0\n", "0 can't be bid: there is no nil in these rules (R2.3)"),
        (NO_NIL, "2\n", "2 can't be bid: the lowest bid in these rules is 4 (R2.3)"),
        (BLIND, "\n", "y bids blind nil"),
        (EXCHANGE, "\n", "2 cards are to be passed, not 0"),
        (EXCHANGE, "3c5hqs\n", "2 cards are to be passed, not 3"),
        (EXCHANGE, "as", "A♠ is not in your hand"),
    ],
)
def test_what_is_illegal_is_answered_with_the_rule(
    question: Question, typed: str, told: str
) -> None:
    rules = Rules(nil=0, min_bid=4) if question is NO_NIL else RULES
    found = pressed(question, typed, rules)
    assert isinstance(found, Choosing)
    assert told in found.told
    assert found.typed == "" or question is BID


def test_what_was_told_goes_with_the_next_key_and_leaving_is_asked_first() -> None:
    told = pressed(FOLLOW, "ks")
    assert isinstance(told, Choosing)
    assert after_key(told, "right") == pressed(FOLLOW, RIGHT)
    for question in (FOLLOW, BID, BLIND, EXCHANGE):
        asked = pressed(question, "q")
        assert isinstance(asked, Choosing)
        assert asked.leaving
        assert after_key(asked, "n") == begin(question, RULES)


ANYWHERE = [
    state
    for number, preset in enumerate(("blind", "nyc", "solo", "min4"))
    for state, _ in states(
        play_match(
            started(replace(PRESETS[preset], blind_nil_deficit=0, max_deals=2)), choosers(number)
        )[0]
    )
    if isinstance(state.phase, Asking) and getattr(state.phase, "legal", True)
]
KEYS = st.lists(
    st.sampled_from([*keys(f"{RIGHT}{LEFT}{UP}{DOWN} \n\r\x7f"), *"0123456789akqjtlbcdhsnyq10♠"])
    | st.text(min_size=1, max_size=3),
    max_size=60,
)


@given(seed=st.integers(0, 10_000), typed=KEYS)
def test_whatever_is_typed_comes_to_no_fault(seed: int, typed: list[str]) -> None:
    state = Random(seed).choice(ANYWHERE)
    assert isinstance(state.phase, Asking)
    choosing = begin(request(state), state.rules)
    for key in typed:
        made = after_key(choosing, key)
        if isinstance(made, Reply):
            judge(state, state.phase, Answer(made))  # raises BotFault for what is illegal
            return
        if isinstance(made, Choosing):
            choosing = made
            assert all(text.isprintable() for text in (made.typed, made.told))
