"""What a program answers to the lines of a record: told apart from what was recorded."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.bot import BotFault
from arena.events import BidMade, CardsPassed, Faulted, Greeted
from arena.lines import LogLines
from arena.refeeding import Refed, refeed
from arena.sent import Asked, sent
from tests.arena.programs import written
from tests.tournaments.replayed import RECORDS

(BID,) = [
    each for each in sent(RECORDS["fair"](), "N") if isinstance(each, Asked) and each.turn == (1, 1)
]
"""The first request for a bid, which the clock of the match gives a second."""
MADE = BID.recorded
PASSED = CardsPassed(seat="N", cards=("2C", "AS"))
LATE = Faulted(seat="N", kind="timeout", request="bid", detail="", raw=None, ruling="forfeit")
EXIT = replace(LATE, kind="exit")


@pytest.mark.parametrize(
    ("recorded", "now", "ms", "differs"),
    [
        (MADE, MADE, 9_999, False),
        (MADE, replace(MADE, note="another", ms=7.0), 1, False),
        (MADE, BidMade(seat="N", bid=13), 1, True),
        (MADE, BotFault("exit", ""), 0, True),
        (MADE, None, 0, True),
        (PASSED, replace(PASSED, cards=("AS", "2C")), 1, False),
        (PASSED, replace(PASSED, cards=("AS", "3C")), 1, True),
        (EXIT, BotFault("exit", "for another reason"), 0, False),
        (EXIT, BotFault("malformed", ""), 0, True),
        (EXIT, MADE, 1, True),
        (LATE, MADE, 999, True),
        (LATE, MADE, 1_001, False),
        (LATE, BotFault("exit", ""), 0, True),
        (Greeted(seat="N", name="a"), Greeted(seat="N", name="b"), 1, False),
    ],
)
def test_what_differs(recorded: Any, now: Any, ms: float, differs: bool) -> None:
    assert BID.limit_ms == 1_000
    assert Refed(replace(BID, recorded=recorded), now, float(ms)).differs is differs


def test_a_log_is_heard_with_the_request_it_was_written_at(tmp_path: Path) -> None:
    program = written(
        tmp_path,
        """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    print("at", m["type"], file=sys.stderr, end="\\n" if "id" in m else "")
    if "id" in m:
        print(json.dumps({"id": m["id"], "bid": 3, "card": m.get("legal", [0])[0]}), flush=True)
""",
    )
    log = LogLines()
    heard = []
    for refed in refeed(sent(RECORDS["fair"](), "N"), program, log):
        heard.append((refed.asked.request.__struct_config__.tag, log.take()))
    deals = [index for index, (kind, _) in enumerate(heard) if kind == "bid"]
    assert len(deals) == 2
    for index, (kind, lines) in enumerate(heard):
        ended = "at deal_end" if index == deals[1] else ""
        assert lines == [f"{ended}at {kind}"]
    assert log.take() == []
    assert log.take(rest=True) == ["at deal_endat match_end"]
