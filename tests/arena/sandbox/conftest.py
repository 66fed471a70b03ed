"""What the tests of boxes leave when they are done: nothing."""

from collections.abc import Iterator

import pytest

from tests.arena.sandbox import users


@pytest.fixture(scope="package", autouse=True)
def _copies() -> Iterator[None]:
    yield
    users.remove_copies()
