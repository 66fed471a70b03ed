"""The commands as they are typed: what they print, and the status they end with."""

import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record import judge, strip_times
from tests.tournaments.league import SLOW, SOUND, League, Outcome, finish, records, until
from tournaments.cli import COMMANDS, results
from tournaments.errors import ArenaError

Command = Callable[..., Outcome]

# Mistakes


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["runn"], "no command 'runn': did you mean 'run'?"),
        (["zebra"], "no command 'zebra': there are new, run,"),
        (["--zebra"], "no option '--zebra': there are --version, -h, --help"),
        (["run"], "TOURNAMENT is missing: spades-arena run [OPTIONS] TOURNAMENT"),
        (["run", "none.yaml"], "'none.yaml' does not exist"),
        (["run", "none.yaml", "--job", "2"], "did you mean '--jobs'?"),
        (["run", "FILE", "--jobs", "0"], "--jobs: expected a whole number of 1 or more"),
        (
            ["run", "FILE", "--seed", "-1"],
            "--seed: expected a whole number from 0",
        ),
        (["match", "FILE", "FILE", "--seed", "7s"], "--seed: expected a whole number from 0 to"),
        (["run", "LEAGUE", "-o", "FILE"], "can't be made a run folder"),
        (["standings", "none"], "'none' does not exist"),
        (["standings", "."], "there is no run in ."),
        (
            ["standings", "RUN", "--format", "jsn"],
            "--format: there is no 'jsn': did you mean",
        ),
        (["record", "RUN"], "MATCH is missing"),
        (["verify"], "RUN | FILE... is missing"),
        (["verify", "none"], "'none' does not exist"),
        (["export", "RUN"], "--what is missing: one of matches, deals,"),
        (["match", "a", "FILE"], "'a' is no folder, no file, and no program on PATH"),
        (["match", "FILE", "FILE", "FILE"], "a match needs two bots or four, not 3"),
        (["match", "FILE"], "a match needs two bots or four, not 1"),
        (["match", "FILE", "FILE", "--rules", "standrad"], "did you mean 'standard'?"),
        (["match", "FILE", "FILE", "--rules", "solo"], "a solo match needs four bots, not 2"),
        (["match", *["FILE"] * 3, "--rules", "solo_bags"], "needs four bots, not 3"),
        (
            ["match", "FILE", "FILE", "--sandbox", "foo"],
            "--sandbox: there is no sandbox 'foo': there are auto, bubblewrap, none",
        ),
        (["match", "FILE", "FILE", "--sandbox", "bubble"], "did you mean 'bubblewrap'?"),
    ],
)
def test_a_mistake_is_told_in_a_sentence_and_ends_with_2(
    typed: list[str],
    told: str,
    played: League,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").touch()
    names = {
        "FILE": "bot.py",
        "LEAGUE": str(played.folder / "league.yaml"),
        "RUN": str(played.run_folder),
    }
    outcome = command(*(names.get(word, word) for word in typed))
    assert outcome.status == 2
    assert told in outcome.err
    assert outcome.out == ""
    assert "Traceback" not in outcome.err


def test_every_mistake_in_a_tournament_file_has_its_line_and_column(
    tmp_path: Path, command: Command
) -> None:
    file = tmp_path / "league.yaml"
    file.write_text("seeed: 1\nrules: {taget: 3}\nbots: [nowhere, nothing]\n")
    outcome = command("run", file, "-o", tmp_path / "run")
    assert outcome.status == 2
    assert f"{file}:1:1: unknown key 'seeed': did you mean 'seed'?" in outcome.err
    assert f"{file}:2:9: unknown key 'taget': did you mean 'target'?" in outcome.err
    assert f"{file}:3:8: " in outcome.err
    assert not (tmp_path / "run").exists()


# Help


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_screen_and_has_an_example(name: str, command: Command) -> None:
    outcome = command(name, "--help")
    assert outcome.status == 0
    lines = outcome.out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert any(line.startswith(f"  spades-arena {name} ") for line in lines)
    assert "<=x<=" not in outcome.out


def test_help_of_all_names_every_command(command: Command) -> None:
    for outcome in (command("--help"), command("-h")):
        assert outcome.status == 0
        assert all(f"\n  {name} " in outcome.out for name in COMMANDS)
        assert "..." not in outcome.out.partition("\nCommands:\n")[2]
        assert max(map(len, outcome.out.splitlines())) <= 80
    assert command("--version").out == "spades-arena 0.1.0\n"
    assert command().status == 2


# Failures of the arena's own, and outputs that fail


def test_a_bug_is_shown_with_its_traceback_and_ends_with_3(
    played: League, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(store: object) -> None:
        raise ZeroDivisionError("what nobody thought of")

    monkeypatch.setattr(results, "of_store", bug)
    outcome = command("standings", played.run_folder)
    assert outcome.status == 3
    assert "Traceback" in outcome.err
    assert "ZeroDivisionError: what nobody thought of" in outcome.err
    assert outcome.err.endswith("please report the lines above\n")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ArenaError("the moon is full"), "arena error: the moon is full\n"),
        (OSError(errno.ENOSPC, "No space"), "arena error: the disk is full: make room\n"),
        (PermissionError(errno.EACCES, "No", "runs/x"), "arena error: runs/x: permission denied: "),
        (OSError(errno.EMFILE, "Too many"), "arena error: there are too many open files: raise "),
        (BlockingIOError(errno.EAGAIN, "Again"), "arena error: no more processes can be started: "),
        (MemoryError(), "arena error: no memory is left: end other programs"),
    ],
)
def test_a_failure_of_the_machine_is_told_in_a_sentence_and_ends_with_3(
    error: Exception,
    told: str,
    played: League,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(store: object) -> None:
        raise error

    monkeypatch.setattr(results, "of_store", fail)
    outcome = command("standings", played.run_folder)
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.err.startswith(told)
    assert outcome.err.count("\n") == 1


OUTPUTS = [
    ("standings",),
    ("standings", "--format", "json"),
    ("verify",),
    ("export", "--what", "decisions"),
]


@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_an_output_that_is_closed_early_is_no_failure(
    arguments: tuple[str, ...], played: League
) -> None:
    process = played.start(arguments[0], str(played.run_folder), *arguments[1:])
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()  # nobody reads what it writes
    assert process.stderr.read() == ""
    assert process.wait(60) == 0
    process.stderr.close()


def test_an_output_on_a_full_disk_is_told(played: League) -> None:
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "tournaments.cli", "export", "runs/league", "--what=matches"],
            cwd=played.folder,
            env=played.environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert (process.returncode, process.stderr) == (3, "arena error: the disk is full: make room\n")


# Records


def test_a_record_is_found_by_a_prefix(played: League, command: Command, tmp_path: Path) -> None:
    match, record = next(iter(records(played.run_folder, times=True).items()))
    for name in (match, match[:8], match[:8].upper()):
        assert command("record", played.run_folder, name) == (0, record.decode(), "")
    bare = command("record", played.run_folder, match, "--no-times").out
    assert bare.encode() == strip_times(record)
    times = ("ms", "cpu_ms", "started", "host", "times_digest")
    assert not any(f'"{word}"' in bare for word in times)
    file = tmp_path / "record.jsonl"
    assert command("record", played.run_folder, match, "-o", file) == (0, "", "")
    assert file.read_bytes() == record
    assert command("verify", file).status == 0


def test_a_record_that_is_not_found_or_not_written_is_told(
    played: League, command: Command, tmp_path: Path
) -> None:
    match = next(iter(records(played.run_folder)))
    for arguments, told in [
        ((match[:3],), "is too short"),
        (("",), "is too short"),
        (("zzzzzz",), "no finished match 'zzzzzz'"),
        ((match + "0",), "no finished match"),
        (("%" * 16,), "no finished match"),
        ((match, "-o", tmp_path / "none" / "file"), "can't be written: No such file"),
        ((match, "-o", tmp_path), "is a directory"),
        ((match, "-o", "/dev/full"), "can't be written: No space left"),
    ]:
        outcome = command("record", played.run_folder, *arguments)
        assert (outcome.status, outcome.out) == (2, "")
        assert told in outcome.err


# One match

FAULTY = """
import sys
sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
sys.stderr.write("\\x1b[2J\\x1b]0;owned\\x07 \\r over\\u202ewritten")
sys.exit(3)
"""


def test_a_match_of_two_bots_can_be_repeated_and_verified(league: League) -> None:
    league.bot("low")
    league.bot("lower")
    files = [str(league.folder / name) for name in ("1.jsonl", "2.jsonl", "3.jsonl")]
    first = league.call("match", "low.py", "lower.py", "--seed", "7", "-o", files[0])
    league.call("match", "low.py", "lower.py", "--seed", "7", "-o", files[1])
    league.call("match", "low.py", "lower.py", "-o", files[2])
    league.check_nothing_is_left()
    lines = first.stdout.splitlines()
    box = "sandbox none: only for bots you trust"
    assert lines[:2] == ["N low  E lower  S low  W lower", f"seed 7, {box}"]
    assert lines[2].startswith("deal 1: NS ")
    assert "wins after" in lines[-1]
    found = [strip_times(Path(file).read_bytes()) for file in files]
    assert found[0] == found[1] != found[2]
    _, final = judge(found[0])
    assert f"after {final.deals} deals ({final.outcome and final.outcome.reason})" in lines[-1]
    assert "3 records agree" in league.call("verify", *files).stdout


def test_four_bots_sit_north_east_south_west(league: League) -> None:
    for name in ("n", "e", "s"):
        league.bot(name)
    four = league.call("match", "n.py", "e.py", "s.py", "n.py", "--seed", "0")
    assert four.stdout.startswith("N n  E e  S s  W n-2\nseed 0, sandbox none: ")
    assert re.search(
        r"\n(NS, n and s|EW, e and n-2), wins after \d+ deals \(target\)\n$", four.stdout
    )


def test_in_solo_play_four_bots_are_four_sides_and_a_forfeit_gives_nobody_the_match(
    league: League,
) -> None:
    for name in ("n", "e", "s"):
        league.bot(name)
    league.bot("faulty", FAULTY)
    bots = ["n.py", "e.py", "s.py"]
    four = league.call("match", *bots, "n.py", "--rules", "solo_short", "--seed", "5")
    assert re.search(r"\ndeal 1: N \S+ \S+  E \S+ \S+  S \S+ \S+  W \S+ \S+\n", four.stdout)
    assert re.search(r"\n[NESW], (n|e|s|n-2), wins after \d+ deals \(target\)\n$", four.stdout)
    arguments = [*bots, "faulty.py", "--rules", "solo", "-o", "r.jsonl"]
    forfeit = league.call("match", *arguments, status=1)
    assert "fault of W faulty: exit\n" in forfeit.stdout
    assert forfeit.stdout.endswith("\nnobody wins after 0 deals (forfeit)\n")
    league.call("verify", "r.jsonl")


def test_a_forfeit_ends_with_1_and_shows_what_the_bot_said_as_text(league: League) -> None:
    league.bot("good")
    league.bot("faulty", FAULTY)
    result = league.call("match", "good.py", "faulty.py", "--seed", "7", "-o", "r.jsonl", status=1)
    assert "fault of E faulty: exit\n  asked for bid; it exited with status 3 " in result.stdout
    assert "  | \\x1b[2J\\x1b]0;owned\\x07 \\r over\\u202ewritten\n" in result.stdout
    assert result.stdout.endswith("\nNS, good, wins after 0 deals (forfeit)\n")
    assert not any(c < " " and c != "\n" for c in result.stdout)
    league.call("verify", "r.jsonl")


def test_a_bot_that_ends_in_silence_is_said_to_have_written_nothing(league: League) -> None:
    league.bot("good")
    league.bot("quiet", "import sys; sys.exit(3)")
    result = league.call("match", "good.py", "quiet.py", status=1)
    assert " - see its standard error\n  (it wrote nothing to standard error)\n" in result.stdout


def test_a_bot_that_is_a_command_is_called_by_its_script(league: League) -> None:
    league.bot("lowest")
    one, other = "{python} lowest.py", f"{sys.executable} lowest.py"
    result = league.call("match", one, other, "--seed", "7")
    assert result.stdout.startswith("N lowest  E lowest-2  S lowest  W lowest-2\nseed 7,")


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_match_that_is_interrupted_leaves_nothing(signum: signal.Signals, league: League) -> None:
    league.bot("stubborn", "import signal; signal.signal(15, 1)\n" + SLOW + "\nwhile 1: pass\n")
    process = league.start("match", "stubborn.py", "stubborn.py")
    until(lambda: len(league.processes()) == 5)
    os.killpg(process.pid, signum)
    assert finish(process, 128 + signum).stderr == f"interrupted by {signum.name}\n"
    assert not league.processes()


# What a run says


def test_a_run_without_a_box_and_with_too_many_jobs_says_what_it_makes_of_it(
    league: League,
) -> None:
    league.write([league.bot("a"), league.bot("b")])
    told = league.play("--jobs", "999").stderr
    cores = len(os.sched_getaffinity(0))
    assert "sandbox none: only for bots you trust" in told
    assert f"--jobs 999 cut to {cores}: never more tables at once than cores allow" in told
    assert league.play("--jobs", "999", "--quiet").stderr == ""


def test_more_cores_a_table_than_there_are_is_a_mistake_in_the_file(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")], cores=1000)
    refused = league.play(status=2)
    told = r"league\.yaml:\d+:\d+: cores: a table needs 1000, and this machine has fewer"
    assert re.search(told, refused.stderr)
    assert not league.run_folder.exists()


def test_a_bot_whose_build_fails_is_a_mistake_of_the_users(league: League) -> None:
    (league.folder / "own").mkdir()
    broken = league.bot("broken", SOUND) | {"folder": "own", "build": ["false"]}
    league.write([league.bot("a"), broken])
    refused = league.play(status=2)
    assert "the build `false` ended with status 1" in refused.stderr
