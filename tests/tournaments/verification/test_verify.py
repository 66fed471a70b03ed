"""Every change of a stored result or record is found and named."""

import re
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record import seal
from tests.tournaments.league import SET_RECORD, League, Outcome, change, change_record, records
from tournaments.storage.store import Store

Command = Callable[..., Outcome]


def one_match(run: Path) -> str:
    """The fourth match: two bots that play differently, in the second leg."""
    return list(records(run))[3]


def check_found(outcome: Outcome, match: str, sentence: str) -> None:
    assert outcome.status == 1
    assert outcome.out.startswith(f"match {match}: ")
    assert sentence in outcome.out
    assert outcome.out.splitlines()[-1] == "11 records agree with the rules, 1 do not"
    assert outcome.err == ""


def test_a_run_that_nobody_touched_agrees(played: League, command: Command) -> None:
    assert command("verify", played.run_folder) == (0, "12 records agree with the rules\n", "")


@pytest.mark.parametrize(
    ("column", "old", "new"),
    [
        ("score", r"-?(\d)", "7"),
        ("points", r"-?(\d)", "7"),
        ("deals", r"1", "2"),
        ("winner", r"NS|EW", None),
        ("winner", r"NS|EW", "other"),
        ("reason", r"max_deals", "target"),
        ("forfeited", r"None", "NS"),
        ("faults", r"{}", '{"N":{"timeout":1}}'),
    ],
)
def test_a_changed_result_is_found(
    column: str, old: str, new: str | None, run_copy: Path, command: Command
) -> None:
    match = one_match(run_copy)
    with Store.read(run_copy) as store:
        (stored,) = store._database.all(f"SELECT {column} FROM matches WHERE match = ?", (match,))
    before = str(stored[0])
    if new == "other":
        new = {"NS": "EW", "EW": "NS"}[before]
    after = None if new is None else re.sub(old, new, before, count=1)
    if after == before:
        after = re.sub(old, "8", before, count=1)
    change(run_copy, f"UPDATE matches SET {column} = ? WHERE match = ?", after, match)
    check_found(command("verify", run_copy), match, f"{column} is stored as ")


def with_digit(line: bytes) -> bytes:
    """The line with its last digit changed."""
    return re.sub(rb"(\d)(\D*)$", lambda m: b"%d%b" % ((int(m[1]) + 1) % 10, m[2]), line)


TYPES = ["match", "hello", "deal", "bid", "play", "deal_end", "match_end", "seal"]


@pytest.mark.parametrize("kind", TYPES)
def test_one_changed_digit_in_a_record_is_found_in_any_kind_of_line(
    kind: str, run_copy: Path, command: Command
) -> None:
    def edit(record: bytes) -> bytes:
        lines = record.splitlines(keepends=True)
        at = [i for i, line in enumerate(lines) if line.startswith(b'{"type":"%b"' % kind.encode())]
        at = at[len(at) // 2 :]
        lines[at[0]] = with_digit(lines[at[0]])
        return b"".join(lines)

    match = one_match(run_copy)
    change_record(run_copy, match, edit)
    check_found(command("verify", run_copy), match, "line ")


FORGERIES = {
    "another bid": (rb'(?s)("type":"bid".*?"bid":)(\d)', rb"\g<1>9", "line "),
    "another score": (rb'(?s)("type":"deal_end".*?"score":{"NS":)(-?\d+)', rb"\g<1>1", "line "),
    "another result": (rb'(?s)("type":"match_end".*?"score":{"NS":)(-?\d+)', rb"\g<1>1", "line "),
    "another first dealer": (rb'"dealer":"."', rb'"dealer":"X"', "line 1"),
    "another bot": (rb'"name":"(low|mid|high)"', rb'"name":"evil"', "bots is stored as"),
    "another seed of a bot": (rb'"seed":\d+}', rb'"seed":5}', "seeds is stored as"),
    "another seed of the deals": (rb'"seed":7,"com', rb'"seed":8,"com', "origin is stored as"),
    "no seed": (rb'"origin":{"seed":7', rb'"origin":{"seed":null', "origin is stored as"),
    "another rule": (rb'"nil":100', rb'"nil":200', "settings is stored as"),
    "another fault policy": (rb'"illegal":"forfeit"', rb'"illegal":"set"', "settings is stored as"),
    "another clock": (rb'"exit_ms":200.0', rb'"exit_ms":1.0', "settings is stored as"),
    "another match": (rb'"match":"[0-9a-f]*"', rb'"match":"0123456789abcdef"', "match is stored"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_record_is_found_though_its_seal_is_right(
    forgery: str, run_copy: Path, command: Command
) -> None:
    old, new, sentence = FORGERIES[forgery]

    def edit(record: bytes) -> bytes:
        return seal(re.sub(old, new, record, count=1).splitlines()[:-1])

    match = one_match(run_copy)
    change_record(run_copy, match, edit)
    check_found(command("verify", run_copy), match, sentence)


def test_two_records_in_each_others_place_are_both_found(run_copy: Path, command: Command) -> None:
    first, second = list(records(run_copy))[:2]
    with Store.read(run_copy) as store:
        contents = {match: zlib.compress(store.record(match)) for match in (first, second)}
    change(run_copy, SET_RECORD, contents[second], first)
    change(run_copy, SET_RECORD, contents[first], second)
    outcome = command("verify", run_copy)
    assert outcome.status == 1
    assert f"match {first}: match is stored as" in outcome.out
    assert f"match {second}: match is stored as" in outcome.out


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", zlib.compress(b"record")[:-3], zlib.compress(b"")]
)
def test_a_damaged_record_is_named_and_the_others_are_looked_at(
    content: bytes, run_copy: Path, command: Command
) -> None:
    match = one_match(run_copy)
    change(run_copy, SET_RECORD, content, match)
    check_found(command("verify", run_copy), match, "")


def test_the_latest_match_that_is_not_there_was_not_finished(
    run_copy: Path, command: Command
) -> None:
    change(
        run_copy, "DELETE FROM records WHERE key = (SELECT key FROM matches ORDER BY rowid DESC)"
    )
    change(run_copy, "DELETE FROM matches WHERE rowid = 12")
    assert command("verify", run_copy).out == "11 records agree with the rules\n"
    assert '"complete": false' in command("standings", run_copy, "--format", "json").out


def test_records_in_files_are_judged_by_themselves(
    played: League, tmp_path: Path, command: Command
) -> None:
    good, bare, bad = tmp_path / "good.jsonl", tmp_path / "bare.jsonl", tmp_path / "bad.jsonl"
    match, record = next(iter(records(played.run_folder, times=True).items()))
    good.write_bytes(record)
    bare.write_bytes(records(played.run_folder)[match])
    bad.write_bytes(record.replace(b'"bid":3', b'"bid":4', 1).replace(b'"bid":2', b'"bid":4', 1))
    assert command("verify", good, bare) == (0, "2 records agree with the rules\n", "")
    outcome = command("verify", bad, good)
    assert outcome.status == 1
    assert outcome.out.startswith(f"{bad}: line ")
    assert outcome.out.endswith("\n1 record agrees with the rules, 1 do not\n")


def test_a_file_that_is_cut_off_anywhere_is_no_good_record(
    played: League, tmp_path: Path, command: Command
) -> None:
    record = next(iter(records(played.run_folder, times=True).values()))
    ends = [0, 1, 100, len(record) // 2, len(record) - 2, *range(0, len(record), 997)]
    files = [tmp_path / f"{end}.jsonl" for end in ends]
    for end, file in zip(ends, files, strict=True):
        file.write_bytes(record[:end])
    outcome = command("verify", *files)
    assert outcome.status == 1
    assert outcome.out.endswith(f"\n0 records agree with the rules, {len(ends)} do not\n")
    assert outcome.err == ""


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\xff\xfe" * 100,
        b"SQLite format 3\x00",
        b"\n\n\n",
        b"[" * 100_000,
        b'{"type":"match"}',
        b'{"type":"seal"}',
        b"null",
        b'"' + b"x" * (1 << 21),
        '{"type":"match","match":"\u001b[2J"}'.encode(),
    ],
)
def test_what_is_no_record_at_all_is_told_in_a_line(
    content: bytes, tmp_path: Path, command: Command
) -> None:
    file = tmp_path / "strange.jsonl"
    file.write_bytes(content)
    outcome = command("verify", file)
    assert outcome.status == 1
    assert outcome.out.startswith(f"{file}: line ")
    assert outcome.out.count("\n") == 2
    assert "\x1b" not in outcome.out
    assert outcome.err == ""


@pytest.mark.parametrize("arguments", [["verify"], ["replay"], ["debug", "--seat", "N"]])
def test_no_more_is_read_of_a_file_than_a_record_can_have(
    arguments: list[str], command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.cli.recorded.RECORD_LIMIT", 1 << 20)
    outcome = command(*arguments, "/dev/zero")
    assert outcome == (2, "", "error: /dev/zero is over 1 MiB: no record is\n")


def test_an_edit_of_the_tournament_itself_makes_every_match_wrong(
    run_copy: Path, command: Command
) -> None:
    change(run_copy, "UPDATE tournament SET root = 'seed 8'")
    outcome = command("verify", run_copy)
    assert outcome.status == 1
    assert outcome.out.endswith(
        "\n0 records agree with the rules, 12 do not, 1 more found in the run folder\n"
    )


@pytest.mark.parametrize(
    "edit",
    [
        "bots SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE label = 'low'",
        "tournament SET comparable = replace(comparable, '\"pairs\"', '\"rotating\"')",
        "tournament SET comparable = replace(comparable, '\"cores\":1', '\"cores\":2')",
    ],
)
def test_other_bots_and_settings_than_were_played_are_found(
    edit: str, run_copy: Path, command: Command
) -> None:
    assert command("verify", run_copy).status == 0
    change(run_copy, f"UPDATE {edit}")
    outcome = command("verify", run_copy)
    assert outcome.status == 1
    assert "by the settings and hashes of bots that are stored" in outcome.out


def test_a_folder_without_a_run_is_a_mistake_of_the_users(tmp_path: Path, command: Command) -> None:
    outcome = command("verify", tmp_path)
    assert outcome.status == 2
    assert "there is no run in" in outcome.err
