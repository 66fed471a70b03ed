"""`gate` as it is typed: real bots, its verdicts and exit statuses, and what it leaves."""

import json
import os
import re
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from tests.arena.programs import BAD_BOTS
from tests.tournaments.gates.gated import LOSES, QUICK, bot, only_run, reported
from tests.tournaments.here import HereExecutor
from tests.tournaments.league import ROOT, League, Outcome

Command = Callable[..., Outcome]

# Verdicts


@pytest.mark.parametrize(
    ("candidate", "baseline", "options", "status", "verdict"),
    [
        (("cand",), ("base", *LOSES), (), 0, "passed"),
        (("cand", *LOSES), ("base",), (), 1, "failed"),
        (("cand",), ("base",), ("--elo1", "200"), 1, "failed"),
        (("cand",), ("base",), ("--elo0", "-200", "--elo1", "0"), 0, "passed"),
    ],
)
def test_a_gate_ends_with_its_verdict_as_its_status(
    candidate: tuple[str, ...],
    baseline: tuple[str, ...],
    options: tuple[str, ...],
    status: int,
    verdict: str,
    gated: League,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(gated.folder)
    monkeypatch.setattr("tournaments.cli.gate_run.LocalExecutor", HereExecutor)
    typed = ("gate", bot(*candidate), "--against", bot(*baseline), *QUICK, *options)
    ended = command(*typed, "--jobs", "1")
    assert ended.status == status, ended
    assert ended.out.startswith(f"{verdict}: ")
    found = reported(only_run(gated))
    assert (found["verdict"], found["exit_status"]) == (verdict, status)
    assert 8 <= found["pairs"]["counted"] <= 10
    assert found["matches"] == found["matches_played"] == 2 * found["pairs"]["counted"]
    assert f"{found['matches']} records agree" in command("verify", only_run(gated)).out


def test_the_best_sample_bot_passes_against_the_worst_which_fails_by_the_same_matches(
    league: League,
) -> None:
    best, worst = (str(ROOT / "sample_bots" / name) for name in ("counting", "random_legal"))
    ended = league.call("gate", best, "--against", worst, *QUICK, "--format", "json", "-o", "run")
    found = json.loads(ended.stdout)
    assert found == reported(league.folder / "run")
    assert found["verdict"] == "passed"
    assert (found["elo0"], found["elo1"], found["max_pairs"]) == (0, 20, 2_000)
    league.call("gate", worst, "--against", best, *QUICK, "-o", "run", status=1)
    turned = reported(league.folder / "run")
    assert (turned["verdict"], turned["matches_played"]) == ("failed", 0)


# Bots that are broken


@pytest.mark.parametrize(
    ("name", "kind"), [("bids_too_high", "illegal"), ("crashes", "exit"), ("nan", "malformed")]
)
def test_a_candidate_that_faults_is_broken_and_a_baseline_that_does_is_nobodys_loss(
    name: str, kind: str, gated: League
) -> None:
    bad = str(BAD_BOTS / f"{name}.py")
    ended = gated.call("gate", bad, "--against", bot("base"), *QUICK, "--jobs", "1", status=4)
    found = reported(only_run(gated))
    fault = found["fault"]
    assert (found["verdict"], fault["bot"], fault["kind"]) == ("broken", name, kind)
    assert found["matches"] == 1
    assert ended.stdout.startswith(f"broken: {name}: {kind} in match {fault['match']}\n")
    for told in (fault["detail"], fault["command"]):
        assert told in ended.stdout
    shown = gated.call(*fault["command"].split()[1:])
    assert f"recorded  fault: {kind}, " in shown.stdout
    assert f"now       still at fault: {kind}" in shown.stdout
    ended = gated.call("gate", bot("base"), "--against", bad, *QUICK, "-o", "other", status=3)
    assert ended.stdout.startswith(f"baseline broken, so nothing can be said of base: {name}: ")
    assert reported(gated.folder / "other")["verdict"] == "baseline_broken"


@pytest.mark.parametrize("build", ["[sh, -c, 'echo no rule; exit 2']", "['true']"])
def test_a_bot_that_does_not_build_is_broken(
    build: str, gated: League, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(gated.folder)
    Path("own").mkdir()
    Path("own/bot.yaml").write_text(f"build: {build}\ncommand: [./made]\n")
    ended = command("gate", "own", "--against", bot("base"), *QUICK)
    found = reported(only_run(gated))
    told = "    | no rule" if "sh" in build else "'./made' does not exist"
    assert ended.status == 4
    assert ended.out.startswith("broken: own: its build fails\n")
    assert told in ended.out
    assert told in found["fault"]["detail"]
    assert (found["verdict"], found["fault"]["kind"], found["matches"]) == ("broken", "build", 0)
    ended = command("gate", bot("base"), "--against", "own", *QUICK)
    assert (ended.status, ended.out) == (2, "")
    where = "own: bot 'own': " if "sh" in build else ".*/own/bot.yaml:2:11: "
    assert re.search(f"error: the baseline is broken, nothing was played: {where}", ended.err)


def test_a_match_that_can_not_be_played_is_void(
    gated: League, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(HereExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            future: Future[Any] = Future()
            future.set_exception(ZeroDivisionError("what nobody thought of"))
            return future

    monkeypatch.chdir(gated.folder)
    typed = ("gate", bot("cand"), "--against", bot("base"), *QUICK, "--max-pairs", "8")
    with monkeypatch.context() as patched:
        patched.setattr("tournaments.cli.gate_run.LocalExecutor", Failing)
        ended = command(*typed, "--quiet", "--jobs", "1")
    assert ended.status == 3
    assert ended.out.startswith("void, so nothing can be said of cand: match ")
    assert "ZeroDivisionError: what nobody thought of" in reported(only_run(gated))["void"]
    monkeypatch.setattr("tournaments.cli.gate_run.LocalExecutor", HereExecutor)
    assert command(*typed).out.startswith("undecided: ")


# Mistakes


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ([], "--against is missing"),
        (["--against", "nowhere"], "'nowhere' is no folder, no file, and no program on PATH"),
        (["--elo0", "20"], "--elo0 20 --elo1 20: elo0 must be below elo1"),
        (["--elo0", "nan"], "elo0 must be below elo1"),
        (["--elo1", "inf"], "both within -1000 and 1000"),
        (["--non-regression", "--elo1", "5"], "--non-regression stands for --elo0 -20 --elo1 0"),
        (["--non-regression", "--elo0", "0"], "leave it out to give others"),
        (["--alpha", "0.5"], "--alpha 0.5: an error rate must be above 0 and below 0.5"),
        (["--beta", "0"], "--beta 0: an error rate must be"),
        (["--beta", "nan"], "--beta nan: an error rate must be"),
        (["--max-pairs", "7"], "--max-pairs 7: choose 8 to 100,000"),
        (["--max-pairs", "100001"], "choose 8 to 100,000"),
        (["--rules", "solo"], "--rules: there is no 'solo': there are standard"),
        (["--sandbox", "bubble"], "did you mean 'bubblewrap'?"),
        (["--seed", "-1"], "--seed: expected a whole number from 0 to"),
        (["--format", "xml"], "--format: there is no 'xml': there are text"),
        (["-o", "full"], "has files and no run in it"),
    ],
)
def test_a_mistake_is_told_in_a_sentence_and_nothing_is_played(
    typed: list[str], told: str, gated: League, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(gated.folder)
    Path("full").mkdir()
    Path("full/notes.txt").touch()
    usual = () if not typed or typed[0] == "--against" else ("--against", bot("base"))
    ended = command("gate", bot("cand"), *usual, "--sandbox", "none", *typed)
    assert (ended.status, ended.out) == (2, "")
    assert told in ended.err
    assert not Path("runs").exists()


# Outputs


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> League:
    """A league whose gate has its verdict: `cand` has lost all it could."""
    league = League(tmp_path_factory.mktemp("settled"))
    for name in ("cand", "base"):
        league.bot(name)
    again(league, status=1)
    return league


def again(league: League, *options: str, status: int) -> Outcome:
    typed = ("gate", bot("cand", *LOSES), "--against", bot("base"), *QUICK)
    ended = league.call(*typed, *options, status=status)
    return Outcome(status, ended.stdout, ended.stderr)


def test_a_verdict_that_nobody_reads_to_its_end_is_still_the_status(settled: League) -> None:
    typed = ("gate", bot("cand", *LOSES), "--against", bot("base"), *QUICK)
    process = settled.start(*typed)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 1


@pytest.mark.parametrize(
    ("form", "file"),
    [("json", "gate.json"), ("markdown", "summary.md"), ("junit", "junit.xml")],
)
def test_each_format_is_what_the_file_has(form: str, file: str, settled: League) -> None:
    ended = again(settled, "--format", form, "--quiet", status=1)
    assert ended.err == ""
    assert ended.out == (only_run(settled) / file).read_text()


def test_the_run_folder_is_one_that_every_other_command_reads(settled: League) -> None:
    run = str(only_run(settled))
    pairs = reported(Path(run))["pairs"]["counted"]
    assert pairs == 9
    assert f": {2 * pairs} of {2 * pairs} matches" in settled.call("standings", run).stdout
    verified = settled.call("verify", run).stdout
    # The other table may have ended its match as well when the verdict was there.
    assert verified.startswith((f"{2 * pairs} records agree", f"{2 * pairs + 1} records agree"))
    exported = json.loads(settled.call("export", run, "--what", "matches").stdout)
    assert [row["cycle"] for row in exported] == [number // 2 for number in range(2 * pairs)]


def test_without_a_terminal_there_are_plain_lines_and_with_quiet_none(
    settled: League,
) -> None:
    told = again(settled, "--jobs", "999", "-o", "other", status=1).err.splitlines()
    cores = len(os.sched_getaffinity(0))
    assert told == [
        "sandbox none: only for bots you trust",
        f"--jobs 999 cut to {cores}: never more tables at once than cores allow",
        "0 pairs known, LLR +0.00 between -2.94 and +2.94",
    ]
    assert "\x1b" not in "".join(told)
