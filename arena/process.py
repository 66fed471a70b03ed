"""A bot that is a child process: raw pipes, one absolute deadline a decision, whole lines only.

What a bot is told and charged does not depend on when its bytes happen to arrive: one line is
taken for a request, and anything else that it writes is judged when the next request is made.
"""

import select
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic_ns
from typing import Final

from arena import diagnosis, reaper
from arena.bot import Answer, BotFault
from arena.events import Clocks
from arena.pipes import Pipes
from arena.program import Program
from arena.sandbox import Box, Sandbox, start
from arena.thinking_time import NS_PER_MS, ThinkingTime
from arena.watch import EVERY_MS, Watch, Watched
from protocol.codec import MalformedReply, decode_reply, encode, quote, reply_id, unasked
from protocol.messages import Hello, Message, Request

__all__ = ["LAST_MOMENT_MS", "UNBOXED", "BotProcess", "Program", "close_all"]

UNBOXED: Final = Sandbox("none", pause=False)
"""A process like any other."""

LAST_MOMENT_MS: Final = 1_000.0
"""So long a process that has closed its output is waited for, to say how it ended."""

_playing: Final[set[int]] = set()
"""Pids of the bots of this process that are not closed yet."""


class BotProcess:
    """A `Bot`. Whoever makes one hands it to `close_all` in the end, whatever happens."""

    def __init__(
        self,
        program: Program,
        clock: Clocks,
        scratch: Path,
        sandbox: Sandbox = UNBOXED,
        number: int = 0,
        watch: Watch | None = None,
    ) -> None:
        """`scratch` is a folder for what the process may write, where its sandbox needs one.

        `number`, 0 to 3, is that of its seat: no other bot of this process has it at the time.
        `watch` is that of its match.
        """
        self._program = program
        self._time = ThinkingTime(clock)
        self._sandbox = sandbox
        self._scratch = scratch
        self._number = number
        self._watch = watch or Watch()
        self._box: Box | None = None
        self._watched: Watched | None = None
        self._pipes: Pipes | None = None
        self._not_started: BotFault | None = None
        self._log = ""
        self._asked = 0
        self._late: set[int] = set()
        """Requests that ended in a fault, and whose replies may still come."""

    def ask(self, request: Request) -> Answer:
        """See `Bot.ask`. What could not be started once is not tried again."""
        self._asked += 1
        request.id = self._asked
        cpu_ms = None
        try:
            line, spent = self._exchange(request)
        finally:
            if self._watched is not None:
                cpu_ms = self._watched.stop()
        ms = self._time.charge(request, spent)
        try:
            return Answer(decode_reply(line, request), ms, cpu_ms)
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
        return self._pipes.log.text() if self._pipes is not None else self._log

    def _exchange(self, request: Request) -> tuple[bytes, int]:
        """The line that is the reply, and the nanoseconds that it took."""
        pipes, watched = self._pipes, self._watched
        if pipes is None or watched is None:
            begin = monotonic_ns()
            limit = self._time.start
            pipes, watched = self._start()
            pipes.send(encode(request))
        else:
            watched.check()
            pipes.drain()
            if pipes.over or not pipes.lines.empty:
                self._refuse_unasked(pipes, request)
            limit = self._time.grant(request)
            data = encode(request)
            begin = monotonic_ns()
            if begin >= self._watch.due:
                self._watch.look(begin)
                watched.check()
                begin = monotonic_ns()
            pipes.send(data)
            watched.go()  # after the request: so it wakes once, and finds it there
        return self._await_line(pipes, request, begin, limit)

    def _start(self) -> tuple[Pipes, Watched]:
        """Starts the process. Raises BotFault where the bot is to blame that it can't be."""
        if self._not_started is not None:
            raise self._not_started
        program = self._program
        reaper.adopt_orphans()
        try:
            box = start(self._sandbox, program, self._scratch, self._number)
        except BotFault as fault:
            self._not_started = fault
            raise
        except (OSError, ValueError) as error:
            self._not_started = diagnosis.not_startable(program.command, program.folder, error)
            if self._not_started is None:
                raise
            raise self._not_started from None
        self._box = box
        self._pipes = Pipes(box.pid, box.files)
        self._watched = self._watch.add(box, self._sandbox)
        _playing.add(box.pid)
        return self._pipes, self._watched

    def _refuse_unasked(self, pipes: Pipes, request: Request) -> None:
        """Raises BotFault for a line that stands there before the request is sent.

        Had it come a moment later, it would have been taken for the reply. So it is judged as one,
        and nothing is said of it that depends on the moment.
        """
        line = self._next_line(pipes, request)
        if line is None:
            return
        try:
            decode_reply(line, request)
        except MalformedReply as error:
            raise _malformed(error, line) from None
        raise _malformed(unasked(line), line)

    def _await_line(
        self, pipes: Pipes, request: Request, begin: int, limit: int
    ) -> tuple[bytes, int]:
        """The next line, and the nanoseconds from `begin` until it was read."""
        spent = monotonic_ns() - begin
        while True:
            due = self._watch.due - begin
            until = limit if limit < due else due
            pipes.wait((until - spent) / NS_PER_MS if spent < until else 0)
            spent = monotonic_ns() - begin
            if spent > limit:
                self._late.add(request.id)
                self._time.charge(request, limit)
                raise self._timeout(pipes, request, limit)
            line = self._next_line(pipes, request)
            if line is not None:
                return line, spent
            if spent >= due:
                self._look(begin + spent)

    def _look(self, now: int) -> None:
        """Raises BotFault if the bot that thinks is found to use too much."""
        self._watch.look(now)
        if self._watched is not None:
            self._watched.check()

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

    def _timeout(self, pipes: Pipes, request: Request, limit: int) -> BotFault:
        return diagnosis.late(
            self._time.in_words(request, limit),
            hello=isinstance(request, Hello),
            unread=pipes.pending,
            deaf=pipes.deaf,
            half=pipes.lines.half,
        )

    def _gone(self, pipes: Pipes, request: Request) -> BotFault:
        assert self._box is not None
        assert self._watched is not None
        self._watched.go()  # the stopped can't end
        until = monotonic_ns() + int(LAST_MOMENT_MS * NS_PER_MS)
        while not pipes.dead and (left := until - monotonic_ns()) > 0:
            pipes.wait(left / NS_PER_MS)
        status, boxed = self._box.ended(), self._sandbox.backend != "none"
        if boxed and status is not None and isinstance(request, Hello):
            command, folder = self._program.command, self._program.folder
            if (fault := diagnosis.not_run(command, folder, status, self.log)) is not None:
                return fault
        if status is not None and (fault := self._watched.died_of_a_limit(status, self.log)):
            return fault
        return diagnosis.gone(
            str(request.__struct_config__.tag),
            status,
            half=pipes.lines.half,
            log=self.log,
            one_process=boxed and self._sandbox.processes == 1,
        )

    def _discard(self) -> None:
        """Closes the pipes and removes the folder of a process that has been killed."""
        with ExitStack() as stack:
            if self._box is not None:
                stack.callback(self._box.close)
                if self._watched is not None:
                    self._watch.remove(self._watched)
                    self._watched = None
                self._box = None
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
    boxes = [bot._box for bot in bots if bot._box is not None]
    open_pipes = [bot._pipes for bot in bots if bot._pipes is not None]
    pids = [box.pid for box in boxes]
    _playing.difference_update(pids)
    with ExitStack() as stack:
        for bot in bots:
            stack.callback(bot._discard)
            if bot._watched is not None:
                bot._watched.go()  # it can't leave while it is stopped
        stack.callback(reaper.kill_bots, pids, keep=_playing)
        for box in boxes:
            stack.callback(box.kill)
        _await_exits(open_pipes, {bot._watch for bot in bots}, exit_ms)


def _await_exits(open_pipes: list[Pipes], watches: set[Watch], exit_ms: float) -> None:
    deadline = monotonic_ns() + int(exit_ms * NS_PER_MS)
    poll = select.poll()
    owners = {fd: pipes for pipes in open_pipes for fd in pipes.leave(poll)}
    while not all(pipes.dead for pipes in open_pipes):
        now = monotonic_ns()
        if now >= deadline:
            return
        for watch in watches:
            if now >= watch.due:
                watch.look(now)
        for fd, _ in poll.poll(min((deadline - now) / NS_PER_MS, EVERY_MS)):
            owners[fd].serve(fd)


def _malformed(error: MalformedReply, line: bytes) -> BotFault:
    return BotFault("malformed", str(error), quote(line))
