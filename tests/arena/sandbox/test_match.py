"""Boxed bots at a table: matches, faults as without a box, and failures that are no bot's."""

import base64
import errno
import os
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

from arena import sandbox
from arena.bot import BotFault
from arena.events import MatchStarted
from arena.program import Program
from arena.record import judge
from arena.sandbox import BoxFailed, Sandbox, bubblewrap, seccomp
from tests.arena.programs import (
    HASTY,
    PATIENT,
    bad_bot,
    bid,
    children,
    echo,
    hello,
    note,
    seated,
    written,
)
from tests.arena.sandbox.users import ROOT, USERS, as_user, need_bubblewrap, open_folder
from tests.arena.test_process_life import NOT_STARTABLE

BOXED = Sandbox("bubblewrap")

MATCH = """
import base64, json, sys
from arena.deals import seed_root
from arena.events import Clocks, FaultPolicy
from arena.match import play, specify
from arena.program import Program
from arena.rules import resolve
from arena.sandbox import Sandbox, find

names = ("random_legal", "high_card")
bots = [Program(n, "0" * 64, (sys.executable, "bot.py"), f"{sys.argv[1]}/{n}") for n in names]
result = play(
    specify(
        "a-match",
        seed_root(7),
        dict(zip("NESW", bots * 2)),
        rules=resolve({"max_deals": 1}),
        clock=Clocks(start_ms=60_000, move_ms=60_000),
        faults=FaultPolicy(),
        sandbox=Sandbox(find("auto")),
    )
)
print(base64.b85encode(result.record).decode())
"""


@pytest.mark.parametrize("user", USERS)
def test_a_match_is_played_in_boxes(user: str) -> None:
    prefix, variables = as_user(user)
    with open_folder() as folder:
        for name in ("random_legal", "high_card"):
            shutil.copytree(ROOT / "sample_bots" / name, folder / name)
        run = subprocess.run(
            [*prefix, "-c", MATCH, str(folder)],
            env={"PATH": os.environ["PATH"], **variables},
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
    assert run.returncode == 0, run.stderr
    started, final = judge(zlib.decompress(base64.b85decode(run.stdout.strip())))
    assert isinstance(started, MatchStarted)
    assert started.sandbox == sandbox.describe(BOXED)
    assert (final.deals, final.faults) == (1, {})


@pytest.mark.parametrize("case", NOT_STARTABLE)
def test_what_cannot_be_started_in_a_box_is_told_the_same_way(
    case: str, desk: Path, home: Path
) -> None:
    text, mode, sentence = NOT_STARTABLE[case]
    file = home / "bot"
    if text is not None:
        file.write_text(text, newline="")
        file.chmod(mode)
    assert sentence in start_fault(desk, Program("bot", "", (str(file),), str(home)))


def test_a_loader_that_is_missing_is_told(desk: Path, home: Path) -> None:
    program = Path("/bin/true").read_bytes()
    loader = program[program.index(b"/lib") :].partition(b"\0")[0]
    file = home / "bot"
    file.write_bytes(program.replace(loader, loader[:-1] + b"?"))
    file.chmod(0o755)
    sentence = start_fault(desk, Program("bot", "", (str(file),), str(home)))
    assert "a loader or library that it needs is missing" in sentence


def test_what_the_arena_can_see_and_a_box_cannot_is_a_fault_of_the_start(
    desk: Path, home: Path
) -> None:
    link = home / "bot"
    (home.parent / "arena.db").touch()
    (home.parent / "another").symlink_to("/bin/true")
    link.symlink_to(home.parent / "another")
    assert "'bot' can't be started" in start_fault(desk, Program("b", "", (str(link),), str(home)))


@pytest.mark.skipif(os.geteuid() != 0, reason="a normal user's bots are the same user")
@pytest.mark.parametrize("closed", ["the folder", "the program"])
def test_bots_of_root_must_be_readable_by_others(closed: str, desk: Path, home: Path) -> None:
    program = written(home, "")
    file = home / "bot"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755 if closed == "the folder" else 0o700)
    home.chmod(0o700 if closed == "the folder" else 0o755)
    program = Program("bot", "", (str(file),), str(home))
    assert "users without rights - chmod -R a+rX" in start_fault(desk, program)


LOOKS = """
import os, sys
from arena.diagnosis import not_startable
from arena.sandbox import trial
for error in (PermissionError, FileNotFoundError):
    for program in (sys.argv[1] + "/bot", "/" + "x" * 300):
        number = 13 if error is PermissionError else 2
        print(not_startable([program], sys.argv[1], error(number, "")).kind)
os.environ["HOME"] = sys.argv[1]
list(trial._private())
"""


@pytest.mark.parametrize("user", USERS)
def test_where_one_may_not_look_is_no_failure_of_the_arena(user: str) -> None:
    prefix, variables = as_user(user)
    with open_folder() as folder:
        closed = folder / "closed"
        closed.mkdir(mode=0o700)
        run = subprocess.run(
            [*prefix, "-c", LOOKS, str(closed)],
            env={"PATH": os.environ["PATH"], **variables},
            cwd="/",
            capture_output=True,
            text=True,
        )
    assert (run.stdout.split(), run.stderr) == (["start"] * 4, "")


def start_fault(desk: Path, program: Program) -> str:
    """The sentence of a program that can't be started in a box."""
    need_bubblewrap()
    with (
        seated(desk, PATIENT, program, sandbox=BOXED) as [bot],
        pytest.raises(BotFault) as caught,
    ):
        bot.ask(hello())
    assert caught.value.kind == "start", caught.value
    assert str(desk.parent) not in caught.value.detail
    return caught.value.detail


FAULTS = {
    "closes_output": "it closed its standard output but is still running",
    "closes_input": "it has closed its standard input",
    "ended_by_a_signal": "it was ended by SIGTERM",
    "kills_itself": "it was ended by SIGKILL",
    "crashes": 'status 1 while a reply to "bid" was owed - see its standard error',
    "daemon_holds_pipes": "a bot is one process here: use threads",
    "floods_log": "more than 64 MiB of standard error",
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_bot_gets_its_sentence_in_a_box(name: str, desk: Path) -> None:
    need_bubblewrap()
    clock = HASTY if name == "closes_input" else PATIENT
    with seated(desk, clock, bad_bot(name), sandbox=BOXED) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault) as caught:
            bot.ask(bid())
    assert FAULTS[name] in caught.value.detail


def test_a_bot_that_may_fork_is_not_told_that_it_may_not(desk: Path) -> None:
    need_bubblewrap()
    several = Sandbox("bubblewrap", processes=8)
    with seated(desk, PATIENT, bad_bot("daemon_holds_pipes"), sandbox=several) as [bot]:
        bot.ask(hello())
        with pytest.raises(BotFault, match="it exited with status 7"):
            bot.ask(bid())


def test_four_boxes_are_four_users_of_root_and_none_sees_another(desk: Path, home: Path) -> None:
    need_bubblewrap()
    seen = 'json.dumps([os.getuid(), [p for p in os.listdir("/proc") if p.isdigit()]])'
    with seated(desk, PATIENT, *[echo(home, seen, "import os")] * 4, sandbox=BOXED) as bots:
        notes = [note(bot.ask(hello())) for bot in bots]
    assert all(sorted(processes) == ["1", "2"] for _, processes in notes)
    assert len({uid for uid, _ in notes}) == (4 if os.geteuid() == 0 else 1)
    assert 0 not in {uid for uid, _ in notes}


def test_a_box_that_fails_is_no_fault_of_the_bots_and_leaves_nothing(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_bubblewrap()
    monkeypatch.setattr(seccomp, "compiled", lambda *_, **__: b"no filter")
    with seated(desk, PATIENT, echo(home, "''"), sandbox=BOXED) as [bot]:
        with pytest.raises(BoxFailed, match="seccomp"):
            bot.ask(hello())
        assert children() == []


def test_a_limit_that_cannot_be_set_is_not_the_bots_fault(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    need_bubblewrap()
    monkeypatch.setattr(bubblewrap, "impose", forbidden)
    with (
        seated(desk, PATIENT, echo(home, "''"), sandbox=BOXED) as [bot],
        pytest.raises(BoxFailed, match="not permitted"),
    ):
        bot.ask(hello())


def test_trouble_of_the_arena_in_making_a_box_is_not_the_bots(
    desk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_file_left(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    need_bubblewrap()
    monkeypatch.setattr(bubblewrap, "Popen", no_file_left)
    with (
        seated(desk, PATIENT, echo(home, "''"), sandbox=BOXED) as [bot],
        pytest.raises(BoxFailed, match="Too many open files"),
    ):
        bot.ask(hello())
