"""Sandboxes for the tests that hold with and without a box."""

import pytest

from arena.sandbox import NoSandbox, Sandbox, find

BACKENDS = ("none", "bubblewrap")


def sandbox(
    backend: str, *, memory: int = 512_000_000, disk: int = 64_000_000, processes: int = 1
) -> Sandbox:
    """Of this backend; the test is skipped where the machine lacks it."""
    try:
        found = find("none" if backend == "none" else "bubblewrap")
    except NoSandbox as reason:
        pytest.skip(str(reason))
    return Sandbox(found, memory, disk, processes)
