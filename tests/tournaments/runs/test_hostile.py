"""Tournaments with bad bots: each is charged with what it does, and everything else goes on."""

from tests.arena.programs import BAD_BOTS, HASTY, PATIENT
from tests.arena.test_bad_bots import PROPER
from tests.arena.test_bad_bots_at_tables import ARGUMENTS, FAULTS
from tests.tournaments.league import Entry, League


def entry(program: str, name: str = "") -> Entry:
    """A program of tests/bad_bots as a bot of a tournament file."""
    command = ["{python}", "-S", "-E", f"{program}.py", *ARGUMENTS.get(program, ())]
    return {"name": name or program, "command": command, "folder": str(BAD_BOTS)}


def play(league: League, kinds: dict[str, str | None], of: list[str], move: str) -> None:
    """Each of `of` meets all programs of `kinds`: these are charged with that, and nobody else."""
    league.write(
        [*(entry("proper", name) for name in of), *map(entry, kinds)],
        rules={"max_deals": 2},
        clock={"start": "60s", "move": move, "exit": "10ms"},
        schedule={"type": "gauntlet", "of": of, "mirror": False},
    )
    league.play("--jobs", "2")
    standings = league.standings()
    matches = len(of) * len(kinds)
    assert standings["complete"]
    assert standings["matches"] == {
        "scheduled": matches,
        "finished": matches,
        "void": 0,
        "retired": 0,
    }
    assert {bot["name"]: bot["faults"] for bot in standings["bots"]} == {
        **{name: {} for name in of},
        **{name: {} if kind is None else {kind: len(of)} for name, kind in kinds.items()},
    }


def test_a_tournament_with_every_bad_bot_goes_on_to_its_end(league: League) -> None:
    kinds: dict[str, str | None] = dict.fromkeys(PROPER)
    kinds |= {name: kind for name, (clock, kind, _) in FAULTS.items() if clock == PATIENT}
    play(league, kinds, ["one", "other"], move="60s")


def test_a_tournament_with_every_late_bot_goes_on_to_its_end(league: League) -> None:
    kinds: dict[str, str | None] = {
        name: kind for name, (clock, kind, _) in FAULTS.items() if clock == HASTY
    }
    play(league, kinds, ["one"], move="1500ms")
