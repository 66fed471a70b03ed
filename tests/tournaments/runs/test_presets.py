"""Whole tournaments by every preset, of the smallest bot there is, and by every fault policy."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace

from arena.record import judge
from arena.rules import PRESETS, sides
from tests.tournaments.league import ROOT, League, Outcome, records

Command = Callable[..., Outcome]

SAMPLES: Final = [
    str(ROOT / "sample_bots" / name) for name in ("random_legal", "high_card", "counting")
]

SMALLEST: Final = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    reply = {"id": m["id"]}
    if m["type"] == "bid": reply["bid"] = 3
    if m["type"] == "play": reply["card"] = m["legal"][0]
    print(json.dumps(reply), flush=True)
"""
"""The smallest bot, as the protocol's page shows it: it knows no preset."""

FAILS: Final = """
import json, sys
played = 0
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    reply = {"id": m["id"]}
    if m["type"] == "bid": reply["bid"] = 3
    if m["type"] == "play":
        played += 1
        reply["card"] = m["legal"][0] if played % 30 else FAILURE
    print(json.dumps(reply), flush=True)
"""
"""Fails at each thirtieth card."""


def is_solo(preset: str) -> bool:
    return PRESETS[preset].players == "solo"


def export(league: League, what: str, command: Command) -> Any:
    return json.loads(command("export", league.run_folder, "--what", what).out)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_plays_a_whole_tournament_without_a_fault(
    preset: str, league: League, command: Command
) -> None:
    solo = is_solo(preset)
    smallest = league.bot("smallest", SMALLEST)
    league.write(
        [*SAMPLES, *([smallest] if solo else [])],
        format="solo" if solo else "pairs",
        rules={"preset": preset, "max_deals": 2},
        schedule={"mirror": solo},
    )
    league.play("--jobs", "2")

    found, matches = league.standings(), 4 if solo else 3
    assert found["complete"]
    assert found["matches"] == {"scheduled": matches, "finished": matches, "void": 0, "retired": 0}
    assert len(found["bots"]) == (4 if solo else 3)
    for bot in found["bots"]:
        assert bot["faults"] == {}
        assert bot["played"] == bot["won"] + bot["drawn"] + bot["lost"] == (4 if solo else 2)
        assert bot["points_per_deal"] is not None

    agree = "1 record agrees" if matches == 1 else f"{matches} records agree"
    assert command("verify", league.run_folder) == (0, f"{agree} with the rules\n", "")
    for record in records(league.run_folder).values():
        started, final = judge(record)
        assert started.rules == replace(PRESETS[preset], max_deals=2)
        assert list(final.score) == list(sides(PRESETS[preset].players))
        assert final.deals == 2


@pytest.mark.parametrize("preset", PRESETS)
def test_the_smallest_bot_plays_a_whole_match_of_every_preset(
    preset: str, league: League, command: Command
) -> None:
    league.bot("smallest", SMALLEST)
    # In pairs it is its own partner at one side, and another bot's at the other.
    table = ["smallest.py", "smallest.py", "smallest.py", SAMPLES[1]]
    league.call("match", *table, "--rules", preset, "--seed", "3", "-o", "match.jsonl")
    file = league.folder / "match.jsonl"
    assert command("verify", file) == (0, "1 record agrees with the rules\n", "")
    started, final = judge(file.read_bytes())
    assert started.rules == PRESETS[preset]
    assert final.faults == {}
    assert final.outcome is not None
    assert final.outcome.reason != "forfeit"


@pytest.mark.parametrize("solo", [False, True])
@pytest.mark.parametrize("faults", [{"policy": "set"}, {"policy": "forfeit", "illegal": "set"}])
def test_a_renege_that_is_set_ends_its_deal_and_the_match_goes_on(
    faults: dict[str, str], solo: bool, league: League, command: Command
) -> None:
    bots = [league.bot("low", SMALLEST), league.bot("reneges", FAILS.replace("FAILURE", "'ZZ'"))]
    if solo:
        bots += [league.bot("lower", SMALLEST), league.bot("lowest", SMALLEST)]
    league.write(
        bots,
        format="solo" if solo else "pairs",
        rules={"preset": "solo" if solo else "standard", "max_deals": 5},
        faults=faults,
    )
    league.play("--jobs", "2")
    matches, found = export(league, "matches", command), league.standings()
    assert len(matches) == (4 if solo else 2)
    decisions = export(league, "decisions", command)
    cards = Counter((row["match"], row["deal"]) for row in decisions if row["type"] == "play")
    reneges = 0
    for match in matches:
        assert (match["reason"], match["forfeited"], match["deals"]) == ("max_deals", None, 5)
        short = [deal for deal in range(1, 6) if cards[match["match"], deal] < 52]
        faulty = [word.split(":") for word in match["faults"].split()]
        assert {(match[seat], kind) for seat, kind, _ in faulty} == {("reneges", "illegal")}
        assert len(short) == sum(int(count) for _, _, count in faulty)
        assert short[0] == 3
        reneges += len(short)
    by_name = {bot["name"]: bot["faults"] for bot in found["bots"]}
    assert by_name.pop("reneges") == {"illegal": reneges}
    assert not any(by_name.values())
    agree = f"{len(matches)} records agree"
    assert command("verify", league.run_folder) == (0, f"{agree} with the rules\n", "")


def test_a_bot_that_is_gone_sets_its_side_and_is_started_again_for_the_next_deal(
    league: League, command: Command
) -> None:
    bots = [league.bot("low", SMALLEST), league.bot("goes", FAILS.replace("FAILURE", "sys.exit()"))]
    league.write(bots, rules={"max_deals": 5}, faults={"policy": "set"}, schedule={"mirror": False})
    league.play()
    (match,) = export(league, "matches", command)
    assert (match["reason"], match["forfeited"], match["deals"]) == ("max_deals", None, 5)
    faults = export(league, "faults", command)
    # The thirtieth card of one seat; its partner's is in the next deal, as that one was cut short.
    assert [(row["deal"], row["kind"], row["ruling"]) for row in faults] == [
        (3, "exit", "set"),
        (4, "exit", "set"),
    ]
    assert {row["bot"] for row in faults} == {"goes"}
    assert command("verify", league.run_folder).status == 0


@pytest.mark.parametrize("failure", ["sys.exit()", "'ZZ'"], ids=["exit", "illegal"])
def test_a_bot_that_fails_is_played_for_and_the_match_goes_on(
    failure: str, league: League, command: Command
) -> None:
    bots = [league.bot("low", SMALLEST), league.bot("fails", FAILS.replace("FAILURE", failure))]
    league.write(bots, rules={"max_deals": 5}, faults={"policy": "substitute"})
    league.play("--jobs", "2")
    league.check_nothing_is_left()
    kind = "illegal" if "ZZ" in failure else "exit"
    matches = export(league, "matches", command)
    assert [(match["reason"], match["deals"]) for match in matches] == [("max_deals", 5)] * 2
    assert {bot["name"]: bot["faults"] for bot in league.standings()["bots"]} == {
        "fails": {kind: 8},  # twice in 65 cards, at each of two seats, in each of two matches
        "low": {},
    }
    decisions = export(league, "decisions", command)
    assert len(decisions) == 2 * 5 * 56
    arena_s = [row for row in decisions if row["substituted"]]
    assert [(row["bot"], row["type"], row["ms"]) for row in arena_s] == [
        ("fails", "play", None)
    ] * 8
    faults = export(league, "faults", command)
    assert [(row["kind"], row["ruling"]) for row in faults] == [(kind, "substitute")] * 8
    assert command("verify", league.run_folder) == (0, "2 records agree with the rules\n", "")
    league.play("--jobs", "1", "-o", "again")
    assert records(league.folder / "again") == records(league.run_folder)


def test_a_bot_that_can_never_start_forfeits_in_its_first_deal(
    league: League, command: Command
) -> None:
    league.write(
        [league.bot("low", SMALLEST), league.bot("broken", "raise SystemExit('no')")],
        faults={"policy": "substitute"},
    )
    league.play()
    for match in export(league, "matches", command):
        assert (match["reason"], match["deals"]) == ("forfeit", 0)
        assert {match[side] for side in match["winner"]} == {"low"}
    rows = export(league, "faults", command)
    assert {row["ruling"] for row in rows} == {"substitute", "forfeit"}
    assert max(row["deal"] for row in rows) == 1
    assert command("verify", league.run_folder).status == 0
