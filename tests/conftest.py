"""Settings of all tests."""

import signal
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from arena.sandbox import NoSandbox, find
from tests.made_once import of_all_processes

# A shell's background ignores Ctrl-C and nohup a closed terminal; so would all that tests signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A machine that is busy is no failure. Examples are drawn anew in each run: many runs are many.
settings.register_profile(
    "any_machine", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any_machine")


def pytest_sessionstart() -> None:
    """What is found out once a process is found out before attacks of others fill the machine."""
    with suppress(NoSandbox):
        find("auto")


LONG = (
    "test_killed",
    "test_disk_and_clock",
    "test_attacks",
    "test_hostile",
    "test_backup",
    "test_growth",
    "test_gate_runs",
    "test_boxed_runs",
    "test_adaptive_runs",
)
"""Modules with tests that take, or wait, for long."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests begin first, so that in the end no process is left alone with them."""
    items.sort(key=lambda item: item.path.stem not in LONG)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this session of tests, for what is made once in it (`made_once.alone`)."""
    return of_all_processes(tmp_path_factory)
