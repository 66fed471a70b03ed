"""The interface between the referee and whatever plays a seat, and a bot that plays from a list."""

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Struct

from protocol.messages import FaultKind, Message, Reply, Request


class Answer(Struct, frozen=True, gc=False):
    """A proper reply, and what it took."""

    reply: Reply
    """Of the type that answers the request."""
    ms: float = 0.0
    """Thinking time in milliseconds."""
    cpu_ms: float | None = None
    """Processor time of all threads since the reply before, in milliseconds; None: not known."""


class BotFault(Exception):
    """A bot's misbehaviour: never the arena's, and never a user's mistake."""

    def __init__(
        self, kind: FaultKind, detail: str, raw: str | None = None, ms: float | None = None
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: FaultKind = kind
        self.detail = detail
        """A sentence for the bot's author: what was sent, what was expected, the usual cause."""
        self.raw = raw
        """The line that was at fault, as text cut to a fair length, where there was one."""
        self.ms = ms
        """Thinking time that was charged, in milliseconds; None where no clock was."""

    def __reduce__(
        self,
    ) -> tuple[type["BotFault"], tuple[FaultKind, str, str | None, float | None]]:
        return BotFault, (self.kind, self.detail, self.raw, self.ms)


class Bot(Protocol):
    """Plays one seat of one match."""

    def ask(self, request: Request) -> Answer:
        """The reply to `request`. Raises BotFault. Sets the request's `id` and clock.

        The first request is the Hello; a bot that is a process is started by it, and by each later
        Hello is started anew.
        """
        ...

    def tell(self, message: Message) -> None:
        """Passes on a message that wants no reply. Never raises for what the bot does."""
        ...


class ScriptedBot:
    """Plays a list of replies, for tests: each is a Reply, a BotFault, or makes one of a request.

    `asked` and `told` hold what it was sent. Running out of script is a bug of the test's.
    """

    def __init__(self, script: Iterable[Reply | BotFault | Callable[[Request], Reply]]) -> None:
        self._script = iter(script)
        self.asked: list[Request] = []
        self.told: list[Message] = []

    def ask(self, request: Request) -> Answer:
        request.id = len(self.asked) + 1
        self.asked.append(request)
        try:
            step = next(self._script)
        except StopIteration:
            raise AssertionError(f"the script has no reply left for {request}") from None
        if isinstance(step, BotFault):
            raise step
        reply = step if isinstance(step, Reply) else step(request)
        reply.id = request.id
        return Answer(reply)

    def tell(self, message: Message) -> None:
        self.told.append(message)
