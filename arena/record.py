"""A match as JSON lines, one event a line: written, read, and judged by the rules.

The last line is a seal: a digest over the lines before it without the fields of `TIMES`, and one
over the lines as they are. The first is the same for the same match on any machine; the second
leaves with the times.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

from arena import fold
from arena.deals import VERSION as DEALS_VERSION
from arena.deals import deal_hands, deal_key, first_dealer, seed_root
from arena.events import (
    RECORD_VERSION,
    TIMES,
    AnyEvent,
    Dealt,
    MatchStarted,
    Sealed,
)
from arena.state import State, begin
from protocol.cards import SEATS

LINE_LIMIT: Final = 1 << 20
"""Bytes of one line of a record."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(AnyEvent | Sealed).decode


_DECISION_TIMES: Final = re.compile(rb',"ms":[0-9.]+(?:,"cpu_ms":[0-9.]+)?\}\n')
"""The end of a decision, as nearly all lines are. No text looks so, as its quotes are escaped."""
_TIMES_KEYS: Final = tuple(f'"{name}":'.encode() for name in TIMES)


class BadRecord(ValueError):
    """A record that is not what was played; the text begins with the line's number."""


class Writer:
    """Takes events in order and gives the record."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def add(self, event: AnyEvent) -> None:
        """Appends one event."""
        self._lines.append(_encode(event))

    def close(self) -> bytes:
        """The whole record, sealed."""
        return seal(self._lines)


def seal(lines: Sequence[bytes]) -> bytes:
    """The record of these lines, a seal after them."""
    whole = b"\n".join([*lines, b""])
    bare = strip_times(whole)
    seal = Sealed(digest=sha256(bare).hexdigest(), times_digest=sha256(whole).hexdigest())
    return whole + _encode(seal) + b"\n"


def strip_times(record: bytes) -> bytes:
    """The record without the fields that may differ between two runs. Raises BadRecord."""
    first, end, rest = record.partition(b"\n")
    rest = _DECISION_TIMES.sub(b"}\n", rest)
    if any(key in rest for key in _TIMES_KEYS):
        rest = b"".join(map(_without_times, rest.splitlines(keepends=True)))
    return _without_times(first) + end + rest


def _without_times(line: bytes) -> bytes:
    if not any(key in line for key in _TIMES_KEYS):
        return line
    try:
        event = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"a line is none of a record: {error}") from None
    bare = _encode({key: value for key, value in event.items() if key not in TIMES})
    return bare + b"\n" if line.endswith(b"\n") else bare


def read(record: bytes) -> Iterator[tuple[int, AnyEvent | Sealed]]:
    """The events of a record with the numbers of their lines, from 1. Raises BadRecord.

    The first is a `MatchStarted`, and no other is, of a version that is known and with a player at
    each seat. Nothing is judged.
    """
    number = 0
    for number, line in enumerate(record.splitlines(), 1):
        event = _event(number, line)
        if number == 1:
            _check_start(event)
        elif isinstance(event, MatchStarted):
            raise BadRecord(f"line {number}: the match has begun already")
        yield number, event
    if number == 0:
        _check_start(None)


def _event(number: int, line: bytes) -> AnyEvent | Sealed:
    if len(line) > LINE_LIMIT:
        raise BadRecord(f"line {number}: over {LINE_LIMIT} bytes")
    try:
        event: AnyEvent | Sealed = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"line {number}: {error}") from None
    return event


def _check_start(event: AnyEvent | Sealed | None) -> None:
    """Whether line 1 is what every reader goes by."""
    if not isinstance(event, MatchStarted):
        raise BadRecord("line 1: a record begins with the event 'match'")
    if event.version != RECORD_VERSION:
        raise BadRecord(f"line 1: record version {event.version}, known is {RECORD_VERSION}")
    if set(event.players) != set(SEATS):
        raise BadRecord("line 1: a match has a player at each of the four seats")


def judge(record: bytes, key: str | None = None) -> tuple[MatchStarted, State]:
    """Replays a record through the rules and gives its first event and last state.

    Raises BadRecord for the first difference, as `follow` does.
    """
    followed = follow(record, key)
    started, _ = next(followed)
    assert isinstance(started, MatchStarted)
    ((_, final),) = deque(followed, maxlen=1)
    return started, final


def follow(record: bytes, key: str | None = None) -> Iterator[tuple[AnyEvent, State]]:
    """Each event of a record with the state after it, judged by the rules.

    Recomputes what can be derived: legality, tricks, scores, the result, the digests of the seal;
    and the deals, by their `key` (`arena.deals`), or where none is given by the seed, if the record
    has one. Raises BadRecord for the first difference, so that a record is known to be whole only
    at its end.
    """
    events = read(record)
    _, started = next(events)
    assert isinstance(started, MatchStarted)
    if started.origin.algorithm != DEALS_VERSION:
        version = started.origin.algorithm
        raise BadRecord(f"line 1: deals by algorithm {version}, known is {DEALS_VERSION}")
    state = begin(started)
    key = key or _deal_key(started)
    if key and first_dealer(key) != started.dealer:
        raise BadRecord(f"line 1: the first dealer is {first_dealer(key)} by seed or secret")
    yield started, state
    last: AnyEvent | Sealed | None = None
    for number, last in events:
        if isinstance(last, Sealed):
            if number != len(record.splitlines()):
                raise BadRecord(f"line {number}: a seal is the last line")
            _check_seal(record, number, last)
            break
        try:
            if isinstance(last, Dealt):
                _check_deal(key, last, state)
            state = fold.apply(state, last)
        except fold.IllegalEvent as error:
            raise BadRecord(f"line {number}: {error}") from None
        yield last, state
    if not state.ended or not isinstance(last, Sealed):
        raise BadRecord(f"line {len(record.splitlines())}: the record is cut off")


def _deal_key(started: MatchStarted) -> str | None:
    origin = started.origin
    if origin.seed is None:
        return None
    try:
        return deal_key(seed_root(origin.seed), origin.bots, origin.cycle)
    except UnicodeEncodeError as error:
        raise BadRecord(f"line 1: the name of a bot is ASCII: {error}") from None


def _check_deal(key: str | None, dealt: Dealt, state: State) -> None:
    """Whether all were started before it, and the cards are those of the key."""
    if late := [seat for seat in SEATS if seat not in state.started]:
        raise fold.IllegalEvent(f"a deal before {', '.join(late)} was started")
    if key and dealt.hands != deal_hands(key, dealt.deal, dealt.dealer, state.deck):
        raise fold.IllegalEvent(f"deal {dealt.deal} is not what seed or secret deals")


def _check_seal(record: bytes, number: int, found: Sealed) -> None:
    due = _event(number, seal(record.splitlines()[:-1]).splitlines()[-1])
    assert isinstance(due, Sealed)
    if found.digest != due.digest:
        raise BadRecord(f"line {number}: the digest is {due.digest}: the record was changed")
    # Without its times a record's lines are all that the first digest is over.
    if (found.times_digest or due.digest) != due.times_digest:
        raise BadRecord(f"line {number}: the digest with times is {due.times_digest}")
