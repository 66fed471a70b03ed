"""Bots from git that can't be had: refused with what to do, and nothing is written elsewhere."""

from pathlib import Path

import pytest

from tests.tournaments.bots.repository import Repository, contents, refusal, take
from tournaments.bots import fingerprint, git, revisions


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("git:", "write git:REF:PATH, such as git:main:bots/mine; git:main:. is the whole"
         " repository"),
        ("git:v1", "write git:REF:PATH, such as"),
        ("git::bots/mine", "write git:REF:PATH, such as"),
        ("git:--all:bots", "a branch, a tag or a commit does not begin with '-'"),
        ("git:^v1:bots", "a branch, a tag or a commit does not begin with '^'"),
        ("git:v1:/bots/mine", "the path counts from the repository's root: write no '..', and no"
         " '/' first"),
        ("git:v1:bots/../x", "the path counts from the repository's root"),
        ("git:mian:bots/mine", "there is no commit 'mian' in {root}: did you mean 'main'?"),
        ("git:zzzzz:bots/mine", "there is no commit 'zzzzz' in {root}: there are main, v1"),
        ("git:main..v1:bots", "there is no commit 'main..v1' in"),
        (f"git:{'0' * 40}:bots", f"there is no commit '{'0' * 40}' in"),
        ("git:HEAD:bots/mime", "'bots/mime' is not in that commit: did you mean 'mine'?"),
        ("git:HEAD:bts/mine", "'bts/mine' is not in that commit: did you mean 'bots'?"),
        ("git:HEAD:bot/x", "'bot/x' is not in that commit"),
        ("git:HEAD:bots/lowest.py/x", "'bots/lowest.py/x' is not in that commit"),
        ("git:HEAD:*", "'*' is not in that commit"),
        ("git:a\0b:bots", "there is a character in it that no name of git's has"),
        ("git:HEAD:\ud800", "there is a character in it that no name of git's has"),
    ],
)  # fmt: skip
def test_what_can_not_be_taken_out_is_refused_with_what_to_do(
    repository: Repository, text: str, mistake: str
) -> None:
    told = refusal(lambda: take(text))
    assert told.startswith(f"{text!r}: {mistake.format(root=repository.folder)}")


def test_a_tag_of_something_else_than_a_commit_is_not_what_was_meant(
    repository: Repository,
) -> None:
    repository("tag", "program", "v1:bots/mine/run")
    told = refusal(lambda: take("git:program:."))
    assert told.endswith(
        f"no commit 'program' in {repository.folder}: that is a tag of something else"
    )


@pytest.mark.parametrize("target", ["/etc", ".."])
def test_a_link_that_leads_out_of_its_folder_is_no_bot_of_the_commit(
    repository: Repository, target: str
) -> None:
    (repository.folder / "bots/out").symlink_to(target)
    repository.commit()
    told = refusal(lambda: take("git:main:bots/out"))
    assert told.endswith(": a link that leads out of its folder: name what it is to lead to")


def test_what_is_not_committed_is_not_there(repository: Repository) -> None:
    repository.write("bots/new/bot.yaml", "command: [sh]\n")
    assert "'bots/new' is not in that commit" in refusal(lambda: take("git:HEAD:bots/new"))


def test_where_there_is_no_repository_or_no_commit_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path / "bare")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    expected = f"'git:HEAD:x': {tmp_path}/bare is in no git repository: name a folder"
    assert refusal(lambda: take("git:HEAD:x")) == expected
    Repository(tmp_path / "bare")
    assert "there is no commit 'HEAD' in" in refusal(lambda: take("git:HEAD:x"))


def test_in_a_bare_repository_it_is_told_where_to_name_the_bot(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository("clone", "-q", "--bare", str(repository.folder), str(tmp_path / "bare.git"))
    for folder in (tmp_path / "bare.git", repository.folder / ".git"):
        monkeypatch.chdir(folder)
        told = refusal(lambda: take("git:v1:bots/mine"))
        assert told.startswith(f"'git:v1:bots/mine': {folder} has the repository's own files and")


def test_where_git_is_missing_or_does_not_trust_its_owner_that_is_told(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    told = refusal(lambda: take("git:v1:bots/mine"))
    assert "does not trust the repository of another user: git config --global --add safe." in told
    monkeypatch.setenv("PATH", "/nonexistent")
    expected = "'git:v1:x': git is not installed: install it, or name a folder"
    assert refusal(lambda: take("git:v1:x")) == expected


def test_of_a_repository_that_git_can_not_read_its_own_words_are_told(
    repository: Repository,
) -> None:
    repository.write(".git/config", "[core\n")
    assert "bad config line 1" in refusal(lambda: take("git:v1:bots/mine"))


def test_in_a_shallow_clone_of_one_branch_the_way_to_the_others_is_told(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository("checkout", "-q", "-b", "mine")
    repository.commit()
    for name, depth in (("deep", ()), ("shallow", ("--depth", "1"))):
        repository("clone", "-q", *depth, f"file://{repository.folder}", str(tmp_path / name))
    monkeypatch.chdir(tmp_path / "deep")
    told = refusal(lambda: take("git:main:bots/mine"))
    assert told.endswith("did you mean 'origin/main'?")
    assert take("git:origin/main:bots/mine").name == "mine"
    monkeypatch.chdir(tmp_path / "shallow")
    told = refusal(lambda: take("git:v1:bots/mine"))
    assert told.endswith("git fetch --unshallow, or in CI fetch-depth: 0")


@pytest.mark.parametrize(
    ("limit", "value", "mistake"),
    [("FILE_LIMIT", 3, "over 3 files"), ("BYTE_LIMIT", 10, "keep a bot in a folder of its own")],
)
def test_more_than_a_bot_may_have_is_not_written(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, mistake: str
) -> None:
    repository.write("bots/mine/more", f"a content for {limit} alone")
    repository.commit()
    monkeypatch.setattr(fingerprint, limit, value)
    monkeypatch.setattr(revisions, "_write", None)
    assert mistake in refusal(lambda: take("git:main:bots/mine"))


def test_a_commit_that_holds_more_than_can_be_listed_is_given_up(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = repository.tree(("100644", "x", repository.blob("")))
    for _ in range(8):  # ten times as many files each time: a hundred million
        inner = repository.tree(*(("40000", f"{n}", inner) for n in range(10)))
    repository.tag_tree("bomb", inner)
    monkeypatch.setattr(git, "ANSWER_LIMIT", 100_000)
    assert "git ls-tree says more than" in refusal(lambda: take("git:bomb:."))


@pytest.mark.parametrize(
    ("mode", "name", "mistake"),
    [
        ("100644", "..", "the commit is malformed: it has a file named '..'"),
        ("100644", "../../escaped", "the commit is malformed"),
        ("100644", "/escaped", "the commit is malformed"),
        ("120000", "..", "the commit is malformed"),
        ("100644", "x" * 300, "what that commit holds can't be written: File name too long"),
        ("100644", "twice", "what that commit holds can't be written: File exists"),
    ],
)
def test_no_commit_writes_anywhere_but_in_its_folder(
    repository: Repository, mode: str, name: str, mistake: str
) -> None:
    blob = repository.blob("/etc")
    entries = [("100644", "twice", blob), (mode, name, blob)]
    repository.tag_tree("malformed", repository.tree(*entries))
    home = revisions._home()
    assert mistake in refusal(lambda: take("git:malformed:."))
    assert not list(home.rglob("escaped"))


def test_nothing_is_written_through_a_link_of_the_same_name(
    repository: Repository, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    inner = repository.tree(("100644", "planted", repository.blob("planted")))
    link = ("120000", "way", repository.blob(str(outside)))
    for tag, entries in (("first", [link, ("40000", "way", inner)]),
                         ("last", [("40000", "way", inner), link])):  # fmt: skip
        repository.tag_tree(tag, repository.tree(*entries))
        assert "can't be written: File exists" in refusal(lambda tag=tag: take(f"git:{tag}:."))  # type: ignore[misc]
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "mistake"),
    [("a\0b", "embedded null"), ("", "no possible name"), ("x" * 5000, "no possible name")],
)
def test_a_link_to_no_possible_name_is_refused(
    repository: Repository, target: str, mistake: str
) -> None:
    repository.tag_tree("odd", repository.tree(("120000", "link", repository.blob(target))))
    assert mistake in refusal(lambda: take("git:odd:."))


def test_what_was_begun_and_failed_is_not_taken_for_whole(repository: Repository) -> None:
    repository.write("bots/mine/data/weights", "lost")
    repository.commit("lost")
    blob = repository("rev-parse", "lost:bots/mine/data/weights").strip()
    lost = repository.folder / ".git/objects" / blob[:2] / blob[2:]
    kept = lost.rename(lost.with_name("kept"))
    told = [refusal(lambda: take("git:lost:bots/mine")) for _ in range(2)]
    assert told[0] == told[1]
    assert told[0].endswith("git lacks the content of 'data/weights': try git fsck")
    kept.rename(lost)
    assert contents(take("git:lost:bots/mine"))["data/weights"] == ("lost", False)
