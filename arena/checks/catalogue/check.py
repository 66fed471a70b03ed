"""What a check is."""

from msgspec import Struct


class Check(Struct, frozen=True):
    """One thing that holds for a sound bot."""

    name: str
    """Stable: it stands in JSON and JUnit."""
    title: str
    """What a sound bot does, as a sentence about it without its subject."""
    proves: str
    """What can't happen to a bot that passes."""
    mend: str
    """How to mend one that does not."""
