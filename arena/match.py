"""Plays one match between programs: plain data in, plain data out.

`play` may be called in any process, also on another machine: it knows no file but the programs'.
"""

import gc
import platform
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from arena import ARENA, lag, view
from arena.bot import Bot
from arena.deals import (
    bot_seed,
    commitment,
    deal_hands,
    deal_key,
    encounter,
    first_dealer,
    seed_of,
)
from arena.events import AnyEvent, Clocks, FaultPolicy, MatchStarted, Origin, Player
from arena.news import Listener, Reporter, Tell
from arena.process import BotProcess, close_all
from arena.program import Program
from arena.record import Writer
from arena.referee import Emit, Table
from arena.running import Running
from arena.sandbox import Sandbox, describe
from arena.state import State
from arena.watch import Watch
from protocol.cards import SEATS, Deck, Seat
from protocol.messages import EndReason, FaultKind, Side
from protocol.rules import Rules

COMPRESSION: Final = 3
"""Of records: as small as by level 4, and 6 makes a sixth less in three times the time."""


class Seated(Struct, frozen=True):
    """A program at a seat."""

    program: Program
    seed: int
    """For the program's own randomness, below 2**53."""


class MatchSpec(Struct, frozen=True):
    """All that a match depends on."""

    match: str
    """The id that bots are told."""
    seats: dict[Seat, Seated]
    rules: Rules
    clock: Clocks
    faults: FaultPolicy
    sandbox: Sandbox
    origin: Origin
    deal_key: str
    """What the deals are drawn from (`arena.deals`): one-way, so a worker never has the secret."""
    dealer: Seat
    """Of the first deal."""


class MatchResult(Struct, frozen=True):
    """What a finished match comes to."""

    match: str
    winner: Side | None
    reason: EndReason
    forfeited: Side | None
    """The side that forfeited, if one did."""
    offender: Seat | None
    """The seat whose fault it was."""
    score: dict[Side, int]
    points: dict[Side, float]
    """Of all finished deals, a bag at its long-run worth."""
    deals: int
    """Finished ones."""
    faults: dict[Seat, dict[FaultKind, int]]
    logs: dict[Seat, str]
    """Standard error, head and tail, of the seats that were at fault."""
    record: bytes
    """The record's JSON lines, compressed with zlib."""
    ms: float = 0.0
    """How long it took, from the first start to the last end; differs in every run."""
    lag_ms: float = 0.0
    """How late the arena was at most, where it could tell (`arena.lag`); differs in every run."""


def specify(
    match: str,
    root: str,
    programs: Mapping[Seat, Program],
    *,
    cycle: int = 0,
    leg: int = 0,
    rules: Rules,
    clock: Clocks,
    faults: FaultPolicy,
    sandbox: Sandbox,
) -> MatchSpec:
    """A match between these programs, its deals and the bots' seeds drawn from `root`.

    `root` may hold a secret; the spec does not.
    """
    met = encounter({seat: programs[seat].name for seat in SEATS}, rules.players)
    key = deal_key(root, met, cycle)
    return MatchSpec(
        match=match,
        seats={
            seat: Seated(programs[seat], bot_seed(root, met, cycle, leg, seat)) for seat in SEATS
        },
        rules=rules,
        clock=clock,
        faults=faults,
        sandbox=sandbox,
        origin=Origin(
            seed=seed_of(root), commitment=commitment(root), bots=met, cycle=cycle, leg=leg
        ),
        deal_key=key,
        dealer=first_dealer(key),
    )


def play(
    spec: MatchSpec,
    tell: Tell | None = None,
    listener: Listener | None = None,
    guests: Mapping[Seat, Bot] | None = None,
) -> MatchResult:
    """Starts four processes, plays the match, and leaves no process behind, however it ends.

    `tell` is told how it stands, between decisions, while no clock runs; `listener` all of it.
    Nothing depends on that. `guests` play their seats in this process, where the spec's programs
    are not started, and have no clock.
    Raises whatever goes wrong on the arena's side; then the match is void.
    """
    guests = guests or {}
    writer, watch, began = Writer(), Watch(), time.monotonic()
    lag_ms = 0.0

    def hands(number: int, dealer: Seat, deck: Deck) -> dict[Seat, list[str]]:
        nonlocal lag_ms
        gc.collect(1)  # between deals no clock runs
        lag_ms = max(lag_ms, lag.probe())
        return deal_hands(spec.deal_key, number, dealer, deck)

    # Whatever a bot does to its folders costs no match: a rest is left.
    folder = TemporaryDirectory(prefix="match-", ignore_cleanup_errors=True)
    with folder as scratch, _no_collection():
        bots = {
            seat: BotProcess(
                spec.seats[seat].program,
                spec.clock,
                Path(scratch),
                spec.sandbox,
                number,
                watch,
                began=None if listener is None else partial(_follow, listener, seat),
            )
            for number, seat in enumerate(SEATS)
            if seat not in guests
        }
        emit = _emit(writer, tell, listener, bots)
        table = Table(_started(spec), {**bots, **guests}, hands, emit)
        try:
            final = table.play()
        except BaseException:
            _announce_void(bots, table.state)
            raise
        finally:
            close_all(bots.values(), spec.clock.exit_ms)
        lag_ms = max([lag_ms, *(bot.lag_ms for bot in bots.values())])
        ms = 1000 * (time.monotonic() - began)
        return _result(spec, final, writer.close(), bots, ms, lag_ms)


def _emit(
    writer: Writer,
    tell: Tell | None,
    listener: Listener | None,
    bots: Mapping[Seat, BotProcess],
) -> Emit:
    """Where events go: into the record, and where somebody is told also to who tells."""
    if tell is None and listener is None:
        return writer.add
    reporter = None if tell is None else Reporter(tell)

    def all_of_them(event: AnyEvent) -> None:
        writer.add(event)
        if reporter is not None:
            reporter.add(event)
        if listener is not None:
            for bot in bots.values():
                bot.hear()
            listener.happened(event)

    return all_of_them


def _follow(listener: Listener, seat: Seat, running: Running) -> None:
    """A process has been started, whose log is told from now on."""
    running.pipes.log.heard = partial(listener.logged, seat)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Garbage is not collected while a clock may run: that takes up to 70 ms."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _started(spec: MatchSpec) -> MatchStarted:
    return MatchStarted(
        match=spec.match,
        arena=ARENA,
        rules=spec.rules,
        players={
            seat: Player(seated.program.name, seated.program.hash, seated.seed)
            for seat, seated in spec.seats.items()
        },
        origin=spec.origin,
        dealer=spec.dealer,
        clock=spec.clock,
        faults=spec.faults,
        sandbox=describe(spec.sandbox),
        started=datetime.now(UTC).isoformat(timespec="milliseconds"),
        host={"system": platform.platform(), "python": platform.python_version()},
    )


def _announce_void(bots: dict[Seat, BotProcess], state: State) -> None:
    """Tells the bots of a match that the arena could not finish."""
    message = view.void(state)
    for bot in bots.values():
        bot.tell(message)


def _result(
    spec: MatchSpec,
    final: State,
    record: bytes,
    bots: dict[Seat, BotProcess],
    ms: float,
    lag_ms: float,
) -> MatchResult:
    assert final.outcome is not None
    return MatchResult(
        match=spec.match,
        winner=final.outcome.winner,
        reason=final.outcome.reason,
        forfeited=final.outcome.forfeited,
        offender=final.outcome.offender,
        score=final.score,
        points=final.points,
        deals=final.deals,
        faults=final.faults,
        logs={seat: bots[seat].log for seat in final.faults if seat in bots},
        record=zlib.compress(record, COMPRESSION),
        ms=ms,
        lag_ms=lag_ms,
    )
