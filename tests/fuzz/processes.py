"""Properties of processes: whatever one writes in whatever pieces, and however it ends."""

import tempfile
import time
from pathlib import Path
from typing import get_args
from unittest.mock import patch

from hypothesis import assume
from hypothesis import strategies as st
from msgspec import structs

from arena import lag, lines, running
from arena.bot import BotFault
from arena.events import Clocks
from arena.process import BotProcess
from protocol.codec import reply_id
from protocol.messages import FaultKind, Request
from tests.arena.programs import bid, hello, match_end, seated
from tests.fuzz import writer
from tests.fuzz.output import outputs
from tests.fuzz.property import Property, check_sentence
from tests.protocol.examples import PLAY

KINDS = get_args(FaultKind)
FAIR = Clocks(start_ms=2_000, move_ms=800, exit_ms=5)
"""For bots that answer, and not too long where they don't."""

SHORT = Clocks(start_ms=300, move_ms=40, exit_ms=5)

Outcome = tuple[str, str, str | None] | object
"""The reply to a request; kind, sentence and line of a fault."""


def conversation(
    steps: list[str], clock: Clocks, *, tells: bool, moment_ms: float
) -> list[Outcome]:
    """What becomes of four requests to the program of these steps."""
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as name:
        desk, home = Path(name) / "desk", Path(name) / "home"
        desk.mkdir()
        home.mkdir()
        with (
            patch.object(running, "LAST_MOMENT_MS", moment_ms),
            patch.object(lag, "FORGIVEN_MS", float("inf")),  # a timeout is the bot's here
            patch.object(lines, "OUTPUT_LIMIT", 100_000),
            seated(desk, clock, writer.program(home, steps)) as [bot],
        ):
            for request in (hello(), bid(), structs.replace(PLAY), bid()):
                outcomes.append(outcome(bot, request))
                if tells:
                    bot.tell(match_end())
    return outcomes


def outcome(bot: BotProcess, request: Request) -> Outcome:
    try:
        return bot.ask(request).reply
    except BotFault as error:
        fault = error
    assert fault.kind in KINDS
    check_sentence(fault.detail)
    return fault.kind, fault.detail, fault.raw


def any_process_is_answered_or_at_fault(steps: list[str], tells: bool) -> None:
    began = time.monotonic()
    conversation(steps, SHORT, tells=tells, moment_ms=20.0)
    assert time.monotonic() - began < 60  # it may take 0.5 s, and would take for ever


def outcomes_do_not_depend_on_how_output_is_cut(
    turns: list[tuple[bytes, list[int], bool]], log: bytes, end: str
) -> None:
    assume(not answers_ahead([output for output, _, _ in turns]))
    whole, pieces = [], []
    for output, cuts, pauses in turns:
        whole += [writer.READ, writer.write(output)]
        pieces += [
            writer.READ,
            writer.write(log, 2),
            writer.write_in_pieces(output, cuts, pauses=pauses),
        ]
    one, other = (
        conversation([*steps, end], FAIR, tells=False, moment_ms=60_000.0)
        for steps in (whole, pieces)
    )
    if not is_late(one) and not is_late(other):
        assert one == other, (one, other)


def is_late(outcomes: list[Outcome]) -> bool:
    """A time limit has had a part in it: the bot owed a line, or the machine was busy."""
    return any(isinstance(each, tuple) and each[0] in ("start", "timeout") for each in outcomes)


def with_a_line(output: bytes) -> bytes:
    """The same with a line that ends, so that nobody need wait for one."""
    if any(line.strip() for line in output.split(b"\n")[:-1]):
        return output
    return output + b"thinking\n"


def answers_ahead(written: list[bytes]) -> bool:
    """Whether a line names a request that is not made yet: what it is taken for is a race."""
    begun = b""
    for number, output in enumerate(written, 1):
        *ended, begun = (begun + output).split(b"\n")
        if any((reply_id(line.removeprefix(b"\xef\xbb\xbf")) or 0) > number for line in ended):
            return True
    return (reply_id(begun) or 0) > len(written)


CUTS = st.lists(st.integers(0, 300), max_size=4)

_STEPS = st.one_of(
    *(outputs(number).map(writer.write) for number in range(1, 5)),
    st.binary(max_size=40).map(lambda data: writer.write(data, 2)),
    st.sampled_from(
        [
            writer.READ,
            writer.READ,
            writer.READ,
            writer.PAUSE,
            writer.CLOSE_INPUT,
            writer.CLOSE_OUTPUT,
            writer.CLOSE_LOG,
            writer.STOP,
            writer.STAY,
            writer.leave(3),
            writer.leave(-9),
        ]
    ),
)
_GOOD = [
    step
    for number in range(1, 5)
    for step in (writer.READ, writer.write(b'{"id": %d, "bid": 3, "card": "2C"}\n' % number))
]


def _turns(count: int) -> st.SearchStrategy[list[tuple[bytes, list[int], bool]]]:
    """What is written in reply to so many requests, and how it is cut.

    After the last one the program ends, so that it may have ended no line.
    """
    written = [outputs(number).map(with_a_line) for number in range(1, count)]
    if count:
        written.append(outputs(count))
    return st.tuples(*(st.tuples(output, CUTS, st.booleans()) for output in written)).map(list)


PROPERTIES = [
    Property(
        any_process_is_answered_or_at_fault,
        40,
        {
            "steps": st.builds(
                lambda kept, rest: _GOOD[:kept] + rest,
                st.integers(0, len(_GOOD)),
                st.lists(_STEPS, max_size=8),
            ),
            "tells": st.booleans(),
        },
    ),
    Property(
        outcomes_do_not_depend_on_how_output_is_cut,
        40,
        {
            "turns": st.integers(0, 4).flatmap(_turns),
            "log": st.binary(max_size=40),
            "end": st.sampled_from(
                [
                    writer.leave(0),
                    writer.leave(5),
                    writer.leave(-15),
                    writer.CLOSE_OUTPUT + writer.leave(2),
                ]
            ),
        },
    ),
]
