"""Every program of tests/bad_bots in whole matches, as opponent and as partner of sound ones."""

import tempfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from arena import match, record, running
from arena.deals import seed_root
from arena.events import Clocks, Faulted, FaultPolicy
from arena.match import MatchResult
from arena.process import UNBOXED, BotProcess
from arena.program import Program
from protocol.cards import SEATS, Seat
from protocol.messages import Side
from protocol.rules import Rules
from tests.arena.programs import HASTY, PATIENT, bad_bot, children
from tests.arena.test_bad_bots import FAULTY, PROPER

FAULTS: dict[str, tuple[Clocks, str, str]] = {
    **{name: (clock, kind, "") for name, (clock, _, kind, _) in FAULTY.items()},
    "never_reads": (HASTY, "timeout", ""),
    "answers_late": (HASTY, "timeout", ""),
    "debug_then_answers": (PATIENT, "malformed", "'thinking...'"),
    "answers_what_asks_nothing": (PATIENT, "malformed", "(did it answer a message that has no id,"),
    "bids_too_high": (PATIENT, "illegal", "the bid 14 is not legal: "),
    "plays_no_card": (PATIENT, "illegal", "the card '1C' is not legal: "),
    "does_not_follow": (PATIENT, "illegal", "is not legal: "),
}
"""Program -> the clock it plays by, the kind of its fault, part of the sentence."""

ARGUMENTS = {"answers_late": ("/nowhere/signal",)}

SIDES: dict[str, tuple[Side, list[Seat]]] = {
    "as opponent": ("EW", ["E", "W"]),
    "as partner": ("NS", ["N"]),
}
"""The side that loses by it, and where it sits."""


def played(
    name: str, seats: list[Seat], clock: Clocks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> MatchResult:
    """A match of two deals; only the bad bot plays by `clock`, the sound ones have all the time."""

    def seated(program: Program, _: Clocks, *others: Any, **more: Any) -> BotProcess:
        return BotProcess(program, clock if program.name == name else PATIENT, *others, **more)

    monkeypatch.setattr(match, "BotProcess", seated)
    monkeypatch.setattr(running, "LAST_MOMENT_MS", 50.0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bad, sound = bad_bot(name, *ARGUMENTS.get(name, ())), bad_bot("proper")
    spec = match.specify(
        "m",
        seed_root(1),
        {seat: bad if seat in seats else sound for seat in SEATS},
        rules=Rules(max_deals=2),
        clock=PATIENT,
        faults=FaultPolicy(),
        sandbox=UNBOXED,
    )
    result = match.play(spec)
    _, state = record.judge(zlib.decompress(result.record))
    assert state.faults == result.faults
    assert children() == []
    assert list(tmp_path.iterdir()) == []
    return result


@pytest.mark.parametrize("where", SIDES)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_costs_the_match_of_whose_it_is_and_nobody_else(
    name: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, kind, sentence = FAULTS[name]
    side, seats = SIDES[where]
    result = played(name, seats, clock, tmp_path, monkeypatch)
    assert (result.reason, result.forfeited) == ("forfeit", side)
    assert result.winner == ("NS" if side == "EW" else "EW")
    (seat,) = result.faults
    assert seat in seats
    assert result.faults == {seat: {kind: 1}}
    events = [event for _, event in record.read(zlib.decompress(result.record))]
    (fault,) = (event for event in events if isinstance(event, Faulted))
    assert sentence in fault.detail
    assert list(result.logs) == [seat]


@pytest.mark.parametrize("where", SIDES)
@pytest.mark.parametrize("name", [name for name in PROPER if name != "proper"])
def test_an_odd_bot_that_plays_properly_ends_its_match(
    name: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = played(name, SIDES[where][1], PATIENT, tmp_path, monkeypatch)
    assert (result.reason, result.deals, result.faults) == ("max_deals", 2, {})
