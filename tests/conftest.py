"""Settings of all tests."""

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.made_once import of_all_processes

# A shell's background ignores Ctrl-C and nohup a closed terminal; so would all that tests signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A machine that is busy is no failure. Examples are drawn anew in each run: many runs are many.
settings.register_profile(
    "any_machine", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any_machine")


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this session of tests, for what is made once in it (`made_once.alone`)."""
    return of_all_processes(tmp_path_factory)
