"""Messages on the wire: their fields, and what a bot of another version makes of them."""

import json
from typing import Any

import msgspec
import pytest

from protocol.codec import decode_message, encode
from protocol.messages import Message, Request
from protocol.rules import Rules
from tests.protocol.examples import HELLO, MESSAGES, REQUESTS


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_one_line_and_comes_back_as_it_was(message: Message) -> None:
    line = encode(message)
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert line.startswith(b'{"type":"')
    assert decode_message(line) == message


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda message: type(message).__name__)
def test_only_a_request_has_an_id(request_: Request) -> None:
    others = [message for message in MESSAGES if not isinstance(message, Request)]
    assert json.loads(encode(request_))["id"] == 7
    assert len(others) == 3
    assert not any("id" in json.loads(encode(message)) for message in others)


def test_fields_that_a_later_arena_adds_are_ignored() -> None:
    for message in MESSAGES:
        value = json.loads(encode(message)) | {"later": [1, 2]}
        assert decode_message(json.dumps(value).encode()) == message


def grown(value: Any) -> Any:
    """JSON with a field more in each object that has fields, and not seats or sides for keys."""
    if isinstance(value, list):
        return [grown(each) for each in value]
    if not isinstance(value, dict):
        return value
    inside = {key: grown(each) for key, each in value.items()}
    return inside if set(value) <= {"N", "E", "S", "W", "NS", "EW"} else inside | {"later": [1, 2]}


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_fields_that_a_later_arena_adds_inside_of_fields_are_ignored(message: Message) -> None:
    value = grown(json.loads(encode(message)))
    if "faults" in value:
        del value["faults"]["N"]["later"]
    assert decode_message(json.dumps(value).encode()) == message


@pytest.mark.parametrize(("kind", "field"), [("fault", "ruling"), ("match_end", "reason")])
def test_values_that_a_later_arena_adds_are_read(kind: str, field: str) -> None:
    (message,) = (each for each in MESSAGES if each.__struct_config__.tag == kind)
    found = decode_message(json.dumps(json.loads(encode(message)) | {field: "later"}).encode())
    assert getattr(found, field) == "later"


def test_an_option_that_a_later_arena_adds_is_ignored_in_hello_and_refused_in_rules() -> None:
    value = json.loads(encode(HELLO))
    value["rules"]["joker_points"] = 5
    assert decode_message(json.dumps(value).encode()) == HELLO
    with pytest.raises(msgspec.ValidationError, match="unknown field `joker_points`"):
        msgspec.convert(value["rules"], Rules)


def test_a_message_of_a_type_that_this_version_lacks_is_none() -> None:
    assert decode_message(b'{"type": "claim", "id": 3}') is None


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"x",
        b"[1]",
        b"3",
        b"{}",
        b'{"type": 5}',
        b'{"type": []}',
        b'{"type": "bid"}',
        b'{"type": "match_end", "winner": 3}',
    ],
)
def test_a_line_that_no_arena_sends_is_a_value_error(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_message(line)


FIELDS = {
    "hello": "protocol arena match seat partner rules clock seed",
    "blind_nil": "deal seat dealer bids blind score bags clock",
    "exchange": "deal seat dealer hand bids blind count to received score bags clock",
    "bid": "deal seat dealer hand legal bids blind score bags clock",
    "play": "deal seat dealer hand legal bids blind trick tricks taken broken exchange score bags "
    "clock",
    "fault": "kind detail ruling",
    "deal_end": "deal dealer hands bids blind exchanged tricks taken delta score bags",
    "match_end": "winner reason score faults",
}


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_has_the_fields_that_the_specification_lists(message: Message) -> None:
    value = json.loads(encode(message))
    type_ = value.pop("type")
    value.pop("id", None)
    assert sorted(value) == sorted(FIELDS[type_].split())


def test_hello_gives_every_rule_its_value() -> None:
    rules = json.loads(encode(HELLO))["rules"]
    assert rules == msgspec.to_builtins(Rules())
    assert len(rules) == 19
