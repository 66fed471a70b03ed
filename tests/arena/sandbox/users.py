"""Whom the tests of boxes run as: whoever runs them, and a normal user where that is root."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import NoSandbox, find

ROOT = Path(__file__).parents[3]
NOBODY = 65_533
USERS = ["ourselves", "a normal user"]


def need_bubblewrap() -> None:
    """Skips the test where there is no box to be had, and says why."""
    try:
        find("bubblewrap")
    except NoSandbox as error:
        pytest.skip(str(error))


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder of its own that anybody can read, which those of pytest are not."""
    with tempfile.TemporaryDirectory(prefix="boxes-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def in_a_box(
    user: str,
    folder: Path,
    *command: str,
    sandbox: dict[str, Any] | None = None,
    env: dict[str, str] | None = None,
    owns_folder: bool = True,
) -> dict[str, Any]:
    """What `boxed.run` says of a command. `{python}` is that user's interpreter."""
    task = {
        "command": command,
        "folder": str(folder),
        "env": env or {},
        "owns_folder": owns_folder,
        "sandbox": {"backend": "bubblewrap", **(sandbox or {})},
        "number": 0,
    }
    prefix, variables = as_user(user)
    child = subprocess.run(
        [*prefix, "-m", "tests.arena.sandbox.boxed"],
        input=json.dumps(task),
        env={"PATH": os.environ["PATH"], "SECRET": "of the arena", **variables},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert child.returncode == 0, child.stderr
    result: dict[str, Any] = json.loads(child.stdout)
    return result


def as_user(user: str) -> tuple[list[str], dict[str, str]]:
    """The interpreter to run something with, as that user, and the variables it needs."""
    need_bubblewrap()
    if user == "ourselves":
        return [sys.executable], {"PYTHONPATH": str(ROOT)}
    if os.geteuid() != 0:
        pytest.skip("only root can become another user, and we are a normal one already")
    change = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]
    modules = _readable_modules()
    for python in (sys.executable, "/usr/bin/python3"):
        prefix, variables = [*change, python, "-B"], {"PYTHONPATH": str(modules)}
        trial = [*prefix, "-c", "import os, sys, arena.sandbox; os.stat(sys.executable)"]
        if subprocess.run(trial, env=variables, cwd="/", capture_output=True).returncode == 0:
            return prefix, variables
    pytest.skip(
        f"a normal user can run neither {sys.executable} nor a /usr/bin/python3 of version"
        f" {sysconfig.get_python_version()}"
    )


@cache
def _readable_modules() -> Path:
    """Copies of what `boxed` imports, where anybody can read them."""
    folder = Path(tempfile.mkdtemp(prefix="modules-"))
    _copies.append(folder)
    folder.chmod(0o755)
    spec = importlib.util.find_spec("msgspec")
    assert spec
    assert spec.origin
    ignored = shutil.ignore_patterns("__pycache__")
    for package in (ROOT / "arena", ROOT / "protocol", Path(spec.origin).parent):
        shutil.copytree(package, folder / package.name, ignore=ignored)
    for name in ("arena", "attacks"):
        shutil.copytree(ROOT / "tests" / name, folder / "tests" / name, ignore=ignored)
    return folder


_copies: list[Path] = []


def remove_copies() -> None:
    """At the end of all tests."""
    for folder in _copies:
        shutil.rmtree(folder)
    _copies.clear()
