"""Tournaments with bad bots: each is charged with what it does, and everything else goes on."""

from tests.arena.programs import BAD_BOTS, PATIENT
from tests.arena.test_bad_bots import PROPER
from tests.arena.test_bad_bots_at_tables import ARGUMENTS, FAULTS
from tests.tournaments.league import Entry, League


def entry(program: str, name: str = "") -> Entry:
    """A program of tests/bad_bots as a bot of a tournament file."""
    command = ["{python}", "-S", "-E", f"{program}.py", *ARGUMENTS.get(program, ())]
    return {"name": name or program, "command": command, "folder": str(BAD_BOTS)}


def test_a_tournament_with_every_bad_bot_goes_on_to_its_end(league: League) -> None:
    kinds: dict[str, str | None] = dict.fromkeys(PROPER)
    kinds |= {name: kind for name, (clock, kind, _) in FAULTS.items() if clock == PATIENT}
    league.write(
        [entry("proper", "one"), entry("proper", "other"), *map(entry, kinds)],
        rules={"max_deals": 2},
        clock={"start": "60s", "move": "60s", "exit": "10ms"},
        schedule={"type": "gauntlet", "of": ["one", "other"], "mirror": False},
    )
    league.play("--jobs", "2")
    standings = league.standings()
    matches = 2 * len(kinds)
    assert standings["complete"]
    assert standings["matches"] == {"scheduled": matches, "finished": matches, "void": 0}
    assert {bot["name"]: bot["faults"] for bot in standings["bots"]} == {
        "one": {},
        "other": {},
        **{name: {} if kind is None else {kind: 2} for name, kind in kinds.items()},
    }
