"""`replay` as it is typed: what it prints and writes, and what it refuses."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record import BadRecord, judge
from tests.tournaments.league import League, Outcome, records
from tests.tournaments.replayed import RECORDS

Command = Callable[..., Outcome]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_bytes(RECORDS["fair"]())
    return path


def test_a_record_is_printed_where_there_is_no_terminal(file: Path, command: Command) -> None:
    whole = command("replay", file)
    assert (whole.status, whole.err) == (0, "")
    assert whole.out.startswith("match 3f2a9c0d51e7b846, to 500\n  N  counting\n")
    assert "\x1b" not in whole.out
    one = command("replay", file, "--deal", "2").out
    assert one.splitlines()[6:] == whole.out[whole.out.index("deal 2, ") :].splitlines()


def test_a_match_of_a_run_is_printed_and_made_a_page(
    played: League, command: Command, tmp_path: Path
) -> None:
    match = next(iter(records(played.run_folder)))
    assert command("replay", played.run_folder, match[:8]).out.startswith(f"match {match}")
    page = tmp_path / "match.html"
    assert command("replay", played.run_folder, match, "--html", page) == (0, "", "")
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert match in text


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["RUN"], "is a run folder: name a match of it, as in `RUN MATCH`"),
        (["RUN", "zzzzzz"], "no finished match 'zzzzzz'"),
        (["RUN", "zz"], "is too short"),
        (["FILE", "3f2a"], "is a file, which has one match: leave out '3f2a'"),
        (["none.jsonl"], "'none.jsonl' does not exist"),
        (["."], "there is no run in ."),
        ([".", "3f2a"], "there is no run in ."),
        (["FILE", "--deal", "3"], "--deal 3: the match has 2 deals"),
        (["FILE", "--deal", "0"], "--deal: expected a whole number of 1 or more"),
        (["FILE", "--deal", "1", "--html", "o"], "leave out --deal, and open o#1"),
        (["FILE", "--html", "none/o"], "none/o can't be written: No such file"),
        (["FILE", "--html", "."], "is a directory"),
        (["/dev/null"], "/dev/null: line 1: a record begins with the event 'match'"),
    ],
)
def test_a_mistake_is_told_in_a_sentence_and_ends_with_2(
    typed: list[str],
    told: str,
    file: Path,
    played: League,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(file.parent)
    names = {"FILE": file.name, "RUN": str(played.run_folder)}
    outcome = command("replay", *(names.get(word, word) for word in typed))
    assert (outcome.status, outcome.out) == (2, "")
    assert told in outcome.err


@pytest.mark.parametrize(
    ("change"),
    [
        lambda record: record[: len(record) // 2],
        lambda record: b"".join(record.splitlines(keepends=True)[:40]),
        lambda record: record.replace(b'"note":"a bid"', b'"note":"a bit"', 1),
        lambda record: record.replace(b'"bid":', b'"bid":1', 1),
        lambda record: b"\x00" * 100,
    ],
)
def test_a_record_that_was_not_played_is_refused_as_verify_does(
    change: Callable[[bytes], bytes], file: Path, command: Command, tmp_path: Path
) -> None:
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(BadRecord) as judged:
        judge(file.read_bytes())
    page = tmp_path / "page.html"
    for more in ([], ["--html", page]):
        outcome = command("replay", file, *more)
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err == f"error: {file}: {judged.value}\n"
    assert f"{file}: {judged.value}\n" in command("verify", file).out
    assert not page.exists()
