"""What a bot answers now to the lines of a record, beside what it answered then, as lines."""

import json
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from arena.bot import BotFault
from arena.events import Decision, Faulted, Greeted
from arena.refeeding import Refed
from arena.sent import Asked
from arena.turns import Turn
from protocol.codec import encode, printable
from tournaments.debugging import conversation
from tournaments.replays.words import took

TURNS_NAMED: Final = 8
"""Of those that differ, in the summary: the first ones."""


class Line(NamedTuple):
    """A line of text, and how it stands out in a terminal."""

    text: str
    style: str = ""


def compact(refed: Refed, log: Iterable[str]) -> Iterator[Line]:
    """A request and an answer that is the recorded one, on one line."""
    assert not isinstance(refed.asked.recorded, Faulted)
    yield Line(f"{_asked(refed.asked)}  -> {conversation.answered(refed.asked.recorded)}")
    yield from log_lines(log)


def whole(refed: Refed, log: Iterable[str], *, line: bool = True) -> Iterator[Line]:
    """A request with the `line` that was sent, the recorded answer, and the one that came now."""
    asked = refed.asked
    yield Line(_asked(asked), "bold")
    if line:
        yield Line(f"    {request_line(asked)}", "dim")
    yield from log_lines(log)
    recorded = asked.recorded
    if isinstance(recorded, Faulted):
        fault = BotFault(recorded.kind, recorded.detail, recorded.raw)
        yield from _fault("recorded", f"fault: {fault.kind}, ruling: {recorded.ruling}", fault)
    else:
        yield from _answer("recorded", recorded, recorded.ms)
    yield from _now(refed)


def request_line(asked: Asked) -> str:
    """The JSON that is sent; what a terminal would obey, in a name from a record, is escaped."""
    line = encode(asked.request).decode().rstrip("\n")
    return line if line.isprintable() else json.dumps(json.loads(line), separators=(",", ":"))


def log_lines(lines: Iterable[str]) -> Iterator[Line]:
    """What a bot wrote to its standard error."""
    for line in lines:
        yield Line(f"  | {printable(line)}", "dim")


class Summary:
    """What came of all requests."""

    def __init__(self) -> None:
        self._count = 0
        self._unsent = 0
        self._differ: list[Turn] = []

    def add(self, refed: Refed) -> None:
        """Takes what came of the next request."""
        self._count += 1
        if refed.now is None:
            self._unsent += 1
        elif refed.differs:
            self._differ.append(refed.asked.turn)

    @property
    def differs(self) -> bool:
        """Whether anything is not as recorded."""
        return bool(self._differ or self._unsent)

    def lines(self, stopped: Turn | None = None) -> Iterator[Line]:
        """The count, and the turns to look at: not the one where it has stopped."""
        differ = len(self._differ)
        counted = f"{self._count} request{'s'[: self._count != 1]}"
        unsent = f", {self._unsent} not sent as the program had ended" if self._unsent else ""
        yield Line(f"{counted}, {differ or 'none'} differ{'s'[: differ < 2]}{unsent}", "bold")
        others = [turn for turn in self._differ if turn != stopped]
        if others:
            more = f" and {len(others) - TURNS_NAMED} more" if len(others) > TURNS_NAMED else ""
            named = " ".join(map(str, others[:TURNS_NAMED]))
            yield Line(f"at {named}{more}: --until DEAL:DECISION stops there")


def _asked(asked: Asked) -> str:
    kind = str(asked.request.__struct_config__.tag)
    return f"{asked.turn!s:>5}  {kind:<9} {conversation.asked(asked.request)}"


def _now(refed: Refed) -> Iterator[Line]:
    now, faulty = refed.now, isinstance(refed.asked.recorded, Faulted)
    if now is None:
        yield Line("    now       not sent, as the program had ended", "yellow")
    elif isinstance(now, BotFault):
        yield from _fault("now", f"{'still at' if faulty else 'at'} fault: {now.kind}", now)
    else:
        yield from _answer("now", now, refed.ms, _verdict(refed, faulty))


def _verdict(refed: Refed, faulty: bool) -> str:
    """How an answer stands to what was recorded."""
    if not faulty:
        return "it differs" if refed.differs else "as recorded"
    if not refed.differs:
        return f"still at fault: it may take {took(refed.asked.limit_ms)}"
    return "answered now"


def _answer(
    when: str, event: Greeted | Decision, milliseconds: float | None, verdict: str = ""
) -> Iterator[Line]:
    told = [conversation.answered(event), took(milliseconds), verdict]
    style = "yellow" if verdict and verdict != "as recorded" else ""
    yield Line(f"    {when:<9} {'   '.join(filter(None, told))}", style)
    if event.note is not None:
        yield Line(f"              note: {printable(event.note)}")


def _fault(when: str, title: str, fault: BotFault) -> Iterator[Line]:
    yield Line(f"    {when:<9} {title}", "red")
    for line in conversation.fault_lines(fault):
        yield Line(f"              {line}")
