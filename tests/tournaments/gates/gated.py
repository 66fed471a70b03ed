"""Gates between bots of a league, and what they leave in their run folders."""

import json
from pathlib import Path
from typing import Any

from tests.tournaments.gates.test_report import parsed
from tests.tournaments.league import SOUND, League
from tournaments.errors import UserError
from tournaments.storage.store import Store

QUICK = ("--rules", "quick", "--sandbox", "none")
"""Games to 250, which who loses every deal has lost after the first: it has -200 then."""
LOSES = ("0", "13")
"""Arguments of a bot that bids 13."""
WILD = SOUND.replace(
    "\n    if '\"id\":'",
    """
    if '"hello"' in line and int(line.split('"seed":')[1].split("}")[0].split(",")[0]) % 2:
        bid = "13"
    if '"id":'""",
)
"""Bids 13 in every other match, by its seed."""


def bot(name: str, *arguments: str) -> str:
    """A bot of the league as an argument."""
    return " ".join(("{python} -S -E", f"{name}.py", *arguments))


def reported(run: Path) -> dict[str, Any]:
    """What is left in gate.json, once all that is left was found to agree."""
    found: dict[str, Any] = json.loads((run / "gate.json").read_text())
    parsed((run / "junit.xml").read_text())
    assert (run / "summary.md").read_text().startswith("**")
    return found


def timeless(run: Path) -> dict[str, Any]:
    """What must be the same in every run that comes to the same verdict."""
    own = {"seconds", "matches_played", "run"}
    return {key: value for key, value in reported(run).items() if key not in own}


def played_now(run: Path) -> int:
    """How many matches the last command has played there."""
    return int(reported(run)["matches_played"])


def finished_in(run: Path) -> int:
    """How many matches of its schedule a run folder has, if it is one."""
    try:
        with Store.read(run) as store:
            return store.counts().finished
    except UserError:
        return 0


def only_run(league: League) -> Path:
    """The run folder of the only pair of bots so far that no folder was named for."""
    (run,) = (league.folder / "runs" / "gate").iterdir()
    return run
