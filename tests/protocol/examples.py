"""One message of each type."""

from protocol.messages import (
    Arena,
    Bid,
    BlindNil,
    DealEnd,
    Exchange,
    Exchanged,
    Fault,
    Hello,
    MatchClock,
    MatchEnd,
    Message,
    Play,
    Request,
    Trick,
)
from protocol.rules import HelloRules

HELLO = Hello(
    id=7,
    arena=Arena("spades-arena", "0.1.0"),
    match="m",
    seat="N",
    partner="S",
    rules=HelloRules(),
    clock=MatchClock(10_000, 1_000),
    seed=1,
)
BID = Bid(
    id=7,
    deal=1,
    seat="N",
    dealer="W",
    hand=("2C",),
    legal=(0, 1),
    bids={},
    blind=(),
    score={"NS": 0, "EW": 0},
    bags={"NS": 0, "EW": 0},
)
BLIND_NIL = BlindNil(
    id=7,
    deal=1,
    seat="N",
    dealer="W",
    bids={},
    blind=(),
    score={"NS": 0, "EW": 100},
    bags={"NS": 0, "EW": 0},
)
EXCHANGE = Exchange(
    id=7,
    deal=1,
    seat="N",
    dealer="W",
    hand=("2C", "3C", "9H", "2S"),
    bids={"N": 3, "E": 3, "S": 0, "W": 3},
    blind=("S",),
    count=2,
    to="S",
    received=("9H", "2S"),
    score={"NS": 0, "EW": 100},
    bags={"NS": 0, "EW": 0},
)
PLAY = Play(
    id=7,
    deal=1,
    seat="N",
    dealer="W",
    hand=("2C",),
    legal=("2C",),
    bids={"N": 3, "E": 3, "S": 3, "W": 3},
    blind=(),
    trick=Trick("N", ()),
    tricks=(),
    taken={},
    broken=False,
    score={"NS": 0, "EW": 0},
    bags={"NS": 0, "EW": 0},
)
REQUESTS: list[Request] = [HELLO, BLIND_NIL, BID, EXCHANGE, PLAY]
MESSAGES: list[Message] = [
    *REQUESTS,
    Fault(kind="timeout", detail="no line within 1000 ms", ruling="forfeit"),
    DealEnd(
        deal=1,
        dealer="W",
        hands={"N": ("2C",), "E": ("3C",), "S": ("4C",), "W": ("5C",)},
        bids=EXCHANGE.bids,
        blind=("S",),
        exchanged={
            "N": Exchanged(gave=("2C",), got=("4C",)),
            "S": Exchanged(gave=("4C",), got=("2C",)),
        },
        tricks=(),
        taken={"N": 13, "E": 0, "S": 0, "W": 0},
        delta={"NS": 137, "EW": -60},
        score={"NS": 137, "EW": -60},
        bags={"NS": 7, "EW": 0},
    ),
    MatchEnd(winner=None, reason="void", score={"NS": -40, "EW": 62}, faults={"N": {"timeout": 1}}),
]
