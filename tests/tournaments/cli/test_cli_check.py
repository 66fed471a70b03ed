"""`check` as it is typed: what it prints in each form, the status it ends with, and the box."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from arena.checks import CHECKS, examination
from arena.checks.plans import BASIC, PLANS
from arena.events import Clocks
from arena.lag import ArenaLag
from tests.arena.programs import BAD_BOTS, children
from tests.arena.sandbox.users import need_bubblewrap
from tests.sample_bots.found import FOLDER as SAMPLE_BOTS
from tests.tournaments import junit_reader
from tests.tournaments.here import HereExecutor
from tests.tournaments.league import Outcome
from tournaments.cli import check
from tournaments.runs.executors import LocalExecutor

Command = Callable[..., Outcome]

BOT = """
import json, os, socket, subprocess, sys, threading, time
for line in sys.stdin:
    m = json.loads(line)
    reply = {"id": m.get("id")}
    if m["type"] == "bid":
        reply["bid"] = 3
        AT_A_BID
    if m["type"] == "play": reply["card"] = m["legal"][0]
    if "id" in m: print(json.dumps(reply), flush=True)
"""
UNHURRIED = Clocks(start_ms=60_000, move_ms=60_000, exit_ms=60_000)
PAINT = "print('\\x1b[2Jmine\\x07', file=sys.stderr); reply['bid'] = '\\x1b[2J'"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One conversation, all the time it takes, in this process."""
    monkeypatch.setattr(examination, "PLANS", (BASIC,))
    monkeypatch.setattr(check, "LocalExecutor", HereExecutor)
    monkeypatch.setattr(check, "Clocks", lambda: UNHURRIED)


def bot(folder: Path, at_a_bid: str = "pass", build: str = "") -> Path:
    home = folder / "mine"
    home.mkdir()
    (home / "bot.py").write_text(BOT.replace("AT_A_BID", at_a_bid))
    (home / "bot.yaml").write_text(f'name: mine\ncommand: ["{{python}}", bot.py]\n{build}')
    return home


def test_a_sound_bot_has_a_line_for_each_check_and_ends_with_0(
    tmp_path: Path, command: Command
) -> None:
    outcome = command("check", bot(tmp_path))
    assert (outcome.status, outcome.err) == (0, ""), outcome.out
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in outcome.out
    words = " ".join(lines).split()
    assert all(each.name in words for each in CHECKS)
    assert lines[-1].startswith("mine is sound: ")
    assert "skip  it ran without a box: --sandbox auto" in lines


def test_a_failure_is_told_in_full_and_ends_with_1(tmp_path: Path, command: Command) -> None:
    outcome = command("check", bot(tmp_path, PAINT))
    assert (outcome.status, outcome.err) == (1, "")
    _, _, failure = outcome.out.partition("FAIL  fields: it writes the field")
    assert '"bid" must be a whole number' in failure
    assert '      sent: {"type":"bid","id":' in failure
    assert "answered: '{" in failure
    assert "      mend: " in failure
    assert "      | \\x1b[2Jmine\\x07" in failure
    assert failure.splitlines()[-1].startswith("mine is not sound: ")
    assert "not reached: see fields" in outcome.out
    assert "\x1b" not in outcome.out


def test_json_has_every_check_with_its_evidence(tmp_path: Path, command: Command) -> None:
    outcome = command("check", bot(tmp_path, PAINT), "--format", "json")
    assert outcome.status == 1
    told = json.loads(outcome.out)
    assert [each["name"] for each in told["checks"]] == [each.name for each in CHECKS]
    counts = [told[key] for key in ("passed", "warnings", "failed", "skipped")]
    assert (sum(counts), told["failed"]) == (len(CHECKS), 1)
    (failure,) = (each for each in told["checks"] if each["status"] == "failed")
    assert json.loads(failure["request"])["type"] == "bid"
    assert failure["mend"]
    assert "mine" in failure["log"]
    assert (told["bot"], told["sandbox"], told["move_ms"]) == ("mine", "none", 60_000.0)


def test_junit_has_a_case_for_each_check(tmp_path: Path, command: Command) -> None:
    outcome = command("check", bot(tmp_path, PAINT), "--format", "junit")
    assert outcome.status == 1
    suite = junit_reader.read(outcome.out)
    results = {case.get("name"): junit_reader.result(case) for case in suite}
    assert list(results) == [each.name for each in CHECKS]
    assert results["starts"] == "passed"
    assert results["fields"] == "failure"
    assert results["one_process"] == "skipped"


@pytest.mark.parametrize(
    ("at_a_bid", "name"),
    [
        ("open('log.txt', 'w')", "scratch_only"),
        ("socket.create_connection(('example.org', 80))", "no_network"),
        ("subprocess.run(['true'])", "one_process"),
        (
            "[threading.Thread(None, time.sleep, '', [9], daemon=True).start() for _ in range(99)]",
            "one_process",
        ),
        ("open(os.environ['HOME'] + '/x', 'w').write('x' * 80_000_000)", "disk"),
        ("ballast = b'x' * 600_000_000", "memory"),
    ],
)
def test_what_a_box_refuses_fails_a_check_of_its_own(
    at_a_bid: str, name: str, tmp_path: Path, command: Command
) -> None:
    need_bubblewrap()
    outcome = command("check", bot(tmp_path, at_a_bid), "--sandbox", "auto", "--format", "json")
    assert outcome.status == 1
    told = json.loads(outcome.out)
    assert [c["name"] for c in told["checks"] if c["status"] == "failed"] == [name]
    assert told["sandbox"] == "bubblewrap"


def test_a_sound_bot_skips_nothing_in_a_box_and_its_folder_is_left_alone(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_bubblewrap()
    home = bot(tmp_path, build="build: [touch, built]\n")
    outcome = command("check", home, "--sandbox", "auto", "--format", "json")
    assert outcome.status == 0
    skipped = {c["name"] for c in json.loads(outcome.out)["checks"] if c["status"] == "skipped"}
    assert not skipped & {"one_process", "scratch_only", "no_network"}
    assert not (home / "built").exists()
    assert children() == []


def test_a_program_file_is_a_bot(command: Command) -> None:
    outcome = command("check", BAD_BOTS / "no_id.py")
    assert outcome.status == 1
    assert "FAIL  echoes_ids: " in outcome.out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ([], "BOT is missing"),
        (["nowhere"], "'nowhere' is no folder, no file, and no program on PATH"),
        (["mine", "--sandbox", "bubble"], "did you mean 'bubblewrap'?"),
        (["mine", "--format", "xml"], "there are text, json, junit"),
        (["mine"], "the build `false` ended with status 1"),
    ],
)
def test_a_mistake_or_a_build_that_fails_ends_with_2(
    typed: list[str],
    told: str,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    bot(tmp_path, build="build: ['false']\n")
    outcome = command("check", *typed)
    assert (outcome.status, outcome.out) == (2, "")
    assert told in outcome.err


def test_a_check_that_the_machine_has_disturbed_ends_with_3(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> NoReturn:
        raise ArenaLag(40.0)

    monkeypatch.setattr(check, "examine", late)
    outcome = command("check", bot(tmp_path))
    assert (outcome.status, outcome.out) == (3, "")
    assert "the check was disturbed: a clock ran out while the arena was 40 ms late" in outcome.err


def test_a_terminal_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("click.echo", lambda text, **_: told.append(text))
    with check._told() as tell:
        for done in range(4):
            tell(done, 3)
    assert told == [*(f"\rconversation {i} of 3" for i in (1, 2, 3, 3)), "\r\x1b[K"]


def test_conversations_in_worker_processes_come_to_the_same(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "LocalExecutor", LocalExecutor)
    monkeypatch.setattr(examination, "PLANS", PLANS)
    outcome = command("check", SAMPLE_BOTS / "random_legal", "--format", "json")
    assert (outcome.status, outcome.err) == (0, "")
    told = json.loads(outcome.out)
    assert (told["passed"], told["skipped"]) == (len(CHECKS) - 3, 3)
    outcome = command("check", BAD_BOTS / "bids_too_high.py")
    assert outcome.status == 1
    assert "FAIL  answers_bid: " in outcome.out
    assert children() == []
