"""Hostile bots hold up a tournament by no more than their clocks, and leave nothing."""

import json
import subprocess
from pathlib import Path

from benchmarks import hostile


def test_hostile_bots_cost_no_more_than_their_clocks_and_leave_nothing(tmp_path: Path) -> None:
    programs = ["silent_at_start", "stops_itself", "never_leaves"]
    found = hostile.compare(tmp_path, programs, n_sound=2, jobs=2)
    # Twice the time of the polite ones, as the machine may have become busy in between.
    assert found.hostile_s <= 2 * found.polite_s + found.clocks_s
    assert found.processes == []
    assert found.files == []
    for run in ("polite", "hostile"):
        standings = json.loads((tmp_path / run / "standings.json").read_text())
        assert standings["complete"]
        assert standings["matches"] == {"scheduled": 10, "finished": 10, "void": 0, "retired": 0}
    # A sound bot may be late as well where the machine is busy; what counts here is the time.
    assert any(bot["faults"] for bot in standings["bots"])


def test_what_is_left_is_found(tmp_path: Path) -> None:
    before = hostile.children_now()
    dead = subprocess.Popen(["true"])
    with subprocess.Popen(["sleep", "60"]) as living:
        assert hostile.survivors(before, patience_s=0.5) == {living.pid}
        assert hostile.command_line(living.pid) == "sleep 60"
        living.kill()
    assert dead.wait() == 0
    for name in ("work", "home", "tmp", "run"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    assert hostile.outside(tmp_path) == {"work/file", "home/file", "tmp/file"}
