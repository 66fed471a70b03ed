"""What holds whatever a bot writes: each property with what it is tried on."""

import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, get_args
from unittest.mock import patch

from hypothesis import assume
from hypothesis import strategies as st
from msgspec import to_builtins

from arena import lines, process, record
from arena.bot import Answer, Bot, BotFault
from arena.events import Clocks, FaultPolicy
from arena.lines import Lines
from arena.process import BotProcess
from arena.record import Writer
from arena.referee import play_match
from protocol.cards import Seat
from protocol.codec import MalformedReply, decode_reply, quote, reply_id, unasked
from protocol.messages import FaultKind, Message, Request
from protocol.rules import Rules
from tests.arena import tables
from tests.arena.programs import bid, hello, match_end, seated
from tests.fuzz import writer
from tests.fuzz.output import Mutation, mutations, outputs
from tests.fuzz.output import lines as any_line
from tests.fuzz.strict import read_strictly
from tests.protocol.examples import PLAY, REQUESTS

KINDS = get_args(FaultKind)
FAIR = Clocks(start_ms=2_000, move_ms=800, exit_ms=5)
"""For bots that answer, and not too long where they don't."""

SHORT = Clocks(start_ms=300, move_ms=40, exit_ms=5)

Outcome = tuple[str, str, str | None] | object
"""The reply to a request; kind, sentence and line of a fault."""


def a_line_is_a_reply_exactly_where_a_strict_reading_says_so(line: bytes, request: Request) -> None:
    value = read_strictly(line, request)
    try:
        reply = decode_reply(line, request)
    except MalformedReply as error:
        assert value is None
        check_sentence(str(error))
    else:
        assert value is not None
        read = to_builtins(reply)
        assert reply.id == request.id
        assert all(read[key] == value[key] for key in read if key in value)
    assert type(reply_id(line)) in (int, type(None))
    check_sentence(str(unasked(line)))


def check_sentence(text: str) -> None:
    """It may stand in a record and on a terminal."""
    assert text.isprintable()
    assert " - " in text
    assert len(text) < 2_000


def lines_do_not_depend_on_where_they_are_cut(data: bytes, cuts: list[int]) -> None:
    at = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    whole, pieces = Lines(), Lines()
    whole.feed(data)
    at_once = taken(whole)
    found: list[bytes | str] = []
    for i, j in pairwise(at):
        pieces.feed(data[i:j])
        found += taken(pieces)
        if found and isinstance(found[-1], str):
            break
    assert found == at_once
    if not (found and isinstance(found[-1], str)):
        assert pieces.half == whole.half


def taken(source: Lines) -> list[bytes | str]:
    """The lines that stand there, and last the fault if there is one."""
    found: list[bytes | str] = []
    try:
        while (line := source.take()) is not None:
            found.append(line)
    except BotFault as fault:
        found.append(str(fault))
    return found


class WritingBot:
    """Chooses something legal, and now and then writes a mutation of that."""

    def __init__(self, script: list[Mutation | None]) -> None:
        self._choose = tables.choose(Random(1))
        self._script = iter(script)
        self._asked = 0

    def ask(self, request: Request) -> Answer:
        self._asked += 1
        request.id = self._asked
        mutation = next(self._script, None)
        reply = self._choose(request)
        reply.id = request.id
        if mutation is None:
            return Answer(reply)
        line = mutation.apply(to_builtins(reply))
        try:
            return Answer(decode_reply(line, request))
        except MalformedReply as error:
            raise BotFault("malformed", str(error), quote(line)) from None

    def tell(self, message: Message) -> None:
        pass


def a_match_is_played_and_its_record_agrees(
    script: list[Mutation | None], rules: Rules, faults: FaultPolicy
) -> None:
    started = tables.started(rules, faults=faults)
    bots: dict[Seat, Bot] = {**tables.choosers(1), "N": WritingBot(script)}
    sealed = Writer()
    final = play_match(started, bots, tables.hands, sealed.add)
    assert set(final.faults) <= {"N"}
    _, replayed = record.judge(sealed.close())
    assert replayed == final


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
            patch.object(process, "LAST_MOMENT_MS", moment_ms),
            patch.object(lines, "OUTPUT_LIMIT", 100_000),
            seated(desk, clock, writer.program(home, steps)) as [bot],
        ):
            for request in (hello(), bid(), PLAY, bid()):
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


PROPERTIES: dict[Callable[..., None], tuple[int, dict[str, st.SearchStrategy[Any]]]] = {
    a_line_is_a_reply_exactly_where_a_strict_reading_says_so: (
        400,
        {"line": any_line, "request": st.sampled_from(REQUESTS)},
    ),
    lines_do_not_depend_on_where_they_are_cut: (
        200,
        {
            "data": st.lists(outputs(2), max_size=4).map(b"".join),
            "cuts": st.lists(st.integers(0, 200_000) | st.integers(0, 300), max_size=6),
        },
    ),
    a_match_is_played_and_its_record_agrees: (
        60,
        {
            "script": st.lists(st.none() | st.none() | mutations, max_size=30),
            "rules": tables.rules,
            "faults": st.sampled_from([tables.FORFEIT, tables.SET]),
        },
    ),
    any_process_is_answered_or_at_fault: (
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
    outcomes_do_not_depend_on_how_output_is_cut: (
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
}
"""Property -> how many examples the suite tries, and of what."""
