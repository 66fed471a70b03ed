"""Builds in a box: what they may do there, where they are stopped, and what they leave."""

import json
import os
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import workshop
from tests.arena.programs import processes_with
from tests.arena.sandbox.users import NOBODY, USERS, as_user, open_folder

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that anybody can read, with one for the build in it."""
    with open_folder() as place:
        (place / "bot").mkdir()
        yield place


@pytest.fixture(params=USERS)
def make(request: pytest.FixtureRequest, place: Path) -> Make:
    """Runs a shell script, or another command, in a workshop as each user."""

    def run(
        *command: str, toolchain: bool = False, time_limit: float = 60.0, **limits: int
    ) -> dict[str, Any]:
        prefix, variables = as_user(request.param)
        owner = NOBODY if request.param == "a normal user" else os.geteuid()
        for path in (place / "bot", *(place / "bot").rglob("*")):
            os.chown(path, owner, -1, follow_symlinks=False)
        task = {
            "command": command if len(command) > 1 else ["/bin/sh", "-c", *command],
            "folder": str(place / "bot"),
            "time_limit": time_limit,
            "toolchain": toolchain,
            "limits": limits,
        }
        child = subprocess.run(
            [*prefix, "-m", "tests.arena.sandbox.making"],
            input=json.dumps(task),
            env={
                **variables,
                "PATH": "/usr/bin:/bin",
                "SECRET": "of the arena",
                "HOME": "/home/ann",
            },
            cwd="/",
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert child.returncode == 0, child.stderr
        for path in (place / "bot", *(place / "bot").rglob("*")):
            assert path.lstat().st_uid == owner or len(str(path)) > workshop.PATH_LIMIT
        result: dict[str, Any] = json.loads(child.stdout)
        return result

    return run


def test_a_build_writes_to_its_folder_and_starts_processes(make: Make, place: Path) -> None:
    (place / "bot" / "source").write_text("a bot")
    made = make('pwd; (cat source | cat > made) && echo "$(id -u)"; cat')
    assert (made["status"], made["stopped"]) == (0, None)
    where, user = made["output"].split()
    assert where == "/bot"
    assert user != "0"
    assert (place / "bot" / "made").read_text() == "a bot"


def test_a_build_may_lock_its_files(make: Make) -> None:
    made = make("flock lock echo locked")
    assert made == {"status": 0, "stopped": None, "output": "locked\n"}


def test_it_finds_no_foreign_file_no_variable_and_no_network(make: Make, place: Path) -> None:
    (place / "secret").write_text("of the arena")
    made = make(
        f"cat {place}/secret /etc/passwd; ls -d /root /home; env;"
        " echo cards: $(tail -n +3 /proc/self/net/dev | cut -d: -f1);"
        " echo x > /usr/x; echo x > /x; echo end"
    )
    assert made["status"] == 0
    said = made["output"]
    assert "of the arena" not in said
    assert "root:" not in said
    assert {"cards: lo", "cards:"} & set(said.splitlines())
    assert said.count("No such file") >= 2
    assert not Path("/usr/x").exists()
    assert not Path("/x").exists()


def test_what_it_starts_ends_with_it(make: Make) -> None:
    seconds = str(1_000_000 + os.getpid())
    made = make(f"setsid sleep {seconds} & sleep {seconds} & echo started")
    assert made == {"status": 0, "stopped": None, "output": "started\n"}
    assert not processes_with(f"sleep\0{seconds}")


def test_nothing_that_it_leaves_lends_rights_or_is_closed_to_us(make: Make, place: Path) -> None:
    (place / "secret").write_text("of the arena")
    (place / "secret").chmod(0o600)
    before = Path("/etc/passwd").stat()
    made = make(
        "cp /bin/sh lent; chmod 6755 lent; mkdir -p deep/er; echo x > deep/er/file; chmod 0 deep/er"
        f" deep; ln -s {place}/secret link; ln -s /etc/passwd passwd; ln -s .. up; mkfifo pipe"
    )
    assert (made["status"], made["stopped"]) == (0, None)
    folder = place / "bot"
    assert stat.S_IMODE((folder / "lent").stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "deep" / "er").stat().st_mode) == 0o700
    assert stat.S_IMODE((place / "secret").stat().st_mode) == 0o600
    assert (place / "secret").stat().st_uid == os.geteuid()
    after = Path("/etc/passwd").stat()
    assert (after.st_mode, after.st_uid) == (before.st_mode, before.st_uid)


HOLD = "hold() { head -c 36000000 /dev/urandom | tail -c 36000000 | sleep 1000; };"


@pytest.mark.parametrize(
    ("script", "limits", "stopped"),
    [
        ("sleep 1000", {"time_limit": 0.5}, "after 0.5 seconds"),
        ("setsid sleep 1000 & wait", {"time_limit": 0.5}, "after 0.5 seconds"),
        (
            f"{HOLD} hold & hold & wait",
            {"memory": 64_000_000},
            "for using more than 64 MB of memory",
        ),
        (
            "for i in 1 2 3; do head -c 700000 /dev/urandom > $i; done; sleep 1000",
            {"disk": 1_000_000},
            "for writing more than 1 MB",
        ),
        (
            "for i in 1 2 3; do head -c 700000 /dev/urandom > $i; done",
            {"disk": 1_000_000},
            "for writing more than 1 MB",
        ),
        (
            "mkdir -p $(seq -s / 500)",
            {},
            "for making a path of more than 800 bytes",
        ),
    ],
)
def test_it_is_stopped_for_what_no_build_needs(
    script: str, limits: dict[str, Any], stopped: str, make: Make
) -> None:
    made = make(script, **limits)
    assert (made["status"], made["stopped"]) == (0, stopped)


@pytest.mark.parametrize(
    ("script", "status"), [("exit 3", 3), ("kill -9 $$", -9), ("exit 127", 127)]
)
def test_how_it_ended_is_told(script: str, status: int, make: Make) -> None:
    assert make(script)["status"] == status


def test_only_the_end_of_what_it_prints_is_kept(make: Make) -> None:
    output = make("seq 1 100000; echo the end >&2")["output"]
    assert output.endswith("100000\nthe end\n")
    assert len(output) == 10_000


def test_programs_beside_a_toolchain_on_path_are_found(make: Make, place: Path) -> None:
    tools = place / "tools"
    (tools / "bin").mkdir(parents=True)
    (tools / "lib").mkdir()
    (tools / "lib" / "data").write_text("of the toolchain\n")
    (tools / "bin" / "compile").write_text("#!/bin/sh\nexec its_linker\n")
    (tools / "bin" / "its_linker").write_text(f"#!/bin/sh\ncat {tools}/lib/data\n")
    for program in (tools / "bin").iterdir():
        program.chmod(0o755)
    compiler = str(tools / "bin" / "compile")
    assert make(compiler, "x", toolchain=True)["output"] == "of the toolchain\n"
    assert "'compile' is neither the bot's nor below /usr" in make(compiler, "x")["refused"]


def test_the_arenas_own_python_runs(make: Make, place: Path) -> None:
    made = make("{python}", "-c", "open('made', 'w').write('x'); print('made')")
    assert made == {"status": 0, "stopped": None, "output": "made\n"}
    assert (place / "bot" / "made").read_text() == "x"
