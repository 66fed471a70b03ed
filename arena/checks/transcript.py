"""What was said in a conversation with a bot, as data: its checks are read from it."""

from msgspec import Struct

from arena.bot import Answer, BotFault
from arena.checks.observed import Departure
from arena.checks.plans import Plan
from protocol.cards import Seat
from protocol.messages import Request


class Step(Struct, frozen=True):
    """A request that was sent, and what came of it: an answer, or a fault."""

    seat: Seat
    request: Request
    line: bytes
    """The request as it was sent, without its end."""
    marks: frozenset[str]
    """The checks that an answer speaks for."""
    check: str | None
    """The check that a fault belongs to; None where the fault tells."""
    told: str | None
    """Type of the message that the bot was last sent before, where that wanted no reply."""
    early: bool
    """Output of the bot stood there before the request was sent."""
    answer: Answer | None = None
    fault: BotFault | None = None


class Transcript(Struct, frozen=True):
    """A conversation from the start of its processes to their end."""

    plan: Plan
    steps: tuple[Step, ...]
    departures: dict[Seat, Departure]
    """Of the seats whose process could be started."""
    memory: int
    """The most that a process was seen to use, in bytes."""
    output_bytes: int
    """What one process wrote to standard output, at most."""
    log_bytes: int
    """What one process wrote to standard error, at most."""

    @property
    def failed(self) -> Step | None:
        """The step that ended it, if a fault did: the last one."""
        return self.steps[-1] if self.steps and self.steps[-1].fault is not None else None
