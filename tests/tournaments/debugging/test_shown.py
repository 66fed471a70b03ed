"""`match --show`: what is asked and answered, faults and logs, in the order in which they come."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from arena.record import read
from arena.turns import Source
from protocol.cards import SEATS
from tests.tournaments.league import Outcome
from tests.tournaments.replayed import RECORDS
from tournaments.debugging.refed import Line
from tournaments.debugging.shown import Shown

LOGS = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    reply = {"id": m["id"], "bid": 3, "note": "a \x1b note"}
    if m["type"] == "play":
        print("I have", len(m["legal"]), "\x1b[2J", file=sys.stderr)
        reply["card"] = m["legal"][0] if len(m["hand"]) > 11 else "2X"
    print(json.dumps(reply), flush=True)
"""


def shown(name: str) -> list[Line]:
    """A record, as if it were played."""
    lines: list[Line] = []
    told = Shown(lines.append, dict.fromkeys(SEATS, Source()))
    for _, event in read(RECORDS[name]()):
        if type(event).__name__ != "Sealed":
            told.happened(event)  # type: ignore[arg-type]
    told.end()
    return lines


@pytest.mark.parametrize("name", RECORDS)
def test_every_kind_of_match_is_told_a_line_a_message(name: str) -> None:
    texts = [line.text for line in shown(name)]
    assert all(text.isprintable() for text in texts)
    events = [event for _, event in read(RECORDS[name]())]
    answers = sum(" -> " in text for text in texts)
    assert answers == sum(type(e).__name__ in ANSWERS for e in events)
    faults = [text for text in texts if ", ruling: " in text]
    assert len(faults) == sum(type(event).__name__ == "Faulted" for event in events)
    assert len(faults) == sum("to reproduce: spades-arena debug FILE" in text for text in texts)


ANSWERS = {"Greeted", "BidMade", "BlindNilAnswered", "CardsPassed", "CardPlayed"}


def test_what_is_asked_stands_before_what_is_answered() -> None:
    texts = [line.text for line in shown("fair")]
    for before, text in pairwise(texts):
        if " -> " in text:
            assert " -> " not in before
            assert before[:2] == text[:2]
    trick = next(text for text in texts if "takes trick 13" in text)
    assert re.search(r" -> \S\S   12.3 ms   [NESW] takes trick 13$", trick)


def test_logs_and_faults_stand_where_they_came(
    tmp_path: Path, command: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("logs.py").write_text(LOGS)
    outcome = command("match", "logs.py", "logs.py", "--seed", 1, "--show")
    assert outcome.status == 1
    assert outcome.out.isascii()
    assert "\x1b" not in outcome.out
    head, *lines, result, hint = outcome.out.splitlines()
    assert head.startswith("N logs  E logs-2")
    at = next(i for i, line in enumerate(lines) if "fault: illegal" in line)
    asked, log, fault, sentence, wrote, debug = lines[at - 2 : at + 4]
    assert re.fullmatch(r"[NESW] logs\S*  +play      leads       \[.*\].*", asked)
    assert re.fullmatch(r"[NESW] logs\S*  +\| I have \d+ \\x1b\[2J", log)
    assert asked[0] == log[0] == fault[0]
    assert sentence.startswith("  the card '2X' is not legal")
    assert wrote == "  it wrote '2X'"
    assert re.fullmatch(
        r"  to reproduce: spades-arena debug RECORD --seat [NESW] --until 1:4 -- logs.py", debug
    )
    assert result.endswith("wins after 0 deals (forfeit)")
    assert hint == "(-o RECORD keeps the match, to reproduce the fault from)"
