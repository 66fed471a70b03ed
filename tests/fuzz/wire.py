"""Properties of lines, and of a table whose bots are no processes."""

from itertools import pairwise
from random import Random

from hypothesis import strategies as st
from msgspec import to_builtins

from arena import record
from arena.bot import Answer, Bot, BotFault
from arena.events import FaultPolicy
from arena.lines import Lines
from arena.record import Writer
from arena.referee import Table
from protocol.cards import Seat
from protocol.codec import MalformedReply, decode_reply, quote, reply_id
from protocol.messages import Message, Request
from protocol.rules import Rules
from tests.arena import tables
from tests.fuzz.output import Mutation, lines, mutations, outputs
from tests.fuzz.property import Property, check_sentence
from tests.fuzz.strict import read_strictly
from tests.protocol.examples import REQUESTS


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
    final = Table(started, bots, tables.hands, sealed.add).play()
    assert set(final.faults) <= {"N"}
    _, replayed = record.judge(sealed.close())
    assert replayed == final


PROPERTIES = [
    Property(
        a_line_is_a_reply_exactly_where_a_strict_reading_says_so,
        400,
        {"line": lines, "request": st.sampled_from(REQUESTS)},
    ),
    Property(
        lines_do_not_depend_on_where_they_are_cut,
        200,
        {
            "data": st.lists(outputs(2), max_size=4).map(b"".join),
            "cuts": st.lists(st.integers(0, 200_000) | st.integers(0, 300), max_size=6),
        },
    ),
    Property(
        a_match_is_played_and_its_record_agrees,
        60,
        {
            "script": st.lists(st.none() | st.none() | mutations, max_size=30),
            "rules": tables.rules,
            "faults": st.sampled_from([tables.FORFEIT, tables.SET]),
        },
    ),
]
