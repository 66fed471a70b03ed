"""One table: rules, deals, referee, record, and the processes that play."""

from typing import Final

from protocol.messages import Arena

ARENA: Final = Arena("spades-arena", "0.1.0")
"""Who plays the matches: name and version, as in `hello` and in a record."""
