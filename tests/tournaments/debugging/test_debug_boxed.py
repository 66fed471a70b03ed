"""What `debug` runs, and in which box: as the run did, as was typed, and never silently in none."""

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.sandbox import NoSandbox, find
from tests.arena.sandbox.users import need_bubblewrap
from tests.tournaments.cli.test_terminal import Running
from tests.tournaments.debugging.test_debug import BARE, shown
from tests.tournaments.league import League, Outcome, change
from tournaments import boxes

Command = Callable[..., Outcome]

WHERE = """
import json, os, resource, sys

for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    reply = {"id": m["id"], "bid": 3, "card": m.get("legal", [0])[-1]}
    if m["type"] == "hello":
        limit = resource.getrlimit(resource.RLIMIT_DATA)[0]
        print("in", os.getcwd(), "with", limit, file=sys.stderr, flush=True)
    if m["type"] == "play":
        reply["card"] = "2X"
    print(json.dumps(reply), flush=True)
"""
"""Says where it runs and what it may use, and plays what is illegal."""
DESCRIPTION = """\
command: ["{python}", "-S", "bot.py"]
build: [sh, -c, "mkdir -p target && echo made > target/made"]
"""
TRUSTED = "\n  sandbox none: only for bots you trust\n"


def play(league: League, backend: str) -> None:
    (league.folder / "where").mkdir()
    (league.folder / "where" / "bot.py").write_text(WHERE)
    (league.folder / "where" / "bot.yaml").write_text(DESCRIPTION)
    league.write(
        [str(league.folder / "where"), league.bot("low")],
        sandbox={"backend": backend, "memory": "300MB"},
        schedule={"mirror": False},
    )
    league.play("--jobs", "1")


@pytest.fixture(scope="module")
def boxed(tmp_path_factory: pytest.TempPathFactory) -> League:
    """A league whose bots have played in a box. Not to be changed."""
    need_bubblewrap()
    league = League(tmp_path_factory.mktemp("boxed"))
    play(league, "auto")
    return league


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> League:
    """The same without a box. Not to be changed."""
    league = League(tmp_path_factory.mktemp("free"))
    play(league, "none")
    return league


def to_reproduce(command: Command, league: League) -> list[str]:
    """The line that is shown with a fault, as words behind the program's name."""
    told = command("export", league.run_folder, "--what", "faults").out
    (line,) = re.findall(r'"debug": ?"spades-arena (.*?)"', told)
    return shlex.split(line)


def test_a_bot_of_a_run_is_boxed_in_as_the_run_has_it(boxed: League, command: Command) -> None:
    typed = to_reproduce(command, boxed)
    outcome = command(*typed)
    assert outcome.status == 0, outcome
    assert "\n  sandbox bubblewrap\n" in outcome.out
    assert "still at fault: illegal" in outcome.out
    whole = command(*typed[: typed.index("--until")]).out
    assert "\n  | in /bot with 300000000\n" in whole
    free = command(*typed[: typed.index("--until")], "--sandbox", "none").out
    assert TRUSTED in free
    assert f"\n  | in {boxed.run_folder}/bots/where-" in free


def test_a_bot_that_was_typed_is_boxed_in_where_that_is_typed_too(
    boxed: League, command: Command
) -> None:
    typed = to_reproduce(command, boxed)
    of_whom = typed[: typed.index("--until")]
    own = str(boxed.folder / "where")
    free = command(*of_whom, "--", own).out
    assert TRUSTED in free
    assert f"\n  | in {own} with 512000000\n" in free
    assert "(its files are those of the match)" in free
    again = command(*of_whom, "--sandbox", "auto", "--", own).out
    assert "\n  sandbox bubblewrap\n" in again
    assert "\n  | in /bot with 512000000\n" in again
    assert "(its files are those of the match)" in again


def test_a_bot_of_a_run_without_a_box_has_none_and_that_is_told(
    free: League, command: Command
) -> None:
    typed = to_reproduce(command, free)
    outcome = command(*typed)
    assert (outcome.status, TRUSTED in outcome.out) == (0, True)
    whole = command(*typed[: typed.index("--until")]).out
    assert re.search(r"\n  \| in .*/runs/league/bots/where-\w+ with 300000000\n", whole)


def test_a_fault_of_a_match_in_a_box_is_reproduced_in_one(
    free: League, command: Command, tmp_path: Path
) -> None:
    need_bubblewrap()
    bot, record = free.folder / "where", tmp_path / "m.jsonl"
    played = command("match", bot, bot, "--seed", 1, "--sandbox", "auto", "-o", record)
    (line,) = re.findall(r"^  to reproduce: spades-arena (.*)$", played.out, re.M)
    assert line.endswith(f" --sandbox bubblewrap -- {bot}")
    outcome = command(*shlex.split(line))
    assert outcome.status == 0, outcome
    assert "\n  sandbox bubblewrap\n" in outcome.out


def test_where_there_is_no_box_any_more_nothing_runs(
    boxed: League, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_none(wanted: str) -> str:
        if wanted == "none":
            return find("none")
        raise NoSandbox("bots can't be boxed in: why")

    monkeypatch.setattr(boxes, "find", find_none)
    typed = to_reproduce(command, boxed)
    outcome = command(*typed)
    assert (outcome.status, outcome.out) == (2, "")
    assert "bots can't be boxed in: why; `spades-arena doctor`" in outcome.err
    assert outcome.err.endswith("run without a box: --sandbox none\n")
    assert command(*typed, "--sandbox", "none").status == 0
    assert "there is no sandbox 'nun'" in command(*typed, "--sandbox", "nun").err


@pytest.fixture
def of_copy(free: League, tmp_path: Path, command: Command) -> tuple[Path, list[str]]:
    """A copy of the run folder, which may be changed, and the line that reproduces its fault."""
    copy = Path(shutil.copytree(free.run_folder, tmp_path / "run"))
    typed = to_reproduce(command, free)
    return copy, [str(copy) if word == str(free.run_folder) else word for word in typed]


@pytest.mark.parametrize(
    "stored", ["{}", '{"sandbox": {"backend": "paper"}}', '{"sandbox": {"memory": -1}}']
)
def test_a_run_that_does_not_say_which_box_it_was_runs_nothing(
    stored: str, of_copy: tuple[Path, list[str]], command: Command
) -> None:
    run, typed = of_copy
    change(run, "UPDATE tournament SET comparable = ?", stored)
    outcome = command(*typed)
    assert (outcome.status, outcome.out) == (3, "")
    assert "damaged" in outcome.err


def test_a_copy_that_was_changed_since_is_told(
    of_copy: tuple[Path, list[str]], command: Command
) -> None:
    run, typed = of_copy
    (copy,) = (path for path in (run / "bots").iterdir() if path.is_dir())
    assert "(its files are those of the match)" in command(*typed).out
    (copy / "bot.py").write_text(f"{WHERE}# mended\n")
    told = command(*typed).out
    assert "(the run's copy of it was changed since it was made)" in told
    assert "those of the match" not in told
    (copy / "bot.py").write_text(WHERE)
    assert "(its files are those of the match)" in command(*typed).out


def test_files_outside_the_run_that_were_changed_since_are_told(
    league: League, command: Command
) -> None:
    (league.folder / "bot.py").write_text(WHERE)
    entry = {"name": "own", "command": ["{python}", "-S", "bot.py"]}
    league.write([entry, league.bot("low")], schedule={"mirror": False})
    league.play("--jobs", "1")
    typed = to_reproduce(command, league)
    assert "(its files are those of the match)" in command(*typed).out
    (league.folder / "bot.py").write_text(f"{WHERE}# mended\n")
    assert "(its files were changed since the match)" in command(*typed).out


# On a terminal


@pytest.fixture
def terminal() -> Iterator[Callable[..., Running]]:
    """Starts a command on a terminal, and ends it whatever comes."""
    started: list[Running] = []

    def start(league: League, *words: str) -> Running:
        started.append(Running(league, *words))
        return started[-1]

    yield start
    for running in started:
        running.process.kill()
        running.process.wait()


def test_on_a_terminal_a_box_is_not_handed_over_and_what_would_be_is_told(
    boxed: League, command: Command, terminal: Callable[..., Running]
) -> None:
    typed = to_reproduce(command, boxed)
    running = terminal(boxed, *typed)
    told = re.sub(BARE, "", running.end())
    assert "still at fault: illegal" in told
    assert told.splitlines()[-1] == (
        "no debugger reaches into a box: --sandbox none stops there, for bots you trust"
    )
    assert running.process.returncode == 0


def test_on_a_terminal_it_is_handed_over_where_no_box_is_wanted(
    boxed: League, command: Command, terminal: Callable[..., Running]
) -> None:
    running = terminal(boxed, *to_reproduce(command, boxed), "--sandbox", "none")
    assert TRUSTED in shown(running, "or press Enter").replace("\r", "")
    running.type("\n")
    assert "still at fault: illegal" in running.end()
