"""What the doctor says of this machine, and of one where something does not hold."""

import json
import os
import re
from collections.abc import Callable
from typing import Any

import pytest

from arena.sandbox import BoxFailed, NoSandbox, bubblewrap, trial
from tests.arena.sandbox.users import need_bubblewrap
from tests.tournaments.league import Outcome
from tournaments import doctor
from tournaments.errors import ArenaError
from tournaments.storage.database import Database

Command = Callable[..., Outcome]


def findings(outcome: Outcome) -> dict[str, Any]:
    return {finding["name"]: finding for finding in json.loads(outcome.out)}


def test_where_all_holds_it_says_so_of_every_guarantee(command: Command) -> None:
    need_bubblewrap()
    outcome = command("doctor", "--format", "json")
    found = findings(outcome)
    assert outcome.status == 0, outcome.out
    assert set(found) > {*bubblewrap.GUARANTEES, "no_rights", "python", "cores", "store", "cc"}
    assert {finding["status"] for finding in found.values()} <= {"holds", "missing"}
    assert all(finding["seen"] for finding in found.values())
    assert not any("tried in vain" in finding["seen"] for finding in found.values())
    assert found["cores"]["seen"].startswith(f"{len(os.sched_getaffinity(0))}, ")


def test_as_text_it_is_a_line_each(command: Command) -> None:
    need_bubblewrap()
    outcome = command("doctor")
    lines = [line for line in outcome.out.splitlines() if "->" not in line]
    assert outcome.status == 0
    assert all(re.match(r"[a-z_]+ +(holds|missing) +\S", line) for line in lines)
    assert len(lines) == len(list(doctor.examine()))


def test_without_a_box_it_names_the_mend_and_can_tell_nothing_of_guarantees(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(_: str) -> None:
        raise NoSandbox("bots can't be boxed in: bubblewrap is not installed: apt-get install it")

    monkeypatch.setattr(doctor, "find", find)
    outcome = command("doctor", "--format", "json")
    found = findings(outcome)
    assert outcome.status == 1
    assert found["bubblewrap"]["status"] == "does not hold"
    assert "apt-get install" in found["bubblewrap"]["mend"]
    for name in bubblewrap.GUARANTEES:
        assert found[name]["status"] == "can't be told"
    assert found["store"]["status"] == "holds"
    told = command("doctor").out
    assert re.search(r"\nbubblewrap +does not hold .*\n +-> bots can't be boxed in", told)


@pytest.mark.parametrize(
    ("verdicts", "status", "exit_", "seen"),
    [
        ({"no_network": (True, "")}, "holds", 0, "it can make no socket"),
        ({"no_network": (False, "it can x")}, "does not hold", 1, "let into a box: it can x"),
        ({"no_network": (None, "why")}, "can't be told", 0, "why"),
        ({}, "can't be told", 0, "no attempt on it was made"),
    ],
)
def test_what_the_intruder_could_do_is_told(
    verdicts: dict[str, Any],
    status: str,
    exit_: int,
    seen: str,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "find", lambda _: "bubblewrap")
    monkeypatch.setattr(trial, "try_guarantees", lambda: verdicts)
    monkeypatch.setattr(doctor, "_builds", lambda: iter(()))
    outcome = command("doctor", "--format", "json")
    finding = findings(outcome)["no_network"]
    assert (finding["status"], outcome.status) == (status, exit_)
    assert seen in finding["seen"]
    assert ("mend" in finding and finding["mend"] is not None) == (status == "does not hold")


def test_a_python_that_does_not_run_in_a_box_is_told(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise BoxFailed("python does not run in a box: why")

    monkeypatch.setattr(doctor, "find", lambda _: "bubblewrap")
    monkeypatch.setattr(trial, "try_guarantees", fail)
    monkeypatch.setattr(doctor, "_builds", lambda: iter(()))
    outcome = command("doctor", "--format", "json")
    finding = findings(outcome)["bots_in_python"]
    assert (finding["status"], outcome.status) == ("does not hold", 1)
    assert "/usr/bin/python3" in finding["mend"]


def test_a_missing_compiler_is_no_failure_and_a_build_that_fails_is_one(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_bubblewrap()
    monkeypatch.setattr(trial, "try_guarantees", dict)
    monkeypatch.setattr("shutil.which", lambda _: None)
    outcome = command("doctor", "--format", "json")
    assert outcome.status == 0
    assert findings(outcome)["cc"]["status"] == "missing"
    monkeypatch.setattr("shutil.which", lambda _: "/bin/false")
    outcome = command("doctor", "--format", "json")
    finding = findings(outcome)["cc"]
    assert (finding["status"], outcome.status) == ("does not hold", 1)
    assert "`/bin/false -o made made.c` in a box failed" in finding["seen"]


def test_a_store_that_cannot_be_made_is_told(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ArenaError("this Python has SQLite 3.0")

    monkeypatch.setattr(Database, "to_write", fail)
    finding = next(f for f in doctor.examine() if f.name == "store")
    assert finding.status == "does not hold"
    assert "SQLite 3.0" in finding.seen
