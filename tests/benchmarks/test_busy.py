"""The benchmark of a busy machine, on a small scale."""

import shutil
import subprocess
import sys

import pytest


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler `cc`")
def test_instant_bots_beside_a_busy_loop_are_charged_with_nothing() -> None:
    small = ["--matches", "2", "--loops", "1", "--jobs", "1", "--move", "60s"]
    command = [sys.executable, "-m", "benchmarks.busy", *small]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "2 finished, 0 void" in ended.stdout
    assert "faults      none" in ended.stdout
