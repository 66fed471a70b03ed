"""A bot that is a child process: raw pipes, one absolute deadline a decision, whole lines only.

What a bot is told and charged does not depend on when its bytes happen to arrive: one line is
taken for a request, and anything else that it writes is judged when the next request is made.
"""

import select
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic_ns
from typing import Final

from arena import diagnosis, lag, reaper
from arena.bot import Answer, BotFault
from arena.deals import request_ids
from arena.events import Clocks
from arena.pipes import Pipes
from arena.program import Program
from arena.running import Running
from arena.sandbox import Sandbox, start
from arena.thinking_time import NS_PER_MS, ThinkingTime
from arena.watch import EVERY_MS, WORTH_NS, Watch
from protocol.codec import MalformedReply, decode_reply, encode, quote
from protocol.messages import Hello, Message, Request

UNBOXED: Final = Sandbox("none", pause=False)
"""A process like any other."""

EARLIER_LOGS_KEPT: Final = 16 * 1024
"""Characters that are kept of what the earlier processes of a bot have logged."""

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
        time: ThinkingTime | None = None,
        began: Callable[[Running], None] | None = None,
    ) -> None:
        """`scratch` is a folder for what the process may write, where its sandbox needs one.

        `number`, 0 to 3, is that of its seat: no other bot of this process has it at the time.
        `watch` is that of its match. `time`, where it is not what the clock says. `began` is told
        of each process that was started, before anything is sent to it.
        """
        self._program = program
        self._time = time or ThinkingTime(clock)
        self._scratch = scratch
        self._sandbox = sandbox
        self._number = number
        self._watch = watch or Watch()
        self._began = began
        self._running: Running | None = None
        self._not_started: BotFault | None = None
        self._log = ""
        """Of processes that were closed."""
        self._lag_ms = 0.0

    def ask(self, request: Request) -> Answer:
        """See `Bot.ask`. What could not be started is not tried again before the next Hello.

        Raises ArenaLag where a clock ran out and the arena is to blame.
        """
        cpu_ms, spent = None, WORTH_NS
        try:
            line, spent = self._exchange(request)
        finally:
            running = self._running
            if running is not None and (spent >= WORTH_NS or running.watched.pauses):
                cpu_ms = running.watched.stop()
        ms = self._time.charge(request, spent)
        try:
            return Answer(decode_reply(line, request), ms, cpu_ms)
        except MalformedReply as error:
            if self._running is not None:  # a debug line, perhaps, and the reply comes after it
                self._running.late.add(request.id)
            raise BotFault("malformed", str(error), quote(line), ms) from None

    def tell(self, message: Message) -> None:
        """See `Bot.tell`."""
        if self._running is not None:
            pipes = self._running.pipes
            pipes.drain()
            pipes.send(encode(message))

    @property
    def pid(self) -> int:
        """Of its process, which was started."""
        assert self._running is not None
        return self._running.box.pid

    def hear(self) -> None:
        """Reads what it has written by now, for who follows its log."""
        if self._running is not None:
            self._running.pipes.drain()

    @property
    def lag_ms(self) -> float:
        """How late the arena was at most, of the times that this bot's clock ran out."""
        running = self._running
        return self._lag_ms if running is None else max(self._lag_ms, running.lag.longest_ms)

    @property
    def log(self) -> str:
        """Standard error so far, head and tail, for people."""
        running = self._running
        return self._log if running is None else self._log + running.pipes.log.text()

    def _exchange(self, request: Request) -> tuple[bytes, int]:
        """The line that is the reply, and the nanoseconds that it took."""
        if isinstance(request, Hello):
            return self._greet(request)
        running = self._running
        if running is None:
            raise self._not_started or AssertionError("the first request is a hello")
        watched = running.watched
        if watched.stopped or watched.fault is not None:
            watched.check()
        request.id = next(running.ids)
        limit = self._time.grant(request)
        data = encode(request)
        begin = monotonic_ns()
        if begin >= self._watch.due:
            self._watch.look(begin)
            watched.check()
            begin = monotonic_ns()
        if begin - running.lag.looked_at > lag.STALE_NS:
            running.lag.look(begin)
        running.pipes.send(data)
        if watched.stopped:
            watched.go()  # after the request: so it wakes once, and finds it there
        return self._await_line(running, request, begin, limit)

    def _greet(self, request: Hello) -> tuple[bytes, int]:
        """Starts a process, anew where there has been one."""
        self._end()
        running = self._start(request.seed)
        begin = monotonic_ns()  # to make a box may take long, and that is no time of the bot's
        request.id = next(running.ids)
        running.pipes.send(encode(request))
        return self._await_line(running, request, begin, self._time.start)

    def _end(self) -> None:
        """Leaves nothing of an earlier process but its log and what is left of its bank.

        Nobody else at the table is touched. What has fled from its session ends with the match.
        """
        if self._running is not None:
            box = self._running.box
            _playing.discard(box.pid)
            box.kill()
            reaper.kill_bot(box.pid)
        self._discard()
        if self._log:
            self._log = f"{self._log[-EARLIER_LOGS_KEPT:]}\n[started again]\n"

    def _start(self, seed: int) -> Running:
        """Starts the process. Raises BotFault where the bot is to blame that it can't be."""
        self._not_started = None
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
        _playing.add(box.pid)
        with ExitStack() as failed:
            failed.callback(box.close)
            failed.callback(reaper.kill_bot, box.pid)
            failed.callback(box.kill)
            self._running = Running(box, program, self._sandbox, self._watch, request_ids(seed))
            failed.pop_all()
        if self._began is not None:
            self._began(self._running)
        return self._running

    def _await_line(
        self, running: Running, request: Request, begin: int, limit: int
    ) -> tuple[bytes, int]:
        """The next line, and the nanoseconds from `begin` until it was read."""
        pipes, late = running.pipes, 0
        pipes.look()  # a bot on the same core has often replied before the arena goes on
        spent = sent = monotonic_ns() - begin
        # What stood there before is judged as if it had come after the request.
        ready = spent <= limit or pipes.over
        line = self._next_line(running, request, min(spent, limit)) if ready else None
        while line is None:
            due = self._watch.due - begin
            until = limit if limit < due else due
            pipes.wait((until - spent) / NS_PER_MS if spent < until else 0)
            before, spent = spent, monotonic_ns() - begin
            if spent > until:
                late = max(late, spent - max(until, before))
                if spent > limit:
                    running.lag.excuse(pipes, late + sent, spent, limit)
                    running.late.add(request.id)
                    fault = self._timeout(pipes, request, limit)
                    fault.ms = self._time.charge(request, limit)
                    raise fault
            line = self._next_line(running, request, spent)
            if line is None and spent >= due:
                self._watch.look(begin + spent)
                line = self._next_line(running, request, spent)
        return line, spent

    def _next_line(self, running: Running, request: Request, spent: int) -> bytes | None:
        """See `Running.next_line`. A fault costs what was `spent` as well."""
        try:
            return running.next_line(request)
        except BotFault as fault:
            fault.ms = self._time.charge(request, spent)
            raise

    def _timeout(self, pipes: Pipes, request: Request, limit: int) -> BotFault:
        return diagnosis.late(
            self._time.in_words(request, limit),
            hello=isinstance(request, Hello),
            unread=pipes.pending,
            deaf=pipes.deaf,
            half=pipes.lines.half,
        )

    def _discard(self) -> None:
        """Closes the pipes and removes the folder of a process that has been killed."""
        if self._running is None:
            return
        self._log, self._lag_ms = self.log, self.lag_ms
        running, self._running = self._running, None
        running.close()


def close_all(bots: Iterable[BotProcess], exit_ms: float) -> None:
    """Lets the bots leave, all at once for at most `exit_ms`, and removes every trace of them.

    Standard input ends for all; what they still write is read. Then their process trees are killed
    (`reaper.kill_bots`). Each step is taken even if one before it fails, so this can be called
    while an exception passes through, and again.
    """
    bots = list(bots)
    running = [bot._running for bot in bots if bot._running is not None]
    pids = [bot.box.pid for bot in running]
    _playing.difference_update(pids)
    with ExitStack() as stack:
        for bot in bots:
            stack.callback(bot._discard)
        stack.callback(reaper.kill_bots, pids, keep=_playing)
        for each in running:
            stack.callback(each.box.kill)
        for each in running:
            each.watched.go()  # it can't leave while it is stopped
        _await_exits([each.pipes for each in running], {bot._watch for bot in bots}, exit_ms)


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
