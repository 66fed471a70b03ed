"""git as a program that may hang, ask or fail."""

import os
from pathlib import Path

import pytest

from tests.tournaments.bots.repository import Repository, refusal
from tournaments.bots import git


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Another program for git."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")


def test_git_is_stopped_with_all_it_has_started_when_it_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, "sleep 1000 & wait")  # which has its output open, too
    monkeypatch.setattr(git, "TIME_LIMIT", 0.2)
    told = refusal(lambda: git.answer(tmp_path, "rev-parse"))
    assert told == "git rev-parse was stopped after 0.2 seconds: try it by hand"


def test_git_has_no_terminal_to_ask_at_and_nothing_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, 'cat; (: < /dev/tty) 2>&1; echo "$GIT_TERMINAL_PROMPT"')
    told = git.answer(tmp_path, "rev-parse").decode()
    assert "/dev/tty" in told
    assert told.endswith("\n0\n")


def test_an_error_of_git_is_told_in_its_own_words(repository: Repository) -> None:
    with pytest.raises(git.Refused, match="not a git command"):
        git.answer(repository.folder, "no-such-command")
