"""Bots from git, in real repositories: what is taken out, and for how long it is there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournaments.bots.repository import Repository, contents, hash_of, refusal, take
from tests.tournaments.league import SOUND, League
from tournaments.bots import revisions
from tournaments.bots.bots import bot_from_argument
from tournaments.config import load_tournament

# What is taken out


def test_a_folder_is_taken_out_as_it_was_and_is_the_same_bot_as_when_checked_out(
    repository: Repository,
) -> None:
    now = hash_of("bots/mine")
    assert hash_of("git:HEAD:bots/mine") == now
    before = hash_of("git:v1:bots/mine")
    assert before != now
    found = contents(take("git:v1:bots/mine"))
    repository("checkout", "-q", "v1")
    assert found == contents(repository.folder / "bots/mine")
    assert found["run"] == ("#!/bin/sh\necho one\n", True)
    assert found["link"] == ("data/weights", False)
    assert hash_of("bots/mine") == before


@pytest.mark.parametrize(
    "ref", ["main", "v1", "HEAD", "HEAD~1", "v1^{}", "main@{0}", "refs/tags/v1"]
)
def test_whatever_git_understands_names_a_commit(repository: Repository, ref: str) -> None:
    assert bot_from_argument(f"git:{ref}:bots/mine", Path()).name == "mine"


def test_a_commit_may_be_named_by_the_beginning_of_its_id(repository: Repository) -> None:
    commit = repository("rev-parse", "v1").strip()
    assert take(f"git:{commit[:8]}:bots/mine") == take(f"git:{commit}:bots/mine")


@pytest.mark.parametrize("path", ["bots/mine", "bots/mine/", "./bots//mine", "bots/./mine"])
def test_a_path_counts_from_the_root_wherever_one_is(
    repository: Repository, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder / "bots/mine/data")
    bot = bot_from_argument(f"git:v1:{path}", Path())
    assert (bot.name, bot.owns_folder, bot.where) == ("mine", True, f"git:v1:{path}")


@pytest.mark.parametrize("path", ["", ".", "./"])
def test_the_whole_repository_is_called_by_its_folder(repository: Repository, path: str) -> None:
    repository.write("bot.yaml", "command: [sh]\n")
    repository.commit()
    bot = bot_from_argument(f"git:main:{path}", Path())
    assert bot.name == bot_from_argument(".", Path()).name == "our-bots"
    assert hash_of(f"git:main:{path}") == hash_of(".")


def test_a_name_in_bot_yaml_stands_before_that_of_the_path(repository: Repository) -> None:
    repository.write("bots/mine/bot.yaml", "name: famous\ncommand: [./run]\n")
    repository.commit()
    assert bot_from_argument("git:main:bots/mine", Path()).name == "famous"


def test_a_program_file_has_what_lies_beside_it(repository: Repository) -> None:
    bot = bot_from_argument("git:v1:bots/lowest.py", Path())
    assert (bot.name, bot.command) == ("lowest", ("{python}", "lowest.py"))
    assert not bot.owns_folder
    assert (bot.folder / "beside.py").exists()
    assert hash_of("git:v1:bots/lowest.py") == hash_of("bots/lowest.py")
    program = bot_from_argument("git:v1:bots/mine/run", Path())
    assert program.command == ("./run",)
    assert hash_of("git:HEAD:bots/mine/run") == hash_of("bots/mine/run")


def test_a_program_file_may_lie_at_the_root(repository: Repository) -> None:
    repository.write("first.py", "")
    repository.commit()
    assert bot_from_argument("git:main:first.py", Path()).name == "first"


def test_a_link_is_followed_among_what_is_beside_it(repository: Repository) -> None:
    Path("bots/current").symlink_to("mine")
    Path("bots/gone").symlink_to("../nowhere")
    repository.commit()
    assert hash_of("git:main:bots/current") == hash_of("bots/current")
    assert "a link that leads to nothing" in refusal(lambda: take("git:main:bots/gone"))


def test_the_same_tree_is_taken_out_once(repository: Repository) -> None:
    repository("tag", "same")
    one = take("git:main:bots/mine")
    (one / "trace").write_text("")
    assert take("git:same:bots/mine") == one
    assert (take("git:same:bots/mine") / "trace").exists()
    assert take("git:v1:bots/mine") != one


def test_no_setting_and_no_attribute_changes_what_is_taken_out(repository: Repository) -> None:
    lines = "data/weights export-ignore\nrun export-subst text eol=crlf filter=shout\n"
    repository.write("bots/mine/.gitattributes", lines)
    repository.write("bots/mine/run", "#!/bin/sh\n# $Format:%H$\n", 0o755)
    repository.commit()
    repository("config", "filter.shout.smudge", "tr a-z A-Z")
    repository("config", "core.autocrlf", "true")
    found = contents(take("git:main:bots/mine"))
    assert found["run"] == ("#!/bin/sh\n# $Format:%H$\n", True)
    assert found["data/weights"] == ("1 2 3", False)


def test_what_a_clone_has_in_place_of_an_object_is_not_in_the_commit(
    repository: Repository,
) -> None:
    run, other = "v1:bots/mine/run", repository.blob("in its place")
    repository("replace", repository("rev-parse", run).strip(), other)
    repository("replace", "main", "v1")
    assert contents(take("git:v1:bots/mine"))["run"] == ("#!/bin/sh\necho one\n", True)
    assert contents(take("git:main:bots/mine"))["run"] == ("#!/bin/sh\necho two\n", True)


def test_odd_names_and_contents_come_out_as_they_were(repository: Repository) -> None:
    for name in ("a b", "two\nlines", "caf\N{LATIN SMALL LETTER E WITH ACUTE}", ":(glob)*", "-x"):
        repository.write(f"odd/{name}/bot.yaml", "command: [sh]\n")
    (repository.folder / "odd" / os.fsdecode(b"\xff")).write_bytes(bytes(range(256)) * 9000)
    repository.write("odd/empty", "")
    repository.commit()
    whole = take("git:main:odd")
    assert (whole / os.fsdecode(b"\xff")).read_bytes() == bytes(range(256)) * 9000
    assert (whole / "empty").read_bytes() == b""
    for path in (repository.folder / "odd").iterdir():
        if path.is_dir():
            assert contents(take(f"git:main:odd/{path.name}")) == contents(path)


def test_a_submodule_is_left_out_and_can_not_be_named(
    repository: Repository, tmp_path: Path
) -> None:
    other = Repository(tmp_path / "other")
    other.commit()
    head = other("rev-parse", "HEAD").strip()
    repository("update-index", "--add", "--cacheinfo", f"160000,{head},bots/mine/engine")
    repository("commit", "-q", "-m", "a submodule")
    assert "engine" not in contents(take("git:main:bots/mine"))
    assert hash_of("git:main:bots/mine") == hash_of("bots/mine")
    assert "a submodule, which is" in refusal(lambda: take("git:main:bots/mine/engine"))


def test_a_path_that_begins_like_one_from_git_is_a_path(repository: Repository) -> None:
    repository.write("git:v1:x/bot.yaml", "command: [sh]\n")
    assert bot_from_argument("git:v1:x", Path()).folder == Path("git:v1:x").resolve()


def test_in_a_hook_the_repository_is_still_that_of_the_folder(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.folder / ".git/index"))
    assert take("git:v1:bots/mine").name == "mine"


# In a tournament file


def test_entries_of_a_tournament_file_may_be_from_git(repository: Repository) -> None:
    repository.write("bots/mine/bot.yaml", "command: [./run]\nversion: '2'\n")
    repository.write(
        "cups/cup.yaml",
        "bots: [../bots/mine, {name: old, folder: 'git:v1:bots/mine'}, 'git:v1:bots/lowest.py']\n",
    )
    mine, old, lowest = load_tournament(Path("cups/cup.yaml")).bots
    assert [bot.name for bot in (mine, old, lowest)] == ["mine", "old", "lowest"]
    assert (mine.version, old.version, old.owns_folder) == ("2", None, True)
    assert old.where == "cups/cup.yaml:1:22"
    assert contents(old.folder)["run"] == ("#!/bin/sh\necho one\n", True)


def test_mistakes_are_told_under_the_name_that_was_written(repository: Repository) -> None:
    repository.write("bots/bad/bot.yaml", "nmae: x\ncommand: [sh]\n")
    repository.write("bots/none/readme", "")
    repository.commit()
    repository.write(
        "cup.yaml",
        "bots:\n- git:main:bots/bad\n- {name: a, folder: git:main:bots/bad}\n"
        "- git:main:bots/none\n- {name: b, folder: git:main:bots/none}\n- git:v2:bots/mine\n",
    )
    told = refusal(lambda: load_tournament(Path("cup.yaml"))).split("\n")
    unknown = "git:main:bots/bad/bot.yaml:1:1: unknown key 'nmae': did you mean 'name'?"
    assert [line for line in told if not line.startswith("    ")] == [
        unknown,
        unknown,
        "cup.yaml:4:3: the folder 'git:main:bots/none' has no bot.yaml: write one, or name a"
        " program in it",
        "cup.yaml:5:3: the key 'command' is missing here, and the folder 'git:main:bots/none' has"
        " no bot.yaml",
        f"cup.yaml:6:3: 'git:v2:bots/mine': there is no commit 'v2' in {repository.folder}:"
        " there are main, v1",
    ]


# The folder that it stands in


LEAVE = """
import os, signal, sys
from pathlib import Path
from tournaments.bots import revisions
from tournaments.signals import Interrupted, interruptible

with interruptible():
    print(revisions.take("git:v1:bots/mine", Path()).parents[1], flush=True)
    if sys.argv[1] == "error":
        1 / 0
    elif sys.argv[1] != "end":
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))
        signal.pause()
"""


@pytest.mark.parametrize("how", ["end", "error", "SIGINT", "SIGTERM"])
def test_however_a_process_ends_what_it_has_taken_out_is_removed(
    repository: Repository, how: str, tmp_path: Path
) -> None:
    (tmp_path / "tmp").mkdir()
    root = str(Path(revisions.__file__).parents[2])
    ended = subprocess.run(
        [sys.executable, "-c", LEAVE, how],
        env={**os.environ, "PYTHONPATH": root, "TMPDIR": str(tmp_path / "tmp")},
        capture_output=True,
        text=True,
    )
    assert ended.stdout.startswith(str(tmp_path / "tmp/bots-")), ended.stderr
    assert list((tmp_path / "tmp").iterdir()) == []


def played(league: League) -> Repository:
    """A league's folder as a repository, whose bot has changed since v1."""
    repository = Repository(league.folder)
    source = SOUND.replace("import sys", "#!/usr/bin/env python3\nimport sys", 1).lstrip()
    repository.write("mine/bot.yaml", 'command: ["{python}", -S, bot.py]\n')
    repository.write("mine/bot.py", source)
    repository.write(".gitignore", "tmp\nruns\n")
    repository.commit("v1")
    repository.write("mine/bot.py", source + "# later\n")
    return repository


def test_a_tournament_between_a_bot_and_its_past_is_played_and_gone_on_with(
    league: League,
) -> None:
    played(league)
    bots = [{"name": "now", "folder": "mine"}, {"name": "then", "folder": "git:v1:mine"}]
    league.write(bots)
    league.play("--jobs", "1")
    assert league.finished() == 2
    league.write(bots, schedule={"rounds": 2})
    assert "new versions" not in league.play("--jobs", "1").stderr
    assert league.finished() == 4


def test_a_match_may_name_a_bot_from_git_also_as_a_file(league: League) -> None:
    played(league)
    for bot in ("git:v1:mine", "git:v1:mine/bot.py"):
        shown = league.call("match", bot, "mine", "--seed", "1").stdout
        assert shown.startswith("N ")
        assert "fault" not in shown
    told = league.call("match", "git:v0:mine", "mine", status=2).stderr
    assert told.endswith(f"no commit 'v0' in {league.folder}: there are main, v1\n")
