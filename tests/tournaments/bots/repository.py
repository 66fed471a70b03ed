"""A git repository to be filled, also with what git itself would never write."""

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tournaments.bots import revisions
from tournaments.bots.bots import bot_from_argument
from tournaments.bots.preparation import prepare_all
from tournaments.errors import UserError

SETTINGS: Final = {
    "GIT_AUTHOR_NAME": "ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "init.defaultBranch",
    "GIT_CONFIG_VALUE_0": "main",
}
"""Variables for git as on a machine where nobody has set anything."""


class Repository:
    """One in a folder, made there where there is none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / ".git").exists():
            folder.mkdir(exist_ok=True)
            self("init", "-q")

    def __call__(self, *words: str, typed: bytes = b"") -> str:
        """What git prints."""
        command, variables = ["git", "-C", str(self.folder), *words], {**os.environ, **SETTINGS}
        ended = subprocess.run(command, input=typed, env=variables, capture_output=True, check=True)
        return ended.stdout.decode()

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def commit(self, tag: str | None = None) -> None:
        self("add", "-A")
        self("commit", "-q", "--allow-empty", "-m", "a change")
        if tag:
            self("tag", tag)

    def tree(self, *entries: tuple[str, str, str]) -> str:
        """A tree, whatever stands in it: mode, name, object. Its id."""
        raw = b"".join(
            f"{mode} {name}\0".encode() + bytes.fromhex(object_) for mode, name, object_ in entries
        )
        command = ("hash-object", "-t", "tree", "-w", "--literally", "--stdin")
        return self(*command, typed=raw).strip()

    def blob(self, content: str) -> str:
        return self("hash-object", "-w", "--stdin", typed=content.encode()).strip()

    def tag_tree(self, tag: str, tree: str) -> None:
        self("tag", tag, self("commit-tree", tree, "-m", "by hand").strip())


def fill(folder: Path) -> None:
    """A repository with the bot `bots/mine`, tagged v1, and a later version of it."""
    made = Repository(folder)
    made.write("bots/mine/bot.yaml", "command: [./run]\n")
    made.write("bots/mine/run", "#!/bin/sh\necho one\n", 0o755)
    made.write("bots/mine/data/weights", "1 2 3")
    made.write("bots/lowest.py", "import beside\n")
    made.write("bots/beside.py", "")
    (folder / "bots/mine/link").symlink_to("data/weights")
    made.commit("v1")
    made.write("bots/mine/run", "#!/bin/sh\necho two\n", 0o755)
    made.commit()


def take(text: str) -> Path:
    return revisions.take(text, Path())


def hash_of(text: str) -> str:
    return prepare_all([bot_from_argument(text, Path())])[0].hash


def contents(folder: Path) -> dict[str, tuple[str, bool]]:
    """Path -> what it holds or leads to, and whether it may be run."""
    return {
        str(path.relative_to(folder)): (
            (str(path.readlink()), False)
            if path.is_symlink()
            else (path.read_text(), bool(path.stat().st_mode & stat.S_IXUSR))
        )
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(UserError) as caught:
        action()
    return str(caught.value)
