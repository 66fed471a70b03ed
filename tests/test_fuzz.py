"""Any bytes in any pieces lead to a reply or a fault, never to an exception or a hang."""

import pytest

from tests.fuzz import processes, wire
from tests.fuzz.property import Property

PROPERTIES = [*wire.PROPERTIES, *processes.PROPERTIES]


@pytest.mark.parametrize("held", PROPERTIES, ids=[each.check.__name__ for each in PROPERTIES])
def test_whatever_a_bot_writes(held: Property) -> None:
    held.hold()
