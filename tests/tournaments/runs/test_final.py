"""The end of a tournament: nothing more is played, and the secret may be known, never before."""

import hashlib
import json
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.league import (
    SLOW,
    SOUND,
    Entry,
    League,
    Outcome,
    change,
    finish,
    records,
    until,
)
from tournaments.storage.store import Store

Command = Callable[..., Outcome]


def secret_of(run: Path) -> str:
    with Store.read(run) as store:
        assert store.root is not None
        return store.root.partition(" ")[2]


def test_the_secret_is_told_by_final_and_proves_the_commitment(
    league: League, command: Command
) -> None:
    league.write([league.bot("a"), league.bot("b")], seed=None)
    first = league.play()
    secret = secret_of(league.run_folder)
    before = json.loads(command("standings", league.run_folder, "--format", "json").out)
    assert (before["final"], before["secret"], before["seed"]) == (None, None, None)
    assert before["commitment"] in first.stderr

    final = league.play("--final", "--quiet")
    assert f"final since {league.standings()['final']}: nothing more can be played" in final.stderr
    (check,) = re.findall(r"^  (printf .*)$", final.stderr, re.M)
    printed = subprocess.run(["sh", "-c", check], capture_output=True, text=True, check=True).stdout
    assert printed.split()[0] == before["commitment"]
    assert hashlib.sha256(secret.encode()).hexdigest() == before["commitment"]
    after = json.loads(command("standings", league.run_folder, "--format", "json").out)
    assert after == league.standings()
    assert after == before | {"final": after["final"], "secret": secret}
    assert "2 of 2 matches, final" in command("standings", league.run_folder).out


def test_before_that_the_secret_stands_nowhere_but_in_the_database(
    league: League, command: Command
) -> None:
    spy = SOUND.replace("    if '\"id\":'", "    open('seen', 'a').write(line)\n    if '\"id\":'")
    assert spy != SOUND
    bots = [league.bot("a"), league.bot("spy", spy)]
    league.write(bots, seed=None)
    ended = [league.play(), league.play("--dry-run"), league.play("--quiet")]
    league.write(bots, seed=7)
    ended.append(league.play(status=2))
    league.write(bots, seed=None, cores=2)
    ended.append(league.play("--dry-run", status=2))
    copy = league.folder / "copy"
    said = [command("backup", league.run_folder, copy)]
    for form in ("table", "json", "csv", "markdown"):
        said.append(command("standings", league.run_folder, "--format", form))
    for what in ("matches", "decisions", "faults"):
        said.append(command("export", copy, "--what", what))
    said.append(command("verify", league.run_folder))
    said += [command("record", league.run_folder, match) for match in records(league.run_folder)]
    secret = secret_of(league.run_folder)
    told = [text for each in ended for text in (each.stdout, each.stderr)]
    told += [text for each in said for text in (each.out, each.err)]
    assert len(told) == 10 + 2 * len(said)
    assert not any(secret in text for text in told)
    holding = {
        path.name
        for path in league.folder.rglob("*")
        if path.is_file() and secret.encode() in path.read_bytes()
    }
    assert holding <= {"arena.db", "arena.db-wal"}
    assert holding


def unbuilt(league: League) -> Entry:
    """A bot whose build fails."""
    (league.folder / "own").mkdir()
    return {**league.bot("b"), "folder": "own", "build": ["false"]}


def read(command: Command, league: League) -> Any:
    return json.loads(command("standings", league.run_folder, "--format", "json").out)


@pytest.mark.parametrize("options", [(), ("--final",), ("--final", "--quiet")], ids=" ".join)
def test_the_digest_of_the_secret_is_what_is_told_first(
    options: tuple[str, ...], league: League, command: Command
) -> None:
    league.write([league.bot("a"), unbuilt(league)], seed=None)
    first = league.play(*options, status=2).stderr.splitlines()[0]
    digest = read(command, league)["commitment"]
    assert first.endswith(f"publish its SHA-256 now, to prove it later: {digest}")
    league.write([league.bot("a"), league.bot("b")], seed=None)
    assert league.play(*options).stderr.splitlines()[0] == first


def test_before_there_is_a_schedule_nothing_is_complete(league: League, command: Command) -> None:
    league.write([league.bot("a"), unbuilt(league)])
    league.play(status=2)
    assert read(command, league)["complete"] is False
    league.write([league.bot("a"), league.bot("b")])
    league.play()
    assert read(command, league)["complete"] is True


def test_with_a_seed_final_says_the_seed(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")])
    assert "all deals came from the seed 7\n" in league.play("--final").stderr
    assert (league.standings()["seed"], league.standings()["commitment"]) == (7, None)


def test_a_final_run_plays_nothing_more_and_shows_its_standings_again(league: League) -> None:
    bots = [league.bot("a"), league.bot("b")]
    league.write(bots, seed=None)
    first = league.play("--final")
    standings, kept = league.standings(), records(league.run_folder, times=True)
    again = league.play()
    assert again.stdout == first.stdout
    assert "publish its SHA-256 now" not in again.stderr
    league.write([*bots, league.bot("late")], seed=None, rating={"mu": 30}, name="other")
    refused = league.play("-o", "runs/league", status=2)
    assert re.search(
        r"is final since 2\S+, and 4 of its matches were not played there: play them in another"
        r" folder \(-o\)",
        refused.stderr,
    )
    assert refused.stdout == ""
    shown = league.call("standings", "runs/league").stdout
    assert shown.startswith(f"{first.stdout}\ncrosstable: ")
    assert league.standings() == standings
    league.write(bots, seed=None, disqualified="b")  # to compute anew is no match
    league.play()
    assert [bot["name"] for bot in league.standings()["bots"]] == ["a"]
    assert league.standings()["final"] == standings["final"]
    assert records(league.run_folder, times=True) == {}
    league.write(bots, seed=None)
    assert league.play("--final").stdout == first.stdout
    assert records(league.run_folder, times=True) == kept


def test_what_a_final_run_refuses_to_play_is_not_built_either(league: League) -> None:
    bots = [league.bot("a"), league.bot("b")]
    league.write(bots, seed=None)
    league.play("--final")
    trace, home = league.folder / "built", league.folder / "late"
    home.mkdir()
    build = {"build": ["sh", "-c", f"touch {trace}"], "folder": "late"}
    league.write([*bots, league.bot("late/bot") | build | {"name": "late"}], seed=None)
    refused = league.play(status=2)
    assert "4 of its matches were not played there" in refused.stderr
    assert not trace.exists()
    assert [path for path in league.run_folder.glob("bots/*") if "late" in path.name] == []


def test_what_is_void_keeps_a_run_from_being_final(league: League) -> None:
    killer = SOUND.replace(
        "    reply =",
        "    import os\n    os.path.exists('peace') or os.kill(os.getppid(), 9)\n    reply =",
    )
    league.write([league.bot("a"), league.bot("killer", killer)], schedule={"mirror": False})
    first = league.play("--final", status=3)
    assert "could not be played; run again to try them again; the run is not final" in first.stderr
    assert league.standings()["final"] is None
    (league.folder / "peace").touch()
    league.play("--final")
    assert league.standings()["final"]


def test_what_is_interrupted_is_not_final(league: League) -> None:
    league.write([league.bot("a", SLOW), league.bot("b", SLOW)], seed=None, schedule={"rounds": 50})
    process = league.start("run", "league.yaml", "--final")
    until(lambda: league.finished() >= 1)
    process.send_signal(signal.SIGINT)
    stopped = finish(process, 130)
    assert stopped.stderr.rstrip().endswith("goes on from there; the run is not final")
    with Store.read(league.run_folder) as store:
        assert store.tournament().final is None
    assert secret_of(league.run_folder) not in stopped.stderr


def test_a_secret_that_was_exchanged_is_never_told_as_the_one_that_was_published(
    league: League,
) -> None:
    league.write([league.bot("a"), league.bot("b")], seed=None)
    league.play()
    change(league.run_folder, "UPDATE tournament SET root = ?", f"secret {'0' * 32}")
    refused = league.play("--final", status=3)
    assert "is damaged: the secret: its SHA-256 is not the one that was published" in refused.stderr
    assert "0" * 32 not in refused.stderr


def test_a_final_run_of_nobody_is_final_for_a_dry_run_too(league: League) -> None:
    bots = [league.bot("a"), league.bot("b")]
    league.write(bots, disqualified=["a", "b"])
    league.play("--final")
    league.write(bots)
    for arguments in ((), ("--dry-run",)):
        assert "and 2 of its matches were not played" in league.play(*arguments, status=2).stderr


@pytest.mark.parametrize("arguments", [("--final",), ("--final", "--dry-run")])
def test_a_dry_run_makes_nothing_final(arguments: tuple[str, ...], league: League) -> None:
    league.write([league.bot("a"), league.bot("b")], schedule={"mirror": False})
    league.play()
    league.play(*arguments)
    with Store.read(league.run_folder) as store:
        assert bool(store.tournament().final) == ("--dry-run" not in arguments)
