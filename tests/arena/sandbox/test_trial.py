"""The intruder that tries the guarantees: boxed it fails at all of them, free it does not."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import BoxFailed, bubblewrap, intruder, trial
from tests.arena.sandbox.users import USERS, as_user

BOXED = """
import json
from arena.sandbox.trial import try_guarantees
print(json.dumps(try_guarantees()))
"""


def test_there_is_an_attempt_on_every_guarantee() -> None:
    assert set(bubblewrap.GUARANTEES) <= set(intruder.TRIED)


@pytest.mark.parametrize("user", USERS)
def test_in_a_box_it_can_do_nothing(user: str, tmp_path: Path) -> None:
    prefix, variables = as_user(user)
    child = subprocess.run(
        [*prefix, "-c", BOXED],
        env={"PATH": os.environ["PATH"], "SECRET": "of the arena", **variables},
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert child.returncode == 0, child.stderr
    assert json.loads(child.stdout) == {name: [True, ""] for name in intruder.TRIED}


def free(**targets: Any) -> dict[str, Any]:
    """What it finds without a box."""
    mine, other = os.pipe()
    aims = {
        "variables": ["PATH"],
        "arena": os.getpid(),
        "disk": 1_000_000,
        "memory": 1_000_000,
        "threads": 4,
        "files": ["/etc/passwd"],
        **targets,
    }
    try:
        child = subprocess.run(
            [sys.executable, "-I", "-S", "intruder.py"],
            cwd=Path(intruder.__file__).parent,
            env={"PATH": os.defpath, "SECRET": "of the arena"},
            input=json.dumps(aims),
            pass_fds=[other],
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        os.close(mine)
        os.close(other)
    found: dict[str, Any] = json.loads(child.stdout)
    return found


def test_without_a_box_it_succeeds_so_that_its_failure_means_something(tmp_path: Path) -> None:
    copy = tmp_path / "intruder.py"
    copy.write_bytes(Path(intruder.__file__).read_bytes())
    found = free()
    for name in (
        "clean_environment",
        "closed_descriptors",
        "disk_limit",
        "memory_limit",
        "no_foreign_files",
        "no_foreign_processes",
        "no_network",
        "process_limit",
        "system_call_filter",
        "thread_limit",
    ):
        held, seen = found[name]
        assert held is False, name
        assert seen


def test_an_attempt_that_fails_by_itself_tells_nothing() -> None:
    assert free(files=None)["no_foreign_files"][0] is None


def test_a_box_whose_python_does_not_run_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    as_user("ourselves")
    monkeypatch.setattr(trial, "_COMMAND", ("/bin/sh", "-c", "echo first; echo last >&2"))
    with pytest.raises(BoxFailed, match=r"does not run in a box: last"):
        trial.try_guarantees()
