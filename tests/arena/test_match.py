"""A match between programs that the arena can't play to its end: what its bots are told then."""

import json
from pathlib import Path

import pytest
from msgspec import structs

from arena.deals import seed_root
from arena.match import play, specify
from arena.news import News
from arena.process import UNBOXED
from arena.state import begin
from protocol.cards import SEATS
from protocol.rules import Rules
from tests.arena.programs import PATIENT, children, written
from tests.arena.tables import every, started

KEEPER = """
import json, sys
deal = {}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        seat = message["seat"]
    if message["type"] == "deal_end":
        deal = message
    if message["type"] == "match_end":
        with open(f"{sys.argv[1]}/{seat}", "w") as file:
            json.dump([deal.get("score"), message], file)
    if "id" in message:
        bid = 99 if seat == "E" and message.get("deal") == 1 else 3
        card = message.get("legal", [None])[0]
        print(json.dumps({"id": message["id"], "bid": bid, "card": card}), flush=True)
"""
"""Keeps the last score and the last message; E's first bid is illegal."""

SOLO = Rules(players="solo", min_bid=1, nil=0)


@pytest.mark.parametrize(
    ("rules", "deal", "faults"),
    [
        (Rules(), 1, {}),
        (Rules(), 2, {"E": {"illegal": 1}}),
        (SOLO, 2, {"E": {"illegal": 1}}),
    ],
    ids=["before a deal is finished", "after one", "each for itself"],
)
def test_a_match_that_is_void_ends_with_what_is_known_of_it(
    rules: Rules, deal: int, faults: object, home: Path
) -> None:
    (home / "kept").mkdir()
    program = written(home, KEEPER)
    program = structs.replace(program, command=(*program.command, str(home / "kept")))
    spec = specify(
        "m",
        seed_root(1),
        dict.fromkeys(SEATS, program),
        rules=rules,
        clock=structs.replace(PATIENT, exit_ms=60_000),
        faults=every("substitute"),
        sandbox=UNBOXED,
    )

    def fail(news: News) -> None:
        if news.deal == deal:
            raise OSError("the arena's own trouble")

    with pytest.raises(OSError, match="the arena's own trouble"):
        play(spec, fail)
    assert children() == []
    zero = begin(started(rules)).score
    for seat in SEATS:
        score, message = json.loads((home / "kept" / seat).read_text())
        assert (message["winner"], message["reason"]) == (None, "void")
        assert message["faults"] == faults
        assert message["score"] == (score or zero)
        assert message["score"].keys() == zero.keys()
        assert (score is None) == (deal == 1)
