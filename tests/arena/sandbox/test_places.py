"""What a box shows of the machine for a program, and what a program needs to be run."""

import errno
import os
import pwd
import shutil
import site
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import protocol
from arena.bot import BotFault
from arena.program import Program
from arena.sandbox.executable import found_by_env, programs_of
from arena.sandbox.places import HOME, Places, folders_above, places


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a version manager makes one: P/bin/tool and P/lib; on PATH."""
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{tmp_path}/tool-1.0/bin:{tmp_path}/bin")
    for name in ("bin", "lib", "lib64", "share", "secret"):
        (tmp_path / "tool-1.0" / name).mkdir(parents=True)
    runnable(tmp_path / "tool-1.0" / "bin" / "tool")
    return tmp_path / "tool-1.0"


def runnable(file: Path, text: str = "#!/bin/sh\n") -> Path:
    file.write_text(text)
    file.chmod(0o755)
    return file


def looked_at(home: Path, *command: str, env: dict[str, str] | None = None) -> Places:
    return places(Program("bot", "", command, str(home), env or {}))


def shown(places: Places) -> dict[str, str]:
    """Place -> source, but for the bot's folder."""
    return {place: source for source, place in places.shown if place != "/bot"}


def test_the_folder_is_at_bot_and_words_that_are_in_it_follow(home: Path) -> None:
    program = runnable(home / "bot")
    found = looked_at(
        home, str(program), f"{home}/a/../data", "data", "/usr/share", "-x", str(home)
    )
    assert found.command == ("/bot/bot", "/bot/data", "data", "/usr/share", "-x", "/bot")
    assert found.shown == ((str(home), "/bot"),)


def test_variables_follow_only_where_they_are_the_folder(home: Path) -> None:
    program = runnable(home / "bot")
    env = {"HERE": f"{home}/", "FILE": f"{home}/x", "PATH": "/opt", "HOME": "/root"}
    found = looked_at(home, str(program), env=env).env
    assert found["HERE"] == "/bot"
    assert found["FILE"] == f"{home}/x"
    assert (found["PATH"], found["HOME"], found["TMPDIR"]) == ("/opt", str(HOME), str(HOME))


def test_a_program_of_the_system_needs_nothing_to_be_shown(home: Path) -> None:
    assert shown(looked_at(home, "/bin/sh", "x.sh")) == {}


def test_a_program_elsewhere_is_shown_with_its_libraries_alone(home: Path, prefix: Path) -> None:
    found = shown(looked_at(home, str(prefix / "bin" / "tool")))
    assert found == {
        str(prefix / name): str(prefix / name) for name in ("bin/tool", "lib", "lib64")
    }


def test_links_lead_to_what_is_shown_at_each_of_their_places(
    home: Path, prefix: Path, tmp_path: Path
) -> None:
    (tmp_path / "current").symlink_to("tool-1.0")
    (tmp_path / "bin").mkdir()
    link = tmp_path / "bin" / "tool"
    link.symlink_to("../current/bin/tool")
    found = shown(looked_at(home, str(link)))
    real = str(prefix / "bin" / "tool")
    assert found[str(link)] == real
    assert found[str(tmp_path / "current" / "bin" / "tool")] == real
    assert found[real] == real
    assert found[str(prefix / "lib")] == str(prefix / "lib")


def test_an_interpreter_of_a_script_is_shown_too(home: Path, prefix: Path) -> None:
    script = runnable(home / "bot", f"#!{prefix}/bin/tool -x\n")
    assert str(prefix / "bin" / "tool") in shown(looked_at(home, str(script)))


def test_an_interpreter_that_env_finds_is_on_the_path_of_the_box(
    home: Path, prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shims").mkdir()
    runnable(tmp_path / "shims" / "tool")
    monkeypatch.setenv("PATH", f"{tmp_path}/shims:{prefix}/bin:/usr/bin")
    script = runnable(home / "bot", "#!/usr/bin/env -S A=1 tool -x\n")
    found = looked_at(home, str(script))
    assert found.env["PATH"] == f"{prefix}/bin:/usr/bin:/bin"
    assert str(prefix / "bin" / "tool") in shown(found)
    assert found_by_env(runnable(home / "other", "#!/usr/bin/env nothing\n")) is None


def test_a_virtual_environment_is_shown_with_what_it_goes_on_with(
    home: Path, prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv = tmp_path / "venv"
    for name in ("bin", "lib"):
        (venv / name).mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text(f"home = {prefix}/bin\nversion = 3\n")
    (venv / "bin" / "tool").symlink_to(prefix / "bin" / "tool")
    monkeypatch.setenv("PATH", f"{venv}/bin")
    found = shown(looked_at(home, str(venv / "bin" / "tool")))
    wanted = {venv / "bin/tool", venv / "lib", venv / "pyvenv.cfg", prefix / "lib"}
    assert set(map(str, wanted)) <= found.keys()


def test_of_a_home_folder_no_library_is_shown(
    home: Path, prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(prefix))
    found = shown(looked_at(home, str(prefix / "bin" / "tool")))
    assert list(found) == [str(prefix / "bin" / "tool")]


def test_of_a_user_without_a_home_folder_a_program_is_shown_as_of_any(
    home: Path, prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert str(prefix / "lib") in shown(looked_at(home, str(prefix / "bin" / "tool")))


# how a bot has a program shown to itself: the text of a script, or where its links lead
CHOICES = {
    "a first line": "#!{prefix}/bin/tool\n",
    "a first line by a way about": "#!/usr/../{prefix}/bin/tool\n",
    "a link": ("{prefix}/bin/tool",),
    "a link to a link": ("{home}/b", "{prefix}/bin/tool"),
    "a link through a folder": ("{home}/b/tool", "{prefix}/bin"),
    "a link that seems to lead to PATH": ("{tmp}/jump/../onpath/tool",),
}


@pytest.mark.parametrize("case", CHOICES)
def test_a_bot_may_not_choose_a_program_that_is_not_on_path(
    case: str, home: Path, prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"/usr/bin:{tmp_path}/onpath")
    (tmp_path / "jump").symlink_to(prefix / "lib")
    (prefix / "onpath").symlink_to("bin")
    names = {"prefix": str(prefix), "home": str(home), "tmp": str(tmp_path)}
    chosen = CHOICES[case]
    if isinstance(chosen, str):
        runnable(home / "a", chosen.format(**names))
    else:
        for name, target in zip("ab", chosen, strict=False):
            (home / name).symlink_to(target.format(**names))
    with pytest.raises(BotFault) as caught:
        looked_at(home, str(home / "a"))
    assert caught.value.detail.startswith("'a' can't be started: 'tool' is neither the bot's nor")


def test_nor_by_its_command_but_whoever_runs_the_arena_may(
    home: Path, prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = str(prefix / "bin" / "tool")
    monkeypatch.setenv("PATH", f"/usr/bin:{prefix}/shims")
    assert tool in shown(looked_at(home, tool))
    monkeypatch.setenv("PATH", "/usr/bin")
    with pytest.raises(BotFault, match="'tool' can't be started"):
        looked_at(home, tool)
    assert tool in shown(places(Program("bot", "", (tool,), str(home), owns_folder=False)))


def test_nothing_of_a_run_folder_is_shown_but_the_bots_own(home: Path, prefix: Path) -> None:
    script = runnable(home / "bot", f"#!{prefix}/bin/tool\n")
    (prefix.parent / "arena.db").touch()
    assert shown(looked_at(home, str(script))) == {}


def test_the_arenas_interpreter_finds_the_protocol_where_it_is_edited(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in (protocol, msgspec):
        monkeypatch.setattr(package, "__file__", str(home / package.__name__ / "__init__.py"))
    found = looked_at(home, sys.executable, "bot.py", env={"PYTHONPATH": "/bot/lib"})
    assert found.env["PYTHONPATH"] == "/bot/lib:/arena"
    assert shown(found)["/arena/protocol"] == str(home / "protocol")
    assert shown(found)["/arena/msgspec"] == str(home / "msgspec")
    other = looked_at(home, "/bin/sh")
    assert "PYTHONPATH" not in other.env


def test_where_the_protocol_is_installed_no_variable_is_needed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Path(site.getsitepackages()[0])
    for package in (protocol, msgspec):
        monkeypatch.setattr(package, "__file__", str(installed / package.__name__ / "__init__.py"))
    found = looked_at(home, sys.executable, "bot.py")
    assert found.env.keys() == {"PATH", "LANG", "LC_ALL", "HOME", "TMPDIR"}
    assert not [place for place in shown(found) if place.startswith("/arena")]


def test_of_a_folder_that_is_not_the_bots_files_are_shown_that_the_command_names(
    home: Path, tmp_path: Path
) -> None:
    for name in ("bot.py", "data", "other"):
        (home / name).touch()
    (home / "runs").mkdir()
    far = tmp_path / "far.py"
    far.touch()
    command = ("/bin/sh", "bot.py", str(home / "data"), "runs", str(far), "/etc/passwd?")
    found = places(Program("bot", "", command, str(home), owns_folder=False))
    assert shown(found) == {
        "/bot/bot.py": str(home / "bot.py"),
        "/bot/data": str(home / "data"),
        str(far): str(far),
    }


def test_a_word_of_a_command_may_be_longer_than_any_path(home: Path) -> None:
    command = ("/bin/sh", "-c", ":" * 5000)
    found = places(Program("bot", "", command, str(home), owns_folder=False))
    assert (found.command, shown(found)) == (command, {})


def test_folders_above_a_place_come_from_the_top() -> None:
    assert list(folders_above("/opt/python/bin/x")) == [
        "/opt",
        "/opt/python",
        "/opt/python/bin",
    ]
    assert list(folders_above("/srv/bots/x")) == ["/srv", "/srv/bots"]


def test_interpreters_are_followed_to_the_loader(home: Path) -> None:
    script = runnable(home / "bot", f"#!{shutil.which('sh')}\n")
    first, shell, *loader = programs_of(script, home)
    assert (first, shell) == (script, Path(str(shutil.which("sh"))))
    assert all("ld" in path.name for path in loader)


ERRORS = {
    "nothing there": (None, errno.ENOENT),
    "not executable": ((b"#!/bin/sh\n", 0o644), errno.EACCES),
    "no first line": ((b"print(1)\n", 0o755), errno.ENOEXEC),
    "an empty file": ((b"", 0o755), errno.ENOEXEC),
    "an empty first line": ((b"#!\n", 0o755), errno.ENOEXEC),
    "no such interpreter": ((b"#!/no/such\n", 0o755), errno.ENOENT),
    "an interpreter that is none": ((b"#!/etc/passwd\n", 0o755), errno.EACCES),
    "itself": ((b"#!bot\n", 0o755), errno.ELOOP),
    "a damaged program": ((b"\x7fELF\x02\x01\x01", 0o755), errno.ENOEXEC),
    "a program of 32 bits": ((b"\x7fELF\x01\x01" + bytes(80), 0o755), errno.ENOEXEC),
    "a program that ends early": ((b"\x7fELF\x02\x01" + b"\xff" * 80, 0o755), errno.ENOEXEC),
}


@pytest.mark.parametrize("case", ERRORS)
def test_what_cannot_run_raises_what_starting_it_would(case: str, home: Path) -> None:
    file, number = ERRORS[case]
    if file is not None:
        (home / "bot").write_bytes(file[0])
        (home / "bot").chmod(file[1])
    assert errno_of(lambda: programs_of(home / "bot", home)) == number
    assert errno_of(lambda: subprocess.run([home / "bot"], cwd=home, check=False)) == number


def errno_of(step: Callable[[], object]) -> int | None:
    """Of the error that it raises."""
    try:
        step()
    except OSError as error:
        return error.errno
    return None
