"""Any bytes in any pieces lead to a reply or a fault, never to an exception or a hang."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from tests.fuzz.properties import PROPERTIES


@pytest.mark.parametrize("check", PROPERTIES, ids=lambda check: check.__name__)
def test_property(check: Callable[..., None]) -> None:
    examples, tried_on = PROPERTIES[check]
    settings(max_examples=examples)(given(**tried_on)(check))()
