"""Files that commands write, and libraries that a command does without."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from tests.tournaments.league import League, Outcome
from tournaments.cli import COMMANDS
from tournaments.cli.outputs import check_writable, write_file

Command = Callable[..., Outcome]

SLOW = {"jinja2", "jsonschema", "multiprocessing", "numpy", "rich", "sqlite3", "trueskill", "yaml"}
"""Libraries that take milliseconds to load, of which a command has those that it always needs."""
STORE = {"sqlite3", "yaml"}
PLAYED = {*STORE, "multiprocessing", "rich", "trueskill"}
LOADED = {
    "new": set(),
    "run": PLAYED,
    "match": {"yaml"},
    "check": {"multiprocessing", "yaml"},
    "play": {"yaml"},
    "gate": PLAYED,
    "standings": {*STORE, "trueskill"},
    "replay": STORE,
    "debug": STORE,
    "report": {*STORE, "trueskill"},
    "rules": set(),
    "doctor": {"sqlite3"},
    "schema": set(),
}
"""Command -> what of them is loaded with its module; commands of one module stand here once."""
LOOK = "import sys, importlib; importlib.import_module(sys.argv[1]); print(*sys.modules)"


def test_a_record_that_cannot_be_written_is_told_before_anything_is_played(
    league: League, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    league.bot("good")
    (league.folder / "link").symlink_to("none/there")
    before = sorted(league.folder.iterdir())
    monkeypatch.chdir(league.folder)
    monkeypatch.setattr(import_module("tournaments.cli.match"), "play", None)
    for file, told in [
        ("none/r.jsonl", "none/r.jsonl can't be written: No such file or directory"),
        ("link", "link can't be written: No such file or directory"),
        ("good.py/r", "good.py/r can't be written: Not a directory"),
        (".", "is a directory"),
    ]:
        outcome = command("match", "good.py", "good.py", "-o", file)
        assert (outcome.status, outcome.out) == (2, "")
        assert told in outcome.err
    command("match", "good.py", "god.py", "-o", "r.jsonl")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    refused = command("match", "good.py", "good.py", "-o", "r.jsonl")
    assert refused == (2, "", "error: r.jsonl can't be written: Permission denied\n")
    assert sorted(league.folder.iterdir()) == before


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    for name in (f"/proc/self/fd/{theirs}", "/dev/null", str(tmp_path / "new")):
        check_writable(Path(name))
        write_file(Path(name), b"record")
    assert os.read(ours, 100) == b"record"
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("show", [[], ["--show"]])
def test_a_match_whose_record_fails_to_be_written_is_told_all_the_same(
    show: list[str], league: League
) -> None:
    league.bot("good")
    league.bot("ends", "import sys; sys.exit(3)")
    told = league.call("match", "good.py", "ends.py", "-o", "/dev/full", *show, status=2)
    assert told.stdout.endswith("\nNS, good, wins after 0 deals (forfeit)\n")
    assert told.stderr == "error: /dev/full can't be written: No space left on device\n"


@pytest.mark.parametrize("name", LOADED)
def test_a_command_pays_for_no_library_of_anothers(name: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", LOOK, COMMANDS[name]], capture_output=True, text=True, check=True
    )
    assert SLOW & set(told.stdout.split()) == LOADED[name]


def test_the_modules_of_all_commands_are_looked_at() -> None:
    assert sorted(COMMANDS[name] for name in LOADED) == sorted(set(COMMANDS.values()))
