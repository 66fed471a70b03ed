"""Records: what was played comes back, and whatever was changed since is found."""

import json
import re
from collections.abc import Callable, Sequence
from itertools import repeat
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bot import BotFault, ScriptedBot
from arena.deals import deal_key, seed_root
from arena.events import AnyEvent, Dealt, FaultPolicy, MatchStarted, Sealed
from arena.record import BadRecord, Writer, judge, read, seal, strip_times
from arena.state import State
from protocol.messages import FaultKind
from protocol.rules import Rules
from tests.arena.tables import KINDS, SET, choose, choosers, play, policies, rules, started


def recorded(
    match: MatchStarted,
    seed: int = 1,
    faults: float = 0.0,
    kinds: Sequence[FaultKind] = ("illegal",),
) -> tuple[bytes, list[AnyEvent], State]:
    """A match's record, its events and its last state; `faults` and `kinds` as in `choosers`."""
    events, state = play(match, choosers(seed, faults, kinds))
    return written(events), events, state


def written(events: list[AnyEvent]) -> bytes:
    writer = Writer()
    for event in events:
        writer.add(event)
    return writer.close()


RECORD, EVENTS, FINAL = recorded(started(Rules(max_deals=2)))
BARE = strip_times(RECORD)
EVERYTHING, *_ = recorded(
    started(Rules(max_deals=3, blind_nil=200, blind_nil_exchange=2), faults=SET), 0, 0.01
)
"""Every type of event stands in it."""
NOT_IN_RECORD = {"blind_nil", "exchange", "fault"}


def forfeited() -> bytes:
    """A short record: W exits when it is to play its first card."""
    fault = BotFault("exit", "it exited with status 1 - see its log", raw="'2'")
    bots = choosers(1)
    bots["W"] = ScriptedBot([*repeat(choose(Random(1)), 2), fault])
    return written(play(started(), bots)[0])


@given(
    rules=rules,
    seed=st.integers(0, 2**32),
    faults=st.sampled_from([0.0, 0.01, 0.1]),
    policy=policies,
)
@settings(max_examples=50)
def test_judging_a_record_gives_the_state_that_the_referee_saw(
    rules: Rules, seed: int, faults: float, policy: FaultPolicy
) -> None:
    match = started(rules, faults=policy)
    record, events, final = recorded(match, seed, faults, KINDS)
    assert judge(record) == (match, final)
    assert [event for _, event in read(record)][:-1] == events
    _, state = judge(strip_times(record))
    assert state == final


def test_a_record_ends_with_a_seal_and_has_one_event_a_line() -> None:
    numbers, events = zip(*read(RECORD), strict=True)
    assert list(numbers) == list(range(1, len(EVENTS) + 2))
    assert isinstance(events[-1], Sealed)
    assert RECORD.endswith(b"}\n")
    assert RECORD.count(b"\n") == len(numbers)
    assert seal(RECORD.splitlines()[:-1]) == RECORD


def test_both_legs_of_an_encounter_are_judged_by_the_same_deals() -> None:
    hands = []
    for leg in (0, 1):
        record, events, final = recorded(started(Rules(max_deals=2), leg=leg), seed=leg)
        assert judge(record)[1] == final
        hands.append([event for event in events if isinstance(event, Dealt)])
    assert hands[0] == hands[1]


def test_the_same_match_played_at_another_speed_has_the_same_record_but_for_the_times() -> None:
    one, _, _ = recorded(started(Rules(max_deals=2)))
    two, _, _ = recorded(started(Rules(max_deals=2)))
    assert one != two
    assert strip_times(one) == strip_times(two)
    assert strip_times(BARE) == BARE
    assert len(BARE.splitlines()) == len(RECORD.splitlines())
    for line in BARE.splitlines():
        assert not {"ms", "cpu_ms", "started", "host", "times_digest"} & set(json.loads(line))
    assert json.loads(BARE.splitlines()[-1])["digest"] == digest_of(RECORD)


def digest_of(record: bytes) -> Any:
    return json.loads(record.splitlines()[-1])["digest"]


def digits(record: bytes) -> dict[str, list[int]]:
    """Type of line -> where its lines have digits."""
    found: dict[str, list[int]] = {}
    start = 0
    for line in record.splitlines(keepends=True):
        places = [start + match.start() for match in re.finditer(rb"[0-9]", line)]
        found.setdefault(json.loads(line)["type"], []).extend(places)
        start += len(line)
    return found


def changed(record: bytes, place: int, random: Random) -> bytes:
    """The record with another digit in that place."""
    others = [digit for digit in b"0123456789" if digit != record[place]]
    return record[:place] + bytes([random.choice(others)]) + record[place + 1 :]


@pytest.mark.parametrize("bare", [False, True], ids=["with times", "without times"])
def test_any_changed_digit_of_a_short_record_is_found(bare: bool) -> None:
    record = strip_times(forfeited()) if bare else forfeited()
    judge(record)
    random = Random(1)
    kinds = digits(record)
    assert set(kinds) == {"match", "hello", "deal", "bid", "fault", "match_end", "seal"}
    for place in (place for places in kinds.values() for place in places):
        with pytest.raises(BadRecord, match=r"^line \d+: "):
            judge(changed(record, place, random))


def test_one_record_has_every_type_of_event() -> None:
    judge(EVERYTHING)
    assert {type(event) for _, event in read(EVERYTHING)} == {*get_args(AnyEvent), Sealed}


@pytest.mark.parametrize(
    "record",
    [RECORD, BARE, EVERYTHING],
    ids=["with times", "without times", "with every type of event"],
)
def test_a_changed_digit_of_a_long_record_is_found_wherever_it_is(record: bytes) -> None:
    random = Random(2)
    kinds = digits(record)
    assert {"match", "deal", "bid", "play", "deal_end", "match_end", "seal"} <= set(kinds)
    for places in kinds.values():
        for place in random.sample(places, min(len(places), 40)):
            with pytest.raises(BadRecord, match=r"^line \d+: "):
                judge(changed(record, place, random))


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("deal_end", rb'"delta":\{"NS":-?\d', b'"delta":{"NS":9'),
        ("deal_end", rb'"bags":\{"NS":\d', b'"bags":{"NS":9'),
        ("bid", rb'"bid":\d+', b'"bid":14'),
        ("play", rb'"card":"..', b'"card":"1S'),
        ("play", rb'"seat":"[NS]', b'"seat":"E'),
        ("deal", rb'"deal":1', b'"deal":2'),
        ("match_end", rb'"deals":2', b'"deals":3'),
        ("match_end", rb'"reason":"max_deals', b'"reason":"target'),
        ("match_end", rb'"forfeited":null', b'"forfeited":"NS"'),
        ("match", rb'"dealer":"S', b'"dealer":"N'),
        ("match", rb'"version":1', b'"version":2'),
        ("match", rb'"N":\{', b'"E":{'),
        ("blind_nil", rb"false", b"true"),
        ("blind_nil", rb"true", b"false"),
        ("exchange", rb'"cards":\["..', b'"cards":["BJ'),
        ("exchange", rb'"cards":.*?\]', b'"cards":[]'),
        ("exchange", rb'"cards":\["..","..', b'"cards":["2C","2C'),
        ("fault", rb'"ruling":"set"', b'"ruling":"forfeit"'),
        ("fault", rb'"kind":"illegal"', b'"kind":"timeout"'),
        ("fault", rb'"request":"play"', b'"request":"bid"'),
    ],
)
def test_a_forger_who_seals_the_record_anew_is_found_by_the_rules(
    kind: str, old: bytes, new: bytes
) -> None:
    lines = (EVERYTHING if kind in NOT_IN_RECORD else RECORD).splitlines()[:-1]
    number = next(
        i
        for i, line in enumerate(lines)
        if json.loads(line)["type"] == kind and re.search(old, line)
    )
    lines[number] = re.sub(old, new, lines[number], count=1)
    with pytest.raises(BadRecord, match=r"^line \d+: ") as caught:
        judge(seal(lines))
    # What is itself allowed is found by what follows from it.
    late = kind == "blind_nil" or b"kind" in old
    assert str(caught.value).startswith(f"line {number + 1}: ") != late


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"seed":2026', b'"seed":0'),
        (b'"seed":2026', b'"seed":2027'),
        (b'"seed":2026', b'"seed":-2026'),
        (b'"cycle":0', b'"cycle":1'),
        (b'"bots":["a"', b'"bots":["c"'),
    ],
)
def test_a_forger_who_names_another_origin_is_found_by_the_deals(old: bytes, new: bytes) -> None:
    first, *rest = RECORD.splitlines()[:-1]
    assert old in first
    with pytest.raises(BadRecord, match=r"^line [16]: .* seed or secret"):
        judge(seal([first.replace(old, new), *rest]))


@pytest.mark.parametrize("record", [RECORD, EVERYTHING], ids=["plain", "every type of event"])
def test_a_line_left_out_twice_or_moved_is_found_although_sealed_anew(record: bytes) -> None:
    lines = record.splitlines()[:-1]
    for i in range(5, len(lines)):  # after the greetings, which decide nothing
        without = lines[:i] + lines[i + 1 :]
        twice = lines[: i + 1] + lines[i:]
        moved = [*lines[: i - 1], lines[i], lines[i - 1], *lines[i + 1 :]]
        one, two = map(json.loads, lines[i - 1 : i + 1])
        # Two cards of one seat, the last of a trick and the next lead, may do in either order.
        same_seat = one["type"] == two["type"] == "play" and one["seat"] == two["seat"]
        for forged in (without, twice, *([] if same_seat else [moved])):
            with pytest.raises(BadRecord, match=r"^line \d+: "):
                judge(seal(forged))


def test_a_record_cut_off_at_any_line_is_found() -> None:
    lines = RECORD.splitlines(keepends=True)
    for count in range(len(lines)):
        with pytest.raises(BadRecord, match=r"^line \d+: "):
            judge(b"".join(lines[:count]))
        with pytest.raises(BadRecord):
            judge(b"".join(lines[:count]) + lines[count][: len(lines[count]) // 2])
    with pytest.raises(BadRecord, match="a seal is the last line"):
        judge(RECORD + lines[-1])
    with pytest.raises(BadRecord):
        judge(RECORD + b"\n")


def test_times_are_held_by_the_seal_until_they_are_all_left_out() -> None:
    *lines, last = RECORD.splitlines()
    event = json.loads(last)
    del event["times_digest"]
    with pytest.raises(BadRecord, match="the digest with times is"):
        judge(b"\n".join([*lines, json.dumps(event).encode(), b""]))


def test_play_that_goes_on_after_a_forfeit_is_no_record() -> None:
    short = forfeited().splitlines()
    fault = next(i for i, line in enumerate(short) if b'"type":"fault"' in line)
    played = [line for line in RECORD.splitlines() if json.loads(line)["type"] == "play"]
    with pytest.raises(BadRecord, match=f"^line {fault + 2}: the match is decided"):
        judge(seal([*short[: fault + 1], played[0], *short[fault + 1 : -1]]))


def test_a_record_of_a_secret_is_judged_without_its_deals_or_by_their_key() -> None:
    match = json.loads(RECORD.splitlines()[0])
    match["origin"] |= {"seed": None, "commitment": "0" * 64}
    lines = [json.dumps(match).encode(), *RECORD.splitlines()[1:-1]]
    started_, state = judge(seal(lines))
    assert started_.origin.seed is None
    assert state == FINAL
    key = deal_key(seed_root(2026), ["a", "b"], 0)
    assert judge(seal(lines), key) == (started_, state)
    for other in ("0", "2"):  # of which one has another first dealer, and one has the same
        with pytest.raises(BadRecord, match=r"^line (1|6): .* seed or secret"):
            judge(seal(lines), other)


@pytest.mark.parametrize("ms", ["1e308", "-1.0", "1e13"])
def test_no_decision_takes_longer_than_any_time_or_less_than_none(ms: str) -> None:
    lines = RECORD.splitlines()[:-1]
    at = next(i for i, line in enumerate(lines) if b'"type":"play"' in line)
    lines[at] = re.sub(rb'"ms":[0-9.]+', b'"ms":' + ms.encode(), lines[at])
    with pytest.raises(BadRecord, match=f"^line {at + 1}: "):
        judge(seal(lines))


def test_what_is_no_record_is_so_for_all_who_read_it() -> None:
    lines = RECORD.splitlines()[:-1]
    for forged in (lines[1:], [*lines[:3], lines[0], *lines[3:]], []):
        with pytest.raises(BadRecord, match=r"^line \d+: "):
            list(read(seal(forged)))


# Strings of nines and of brackets are written without their quotes.
HOSTILE: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("a name that is not ASCII", lambda e: e["origin"].update(bots=["é", "\u202e"])),
    ("a huge seed", lambda e: e["origin"].update(seed="9" * 5_000)),
    ("a large seed", lambda e: e["origin"].update(seed="9" * 4_200)),
    ("a large cycle", lambda e: e["origin"].update(cycle="9" * 4_300)),
    ("no bots", lambda e: e["origin"].update(bots=[])),
    ("solo play", lambda e: e["rules"].update(players="solo")),
    ("another deck", lambda e: e["rules"].update(deck="jokers")),
    ("an option too many", lambda e: e["rules"].update(more=1)),
    ("a target out of range", lambda e: e["rules"].update(target=-1)),
    ("a field too many", lambda e: e.update(more=1)),
    ("nobody at the table", lambda e: e.update(players={})),
    ("no dealer", lambda e: e.update(dealer="X")),
    ("an unknown algorithm of deals", lambda e: e["origin"].update(algorithm=7)),
    ("a clock beyond all time", lambda e: e["clock"].update(start_ms=1e308)),
    ("a clock of no time", lambda e: e["clock"].update(move_ms=0)),
    ("a bank below nothing", lambda e: e["clock"].update(bank_ms=-1)),
    ("depth", lambda e: e.update(host={"a": "[" * 5_000 + "]" * 5_000})),
    ("no type", lambda e: e.pop("type")),
    ("an unknown type", lambda e: e.update(type="weather")),
    ("a ruling that there is not", lambda e: e["faults"].update(timeout="mercy")),
    ("a policy too many", lambda e: e["faults"].update(policy="forfeit")),
    ("a list for a type", lambda e: e.update(type=[])),
]


@pytest.mark.parametrize(("change"), [change for _, change in HOSTILE], ids=[n for n, _ in HOSTILE])
def test_a_hostile_first_line_is_a_bad_record(change: Callable[[dict[str, Any]], Any]) -> None:
    first, *rest = RECORD.splitlines()
    event = json.loads(first)
    change(event)
    line = re.sub(rb'"(9+|\[+\]+)"', rb"\1", json.dumps(event).encode())
    with pytest.raises(BadRecord, match=r"^line \d+: "):
        judge(b"\n".join([line, *rest, b""]))


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"\n",
        b"\n\n",
        b"{}",
        b"[]\n",
        b"\xff",
        b"[" * 100_000,
        b'{"type":"seal"}\n',
        BARE.splitlines()[-1],
        BARE.splitlines()[1],
        b"\r".join(RECORD.splitlines()[:3]),
        RECORD.splitlines()[0] + b'\n{"type":"hello","seat":"N","name":"' + b"x" * 2**20 + b'"}',
        RECORD.splitlines()[0] + b'\n{"type":"deal","deal":' + b"9" * 5_000 + b"}",
    ],
)
def test_what_is_no_record_is_a_bad_record(record: bytes) -> None:
    with pytest.raises(BadRecord, match=r"^line \d+: "):
        judge(record)


@given(record=st.binary(max_size=300))
def test_any_bytes_are_a_bad_record(record: bytes) -> None:
    with pytest.raises(BadRecord, match=r"^line \d+: "):
        judge(record)


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["N", "E", "NS", "AS", "jokers", "solo", "", "é"]),
    st.lists(st.integers(0, 3), max_size=2),
    st.dictionaries(st.sampled_from(["N", "EW", "x"]), st.integers(0, 3), max_size=2),
)


@given(data=st.data(), sealed=st.booleans())
@settings(max_examples=100)
def test_a_record_with_any_value_changed_is_bad_or_says_the_same(
    data: st.DataObject, sealed: bool
) -> None:
    lines = RECORD.splitlines()
    # Most of them cards: half of the time one of the few others.
    number = data.draw(st.integers(0, len(lines) - 1) | st.sampled_from([0, 1, 5, 6, -3, -2, -1]))
    event = json.loads(lines[number])
    owner: Any = event
    key: Any = data.draw(st.sampled_from(sorted(owner)))
    while isinstance(owner[key], dict | list) and owner[key] and data.draw(st.booleans()):
        owner = owner[key]
        places = sorted(owner) if isinstance(owner, dict) else range(len(owner))
        key = data.draw(st.sampled_from(list(places)))
    before = owner[key]
    owner[key] = data.draw(values)
    lines[number] = json.dumps(event, ensure_ascii=data.draw(st.booleans())).encode()
    record = seal(lines[:-1]) if sealed else b"\n".join(lines) + b"\n"
    try:
        _, state = judge(record)
    except BadRecord:
        return
    # A value that decides nothing: then it was sealed anew, or is the same one.
    assert sealed or owner[key] == before
    assert (state.outcome, state.score) == (FINAL.outcome, FINAL.score)
