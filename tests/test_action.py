"""The GitHub Action and the workflows that show its use: sound, and safe with strangers' texts."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.tournaments.junit_reader import read
from tests.tournaments.league import SOUND, League

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOWS = sorted((ROOT / "docs" / "examples").glob("*.yml"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}

SUDO = '#!/bin/sh\necho "$@" >>"$LOG"\n'
PYTHON = """#!/bin/sh
case $1 in
-c) exit "$OLD" ;;
-m) /bin/mkdir -p "$3/bin"; echo '#!/bin/sh
echo "$@" >>"$LOG"' >"$3/bin/pip"; /bin/chmod +x "$3/bin/pip" ;;
esac
echo "$@" >>"$LOG"
"""
GATE = f"""#!{sys.executable}
import json, os, sys
from pathlib import Path
json.dump(sys.argv[1:], open(os.environ["LOG"], "w"))
run = Path(sys.argv[sys.argv.index("--output") + 1])
if os.environ["FILES"]:
    run.mkdir()
    (run / "summary.md").write_text("**passed**\\n")
    (run / "junit.xml").write_text("<testsuites/>\\n")
print("::error::by a bot")
sys.exit(int(os.environ["STATUS"]))
"""
REAL = f'#!/bin/sh\nexec {sys.executable} -m tournaments.cli "$@"\n'


@pytest.mark.parametrize(
    ("schema", "paths"),
    [("vendor.github-actions", [ROOT / "action.yml"]), ("vendor.github-workflows", WORKFLOWS)],
    ids=["action", "workflows"],
)
def test_the_files_are_what_their_schema_asks_for(schema: str, paths: list[Path]) -> None:
    assert paths
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    found = subprocess.run([*check, *paths], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


def scripts() -> list[str]:
    steps = list(STEPS.values())
    for path in WORKFLOWS:
        for job in yaml.safe_load(path.read_text())["jobs"].values():
            steps += job["steps"]
    return [step["run"] for step in steps if "run" in step]


def test_no_script_has_anything_put_into_its_text() -> None:
    assert len(scripts()) == 4
    assert not any("${{" in script for script in scripts())


def test_no_workflow_gives_rights_to_what_runs_a_stranger_s_program() -> None:
    texts = {path.stem: path.read_text() for path in WORKFLOWS}
    assert not any("pull_request_target" in text for text in texts.values())
    gate, comment = (yaml.safe_load(texts[name]) for name in ("pull-request", "comment"))
    assert gate["permissions"] == {"contents": "read"}
    assert "secrets" not in texts["pull-request"]
    (job,) = gate["jobs"].values()
    checkouts = [step for step in job["steps"] if "checkout" in step.get("uses", "")]
    assert [step["with"]["persist-credentials"] for step in checkouts] == [False, False]
    assert comment["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert "checkout" not in texts["comment"].partition("name:")[2]
    assert comment[True]["workflow_run"]["workflows"] == [gate["name"]]  # YAML 1.1: on is true


class Place(NamedTuple):
    """Where a step runs."""

    folder: Path
    environment: dict[str, str]

    def program(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def run(self, step: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """A step as GitHub's runner runs it."""
        script = self.folder / "step.sh"
        script.write_text(STEPS[step]["run"])
        return subprocess.run(
            ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.folder / "workspace",
            env=self.environment | environment,
            capture_output=True,
            text=True,
        )

    def text(self, name: str) -> str:
        return (self.folder / name).read_text()

    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.text("output").splitlines())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A runner's folders and files."""
    (tmp_path / "workspace").mkdir()
    for name in ("output", "summary", "log"):
        (tmp_path / name).touch()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "LOG": str(tmp_path / "log"),
        **dict.fromkeys(STEPS["Play"]["env"], ""),
    }
    return Place(tmp_path, environment)


@pytest.mark.parametrize("there", [False, True])
def test_bubblewrap_is_installed_where_it_is_missing_and_allowed_to_work(
    there: bool, place: Place
) -> None:
    place.program("bin/sudo", SUDO)
    if there:
        place.program("bin/bwrap", SUDO)
    assert place.run("Install bubblewrap", PATH=str(place.folder / "bin")).returncode == 0
    log = place.text("log")
    assert ("apt-get install" in log) is not there
    setting = "kernel/apparmor_restrict_unprivileged_userns"
    restricted = Path("/proc/sys", setting).exists()
    assert (setting.replace("/", ".") + "=0" in log) == restricted


def test_the_package_is_installed_from_the_action_s_own_folder(place: Place) -> None:
    place.program("bin/python3", PYTHON)
    path = str(place.folder / "bin")
    assert place.run("Install spades-arena", PATH=path, OLD="0").returncode == 0
    assert place.text("log").splitlines() == [
        f"-m venv {place.folder}/temp/spades-arena",
        f"install --quiet --disable-pip-version-check {ROOT}",
    ]
    old = place.run("Install spades-arena", PATH=path, OLD="1")
    assert old.returncode == 2
    assert "needs Python 3.11" in old.stdout


def test_a_tournament_is_played_and_its_report_left(place: Place) -> None:
    place.program("temp/spades-arena/bin/spades-arena", REAL)
    league = League(place.folder / "workspace")
    leaves = SOUND.replace("stdin:", "stdin:\n    if '\"deal\":1,' in line: sys.exit()")
    league.write([league.bot("a"), league.bot("leaves", leaves)])
    ended = place.run("Play", TOURNAMENT="league.yaml", ARGUMENTS=" --jobs 1\n --quiet ")
    assert ended.returncode == 0, ended.stderr
    run = place.folder / "temp" / "spades-arena-run"
    assert place.outputs() == {
        **{"status": "0", "run": str(run)},
        **{"summary": f"{run}/summary.md", "junit": f"{run}/junit.xml"},
    }
    assert place.text("summary") == (run / "summary.md").read_text()
    assert "**leaves**: 2 exit" in place.text("summary")
    assert read((run / "junit.xml").read_text()).get("failures") == "3"


@pytest.mark.parametrize("status", [0, 1, 3, 4])
def test_a_gate_ends_with_its_own_status_and_leaves_its_report(status: int, place: Place) -> None:
    place.program("temp/spades-arena/bin/spades-arena", GATE)
    bots = {"CANDIDATE": "new bot", "AGAINST": "old"}
    ended = place.run("Play", STATUS=str(status), FILES="1", ARGUMENTS="--alpha 0.1 *", **bots)
    assert ended.returncode == status
    run = str(place.folder / "temp" / "spades-arena-run")
    assert json.loads(place.text("log")) == [
        *("gate", "--against=old", "--output", run, "--alpha", "0.1", "*", "--", "new bot")
    ]
    assert place.outputs()["status"] == str(status)
    assert place.text("summary") == "**passed**\n"
    stop, told, go = ended.stdout.splitlines()
    assert told == "::error::by a bot"
    assert stop.removeprefix("::stop-commands::") == go.strip(":")
    assert len(go) > 32


def test_where_nothing_was_played_there_is_no_report_to_name(place: Place) -> None:
    place.program("temp/spades-arena/bin/spades-arena", GATE)
    ended = place.run("Play", STATUS="2", FILES="", CANDIDATE="a", AGAINST="b")
    assert ended.returncode == 2
    assert sorted(place.outputs()) == ["run", "status"]
    assert place.text("summary") == ""


HOSTILE = [
    "$(touch x)",
    "`touch x`",
    "; touch x #",
    "'; touch x; '",
    '"; touch x; "',
    "a\nstatus=0\nrun=/",
    "--help",
    "${{ github.token }}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_an_input_is_nothing_but_a_name(text: str, place: Place) -> None:
    place.program("temp/spades-arena/bin/spades-arena", GATE)
    bots = {"CANDIDATE": text, "AGAINST": text, "ARGUMENTS": text}
    assert place.run("Play", STATUS="1", FILES="1", **bots).returncode == 1
    command, against, _, run, *more, end, candidate = json.loads(place.text("log"))
    assert (command, against, more) == ("gate", f"--against={text}", text.split())
    assert (end, candidate) == ("--", text)
    assert place.outputs() == {
        **{"status": "1", "run": run},
        **{"summary": f"{run}/summary.md", "junit": f"{run}/junit.xml"},
    }
    assert list((place.folder / "workspace").iterdir()) == []


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"CANDIDATE": "a"},
        {"AGAINST": "a"},
        {"TOURNAMENT": "t", "CANDIDATE": "a", "AGAINST": "b"},
    ],
)
def test_what_to_play_must_be_said_and_only_once(given: dict[str, str], place: Place) -> None:
    refused = place.run("Play", **given)
    assert refused.returncode == 2
    assert refused.stdout.startswith("::error::name a tournament, or a candidate")
