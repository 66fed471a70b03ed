"""A tournament that is killed again and again, on a small scale; `benchmarks.killed` has the large.

Where a kill comes is drawn anew each time, with a seed that a failure shows.
"""

import shutil
import time
from pathlib import Path
from random import Random

import pytest

from benchmarks.killed import Killed
from benchmarks.victims import VICTIMS
from tests.tournaments.league import change, change_record


@pytest.fixture
def seed() -> int:
    """Unlike the last time, and shown where the test fails."""
    seed = time.time_ns() % 1_000_000
    print(f"seed {seed}")
    return seed


def test_a_tournament_that_is_killed_in_every_way_comes_to_what_an_undisturbed_one_comes_to(
    tmp_path: Path, seed: int
) -> None:
    sandbox = "bubblewrap" if shutil.which("bwrap") else "none"
    killed = Killed(tmp_path, 60, sandbox, jobs=2)
    kills = list(killed.kills(len(VICTIMS), Random(seed)))
    print(kills)
    assert {kill.who for kill in kills} == VICTIMS.keys()
    assert killed.left() == []
    assert killed.differences() == []


def test_what_a_killed_tournament_has_lost_or_changed_is_found(tmp_path: Path) -> None:
    killed = Killed(tmp_path, 6, "none", jobs=1)
    assert list(killed.kills(0, Random(1))) == []
    assert killed.differences() == []
    match, other = killed.played()[:2]
    change_record(killed.run, match, lambda record: record.replace(b'"bid":', b'"bid": '))
    assert killed.differences() == ["verify", f"record {match}"]
    change(killed.run, "PRAGMA foreign_keys = OFF")
    change(killed.run, "DELETE FROM matches WHERE match = ?", other)
    (tmp_path / "tmp" / "file").touch()
    assert killed.left() == ["tmp/file"]
    found = killed.differences()
    assert "5 matches, 5 different ones, of 6" in found
