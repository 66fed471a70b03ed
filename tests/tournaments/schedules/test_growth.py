"""A league that lives: bots come, change and go, and it is as if all were played at once."""

import json
import re
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.here import HereExecutor
from tests.tournaments.league import Entry, League, Outcome, records
from tournaments.signals import Interrupted

Command = Callable[..., Outcome]
Play = Callable[..., Any]

QUICK = r"""
which=$1 bid=$2
while read -r line; do
    case $line in *'"id":'*) ;; *) continue ;; esac
    id=${line#*'"id":'}
    case $line in
        *'"type":"bid"'*) echo "{\"id\": ${id%%,*}, \"bid\": $bid}" ;;
        *'"type":"play"'*)
            cards=${line#*'"legal":['} cards=${cards%%]*}
            case $which in first) card=${cards%%,*} ;; *) card=${cards##*,} ;; esac
            echo "{\"id\": ${id%%,*}, \"card\": $card}" ;;
        *) echo "{\"id\": ${id%%,*}}" ;;
    esac
done
"""
"""As `league.SOUND`, and a tenth of the time to start."""


@pytest.fixture
def play(league: League, command: Command, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs the tournament file in this process; gives the standings."""
    monkeypatch.setattr("tournaments.cli.run.LocalExecutor", HereExecutor)
    monkeypatch.chdir(league.folder)

    def run(bots: Sequence[Entry], run: str = "runs/league", **settings: Any) -> Any:
        league.write(bots, **settings)
        ended = command("run", "league.yaml", "-o", run)
        assert ended.status == 0, ended.err
        found = json.loads(Path(run, "standings.json").read_text())
        assert all(bot["faults"] == {} for bot in found["bots"]), ended.err
        return found

    return run


def quick(league: League, count: int) -> list[Entry]:
    """Bots that differ in what they bid and play."""
    (league.folder / "quick.sh").write_text(QUICK)
    return [
        {"name": f"b{i}", "command": ["sh", "quick.sh", ("first", "last")[i % 2], str(i // 2 + 1)]}
        for i in range(count)
    ]


def of(found: Any, *fields: str) -> dict[str, Any]:
    """Some of what is said of each bot."""
    return {bot["name"]: [bot[field] for field in fields] for bot in found["bots"]}


def test_a_league_grown_bot_by_bot_is_the_same_league_played_at_once(
    league: League, play: Play
) -> None:
    bots, single = quick(league, 11), {"mirror": False}
    for number in range(2, 12):
        grown = play(bots[:number], schedule=single)
        assert grown["matches"]["scheduled"] == number * (number - 1) // 2
    assert grown == play(bots, "runs/at-once", schedule=single)
    assert len(records(league.run_folder)) == 55
    assert records(league.run_folder) == records(Path("runs/at-once"))


@pytest.mark.parametrize(("form", "players"), [("rotating", "partners"), ("solo", "solo")])
def test_where_one_bot_more_makes_other_tables_the_grown_league_is_that_played_at_once(
    form: str, players: str, league: League, play: Play
) -> None:
    rules = {"max_deals": 1} if players == "partners" else {"preset": "solo", "max_deals": 1}
    bots, settings = quick(league, 6), {"format": form, "rules": rules}
    smaller = play(bots[:5], **settings)
    kept = records(league.run_folder, times=True)
    grown = play(bots, **settings)
    assert grown == play(bots, "runs/at-once", **settings)
    assert list(records(league.run_folder).items()) == list(records(Path("runs/at-once")).items())
    assert play(bots[:5], **settings) == smaller
    assert records(league.run_folder, times=True) == kept


@pytest.mark.parametrize("kind", ["round_robin", "swiss"])
def test_a_league_grown_by_rounds_is_the_same_league_played_at_once(
    kind: str, league: League, play: Play
) -> None:
    bots = quick(league, 4)
    for rounds in (1, 2, 4):
        grown = play(bots, schedule={"type": kind, "rounds": rounds})
        assert grown["complete"]
    assert grown == play(bots, "runs/at-once", schedule={"type": kind, "rounds": 4})
    assert list(records(league.run_folder).items()) == list(records(Path("runs/at-once")).items())


def test_less_of_a_league_is_the_smaller_league_and_all_of_it_comes_back(
    league: League, play: Play
) -> None:
    bots = quick(league, 4)
    whole = play(bots, schedule={"rounds": 2})
    small = play(bots[1:])
    assert small == play(bots[1:], "runs/small")
    before = records(league.run_folder, times=True)
    assert play(bots, schedule={"rounds": 2}) == whole
    assert before.items() < records(league.run_folder, times=True).items()


@pytest.mark.parametrize("form", ["pairs", "rotating"])
def test_all_of_a_swiss_tournament_comes_back_whoever_left_and_whatever_rounds(
    form: str, league: League, play: Play
) -> None:
    bots, settings = quick(league, 5), {"format": form, "schedule": {"type": "swiss", "rounds": 3}}
    whole = play(bots, **settings)
    before = records(league.run_folder, times=True)
    less = [
        play(bots, **settings, disqualified="b1"),
        play(bots, **settings | {"schedule": {"type": "swiss", "rounds": 1}}),
        play(bots[1:], **settings),
    ]
    for small in less:
        assert small["complete"]
        assert small["matches"]["scheduled"] < whole["matches"]["scheduled"]
        assert play(bots, **settings) == whole
    assert records(league.run_folder, times=True) == before


@pytest.mark.parametrize("way", ["withdrawn", "disqualified", "absent"])
def test_rounds_that_were_drawn_get_back_who_had_left(way: str, league: League, play: Play) -> None:
    bots = quick(league, 5)
    without = bots[1:] if way == "absent" else bots
    gone = {} if way == "absent" else {way: "b0"}
    whole = play(bots, schedule={"type": "swiss", "rounds": 3})
    kept = records(league.run_folder, times=True)
    left = play(without, schedule={"type": "swiss", "rounds": 3}, **gone)
    assert (left["matches"]["finished"] == 12) == (way == "withdrawn")
    assert play(bots, schedule={"type": "swiss", "rounds": 3}) == whole
    assert records(league.run_folder, times=True) == kept
    play(without, schedule={"type": "swiss", "rounds": 4}, **gone)
    back = play(bots, schedule={"type": "swiss", "rounds": 4})
    assert (back["complete"], back["matches"]["finished"]) == (True, 16)
    assert list(records(league.run_folder, times=True).items())[:12] == list(kept.items())


def test_a_changed_bot_stands_beside_the_old_one_until_it_is_changed_back(
    league: League, play: Play
) -> None:
    a, b, c = quick(league, 3)
    first = play([a, b, c])
    changed = {**b, "command": [*b["command"][:3], "5"]}
    both = play([a, changed, c])
    assert of(both, "status", "played") == {
        "b0": ["playing", 6],
        "b1": ["superseded", 4],
        "b1@2": ["playing", 4],
        "b2": ["playing", 6],
    }
    assert both["matches"] == {"scheduled": 6, "finished": 6, "void": 0, "retired": 4}
    back = play([a, b, c])
    assert of(back, "status", "played") == {
        "b0": ["playing", 6],
        "b1": ["playing", 4],
        "b1@2": ["superseded", 4],
        "b2": ["playing", 6],
    }
    elsewhere = play([a, b, c], "runs/elsewhere")
    assert elsewhere == first
    assert records(Path("runs/elsewhere")).items() < records(league.run_folder).items()


def test_an_old_version_counts_in_the_rounds_that_the_file_has(league: League, play: Play) -> None:
    a, b, c = quick(league, 3)
    play([a, b, c], schedule={"rounds": 2})
    changed = {**b, "command": [*b["command"][:3], "5"]}
    for rounds, retired in ((2, 8), (1, 4), (2, 8)):
        found = play([a, changed, c], schedule={"rounds": rounds})
        assert found["matches"]["retired"] == retired
        assert of(found, "played")["b1"] == [retired]


def test_a_bot_that_is_withdrawn_is_ranked_by_its_past_and_can_come_back(
    league: League, play: Play, command: Command
) -> None:
    bots = quick(league, 4)
    three = play(bots[:3])
    (league.folder / "gone").mkdir()
    (league.folder / "quick.sh").rename(league.folder / "gone" / "quick.sh")  # nothing is started
    league.write([{"name": "b1"}, {"name": "b0"}, {"name": "b2"}], withdrawn=["b0", "b1", "b2"])
    assert command("run", "league.yaml", "-o", "runs/league").status == 0
    (league.folder / "gone" / "quick.sh").rename(league.folder / "quick.sh")

    left = play([bots[0], {"name": "b1"}, *bots[2:]], withdrawn="b1")
    assert of(left, "status", "played") == {
        "b0": ["playing", 6],
        "b1": ["withdrawn", 4],
        "b2": ["playing", 6],
        "b3": ["playing", 4],
    }
    assert left["matches"] == {"scheduled": 6, "finished": 6, "void": 0, "retired": 4}
    assert play(bots) == play(bots, "runs/at-once")
    assert play(bots[:3]) == three


def test_half_an_encounter_of_a_bot_that_left_is_luck_and_counts_for_nobody(
    league: League, play: Play, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = quick(league, 2)

    class Interrupting(HereExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            if league.finished():
                raise Interrupted(signal.SIGINT)
            return super().submit(fn, *args, **kwargs)

    league.write(bots)
    with monkeypatch.context() as patched:
        patched.setattr("tournaments.cli.run.LocalExecutor", Interrupting)
        assert command("run", "league.yaml", "--jobs", "1").status == 130
    assert league.finished() == 1
    left = play([bots[0], {"name": "b1"}], withdrawn=["b1"])
    assert of(left, "played") == {"b0": [0]}
    assert left["matches"]["retired"] == 0


def test_a_bot_that_is_disqualified_counts_for_nobody_until_it_is_taken_back(
    league: League, play: Play, command: Command
) -> None:
    bots = quick(league, 3)
    whole = play(bots)
    kept = records(league.run_folder, times=True)
    ranked = play(bots, disqualified=["b1"])
    assert ranked["disqualified"] == ["b1"]
    assert of(ranked, "played") == {"b0": [2], "b2": [2]}
    alone = play([bots[0], bots[2]], "runs/without")
    assert ranked | {"disqualified": []} == alone
    assert "disqualified, so that" in command("standings", "runs/league").out
    assert command("verify", "runs/league").out.startswith("6 records agree")
    assert play(bots) == whole
    assert records(league.run_folder, times=True) == kept


def test_a_run_tells_what_does_not_count_any_more_and_why(
    league: League, play: Play, command: Command
) -> None:
    bots = quick(league, 4)
    play(bots, schedule={"rounds": 2})
    league.write(bots[:3], withdrawn="b0", disqualified="b1")
    told = command("run", "league.yaml").err.splitlines()
    assert "withdrawn, what it has played counts: b0" in told
    assert "disqualified, what it has played counts for nobody: b1" in told
    assert "not in the file any more, what it has played counts for nobody: b3" in told
    assert "2 matches of bots that play no more: taken in after all others" in told
    assert (
        "10 finished matches are not in the schedule any more: kept in the record, and left out of"
        " the ranking" in told
    )
    quiet = command("run", "league.yaml", "--quiet")
    assert (quiet.status, quiet.err) == (0, "")


def test_a_run_in_which_nobody_is_left_to_meet_says_so(
    league: League, play: Play, command: Command
) -> None:
    bots, schedule = quick(league, 3), {"type": "gauntlet", "of": "b0"}
    told = "nobody is left to meet: no match is scheduled"
    play(bots, schedule=schedule)
    assert told not in command("run", "league.yaml").err
    league.write(bots, schedule=schedule, withdrawn="b0")
    assert told in command("run", "league.yaml").err.splitlines()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seed": 8}, "seed was 7, is 8: results would not be comparable"),
        ({"seed": None}, 'seed was 7, is "drawn in secret (SHA-256 '),
        ({"format": "rotating"}, 'format was "pairs", is "rotating"'),
        ({"clock": {"move": "2s"}}, "clock.move_ms was 60000.0, is 2000.0"),
        ({"faults": {"limit": 4}}, "faults.limit was 3, is 4"),
        ({"cores": 2}, "cores was 1, is 2"),
        ({"sandbox": {"backend": "none", "memory": "1GB"}}, "sandbox.memory was 512000000, is"),
    ],
)
def test_what_is_not_comparable_is_refused_with_the_reason_by_run_and_dry_run(
    settings: dict[str, Any], message: str, league: League, play: Play, command: Command
) -> None:
    bots = quick(league, 4)
    league.write(bots[:2])
    play(bots[:2])
    league.write(bots, **settings)
    for arguments in ((), ("--dry-run",)):
        refused = command("run", "league.yaml", "-o", "runs/league", *arguments)
        assert refused.status == 2
        assert message in refused.err
        place = r"\d+:\d+: " if next(iter(settings.values())) is not None else ""
        assert re.search(rf"error: league\.yaml:{place or ' '}", refused.err)


def test_a_league_with_a_secret_is_not_gone_on_with_from_a_seed(
    league: League, play: Play, command: Command
) -> None:
    bots = quick(league, 2)
    play(bots, seed=None)
    play(bots, seed=None)
    league.write(bots, seed=7)
    refused = command("run", "league.yaml")
    assert refused.status == 2
    assert 'seed was "drawn in secret (SHA-256 ' in refused.err
