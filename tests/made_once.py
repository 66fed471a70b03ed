"""What the processes of one session of tests make together: each thing once."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def of_all_processes(factory: pytest.TempPathFactory) -> Path:
    """A folder of this session of tests, the same in each of its processes."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "made-once"
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """No other process is here for the same path meanwhile."""
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
