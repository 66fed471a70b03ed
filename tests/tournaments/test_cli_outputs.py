"""Files that commands write, and libraries that a command does without."""

import os
from collections.abc import Callable
from importlib import import_module

import pytest

from tests.tournaments.league import League, Outcome

Command = Callable[..., Outcome]


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


@pytest.mark.parametrize("show", [[], ["--show"]])
def test_a_match_whose_record_fails_to_be_written_is_told_all_the_same(
    show: list[str], league: League
) -> None:
    league.bot("good")
    league.bot("ends", "import sys; sys.exit(3)")
    told = league.call("match", "good.py", "ends.py", "-o", "/dev/full", *show, status=2)
    assert told.stdout.endswith("\nNS, good, wins after 0 deals (forfeit)\n")
    assert told.stderr == "error: /dev/full can't be written: No space left on device\n"
