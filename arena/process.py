"""A bot that is a child process: raw pipes, one absolute deadline a decision, whole lines only.

What a bot is told and charged does not depend on when its bytes happen to arrive: one line is
taken for a request, and anything else that it writes is judged when the next request is made.
"""

import os
import select
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE, Popen
from time import monotonic_ns
from typing import Final

from msgspec import Struct

from arena import diagnosis, reaper, scratch
from arena.bot import Answer, BotFault
from arena.events import Clocks
from arena.pipes import LONGEST_POLL_MS, Pipes
from protocol.codec import MalformedReply, decode_reply, encode, quote, reply_id, unasked
from protocol.messages import Clock, Hello, Message, Request, TimedRequest

NS_PER_MS: Final = 1_000_000

LAST_MOMENT_MS: Final = 1_000.0
"""So long a process that has closed its output is waited for, to say how it ended."""

EARLIER_LOGS_KEPT: Final = 16 * 1024
"""Characters that are kept of what the earlier processes of a bot have logged."""

_playing: Final[set[int]] = set()
"""Pids of the bots of this process that are not closed yet."""


class Program(Struct, frozen=True):
    """What to run for a bot."""

    name: str
    """Unique in a tournament; a later version of a bot is `name@2`."""
    hash: str
    """SHA-256 over the bot's files, in hex."""
    command: tuple[str, ...]
    """The first is an absolute path."""
    folder: str
    """The working directory, absolute."""
    env: dict[str, str] = {}
    """Variables beside PATH, LANG, LC_ALL, HOME and TMPDIR."""


class BotProcess:
    """A `Bot`. Whoever makes one hands it to `close_all` in the end, whatever happens."""

    def __init__(self, program: Program, clock: Clocks, scratch: Path) -> None:
        """`scratch` is a folder in which the process gets an empty one of its own."""
        self._program = program
        self._clock = clock
        self._parent = scratch.absolute()
        self._scratch: Path | None = None
        self._pipes: Pipes | None = None
        self._not_started: BotFault | None = None
        self._log = ""
        self._asked = 0
        self._late: set[int] = set()
        """Requests that ended in a fault, and whose replies may still come."""
        self._move_ns = int(clock.move_ms * NS_PER_MS)
        self._bank_ns = None if clock.bank_ms is None else int(clock.bank_ms * NS_PER_MS)
        self._last_ms: float | None = None

    def ask(self, request: Request) -> Answer:
        """See `Bot.ask`. What could not be started is not tried again before the next Hello."""
        if isinstance(request, Hello):
            self._end()
        self._asked += 1
        request.id = self._asked
        pipes = self._pipes
        if pipes is None:
            begin = monotonic_ns()
            limit = int(self._clock.start_ms * NS_PER_MS)
            pipes = self._start()
            data = encode(request)
        else:
            pipes.drain()
            if pipes.over or not pipes.lines.empty:
                self._refuse_unasked(pipes, request)
            limit = self._set_clock(request)
            data = encode(request)
            begin = monotonic_ns()
        pipes.send(data)
        line, spent = self._await_line(pipes, request, begin, limit)
        ms = self._charge(request, spent)
        try:
            return Answer(decode_reply(line, request), ms)
        except MalformedReply as error:
            self._late.add(request.id)  # it was a debug line, perhaps, and the reply comes after it
            raise _malformed(error, line) from None

    def tell(self, message: Message) -> None:
        """See `Bot.tell`."""
        if self._pipes is not None:
            self._pipes.drain()
            self._pipes.send(encode(message))

    @property
    def log(self) -> str:
        """Standard error so far, head and tail, for people."""
        return self._log + (self._pipes.log.text() if self._pipes is not None else "")

    def _end(self) -> None:
        """Leaves nothing of an earlier process but its log and what is left of its bank.

        Nobody else at the table is touched. What has fled from its session ends with the match.
        """
        self._not_started = None
        self._asked = 0
        self._late.clear()
        if self._pipes is not None:
            _playing.discard(self._pipes.pid)
            reaper.kill_bot(self._pipes.pid)
        self._discard()
        if self._log:
            self._log = f"{self._log[-EARLIER_LOGS_KEPT:]}\n[started again]\n"

    def _start(self) -> Pipes:
        """Starts the process. Raises BotFault where the bot is to blame that it can't be."""
        if self._not_started is not None:
            raise self._not_started
        program = self._program
        self._scratch = scratch.make(self._parent)
        reaper.adopt_orphans()
        try:
            child = Popen(
                program.command,
                bufsize=0,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                cwd=program.folder,
                env=_environment(program, str(self._scratch)),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._not_started = diagnosis.not_startable(program.command, program.folder, error)
            if self._not_started is None:
                raise
            raise self._not_started from None
        child.returncode = 0  # the reaper waits for it, nobody else may
        files = [file for file in (child.stdin, child.stdout, child.stderr) if file]
        self._pipes = Pipes(child.pid, files)
        _playing.add(child.pid)
        return self._pipes

    def _refuse_unasked(self, pipes: Pipes, request: Request) -> None:
        """Raises BotFault for a line that stands there before the request is sent.

        Had it come a moment later, it would have been taken for the reply. So it is judged as one,
        nothing is said of it that depends on the moment, and the bot sees the request all the same.
        """
        line = self._next_line(pipes, request)
        if line is None:
            return
        self._set_clock(request)
        pipes.send(encode(request))
        self._late.add(request.id)
        try:
            decode_reply(line, request)
        except MalformedReply as error:
            raise _malformed(error, line) from None
        raise _malformed(unasked(line), line)

    def _set_clock(self, request: Request) -> int:
        """Tells the request what is left, and returns the smaller limit in nanoseconds."""
        bank = self._bank_ns
        if isinstance(request, TimedRequest):
            left = None if bank is None else _ms(bank)
            request.clock = Clock(self._clock.move_ms, left, self._last_ms)
        return self._move_ns if bank is None or bank > self._move_ns else bank

    def _await_line(
        self, pipes: Pipes, request: Request, begin: int, limit: int
    ) -> tuple[bytes, int]:
        """The next line, and the nanoseconds from `begin` until it was read."""
        spent = monotonic_ns() - begin
        while True:
            pipes.wait((limit - spent) / NS_PER_MS if spent < limit else 0)
            spent = monotonic_ns() - begin
            if spent > limit:
                self._late.add(request.id)
                self._charge(request, limit)
                raise self._timeout(pipes, request, limit)
            line = self._next_line(pipes, request)
            if line is not None:
                return line, spent

    def _next_line(self, pipes: Pipes, request: Request) -> bytes | None:
        """The next line but for replies to requests that timed out, which may come at any time.

        None where there is none yet; raises BotFault where there will be none.
        """
        while (line := pipes.lines.take()) is not None:
            if not self._late or (number := reply_id(line)) not in self._late:
                return line
            self._late.discard(number)
        if pipes.over:
            pipes.log.check()
            raise self._gone(pipes, request)
        return None

    def _charge(self, request: Request, spent: int) -> float:
        """Takes what was spent from the bank, and returns it in milliseconds."""
        if self._bank_ns is not None and not isinstance(request, Hello):
            self._bank_ns -= spent
        self._last_ms = ms = _ms(spent)
        return ms

    def _timeout(self, pipes: Pipes, request: Request, limit: int) -> BotFault:
        hello = isinstance(request, Hello)
        if hello:
            within = f"within {self._clock.start_ms:.15g} ms of its start"
        elif limit == self._move_ns:
            within = f"within {self._clock.move_ms:.15g} ms"
        else:
            within = f"before its {self._clock.bank_ms:.15g} ms for the whole match were used up"
        return diagnosis.late(
            within, hello=hello, unread=pipes.pending, deaf=pipes.deaf, half=pipes.lines.half
        )

    def _gone(self, pipes: Pipes, request: Request) -> BotFault:
        until = monotonic_ns() + int(LAST_MOMENT_MS * NS_PER_MS)
        while not pipes.dead and (left := until - monotonic_ns()) > 0:
            pipes.wait(left / NS_PER_MS)
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        status = os.waitid(os.P_PID, pipes.pid, options)
        tag = str(request.__struct_config__.tag)
        return diagnosis.gone(tag, status, half=pipes.lines.half)

    def _discard(self) -> None:
        """Closes the pipes and removes the folder of a process that has been killed."""
        with ExitStack() as stack:
            if self._scratch is not None:
                stack.callback(scratch.remove, self._scratch)
                self._scratch = None
            if self._pipes is not None:
                self._log = self.log
                stack.callback(self._pipes.close)
                self._pipes = None


def close_all(bots: Iterable[BotProcess], exit_ms: float) -> None:
    """Lets the bots leave, all at once for at most `exit_ms`, and removes every trace of them.

    Standard input ends for all; what they still write is read. Then their process trees are killed
    (`reaper.kill_bots`). Each step is taken even if one before it fails, so this can be called
    while an exception passes through, and again.
    """
    bots = list(bots)
    open_pipes = [bot._pipes for bot in bots if bot._pipes is not None]
    pids = [pipes.pid for pipes in open_pipes]
    _playing.difference_update(pids)
    with ExitStack() as stack:
        for bot in bots:
            stack.callback(bot._discard)
        stack.callback(reaper.kill_bots, pids, keep=_playing)
        _await_exits(open_pipes, exit_ms)


def _await_exits(open_pipes: list[Pipes], exit_ms: float) -> None:
    deadline = monotonic_ns() + int(exit_ms * NS_PER_MS)
    poll = select.poll()
    owners = {fd: pipes for pipes in open_pipes for fd in pipes.leave(poll)}
    while not all(pipes.dead for pipes in open_pipes):
        left = deadline - monotonic_ns()
        if left <= 0:
            return
        for fd, _ in poll.poll(min(left / NS_PER_MS, LONGEST_POLL_MS)):
            owners[fd].serve(fd)


def _environment(program: Program, folder: str) -> dict[str, str]:
    """All that a bot's process finds in its environment; of ours only PATH."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        **program.env,
        "HOME": folder,
        "TMPDIR": folder,
    }


def _malformed(error: MalformedReply, line: bytes) -> BotFault:
    return BotFault("malformed", str(error), quote(line))


def _ms(ns: int) -> float:
    """Milliseconds to the microsecond, as finer digits are noise."""
    return ns // 1000 / 1000
