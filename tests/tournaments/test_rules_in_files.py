"""Rules in a tournament file that exclude each other or have no effect, all told at once."""

from pathlib import Path

import pytest

from arena.rules import PRESETS
from tests.tournaments.test_config import FOUR, load, mistakes

TEAM = "min_team_bid needs partners: in solo play a side has one bid"
EXCHANGE = "blind_nil_exchange needs partners: in solo play nobody can exchange"
IN_VAIN = "has no effect without blind nil: add blind_nil: 200, or leave it out"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one").mkdir()
    Path("one/bot.yaml").write_text('command: ["{python}", bot.py]\n')


@pytest.mark.parametrize(
    ("rules", "due"),
    [
        ("{preset: solo, min_team_bid: 4}", [f"6:37: {TEAM}"]),
        ("{preset: solo, blind_nil: 200, blind_nil_exchange: 2}", [f"6:59: {EXCHANGE}"]),
        ("{preset: solo, blind_nil_exchange: 2}", [f"6:43: {EXCHANGE}"]),
        ("{preset: blind, players: solo}", [f"6:17: {EXCHANGE}"]),
        ("{preset: min4, players: solo, target: 300}", [f"6:17: {TEAM}"]),
        (
            "{preset: solo, min_team_bid: 4, blind_nil: 5, blind_nil_exchange: 2}",
            [f"6:37: {TEAM}", f"6:74: {EXCHANGE}"],
        ),
        ("{blind_nil_exchange: 2}", [f"6:29: blind_nil_exchange {IN_VAIN}"]),
        ("{preset: quick, blind_nil_deficit: 100}", [f"6:43: blind_nil_deficit {IN_VAIN}"]),
        (
            "{blind_nil: 0, blind_nil_deficit: 100, blind_nil_exchange: 1}",
            [f"6:42: blind_nil_deficit {IN_VAIN}", f"6:67: blind_nil_exchange {IN_VAIN}"],
        ),
        (
            "{preset: blind, blind_nil: 0, blind_nil_exchange: 3}",
            [f"6:58: blind_nil_exchange {IN_VAIN}"],
        ),
        (
            "{preset: solo, min_team_bid: 4, blind_nil_deficit: 9}",
            [f"6:37: {TEAM}", f"6:59: blind_nil_deficit {IN_VAIN}"],
        ),
        ("{blind_nil_deficit: 0, blind_nil_exchange: 0}", []),
        ("{preset: blind, blind_nil: 0}", []),
        ("{preset: blind, blind_nil: 0, blind_nil_deficit: 0}", []),
        ("{preset: solo, blind_nil: 5, blind_nil_deficit: 100}", []),
        ("{bag_penalty: 0, bag_limit: 5, bag_overflow: reset}", []),
        ("{nil: 0, failed_nil_tricks: contract, set_nil_bags: none}", []),
    ],
)
def test_rules_that_do_not_go_together_are_told_at_once(rules: str, due: list[str]) -> None:
    form = "solo" if "solo" in rules else "pairs"
    text = f"{FOUR}rules: {rules}\nformat: {form}\n"
    assert mistakes(text) == due if due else load(text)


def test_a_format_for_other_rules_is_told_as_well() -> None:
    clash = "the rules are for solo, and the format 'pairs' is not: write format: solo"
    assert mistakes(f"{FOUR}rules: {{preset: min4, players: solo}}") == [
        f"6:17: {TEAM}",
        f"6:32: {clash}",
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_preset_brings_may_be_without_effect(preset: str) -> None:
    form = "solo" if PRESETS[preset].players == "solo" else "pairs"
    load(f"{FOUR}rules: {{preset: {preset}, blind_nil: 0}}\nformat: {form}\n")
