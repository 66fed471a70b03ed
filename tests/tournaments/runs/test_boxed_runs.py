"""Tournaments whose bots are boxed in: as root, as a normal user, and where there is no box."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record import read
from arena.sandbox import NoSandbox
from tests.arena.sandbox.users import need_bubblewrap
from tests.tournaments.league import ROOT, SOUND, Entry, League, Outcome, change, records
from tests.tournaments.normal_user import command_of_a_normal_user
from tournaments import boxes
from tournaments.boxes import box_for
from tournaments.errors import UserError
from tournaments.runs.runner import STOP_AFTER
from tournaments.tournament import SandboxSettings

Command = Callable[..., Outcome]

NO_BWRAP = """
import shutil

which = shutil.which
shutil.which = lambda name, *args, **more: None if name == "bwrap" else which(name, *args, **more)
"""
"""Run before the command: a machine without bubblewrap."""

HAS_C = bool(shutil.which("cc") and shutil.which("make"))


def without_bubblewrap(league: League) -> None:
    """Whatever the league runs from now on does not find it."""
    blind = league.folder / "blind"
    blind.mkdir()
    (blind / "sitecustomize.py").write_text(NO_BWRAP)
    league.environment["PYTHONPATH"] = f"{blind}:{ROOT}"


def sample(name: str) -> str:
    return str(ROOT / "sample_bots" / name)


def quickstart(league: League, **changes: str) -> None:
    """The example, one round of it, beside the league's own file."""
    text = (ROOT / "tournaments" / "examples" / "quickstart.yaml").read_text()
    for before, after in {"rounds: 8": "rounds: 1", "../../": f"{ROOT}/", **changes}.items():
        assert before in text
        text = text.replace(before, after)
    (league.folder / "quickstart.yaml").write_text(text)


def test_a_boxed_tournament_with_bots_in_python_and_c_plays(league: League) -> None:
    need_bubblewrap()
    bots: list[Entry | str] = [league.bot("mine", SOUND), sample("random_legal")]
    if HAS_C:
        bots.append(sample("c_counting"))
    league.write(bots, sandbox=None)
    told = league.play()
    assert "run only bots you trust" not in told.stderr
    found = league.standings()
    assert found["complete"]
    assert [bot["faults"] for bot in found["bots"]] == [{}] * len(bots)
    for record in records(league.run_folder).values():
        started = json.loads(record.split(b"\n")[0])
        assert started["sandbox"]["backend"] == "bubblewrap"
        assert started["sandbox"]["memory"] == 512_000_000
        assert "no_network" in started["sandbox"]["guarantees"]


def test_boxed_and_free_bots_play_the_same(league: League) -> None:
    need_bubblewrap()
    choices = []
    for folder, backend in (("boxed", "auto"), ("free", "none")):
        league.write(league.three(), sandbox={"backend": backend})
        league.play("-o", folder)
        choices.append(
            [
                [line for line in record.splitlines() if b'"type":"play"' in line]
                for record in records(league.folder / folder).values()
            ]
        )
    boxed, free = (sorted(played) for played in choices)
    assert boxed == free
    assert boxed


def test_a_normal_user_runs_a_boxed_tournament_and_builds_in_a_box() -> None:
    with command_of_a_normal_user() as (command, environment, own):
        bots = ["../sample_bots/random_legal", "../sample_bots/high_card"]
        if HAS_C:
            bots.append("../sample_bots/c_counting")
        league = {"name": "league", "seed": 7, "rules": {"max_deals": 1}, "bots": bots}
        (own / "league.yaml").write_text(json.dumps(league))
        ended = subprocess.run(
            [*command, "run", "league.yaml"],
            cwd=own,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert ended.returncode == 0, ended.stderr
        found = json.loads((own / "runs" / "league" / "standings.json").read_text())
        assert found["complete"]
        assert [bot["faults"] for bot in found["bots"]] == [{}] * len(bots)


def test_a_normal_user_is_told_by_the_doctor_that_all_holds() -> None:
    with command_of_a_normal_user() as (command, environment, own):
        ended = subprocess.run(
            [*command, "doctor", "--format", "json"],
            cwd=own,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert {f["status"] for f in json.loads(ended.stdout)} <= {"holds", "missing"}


def test_the_quickstart_plays_boxed_too(league: League) -> None:
    need_bubblewrap()
    quickstart(league, **{"backend: none": "backend: auto"})
    told = league.call("run", "quickstart.yaml", "-o", "run")
    assert told.stdout.startswith("quickstart: 6 of 6 matches")
    for record in records(league.folder / "run").values():
        assert json.loads(record.split(b"\n")[0])["sandbox"]["backend"] == "bubblewrap"


def test_without_bubblewrap_a_tournament_is_refused_and_the_quickstart_plays(
    league: League,
) -> None:
    without_bubblewrap(league)
    league.write([league.bot("a"), league.bot("b")], sandbox=None)
    refused = league.play(status=2).stderr
    assert refused.startswith("error: league.yaml: sandbox: bots can't be boxed in: ")
    assert "apt-get install bubblewrap" in refused
    assert "sandbox: {backend: none}" in refused
    assert not league.run_folder.exists()
    refused = league.call("match", "a.py", "b.py", "--sandbox", "auto", status=2).stderr
    assert refused.startswith("error: bots can't be boxed in: bubblewrap is not installed")
    assert refused.endswith(" --sandbox none\n")
    quickstart(league)
    told = league.call("run", "quickstart.yaml", "-o", "run")
    assert told.stdout.startswith("quickstart: 6 of 6 matches")
    assert "sandbox none: only for bots you trust" in told.stderr


FAILS_LATER = """#!/bin/sh
/bin/mkdir "$0.tried" 2>/dev/null && exec BWRAP "$@"
echo "bwrap: setting up uid map: Permission denied" >&2
exit 1
"""


def test_a_bubblewrap_that_fails_after_it_was_tried_is_the_machine_s_trouble_for_every_command(
    league: League,
) -> None:
    need_bubblewrap()
    bwrap = league.folder / "bin" / "bwrap"
    bwrap.parent.mkdir()
    bwrap.write_text(FAILS_LATER.replace("BWRAP", str(shutil.which("bwrap"))))
    bwrap.chmod(0o755)
    league.environment["PATH"] = f"{bwrap.parent}:{league.environment['PATH']}"
    league.write([league.bot("a"), league.bot("b")], sandbox=None, schedule={"rounds": 4})
    for command in (
        ["match", "a.py", "b.py", "--sandbox", "auto"],
        ["check", "a.py", "--sandbox", "auto"],
        ["run", "league.yaml", "--jobs", "1"],
    ):
        told = league.call(*command, status=3).stderr.splitlines()
        bwrap.with_name("bwrap.tried").rmdir()
        assert "bot can't be boxed in: AppArmor forbids user namespaces" in told[-1]
        assert "Permission denied): ask `spades-arena doctor`" in told[-1]
    assert told[-1].startswith(f"arena error: {STOP_AFTER} matches in a row could not be played: ")
    assert told[-1].endswith("doctor`, and run again: finished matches are kept")


@pytest.mark.parametrize("backend", ["auto", "bubblewrap"])
def test_a_box_that_cannot_be_had_is_never_replaced_by_none(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(wanted: str) -> str:
        assert wanted == backend
        raise NoSandbox("bots can't be boxed in: why")

    monkeypatch.setattr(boxes, "find", find)
    with pytest.raises(UserError, match=r"can't be boxed in: why; `spades-arena doctor`"):
        box_for(SandboxSettings(backend))  # type: ignore[arg-type]


def test_other_limits_make_results_incomparable(league: League) -> None:
    need_bubblewrap()
    league.write([league.bot("a"), league.bot("b")], sandbox={"memory": "256MB"})
    league.play()
    league.write([league.bot("a"), league.bot("b")], sandbox={"memory": "128MB", "threads": 8})
    refused = league.play(status=2).stderr
    assert "sandbox.memory was 256000000, is 128000000; sandbox.threads was 64, is 8" in refused
    league.write([league.bot("a"), league.bot("b")], sandbox={"backend": "none"})
    assert 'sandbox.backend was "bubblewrap", is "none"' in league.play(status=2).stderr


def test_auto_goes_on_with_what_bubblewrap_has_begun(league: League) -> None:
    need_bubblewrap()
    league.write([league.bot("a"), league.bot("b")], sandbox={"backend": "bubblewrap"})
    league.play()
    league.write([league.bot("a"), league.bot("b")], sandbox=None)
    assert "2 of them played before" in league.play().stderr


def test_a_run_folder_from_before_there_were_limits_is_refused_by_name(league: League) -> None:
    league.write([league.bot("a"), league.bot("b")])
    league.play()
    change(
        league.run_folder,
        "UPDATE tournament SET comparable ="
        " json_set(comparable, '$.sandbox', json('{\"backend\": \"none\"}'))",
    )
    refused = league.play(status=2).stderr
    assert "sandbox.memory was not set, is 512000000" in refused
    assert "use another folder (-o)" in refused


def test_a_boxed_match_changes_nothing_in_the_folder_of_a_bot(
    league: League, command: Command
) -> None:
    need_bubblewrap()
    own = league.folder / "own"
    own.mkdir()
    (own / "bot.py").write_text(SOUND)
    (own / "bot.yaml").write_text(
        json.dumps({"command": ["{python}", "made.py"], "build": ["cp", "bot.py", "made.py"]})
    )
    record = league.folder / "match.jsonl"
    told = league.call("match", "own", "own", "--sandbox", "auto", "--seed", "7", "-o", str(record))
    assert told.stdout.startswith("N own  E own-2  S own  W own-2\nseed 7, sandbox bubblewrap\n")
    assert "fault" not in told.stdout
    assert sorted(path.name for path in own.iterdir()) == ["bot.py", "bot.yaml"]
    assert [event for _, event in read(record.read_bytes())]


def test_a_bot_that_wants_more_than_its_box_has_is_told_how_to_get_it(league: League) -> None:
    need_bubblewrap()
    forks = league.bot("forks", f"import os\nos.fork() or os._exit(0)\n{SOUND}")
    league.write([league.bot("a"), forks], sandbox=None)
    league.play()
    faults = json.loads(league.call("export", str(league.run_folder), "--what", "faults").stdout)
    assert faults
    assert all("sandbox: {processes: N}" in fault["detail"] for fault in faults)
    league.write([league.bot("a"), forks], sandbox={"processes": 2})
    league.play("-o", "more")
    assert json.loads(league.call("export", "more", "--what", "faults").stdout) == []


def test_a_box_hides_the_run_folder_and_the_other_bots(league: League) -> None:
    need_bubblewrap()
    looks = f"""
import os, sys
for path in {[str(league.folder / "runs"), str(league.folder / "a.py"), "/etc/shadow"]!r}:
    if os.path.exists(path):
        sys.exit(f"it can see {{path}}")
{SOUND}
"""
    own = league.folder / "looks"
    own.mkdir()
    (own / "bot.py").write_text(looks)
    (own / "bot.yaml").write_text(json.dumps({"command": ["{python}", "bot.py"]}))
    league.write([league.bot("a"), "looks"], sandbox=None)
    league.play()
    assert [bot["faults"] for bot in league.standings()["bots"]] == [{}, {}]
    assert Path(league.folder / "a.py").exists()
