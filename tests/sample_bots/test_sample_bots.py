"""Every sample bot is legal under all rules, repeatable, a process, and as strong as it says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.rules import Rules
from tests.arena.tables import rules
from tests.sample_bots.seated import BOTS, FOLDER, new, play
from tournaments.bots.starters import LANGUAGES

one_of_them = st.sampled_from(BOTS)
SHORT = Rules(max_deals=1)
COMPILED = ["c_counting", "sampling"]
"""Have files of tests of their own, as have the bots to start from."""


def converse(name: str, lines: list[bytes], *options: str) -> "subprocess.CompletedProcess[bytes]":
    """Runs a bot as its bot.yaml says."""
    description = yaml.safe_load((FOLDER / name / "bot.yaml").read_text())
    python, *rest = description["command"]
    assert python == "{python}"
    return subprocess.run(
        [sys.executable, *options, *rest],
        cwd=FOLDER / name,
        input=b"".join(lines),
        capture_output=True,
        timeout=60,
    )


def test_every_folder_is_a_bot_that_is_tested_here() -> None:
    tested = {*BOTS, *COMPILED, *LANGUAGES}
    assert {file.parent.name for file in FOLDER.glob("*/bot.yaml")} == tested


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_described(name: str) -> None:
    description = yaml.safe_load((FOLDER / name / "bot.yaml").read_text())
    assert description.pop("name") == name
    assert description.pop("command") in (["{python}", "bot.py"], ["{python}", "main.py"])
    assert set(description) - {"author"} == {"version", "language", "description"}
    assert all(isinstance(value, str) for value in description.values())


@settings(max_examples=60, deadline=None)
@given(one_of_them, one_of_them, rules, st.integers(0, 999))
def test_bots_are_legal_under_all_rules(first: str, second: str, rules: Rules, seed: int) -> None:
    state, _ = play(first, second, seed, rules=rules)
    assert state.faults == {}
    assert state.outcome
    assert state.outcome.reason != "forfeit"


@pytest.mark.parametrize("name", BOTS)
def test_a_process_replies_as_the_functions_do_and_leaves_when_its_input_ends(name: str) -> None:
    lines = play(name, "random_legal", rules=SHORT)[1][0].lines
    done = converse(name, [line for line, _ in lines])
    assert done.stderr == b""
    assert done.returncode == 0
    assert done.stdout == b"".join(reply for _, reply in lines if reply)
    assert done.stdout.count(b"\n") == 15


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_answers_what_a_later_version_may_ask(name: str) -> None:
    asked = [b'{"type":"weather"}\n', b'{"type":"claim","id":12,"count":2}\n']
    done = converse(name, asked)
    assert json.loads(done.stdout) == {"id": 12}


@pytest.mark.parametrize("name", ["random_legal", "python"])
def test_some_need_no_library(name: str) -> None:
    lines = play(name, "random_legal", rules=SHORT)[1][0].lines
    without_site_packages = converse(name, [line for line, _ in lines], "-S", "-E")
    assert without_site_packages.returncode == 0
    assert without_site_packages.stdout == b"".join(reply for _, reply in lines if reply)


@pytest.mark.parametrize("name", BOTS)
def test_the_same_match_again_is_the_same(name: str) -> None:
    first, second = (play(name, "counting", seed=1)[1] for _ in range(2))
    assert [bot.lines for bot in first] == [bot.lines for bot in second]


def test_the_seed_alone_makes_random_legal_choose_otherwise() -> None:
    (hello, _), *rest = play("random_legal", "random_legal", rules=SHORT)[1][0].lines
    other = new("random_legal")
    other(json.dumps({**json.loads(hello), "seed": 1}).encode())
    assert [other(line) for line, _ in rest] != [reply for _, reply in rest]


@pytest.mark.parametrize("name", ["high_card", "counting", "python"])
def test_a_bot_needs_no_memory(name: str) -> None:
    (hello, _), *rest = play(name, "high_card", seed=2, rules=SHORT)[1][0].lines
    for line, reply in rest:
        newcomer = new(name)
        newcomer(hello)
        assert newcomer(line) == reply


@pytest.mark.parametrize(
    ("better", "worse", "least"),
    [
        ("high_card", "random_legal", 0.75),
        ("python", "high_card", 0.9),
        ("counting", "random_legal", 0.9),
        ("counting", "high_card", 0.9),
    ],
    ids=lambda value: str(value),
)
def test_each_is_clearly_stronger_than_the_one_before(
    better: str, worse: str, least: float
) -> None:
    won = 0
    for seed in range(10):
        for leg, side in enumerate(("NS", "EW")):
            state, _ = play(better, worse, seed, leg)
            assert state.outcome
            won += state.outcome.winner == side
    assert won >= least * 20


def test_bots_use_the_wire_and_never_the_arena() -> None:
    for file in FOLDER.rglob("*.py"):
        assert not imports(file) & {"arena", "tournaments", "tests"}, file


def imports(file: Path) -> set[str]:
    lines = file.read_text().splitlines()
    words = [line.split() for line in lines if line.startswith(("import ", "from "))]
    return {word[1].partition(".")[0] for word in words}
