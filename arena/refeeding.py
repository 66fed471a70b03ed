"""Sends a program the lines that a recorded seat was sent, with no clock, and judges its answers.

What is sent is what the record says, whatever the program answers now: an answer that differs
changes nothing for those after it. Whether it is a fault says the code that says so in a match.
"""

from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from arena.bot import BotFault
from arena.events import (
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    Clocks,
    Decision,
    Faulted,
    Greeted,
)
from arena.faults import ENDING
from arena.judgement import greeted, judge
from arena.lines import LogLines
from arena.process import UNBOXED, BotProcess, close_all
from arena.program import Program
from arena.running import Running
from arena.sandbox import Sandbox
from arena.sent import Asked
from arena.state import Asking
from arena.thinking_time import ThinkingTime, milliseconds
from protocol.messages import Hello, HelloReply, Message, Request

EXIT_MS: Final = 1_000.0
"""After the last line, until what is left of the program is killed."""

_FOREVER: Final = 1 << 62
"""Nanoseconds: longer than anybody waits."""


class Refed(Struct, frozen=True):
    """A request that was sent again, and what comes of it now."""

    asked: Asked
    now: Greeted | Decision | BotFault | None
    """None: it was not sent, as the program has ended at a request before."""
    ms: float
    """How long an answer took."""

    @property
    def differs(self) -> bool:
        """Whether the answer is another than the recorded one: notes and times apart."""
        recorded, now = self.asked.recorded, self.now
        if isinstance(recorded, Faulted):
            if recorded.kind == "timeout" and not isinstance(now, BotFault):
                return not self.late
            return not isinstance(now, BotFault) or now.kind != recorded.kind
        return now is None or isinstance(now, BotFault) or choice(recorded) != choice(now)

    @property
    def late(self) -> bool:
        """Whether it took longer than the clock of the match allowed."""
        return self.ms > self.asked.limit_ms


def choice(event: Greeted | Decision) -> object:
    """What was chosen. In which order cards were passed is no part of that."""
    match event:
        case BidMade(bid=bid):
            return bid
        case BlindNilAnswered(blind_nil=blind_nil):
            return blind_nil
        case CardPlayed(card=card):
            return card
        case CardsPassed(cards=cards):
            return frozenset(cards)
        case Greeted():
            return None


class NoClock(ThinkingTime):
    """Requests keep the clock that they have, and nothing runs out."""

    def __init__(self) -> None:
        super().__init__(Clocks())
        self.start = _FOREVER

    def grant(self, request: Request) -> int:
        return _FOREVER

    def charge(self, request: Request, spent: int) -> float:
        return milliseconds(spent)


def refeed(
    lines: Iterable[Asked | Message],
    program: Program,
    log: LogLines,
    before: Callable[[Asked, int], None] | None = None,
    sandbox: Sandbox = UNBOXED,
) -> Generator[Refed, None, None]:
    """Sends the lines, and gives what comes of each request.

    `log` takes the program's standard error. `before` is told of each request before it is sent,
    with the pid of the program, which in a box is that of the box. However this ends, nothing of
    the program is left then.
    """
    asked: Asked | None = None

    def began(running: Running) -> None:
        running.pipes.log.heard = log.feed
        tell(running.box.pid)

    def tell(pid: int) -> None:
        if before is not None and asked is not None:
            before(asked, pid)

    ended = False
    with TemporaryDirectory(prefix="debug-", ignore_cleanup_errors=True) as scratch:
        bot = BotProcess(program, Clocks(), Path(scratch), sandbox, time=NoClock(), began=began)
        try:
            for line in lines:
                if not isinstance(line, Asked):
                    bot.tell(line)
                    continue
                asked = line
                if isinstance(asked.request, Hello):
                    ended = False
                elif ended:
                    yield Refed(asked, None, 0.0)
                    continue
                else:
                    tell(bot.pid)
                now, ms = _answer(bot, asked)
                ended = isinstance(now, BotFault) and now.kind in ENDING
                bot.hear()
                yield Refed(asked, now, ms)
        finally:
            close_all([bot], EXIT_MS)


def _answer(bot: BotProcess, asked: Asked) -> tuple[Greeted | Decision | BotFault, float]:
    """What the program answers, and how long it took; or what is wrong with that."""
    try:
        answer = bot.ask(asked.request)
        if isinstance(answer.reply, HelloReply):
            now: Greeted | Decision = greeted(asked.recorded.seat, answer)
        else:
            phase = asked.state.phase
            assert isinstance(phase, Asking)
            now = judge(asked.state, phase, answer)
    except BotFault as fault:
        return fault, 0.0
    return now, answer.ms
