"""A recorded match of each sample bot, sent to it again, differs nowhere."""

import zlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.deals import seed_root
from arena.events import Clocks, FaultPolicy
from arena.lines import LogLines
from arena.match import play, specify
from arena.process import UNBOXED
from arena.refeeding import refeed
from arena.sent import sent
from protocol.cards import SEATS, Seat
from protocol.rules import Rules
from tests.sample_bots.found import SAMPLE_BOTS, prepared

RULES = Rules(max_deals=1, blind_nil=200, blind_nil_deficit=0, blind_nil_exchange=1)
"""All kinds of requests, as soon as a bot bids blind nil."""
ASKED: tuple[Seat, Seat] = ("N", "E")


@pytest.mark.parametrize("name", SAMPLE_BOTS)
def test_it_differs_nowhere(name: str, once: Path) -> None:
    program = prepared(name, once)
    spec = specify(
        "match",
        seed_root(5),
        {seat: replace(program, name=seat.lower()) for seat in SEATS},
        rules=RULES,
        clock=Clocks(start_ms=60_000, move_ms=60_000),
        faults=FaultPolicy(),
        sandbox=UNBOXED,
    )
    result = play(spec)
    assert not result.faults
    for seat in ASKED:
        answers = list(refeed(sent(zlib.decompress(result.record), seat), program, LogLines()))
        assert len(answers) >= 15
        assert not [refed for refed in answers if refed.differs]
