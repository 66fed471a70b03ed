"""The codec against everything a bot might write: a proper reply, or a sentence for its author."""

import json
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import asdict

from protocol.codec import (
    QUOTE_LIMIT,
    MalformedReply,
    decode_reply,
    printable,
    quote,
    reply_id,
)
from protocol.messages import (
    LINE_LIMIT,
    Bid,
    BidReply,
    BlindNilReply,
    ExchangeReply,
    HelloReply,
    PlayReply,
    Reply,
    Request,
)
from tests.protocol.examples import BID, BLIND_NIL, EXCHANGE, HELLO, PLAY, REQUESTS


def with_extra(value: bytes) -> bytes:
    """A good bid with an unknown field of this value."""
    return b'{"id": 7, "bid": 3, "x": ' + value + b"}"


def nested(opening: bytes, depth: int, closing: bytes) -> bytes:
    return with_extra(opening * depth + b"1" + closing * depth)


DEEP = 100_000

MANY = ["2S"] * 1_000

GOOD: list[tuple[Request, bytes, Reply]] = [
    (HELLO, b'{"id": 7}', HelloReply(id=7)),
    (HELLO, b'{"id":7,"name":"x","version":"2"}', HelloReply(id=7, name="x", version="2")),
    (HELLO, b'{"id":7,"name":"","note":""}', HelloReply(id=7)),
    (HELLO, b'{"bid": 3, "id": 7, "card": "AS"}', HelloReply(id=7)),
    (BID, b'{"id": 7, "bid": 3}', BidReply(id=7, bid=3)),
    (BID, b'{"bid": 0, "id": 7}', BidReply(id=7, bid=0)),
    (BID, b'{"id":7,"bid":-1}', BidReply(id=7, bid=-1)),
    (BID, b'{"id":7,"bid":9007199254740992}', BidReply(id=7, bid=2**53)),
    (BID, b'{"id":7,"bid":' + b"9" * 4_000 + b"}", BidReply(id=7, bid=10**4_000 - 1)),
    (BID, b' \t{ "id" : 7 ,\t"bid" : 3 } \r', BidReply(id=7, bid=3)),
    (BID, b'{"i\\u0064": 7, "bid": 3}', BidReply(id=7, bid=3)),
    (BID, b'{"id":7,"bid":3,"note":"a: \\u2660\\n"}', BidReply(id=7, bid=3, note="a: \u2660\n")),
    (BID, '{"id":7,"bid":3,"note":"♠"}'.encode(), BidReply(id=7, bid=3, note="♠")),
    (BID, b'{"id":7,"bid":3,"note":"\\u0000"}', BidReply(id=7, bid=3, note="\0")),
    (BID, with_extra(b'{"id": 8, "bid": 4}'), BidReply(id=7, bid=3)),
    (BID, with_extra(b'[{"a": 1}, {"a": 1}]'), BidReply(id=7, bid=3)),
    (BID, with_extra(b"1e400"), BidReply(id=7, bid=3)),
    (BID, with_extra(b"9" * 60_000), BidReply(id=7, bid=3)),
    (BID, with_extra(b'"' + b"a" * 60_000 + b'"'), BidReply(id=7, bid=3)),
    (BID, nested(b"[", 100, b"]"), BidReply(id=7, bid=3)),
    (PLAY, b'{"id": 7, "card": "AS"}', PlayReply(id=7, card="AS")),
    (PLAY, b'{"id": 7, "card": ""}', PlayReply(id=7, card="")),
    (PLAY, b'{"id": 7, "card": "A\\u0053"}', PlayReply(id=7, card="AS")),
    (PLAY, b'{"id": 7, "card": "AS", "bid": true}', PlayReply(id=7, card="AS")),
    (BLIND_NIL, b'{"id": 7}', BlindNilReply(id=7, blind_nil=False)),
    (BLIND_NIL, b'{"id": 7, "blind_nil": true}', BlindNilReply(id=7, blind_nil=True)),
    (BLIND_NIL, b'{"id": 7, "blind_nil": false}', BlindNilReply(id=7, blind_nil=False)),
    (BLIND_NIL, b'{"id": 7, "bid": 0, "cards": 1}', BlindNilReply(id=7, blind_nil=False)),
    (EXCHANGE, b'{"id": 7}', ExchangeReply(id=7)),
    (EXCHANGE, b'{"id": 7, "cards": []}', ExchangeReply(id=7, cards=[])),
    (EXCHANGE, b'{"id": 7, "cards": ["2S", "9H"]}', ExchangeReply(id=7, cards=["2S", "9H"])),
    (EXCHANGE, b'{"id": 7, "cards": ["", "x", "x"]}', ExchangeReply(id=7, cards=["", "x", "x"])),
    (EXCHANGE, b'{"id":7,"cards":["2S"' + b',"2S"' * 999 + b"]}", ExchangeReply(id=7, cards=MANY)),
    (EXCHANGE, b'{"id": 7, "card": ["2S"], "bid": null}', ExchangeReply(id=7)),
]


@pytest.mark.parametrize(("request_", "line", "reply"), GOOD)
def test_a_proper_reply_is_decoded(request_: Request, line: bytes, reply: Reply) -> None:
    assert decode_reply(line, request_) == reply


BAD: list[tuple[Request, bytes, type[MalformedReply], str]] = [
    # not UTF-8
    (BID, b"\xff", MalformedReply, "not UTF-8 (byte 0xff at position 0)"),
    (BID, b'{"id":7,"bid":3,"note":"\xe9"}', MalformedReply, "not UTF-8 (byte 0xe9 at position 24"),
    (BID, b'{"id":7,"bid":3,"x":"\xed\xa0\x80"}', MalformedReply, "not UTF-8"),
    (BID, b'{"id":7,"bid":3}\xc3', MalformedReply, "not UTF-8"),
    (BID, '{"id":7,"bid":3}'.encode("utf-16"), MalformedReply, "not UTF-8"),
    # not JSON
    (BID, b"", MalformedReply, "not JSON"),
    (BID, b"thinking...", MalformedReply, "not JSON: 'thinking...' - expected one line such as"),
    (BID, b"thinking...", MalformedReply, "print debug output to standard error"),
    (BID, b'{"id":7,"bid":3', MalformedReply, "not JSON (its end is missing): "),
    (BID, b'{"id":7,"bid":3}{"id":7,"bid":3}', MalformedReply, "not JSON (text follows its end): "),
    (BID, b"{'id':7,'bid':3}", MalformedReply, "not JSON (keys must be in double quotes): "),
    (BID, b'{"id":7,"bid":3,}', MalformedReply, "(a comma before the closing bracket)"),
    (BID, b'{"id":7,"bid":03}', MalformedReply, "not JSON (invalid number): "),
    (BID, b'{"id":7,"bid":NaN}', MalformedReply, "not JSON"),
    (BID, with_extra(b"NaN"), MalformedReply, "not JSON"),
    (BID, with_extra(b"-Infinity"), MalformedReply, "not JSON"),
    (BID, '{"id":7,"bid":3}'.encode("utf-16-le"), MalformedReply, r"{\x00"),
    (BID, b'{"id":7,"bid":3}\0', MalformedReply, r"\x00"),
    (BID, with_extra(b'"\0"'), MalformedReply, r"\x00"),
    (BID, with_extra(b'"\\ud800"'), MalformedReply, "not JSON"),
    (BID, b'{"id":7,"bid":3,"\\ud800":1,"\\ud800":2}', MalformedReply, "not JSON"),
    (BID, b'{"id":7,"bid":3,"note":"\\udc00"}', MalformedReply, "not JSON"),
    # not an object
    (BID, b"[]", MalformedReply, "not a JSON object: '[]' - expected one such as {\"id\": 7"),
    (BID, b"3", MalformedReply, "not a JSON object"),
    (BID, b'"3"', MalformedReply, "not a JSON object"),
    (BID, b"null", MalformedReply, "not a JSON object"),
    (BID, b'[{"id":7,"bid":3}]', MalformedReply, "not a JSON object"),
    # a key twice
    (HELLO, b'{"id":7,"id":7}', MalformedReply, "the key 'id' stands twice"),
    (HELLO, b'{"id":8,"id":7}', MalformedReply, "the key 'id' stands twice"),
    (BID, b'{"id":7,"bid":3,"bid":3}', MalformedReply, "the key 'bid' stands twice"),
    (BID, b'{"id":7,"bid":3,"b\\u0069d":4}', MalformedReply, "the key 'bid' stands twice"),
    (BID, b'{"id":7,"bid":3,"x":1,"x":2}', MalformedReply, "the key 'x' stands twice"),
    (BID, b'{"id":7,"bid":3,"":1,"":2}', MalformedReply, "the key '' stands twice"),
    (BID, with_extra(b'{"y":{"z":1,"\\u007a":2}}'), MalformedReply, "the key 'z' stands twice"),
    (BID, with_extra(b'[[{"z":1,"z":2}]]'), MalformedReply, "write each key once"),
    (PLAY, b'{"id":7,"card":"2C","card":"2C"}', MalformedReply, "the key 'card' stands twice"),
    # the id
    (HELLO, b"{}", MalformedReply, 'the field "id" is missing'),
    (BID, b'{"bid":3}', MalformedReply, "echo the id of the request"),
    (BID, b'{"ID":7,"bid":3}', MalformedReply, 'the field "id" is missing'),
    (BID, b'{"id":null,"bid":3}', MalformedReply, '"id" must be the integer 7, and is null: '),
    (BID, b'{"id": null}', MalformedReply, "answer a message that has no id, such as deal_end?)"),
    (BID, b'{"bid":3}', MalformedReply, "answer a message that has no id, such as deal_end?)"),
    (BID, b'{"id":"7","bid":3}', MalformedReply, '"id" must be the integer 7'),
    (BID, b'{"id":7.0,"bid":3}', MalformedReply, '"id" must be the integer 7'),
    (BID, b'{"id":true,"bid":3}', MalformedReply, '"id" must be the integer 7'),
    (BID, b'{"id":[7],"bid":3}', MalformedReply, '"id" must be the integer 7'),
    (BID, b'{"id":6,"bid":3}', MalformedReply, '"id" is 6, and that of the request is 7: '),
    (BID, b'{"id":6,"bid":3}', MalformedReply, "(is it a second line for one request?)"),
    (BID, b'{"id":8,"bid":3}', MalformedReply, '"id" is 8, and that of the request is 7: '),
    (
        BID,
        b'{"id":8}',
        MalformedReply,
        'one line for each message that has an "id", and echo that id',
    ),
    (BID, b'{"id":-7,"bid":3}', MalformedReply, '"id" is -7, and that of the request is 7: '),
    (BID, b'{"id":18446744073709551623,"bid":3}', MalformedReply, '"id" must be the integer 7: '),
    (BID, b'{"id":' + b"7" * 5_000 + b',"bid":3}', MalformedReply, "out of range"),
    # the bid
    (BID, b'{"id":7}', MalformedReply, 'the field "bid" is missing: '),
    (BID, b'{"id":7,"card":"AS"}', MalformedReply, 'expected {"id": 7, "bid": 3}'),
    (BID, b'{"id":7,"bid":true}', MalformedReply, '"bid" must be a whole number, and is true: '),
    (BID, b'{"id":7,"bid":3.0}', MalformedReply, '"bid" must be a whole number, and is 3.0: '),
    (BID, b'{"id":7,"bid":3e0}', MalformedReply, '"bid" must be a whole number, and is 3.0: '),
    (BID, b'{"id":7,"bid":"3"}', MalformedReply, '"bid" must be a whole number, and is a string: '),
    (BID, b'{"id":7,"bid":null}', MalformedReply, '"bid" must be a whole number, and is null: '),
    (BID, b'{"id":7,"bid":[3]}', MalformedReply, '"bid" must be a whole number, and is a list: '),
    (BID, b'{"id":7,"bid":1e400}', MalformedReply, "out of range"),
    (BID, b'{"id":7,"bid":' + b"9" * 5_000 + b"}", MalformedReply, "a number is out of range"),
    (BID, b'{"id":7,"bid":-' + b"9" * 60_000 + b"}", MalformedReply, "out of range"),
    # the card, the note, the name
    (PLAY, b'{"id":7,"bid":3}', MalformedReply, 'the field "card" is missing: '),
    (PLAY, b'{"id":7,"card":null}', MalformedReply, '"card" must be a string, and is null: '),
    (PLAY, b'{"id":7,"card":["AS"]}', MalformedReply, 'expected {"id": 7, "card": "AS"}'),
    (PLAY, b'{"id":7,"card":"AS","note":1}', MalformedReply, '"note" must be a string, and is 1: '),
    (PLAY, b'{"id":7,"card":"AS","note":null}', MalformedReply, "a string, and is null: "),
    (BID, b'{"note":null,"bid":3,"id":7}', MalformedReply, '"note" must be a string, and is null'),
    (HELLO, b'{"id":7,"name":null}', MalformedReply, '"name" must be a string, and is null: '),
    (HELLO, b'{"id":7,"version":null}', MalformedReply, '"version" must be a string, and is null'),
    (HELLO, b'{"id":7,"name":1}', MalformedReply, '"name" must be a string, and is 1: '),
    # the blind nil
    (
        BLIND_NIL,
        b'{"id":7,"blind_nil":"yes"}',
        MalformedReply,
        '"blind_nil" must be true or false, and is a string: ',
    ),
    (BLIND_NIL, b'{"id":7,"blind_nil":"yes"}', MalformedReply, '{"id": 7, "blind_nil": true}'),
    (BLIND_NIL, b'{"id":7,"blind_nil":1}', MalformedReply, "true or false, and is 1: "),
    (BLIND_NIL, b'{"id":7,"blind_nil":0}', MalformedReply, "true or false, and is 0: "),
    (BLIND_NIL, b'{"id":7,"blind_nil":null}', MalformedReply, "true or false, and is null: "),
    (BLIND_NIL, b'{"id":7,"blind_nil":[true]}', MalformedReply, "true or false, and is a list: "),
    (BLIND_NIL, b'{"id":7,"blind_nil":true,"blind_nil":false}', MalformedReply, "stands twice"),
    (BLIND_NIL, b'{"blind_nil":true}', MalformedReply, 'the field "id" is missing'),
    (BLIND_NIL, b'{"id":8,"blind_nil":true}', MalformedReply, "that of the request is 7: "),
    # the cards passed
    (
        EXCHANGE,
        b'{"id":7,"cards":"2S"}',
        MalformedReply,
        '"cards" must be a list of strings, and is a string: ',
    ),
    (EXCHANGE, b'{"id":7,"cards":"2S"}', MalformedReply, '{"id": 7, "cards": ["2S", "9H"]}'),
    (EXCHANGE, b'{"id":7,"cards":2}', MalformedReply, "a list of strings, and is 2: "),
    (
        EXCHANGE,
        b'{"id":7,"cards":{"2S":1}}',
        MalformedReply,
        "a list of strings, and is an object: ",
    ),
    (EXCHANGE, b'{"id":7,"cards":[2,9]}', MalformedReply, "a list of strings, and has 2 in it: "),
    (EXCHANGE, b'{"id":7,"cards":null}', MalformedReply, "a list of strings, and is null: "),
    (EXCHANGE, b'{"id":7,"cards":["2S",null]}', MalformedReply, "and has null in it: "),
    (EXCHANGE, b'{"id":7,"cards":[["2S"],["9H"]]}', MalformedReply, "and has a list in it: "),
    (EXCHANGE, b'{"id":7,"cards":["2S","9H"],"cards":[]}', MalformedReply, "stands twice"),
    (EXCHANGE, b'{"id":7,"id":7}', MalformedReply, "stands twice"),
    (EXCHANGE, b'{"id":7,"cards":' + b"[" * DEEP, MalformedReply, "nested too deeply"),
    (EXCHANGE, b'{"id":7,"cards":[' + b"1," * 30_000 + b"1]}", MalformedReply, "and has 1 in it: "),
    # depth
    (BID, b"[" * DEEP, MalformedReply, "nested too deeply"),
    (BID, b'{"a":' * DEEP, MalformedReply, "nested too deeply"),
    (BID, nested(b"[", DEEP, b"]"), MalformedReply, "nested too deeply"),
    (BID, nested(b'{"a":', DEEP, b"}"), MalformedReply, "nested too deeply"),
    (HELLO, nested(b'{"a":', DEEP, b"}"), MalformedReply, "nested too deeply"),
    # length
    (BID, b"x" * LINE_LIMIT, MalformedReply, "x...'"),
    (BID, b'"' + b"x" * LINE_LIMIT + b'"', MalformedReply, "not a JSON object"),
    (
        BID,
        b'{"id":7,"' + b"k" * 30_000 + b'":1,"' + b"k" * 30_000 + b'":1}',
        MalformedReply,
        "k...",
    ),
    (
        PLAY,
        '{"id":7,"card":3,"x":"{}"}'.replace("{}", "♠" * 20_000).encode(),
        MalformedReply,
        "♠..",
    ),
]


@pytest.mark.parametrize(
    ("request_", "line", "kind", "phrase"),
    BAD,
    ids=[f"{i}-{b[1][:40]!r}" for i, b in enumerate(BAD)],
)
def test_anything_else_is_told_to_the_bot_s_author(
    request_: Request, line: bytes, kind: type[MalformedReply], phrase: str
) -> None:
    with pytest.raises(MalformedReply) as caught:
        decode_reply(line, request_)
    assert type(caught.value) is kind
    assert phrase in str(caught.value)
    assert_is_a_sentence(str(caught.value))


ECHO = "echo the id of the request, as in"
USUAL = "(did it answer a message that has no id, such as deal_end?)"
ONE_LINE = 'write one line for each message that has an "id", and echo that id'


@pytest.mark.parametrize(
    ("request_", "line", "sentence"),
    [
        (
            PLAY,
            '{"id": null}',
            '"id" must be the integer 7, and is null: \'{"id": null}\''
            f' - {ECHO} {{"id": 7, "card": "AS"}} {USUAL}',
        ),
        (
            PLAY,
            "{}",
            f'the field "id" is missing: \'{{}}\' - {ECHO} {{"id": 7, "card": "AS"}} {USUAL}',
        ),
        (
            BID,
            '{"id": 6, "bid": 3}',
            '"id" is 6, and that of the request is 7: \'{"id": 6, "bid": 3}\''
            f" - {ONE_LINE} (is it a second line for one request?)",
        ),
        (
            BID,
            '{"id": 8, "bid": 3}',
            f'"id" is 8, and that of the request is 7: \'{{"id": 8, "bid": 3}}\' - {ONE_LINE}',
        ),
        (
            PLAY,
            '{"id": 7, "card": null}',
            '"card" must be a string, and is null: \'{"id": 7, "card": null}\''
            ' - expected {"id": 7, "card": "AS"}',
        ),
        (
            BID,
            '{"id": 7}',
            'the field "bid" is missing: \'{"id": 7}\' - expected {"id": 7, "bid": 3}',
        ),
        (
            BID,
            '{"id": 7, "bid": true}',
            '"bid" must be a whole number, and is true: \'{"id": 7, "bid": true}\''
            ' - expected {"id": 7, "bid": 3}',
        ),
        (
            BID,
            "hello",
            'not JSON: \'hello\' - expected one line such as {"id": 7, "bid": 3}; print debug'
            " output to standard error",
        ),
    ],
)
def test_the_usual_mistakes_are_told_in_plain_words(
    request_: Request, line: str, sentence: str
) -> None:
    assert outcome(line.encode(), request_) == sentence


@pytest.mark.parametrize("request_", REQUESTS)
def test_no_sentence_speaks_the_language_of_a_library(request_: Request) -> None:
    wrong = [b"", b"x", b"{", b"[1 2]", b'{"a" 1}', b'{"x": "\\q"}', b'{"x": "\\ud800\\u0041"}']
    for value in (
        b"null",
        b"true",
        b"1",
        b"1e400",
        b"9" * 30,
        b"0.5",
        b'"x"',
        b"[]",
        b"{}",
        b"[1]",
    ):
        for key in (b"id", b"bid", b"card", b"blind_nil", b"cards", b"note", b"name"):
            wrong.append(b'{"' + key + b'": ' + value + b"}")
            wrong.append(b'{"id": 7, "' + key + b'": ' + value + b"}")
    for line in wrong:
        said = outcome(line, request_)
        assert not any(jargon in said for jargon in ("`", "$", "Expected", "byte", "malformed"))


def assert_is_a_sentence(text: str) -> None:
    assert text.isprintable()
    assert len(text) <= 700
    assert " - " in text  # what to do about it


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_no_depth_of_nesting_is_a_fault_of_the_arena_s(opening: bytes) -> None:
    # The two readers of JSON give up at different depths, which depend on the caller's own.
    closing = b"]" if opening == b"[" else b"}"
    deepest = LINE_LIMIT // len(opening + closing)
    outcomes = {
        outcome(nested(opening, depth, closing))
        for depth in [*range(400, 1_100), *range(1_100, deepest, 300), DEEP]
    }
    assert {text[:18] for text in outcomes} == {"accepted", "nested too deeply:"}


def outcome(line: bytes, request: Request = BID) -> str:
    try:
        decode_reply(line, request)
    except MalformedReply as error:
        return str(error)
    return "accepted"


def test_no_line_within_the_limit_is_slow_to_refuse() -> None:
    size = LINE_LIMIT
    lines = [
        b"[" * size,
        b'{"a":' * (size // 5),
        with_extra(b"9" * size),
        b'{"id":7,"bid":' + b"9" * size + b"}",
        with_extra(b"0." + b"9" * size),
        with_extra(b'"' + b"\\u0041" * (size // 6) + b'"'),
        b'{"id":7,"bid":3' + b"".join(b',"%d":0' % i for i in range(size // 8)) + b"}",
        b'{"id":7,"bid":3' + b',"a":0' * (size // 6) + b"}",
        b'{"id":7,"bid":3' + b" " * size,
        b"\xff" * size,
        b"\0" * size,
        b'"' + b"\\" * size,
    ]
    began = time.process_time()
    for line in lines * 10:
        for request in REQUESTS:
            try:
                decode_reply(line, request)
            except MalformedReply as error:
                assert_is_a_sentence(str(error))
    # 600 lines: far less than a second where nothing is quadratic, minutes where something is.
    assert time.process_time() - began < 20


@given(line=st.binary(max_size=200), request=st.sampled_from(REQUESTS))
def test_any_bytes_are_a_reply_or_malformed(line: bytes, request: Request) -> None:
    check(line, request)


short = st.text(max_size=3)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
keys = st.sampled_from(["id", "bid", "card", "blind_nil", "cards", "note", "name", "x", ""])
objects = st.lists(st.tuples(keys, json_values | st.just(7)), max_size=5)
splices = st.lists(
    st.tuples(st.integers(0, 120), st.integers(0, 4), st.binary(max_size=4)), max_size=3
)


@given(pairs=objects, splices=splices, request=st.sampled_from(REQUESTS), ascii_=st.booleans())
@example(pairs=[("id", 7), ("bid", 3), ("x", {"y": 1})], splices=[], request=BID, ascii_=True)
def test_any_mutation_of_a_reply_is_a_reply_or_malformed(
    pairs: list[tuple[str, Any]],
    splices: list[tuple[int, int, bytes]],
    request: Request,
    ascii_: bool,
) -> None:
    text = ", ".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=ascii_)}" for k, v in pairs)
    line = ("{" + text + "}").encode(errors="surrogatepass")
    for at, length, inserted in splices:
        line = line[:at] + inserted + line[at + length :]
    check(line, request)


def check(line: bytes, request: Request) -> None:
    """A line is a reply exactly where the standard library, read strictly, says so."""
    try:
        reply = decode_reply(line, request)
    except MalformedReply as error:
        assert_is_a_sentence(str(error))
        return
    value = json.loads(line.decode(), object_pairs_hook=unique, parse_constant=refuse)
    assert type(value["id"]) is int
    assert value["id"] == reply.id == request.id
    assert reply.note == value.get("note", "")
    if isinstance(reply, BidReply):
        assert type(value["bid"]) is int
        assert reply.bid == value["bid"]
    if isinstance(reply, PlayReply):
        assert reply.card == value["card"]
    if isinstance(reply, BlindNilReply):
        assert reply.blind_nil is value.get("blind_nil", False)
    if isinstance(reply, ExchangeReply):
        assert reply.cards == value.get("cards", UNSET)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({key for key, _ in pairs}) == len(pairs)
    return dict(pairs)


def refuse(constant: str) -> None:
    raise AssertionError(constant)


unicode = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
extras = st.dictionaries(
    unicode.filter(lambda key: key not in ("id", "bid", "card", "note")),
    st.recursive(
        st.none() | st.booleans() | st.integers() | unicode,
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)


@given(
    bid=st.integers(-(2**53), 2**53),
    note=unicode,
    extra=extras,
    ascii_=st.booleans(),
    separators=st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", "\t:  ")]),
)
def test_a_proper_reply_is_decoded_however_it_is_written(
    bid: int, note: str, extra: dict[str, Any], ascii_: bool, separators: tuple[str, str]
) -> None:
    written = {**extra, "bid": bid, "note": note, "id": 7}
    line = json.dumps(written, ensure_ascii=ascii_, separators=separators).encode()
    assert decode_reply(line, BID) == BidReply(id=7, bid=bid, note=note)


@given(raw=st.binary(max_size=2_000) | st.text(max_size=1_000).map(lambda t: t.encode()))
def test_a_quote_is_printable_and_short(raw: bytes) -> None:
    shown = quote(raw)
    assert shown.isprintable()
    assert len(shown) <= QUOTE_LIMIT + len("'...'")
    assert shown[0] == shown[-1] == "'"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"", "''"),
        (b"abc", "'abc'"),
        (b"a\tb\x1b[31m\x00", r"'a\tb\x1b[31m\x00'"),
        (b"\xff\xfe", r"'\xff\xfe'"),
        ("é♠\u202e".encode(), "'é♠\\u202e'"),
        (b"a" * 200, "'" + "a" * 200 + "'"),
        (b"a" * 201, "'" + "a" * 200 + "...'"),
        ("♠".encode() * 200, "'" + "♠" * 200 + "'"),
        ("♠".encode() * 300, "'" + "♠" * 200 + "...'"),
        ("🂡".encode() * 200, "'" + "🂡" * 200 + "'"),
        ("🂡".encode() * 201, "'" + "🂡" * 200 + "...'"),
        (b"\0" * 51, "'" + r"\x00" * 50 + "...'"),
    ],
)
def test_a_quote_shows_what_was_sent(raw: bytes, shown: str) -> None:
    assert quote(raw) == shown


@given(text=st.text(max_size=100))
def test_printable_text_stays_as_it_is_and_any_other_becomes_so(text: str) -> None:
    assert printable(text).isprintable()
    assert (printable(text) == text) == text.isprintable()


def test_a_fault_quotes_at_most_200_characters_of_a_line() -> None:
    for request in REQUESTS:
        for line in (b"Q" * 9_000, b'"' + b"Q" * 9_000 + b'"', b'{"x":"' + b"Q" * 9_000 + b'"}'):
            with pytest.raises(MalformedReply) as caught:
                decode_reply(line, request)
            assert str(caught.value).count("Q") <= QUOTE_LIMIT


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"id": 7}', 7),
        (b'{"id": 7, "bid": "three"}', 7),
        (b'{"id": -1}', -1),
        (b'{"id": true}', None),
        (b'{"id": 7.0}', None),
        (b'{"id": "7"}', None),
        (b"{}", None),
        (b"[7]", None),
        (b"7", None),
        (b"", None),
        (b"\xff", None),
        (b"[" * DEEP, None),
        (b'{"id": ' + b"9" * 60_000 + b"}", None),
    ],
)
def test_the_id_of_a_line_is_found_where_it_has_one(line: bytes, found: int | None) -> None:
    assert reply_id(line) == found


@given(line=st.binary(max_size=100))
def test_looking_for_an_id_never_fails(line: bytes) -> None:
    assert type(reply_id(line)) in (int, type(None))


class LaterBid(Bid, tag="bid", kw_only=True):
    """With a field more than it has now."""

    later: int = 1


class Claim(Request, tag="claim"):
    """A request that this version does not have."""


@pytest.mark.parametrize(
    ("request_", "line", "reply"),
    [
        (LaterBid(**asdict(BID)), b'{"id":5,"bid":3}', BidReply(id=5, bid=3)),
        (Claim(), b'{"id":5,"rest":[3]}', Reply(id=5)),
    ],
)
def test_a_request_of_a_later_version_has_the_reply_of_what_it_was(
    request_: Request, line: bytes, reply: Reply
) -> None:
    request_.id = 5
    assert decode_reply(line, request_) == reply
    with pytest.raises(MalformedReply, match=r'^not a JSON object: .* one such as {"id": 5'):
        decode_reply(b"[5]", request_)
