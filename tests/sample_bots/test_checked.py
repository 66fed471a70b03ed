"""Every sample bot is sound, by the checks that anybody can run on a bot."""

from pathlib import Path

import pytest

from arena.checks import examine
from arena.checks.findings import BOXED_ONLY
from arena.events import Clocks
from tests.sample_bots.found import SAMPLE_BOTS, prepared

UNHURRIED = Clocks(start_ms=60_000, move_ms=60_000, exit_ms=60_000)
"""A machine that is busy with other tests makes no bot late."""


@pytest.mark.parametrize("name", SAMPLE_BOTS)
def test_a_sample_bot_passes_every_check(name: str, once: Path) -> None:
    found = examine(prepared(name, once), UNHURRIED)
    assert {each.name for each in found if each.status == "skipped"} <= BOXED_ONLY
    assert [each for each in found if each.status in ("failed", "warning")] == []
