"""One conversation by its plan: requests by the rules of the game, to real processes.

What is asked comes from `fold` and `view` as in a match, so it is true to the rules; only what the
other seats do is simple, and what a plan makes odd.
"""

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from arena import ARENA, fold, view
from arena.bot import BotFault
from arena.checks import others
from arena.checks.marks import marks
from arena.checks.observed import ObservedProcess
from arena.checks.oddities import later, with_unknown_fields
from arena.checks.plans import BASIC, Plan
from arena.checks.transcript import Step, Transcript
from arena.events import AnyEvent, Clocks, Decision, MatchStarted, Origin, Player
from arena.judgement import judge
from arena.program import Program
from arena.rules import sides
from arena.sandbox import Sandbox, describe
from arena.state import Asking, Playing, State, Stopped, Substituting, begin
from protocol.cards import PARTNER, SEATS, Seat
from protocol.codec import encode
from protocol.messages import Message, Request

_ID_STEP: Final = 256
"""The most that ids grow by."""


def converse(plan: Plan, program: Program, clock: Clocks, sandbox: Sandbox) -> Transcript:
    """Holds the conversation, and leaves no process behind: plain data in, plain data out.

    The first fault ends it. Raises what goes wrong on the arena's side, ArenaLag among it.
    """
    if plan.bank is not None:
        clock = replace(clock, bank_ms=plan.bank * clock.move_ms)
    # Whatever a bot does to its folders is its own affair: a rest is left.
    with TemporaryDirectory(prefix="check-", ignore_cleanup_errors=True) as scratch:
        bots = {}
        for seat in plan.seats:
            ids = None if plan.first_id is None else count(plan.first_id, _ID_STEP)
            number = SEATS.index(seat)
            bots[seat] = ObservedProcess(program, clock, Path(scratch), sandbox, number, ids)
        table = _Table(plan, _started(plan, program, clock, sandbox), bots)
        try:
            table.play()
            return table.transcript()
        finally:
            for bot in bots.values():
                bot.close()


class _AtFault(Exception):
    """A bot was at fault, of which its step tells."""


class _Table:
    """A table where one bot, or two, are looked at."""

    def __init__(
        self, plan: Plan, started: MatchStarted, bots: dict[Seat, ObservedProcess]
    ) -> None:
        self._steps: list[Step] = []
        self._plan = plan
        self._started = started
        self._bots = bots
        self._told: str | None = None
        self._check = plan.check
        self._asked = 0
        self._thought_ms = 0.0
        self._set_at = _request(plan, plan.set_after)
        self._stop_at = _request(plan, plan.stop)
        zero = dict.fromkeys(sides(plan.rules.players), 0)
        self._state = replace(
            begin(started),
            deals=plan.deals,
            score=plan.score or zero,
            bags=plan.bags or zero,
        )

    def play(self) -> None:
        """Plays to the end of the match, or to the first fault."""
        try:
            for seat in self._bots:
                self._ask(seat, view.hello(self._started, seat))
            while self._state.outcome is None:
                self._state = fold.apply(self._state, self._next(self._state))
        except _AtFault:
            return
        self._tell(view.match_end(fold.match_end(self._state)))

    def transcript(self) -> Transcript:
        """Lets the bots leave, and tells of all that there was."""
        bots = self._bots.values()
        alone = self._plan == BASIC
        departures = {seat: bot.leave(alone) for seat, bot in self._bots.items()}
        return Transcript(
            plan=self._plan,
            steps=tuple(self._steps),
            departures={seat: left for seat, left in departures.items() if left is not None},
            memory=max(bot.memory for bot in bots),
            output_bytes=max(bot.output_bytes for bot in bots),
            log_bytes=max(bot.log_bytes for bot in bots),
        )

    def _next(self, state: State) -> AnyEvent:
        """What happens next."""
        phase = state.phase
        if phase is None:
            return others.dealt(self._plan, state)
        assert not isinstance(phase, Substituting)
        if isinstance(phase, Stopped) or (isinstance(phase, Playing) and not phase.legal):
            ended = fold.deal_end(state)
            self._tell(view.deal_end(state, ended))
            return ended
        if phase.turn in self._bots:
            return self._decide(state, phase)
        if phase.turn != PARTNER[self._plan.seats[0]]:
            if self._asked == self._set_at and isinstance(phase, Playing):
                self._set_at = None
                return others.fault(state, phase.turn, "malformed")
            tired = self._plan.patience_ms is not None and self._thought_ms > self._plan.patience_ms
            if tired or self._asked == self._stop_at:
                return others.fault(state, phase.turn, "timeout")
        return others.decision(self._plan, state, phase)

    def _decide(self, state: State, phase: Asking) -> Decision:
        """What the bot decides that is looked at."""
        odd = self._plan.odd.get(self._asked)
        if odd is not None and odd.before is not None:
            self._check = odd.check
            if isinstance(odd.before, Request):
                before = replace(odd.before)
                self._send(phase.turn, before, before, frozenset())
            else:
                self._tell(odd.before)
        request = view.request(state)
        decision = self._ask(phase.turn, request, marks(request, state.rules), phase)
        assert decision is not None
        return decision

    def _ask(
        self,
        seat: Seat,
        request: Request,
        found: frozenset[str] = frozenset(),
        phase: Asking | None = None,
    ) -> Decision | None:
        """Asks what a match asks, oddly perhaps; the decision if it is to be one."""
        odd = self._plan.odd.get(self._asked)
        self._asked += 1
        sent = request
        if odd is not None:
            self._check = odd.check
            if odd.fields is not None:
                sent = with_unknown_fields(request, odd.fields, odd.inner)
        return self._send(seat, request, sent, found, phase)

    def _send(
        self,
        seat: Seat,
        request: Request,
        sent: Request,
        found: frozenset[str],
        phase: Asking | None = None,
    ) -> Decision | None:
        """Sends a request as `sent`, and notes what comes of it. Raises _AtFault."""
        bot = self._bots[seat]
        answer = fault = decision = None
        try:
            answer = bot.ask(sent)
            self._thought_ms += answer.ms
            if phase is not None:
                decision = judge(self._state, phase, answer)
        except BotFault as caught:
            fault = caught
        request.id, line = sent.id, encode(sent).rstrip(b"\n")
        if self._check is not None:
            found |= {self._check}
        if self._told == "deal_end":
            found |= {"next_deal"}
        self._steps.append(
            Step(
                seat=seat,
                request=request,
                line=line,
                marks=found,
                check=self._check,
                told=self._told,
                early=bot.early,
                answer=answer,
                fault=fault,
            )
        )
        self._told = None
        if fault is not None:
            raise _AtFault
        return decision

    def _tell(self, message: Message) -> None:
        self._told = str(message.__struct_config__.tag)
        if self._plan.later and self._told in ("deal_end", "match_end"):
            message, self._check = later(message), "unknown_fields"
        for bot in self._bots.values():
            bot.tell(message)


def _request(plan: Plan, decisions: int | None) -> int | None:
    """How many requests so many decisions are, with hello to each of the bot's seats."""
    return None if decisions is None else decisions + len(plan.seats)


def _started(plan: Plan, program: Program, clock: Clocks, sandbox: Sandbox) -> MatchStarted:
    return MatchStarted(
        match="check",
        arena=ARENA,
        rules=plan.rules,
        players={
            seat: Player(program.name, program.hash, plan.seed - SEATS.index(seat))
            for seat in SEATS
        },
        origin=Origin(seed=0, commitment=None, bots=[program.name], cycle=0, leg=0),
        dealer=plan.dealer,
        clock=clock,
        faults=others.POLICY,
        sandbox=describe(sandbox),
    )
