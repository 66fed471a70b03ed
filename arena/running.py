"""One process of a bot: its box, its pipes, and who watches it. It knows no clock of the game's."""

from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic_ns
from typing import Final

from arena import diagnosis
from arena.bot import BotFault
from arena.lag import LagWatch
from arena.pipes import Pipes
from arena.program import Program
from arena.sandbox import Box, Sandbox
from arena.thinking_time import NS_PER_MS
from arena.watch import Watch
from protocol.codec import reply_id
from protocol.messages import Hello, Request

LAST_MOMENT_MS: Final = 1_000.0
"""So long a process that has closed its output is waited for, to say how it ended."""


class Running:
    """A process that was started. Whoever has one calls `close` in the end."""

    def __init__(
        self, box: Box, program: Program, sandbox: Sandbox, watch: Watch, ids: Iterator[int]
    ) -> None:
        self.box = box
        self.pipes = Pipes(box.pid, box.files)
        self.watched = watch.add(box, sandbox)
        self.lag = LagWatch(box)
        self.ids = ids
        """Of the requests to come."""
        self.late: set[int] = set()
        """Requests that ended in a fault, and whose replies may still come."""
        self._program = program
        self._sandbox = sandbox
        self._watch = watch

    def next_line(self, request: Request) -> bytes | None:
        """The next line but for replies to requests that timed out, which may come at any time.

        None where there is none yet; raises BotFault where there will be none.
        """
        pipes, late = self.pipes, self.late
        while (line := pipes.lines.take()) is not None:
            if not late or (number := reply_id(line)) not in late:
                return line
            late.discard(number)
        if pipes.over:
            pipes.log.check()
            raise self._gone(request)
        self.watched.check()
        return None

    def close(self) -> None:
        """Gives everything back. It has been killed."""
        self._watch.remove(self.watched)
        with ExitStack() as stack:
            stack.callback(self.box.close)
            stack.callback(self.pipes.close)

    def _gone(self, request: Request) -> BotFault:
        pipes = self.pipes
        self.watched.go()  # the stopped can't end
        until = monotonic_ns() + int(LAST_MOMENT_MS * NS_PER_MS)
        while not pipes.dead and (left := until - monotonic_ns()) > 0:
            pipes.wait(left / NS_PER_MS)
        status, log = self.box.ended(), pipes.log.text()
        boxed = self._sandbox.backend != "none"
        if boxed and status is not None and isinstance(request, Hello):
            program = self._program
            fault = diagnosis.not_run(program.command, program.folder, status, log)
            if fault is not None:
                return fault
        if status is not None and (fault := self.watched.died_of_a_limit(status, log)):
            return fault
        return diagnosis.gone(
            str(request.__struct_config__.tag),
            status,
            half=pipes.lines.half,
            log=log,
            one_process=boxed and self._sandbox.processes == 1,
        )
