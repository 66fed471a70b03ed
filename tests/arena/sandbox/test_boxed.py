"""Programs in boxes, as root and as a normal user: what they may do, and what they may not."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.places import HOME
from tests.arena.sandbox import attempts
from tests.arena.sandbox.users import USERS, in_a_box, open_folder

MEMORY, DISK, THREADS = 128, 16, 24

OUTCOMES = {
    "fork": "EPERM",
    "spawn": "EPERM",
    "a socket": "EPERM",
    "a unix socket": "EPERM",
    "a pair of datagram sockets": "EPERM",
    "a pair of sockets": True,
    "a pair of packet sockets": True,
    "shared memory": "EPERM",
    "private memory": True,
    "memory that grows down": "EPERM",
    "memory as a file": "ENOSYS",
    "flock": "ENOSYS",
    "a lock": "EPERM",
    "a lease": "EPERM",
    "another signal for input": "EPERM",
    "another descriptor": True,
    "typing into a terminal": "EPERM",
    "typing with high bits set": "EPERM",
    "own limits": [64, 64],
    "stack": [2**23, 2**23],
    "raise own limits": "ValueError: not allowed to raise maximum limit",
    "limits of others": "EPERM",
    "priority": "EPERM",
    "affinity": "EPERM",
    "namespaces": "EPERM",
    "clone a process": "EPERM",
    "clone a namespace": "EPERM",
    "clone3": "ENOSYS",
    "the x32 interface": "ENOSYS",
    "a timer": "EPERM",
    "a ring": "ENOSYS",
    "keys": "EPERM",
    "trace": "EPERM",
    "write to its folder": "EROFS",
    "write to /usr": "EROFS",
    "write to /": "EROFS",
    "write to /dev": "EROFS",
    "write to /tmp": True,
    "write to /dev/shm": True,
    "the init's memory": "ENOENT",
    "the init's environment": "ENOENT",
    "end the init": True,
    "passwords": "ENOENT",
    "home folders": "ENOENT",
    "processes": [1, 2],
    "devices": ["fd", "full", "null", "random", "shm", "stderr", "stdin", "stdout", "urandom"],
    "descriptors": [0, 1, 2],
    "folder": "/bot",
    "session": False,  # the init leads it
    "host name": "bot",
    "the protocol": True,
    "threads": THREADS,
}
"""What comes of each attempt of `attempts.py`, whoever runs the arena."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with open_folder() as folder:
        shutil.copy(attempts.__file__, folder / "bot.py")
        yield folder


@pytest.fixture(scope="module", params=USERS)
def attempted(request: pytest.FixtureRequest, folder: Path) -> dict[str, Any]:
    limits = {"memory": MEMORY * 10**6, "disk": DISK * 10**6, "threads": THREADS}
    ran = in_a_box(request.param, folder, "{python}", "bot.py", sandbox=limits, env={"MODE": "x"})
    assert ran["output"].startswith("ready\n{"), ran
    return {**ran, "outcomes": json.loads(ran["output"].splitlines()[1])}


@pytest.mark.parametrize("attempt", OUTCOMES)
def test_what_a_bot_tries_comes_to_what_the_table_says(
    attempt: str, attempted: dict[str, Any]
) -> None:
    assert attempted["outcomes"][attempt] == OUTCOMES[attempt]


def test_limits_hold_and_most_of_them_can_be_used(attempted: dict[str, Any]) -> None:
    assert MEMORY * 0.5 < attempted["outcomes"]["memory"] < MEMORY
    assert DISK * 0.9 < attempted["outcomes"]["disk"] <= DISK


def test_of_the_machine_a_bot_sees_nothing_that_is_not_the_same_on_all(
    attempted: dict[str, Any],
) -> None:
    outcomes = attempted["outcomes"]
    assert outcomes["write where cores go"] in ("EACCES", "EROFS")
    assert set(outcomes["etc"]) <= {"alternatives", "ld.so.cache", "localtime"}
    given = {"HOME", "LANG", "LC_ALL", "MODE", "PATH", "PYTHONPATH", "TMPDIR"}
    assert set(outcomes["environment"]) == given


def test_every_attempt_has_an_outcome_that_is_checked() -> None:
    elsewhere = {"memory", "disk", "write where cores go", "etc", "environment"}
    assert attempts.ATTEMPTS.keys() == OUTCOMES.keys() | elsewhere


def test_the_arena_sees_the_bots_own_process_and_what_it_uses(attempted: dict[str, Any]) -> None:
    usage = attempted["usage"]
    assert attempted["first_is_ours"]
    assert attempted["name"].startswith("python")
    assert 10**6 < usage["memory"] < MEMORY * 10**6
    assert (usage["processes"], usage["threads"], usage["disk"]) == (1, 1, 0)


SEVERAL = """
import os, sys
def fork():
    if os.fork() == 0:
        os.read(os.pipe()[0], 1)
    return 1
processes = 1 + fork() + fork()
with open("/tmp/file", "wb") as file:
    file.write(b"x" * 1_000_000)
os.mkdir("/dev/shm/folder")
print("ready", flush=True)
sys.stdin.read()
try:
    while True:
        processes += fork()
except OSError:
    print(processes)
"""


@pytest.mark.parametrize("user", USERS)
def test_more_processes_than_one_are_a_choice_and_are_counted(user: str) -> None:
    with open_folder() as folder:
        (folder / "bot.py").write_text(SEVERAL)
        limits = {"processes": 8, "threads": 8}
        ran = in_a_box(user, folder, "{python}", "bot.py", sandbox=limits)
    usage = ran["usage"]
    assert (usage["processes"], usage["threads"]) == (3, 3), ran
    assert 1_000_000 <= usage["disk"] < 1_100_000
    assert usage["files"] >= 2
    assert ran["output"].splitlines() == ["ready", "8"]


ENDINGS = {
    "a status": ("sys.exit(3)", (1, 3)),
    "a status like a signal's": ("sys.exit(254)", (1, 254)),
    "a signal": ("os.kill(os.getpid(), 9)", (2, 9)),
    "a crash": ("import ctypes; ctypes.string_at(0)", (2, 11)),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_how_a_bot_ended_is_told_as_if_there_were_no_box(ending: str) -> None:
    code, expected = ENDINGS[ending]
    with open_folder() as folder:
        ran = in_a_box("ourselves", folder, "{python}", "-c", f"import os, sys; {code}")
    assert tuple(ran["ended"]) == expected


@pytest.mark.parametrize("user", USERS)
def test_a_script_finds_its_interpreter_and_its_own_folder(user: str) -> None:
    with open_folder() as folder:
        script = folder / "bot"
        script.write_text('#!/usr/bin/env sh\necho "$0 $1 $HERE $PWD"\n')
        script.chmod(0o755)
        here = {"HERE": str(folder)}
        ran = in_a_box(user, folder, str(script), str(folder / "data"), env=here)
    assert ran["output"] == "/bot/bot /bot/data /bot /bot\n"


@pytest.mark.parametrize("user", USERS)
def test_its_scratch_folder_is_empty_also_where_its_interpreter_is_below_tmp(
    user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    with open_folder() as folder, open_folder() as prefix:
        tool = prefix / "bin" / "tool"
        tool.parent.mkdir()
        shutil.copy("/bin/sh", tool)
        monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
        script = folder / "bot"
        script.write_text(
            f"#!{tool}\n"
            'cd "$TMPDIR" && echo "$HOME" "$TMPDIR" * .*; echo >"$HOME/file" && echo >/tmp/other'
            " && echo * && cd /tmp && echo *\n"
        )
        script.chmod(0o755)
        ran = in_a_box(user, folder, str(script))
    own, there, tmp = (line.split() for line in ran["output"].splitlines())
    assert own[0] == own[1] == str(HOME)
    assert set(own[2:]) <= {"*", ".*", ".", ".."}
    assert there == ["file"]
    assert set(tmp) == {HOME.name, "other", prefix.relative_to("/tmp").parts[0]}


EARLY = """
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
__attribute__((constructor)) static void early(void) {
    fprintf(stderr, "early in %s\\n", program_invocation_short_name);
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler `cc`")
@pytest.mark.parametrize("user", USERS)
def test_what_prepares_a_box_does_not_heed_the_bots_environment(user: str) -> None:
    with open_folder() as folder:
        source = folder / "early.c"
        source.write_text(EARLY)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "early.so", source], check=True)
        early = {"LD_PRELOAD": "/bot/early.so", "ENV": "/bot/early.sh", "A": "1 '$B' \"\n2"}
        (folder / "early.sh").write_text("echo early >&2\n")
        tell = "import os; print(ascii(os.environ['A']), os.environ['LD_PRELOAD'])"
        ran = in_a_box(user, folder, "{python}", "-c", tell, env=early)
    assert ran["output"] == ascii(early["A"]) + " /bot/early.so\n"
    assert [line[:15] for line in ran["log"].splitlines()] == ["early in python"]


@pytest.mark.parametrize("name", ["node", "perl", "java"])
def test_interpreters_and_virtual_machines_run(name: str) -> None:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"there is no {name} here")
    arguments = {"java": ["-version"]}.get(name, ["-v"])
    with open_folder() as folder:
        ran = in_a_box("ourselves", folder, program, *arguments)
    assert ran["ended"] == [1, 0], ran


@pytest.mark.parametrize("user", USERS)
def test_standard_streams_can_be_opened_by_their_names(user: str) -> None:
    speaks = "echo out >/dev/stdout; echo log >/dev/stderr; cat /dev/stdin; echo end"
    with open_folder() as folder:
        ran = in_a_box(user, folder, "/bin/sh", "-c", speaks, sandbox={"processes": 2})
    assert (ran["output"], ran["log"]) == ("out\nend\n", "log\n")


def test_of_a_folder_that_is_not_the_bots_only_the_files_it_names_are_seen() -> None:
    with open_folder() as folder:
        (folder / "bot.py").write_text("import os; print(os.listdir('.'), os.getcwd())")
        (folder / "secret.py").touch()
        (folder / "runs").mkdir()
        ran = in_a_box("ourselves", folder, sys.executable, "bot.py", "runs", owns_folder=False)
    assert ran["output"] == "['bot.py'] /bot\n"
