"""The specification for bot authors says what the types say, and its programs run."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

import msgspec
import pytest

import protocol
from protocol.cards import DECKS
from protocol.codec import MalformedReply, decode_message, decode_reply, encode
from protocol.messages import (
    LINE_LIMIT,
    NOTE_LIMIT,
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    DealEnd,
    EndReason,
    Exchange,
    ExchangeReply,
    Fault,
    FaultKind,
    Hello,
    HelloReply,
    MatchEnd,
    Message,
    Play,
    PlayReply,
    Reply,
    Request,
    Ruling,
)
from protocol.rules import Rules
from tests.protocol.examples import BID, BLIND_NIL, EXCHANGE, HELLO, MESSAGES, PLAY

README = Path(protocol.__file__).with_name("README.md").read_text()
TYPES: dict[str, type[Message]] = {
    "hello": Hello,
    "blind_nil": BlindNil,
    "bid": Bid,
    "exchange": Exchange,
    "play": Play,
    "fault": Fault,
    "deal_end": DealEnd,
    "match_end": MatchEnd,
}
REPLY_TYPES: dict[str, type[Reply]] = {
    "hello": HelloReply,
    "blind_nil": BlindNilReply,
    "bid": BidReply,
    "exchange": ExchangeReply,
    "play": PlayReply,
}


def blocks(language: str, text: str = README) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    """The text under a heading, up to the next one of its level or above."""
    found = re.search(rf"^(##+) {re.escape(title)}\n(.*?)(?=^##|\Z)", README, re.M | re.S)
    assert found, f"no section {title!r}"
    return found[2]


def first_column(text: str) -> list[str]:
    """The names in code quotes in the first column of a section's tables."""
    cells = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def named_in(text: str) -> set[str]:
    """Everything in code quotes that may be the name of a field or a value."""
    return set(re.findall(r"`([a-z_.]+)`", text))


def conversation() -> list[tuple[bytes, bytes]]:
    lines = blocks("text", section("A conversation"))[0].splitlines()
    asked = [line[2:].encode() for line in lines if line.startswith("> ")]
    replied = [line[2:].encode() for line in lines if line.startswith("< ")]
    assert len(lines) == len(asked) + len(replied)
    return list(zip(asked, replied, strict=True))


def is_exactly(message: Any, line: str | bytes) -> bool:
    """Nothing is missing in the line, and nothing in it is unknown."""
    return bool(json.loads(encode(message)) == json.loads(line))


def structs_in(annotation: Any) -> list[type[msgspec.Struct]]:
    """The struct types that a field's type is made of."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return [annotation]
    if get_origin(annotation) is None and not isinstance(annotation, UnionType):
        return []
    return [found for part in get_args(annotation) for found in structs_in(part)]


def wire_fields(kind: type[msgspec.Struct]) -> set[str]:
    """A type's fields, and those of the structs in it as `clock.move_ms`; `rules` has a table."""
    names = set()
    for field in msgspec.structs.fields(kind):
        names.add(field.name)
        for inner in structs_in(field.type):
            if not issubclass(inner, Rules):
                names |= {f"{field.name}.{name}" for name in wire_fields(inner)}
    return names


@pytest.mark.parametrize("name", TYPES)
def test_a_message_is_shown_as_it_stands_on_the_wire(name: str) -> None:
    example = blocks("json", section(name))[0].strip()
    message = decode_message(example.encode())
    assert isinstance(message, TYPES[name])
    assert is_exactly(message, example)


@pytest.mark.parametrize("name", TYPES)
def test_every_field_of_a_message_is_described(name: str) -> None:
    fields = wire_fields(TYPES[name])
    assert {field for field in fields if "." not in field} <= named_in(section(name))
    assert fields <= named_in(README)


@pytest.mark.parametrize("name", TYPES)
def test_no_field_is_described_that_a_message_lacks(name: str) -> None:
    assert set(first_column(section(name))) <= wire_fields(TYPES[name])


@pytest.mark.parametrize("name", REPLY_TYPES)
def test_a_reply_is_shown_as_the_arena_takes_it(name: str) -> None:
    request, example = blocks("json", section(name))
    asked = decode_message(request.encode())
    assert isinstance(asked, Request)
    reply = decode_reply(example.strip().encode(), asked)
    assert isinstance(reply, REPLY_TYPES[name])
    assert is_exactly(reply, example)


def test_every_field_of_a_reply_is_described() -> None:
    described = set(first_column(section("Bot to arena")))
    assert described == {field for kind in REPLY_TYPES.values() for field in kind.__struct_fields__}


def test_the_example_of_an_exchange_passes_cards_of_its_hand_after_the_example_of_a_blind_nil() -> (
    None
):
    offer, accepted = map(json.loads, blocks("json", section("blind_nil")))
    request, reply = map(json.loads, blocks("json", section("exchange")))
    assert accepted["blind_nil"]
    assert request["bids"].items() >= {**offer["bids"], offer["seat"]: 0}.items()
    assert request["blind"] == [offer["seat"]]
    assert len(set(reply["cards"]) & set(request["hand"])) == request["count"]


def test_nothing_is_said_to_be_missing_that_is_there() -> None:
    said = [line for line in README.splitlines() if "this version" in line]
    assert all("`resource`" in line for line in said), said


def test_the_note_is_shown_in_a_reply() -> None:
    (example,) = blocks("json", section("Bot to arena"))
    assert msgspec.json.decode(example, type=PlayReply).note


def test_the_conversation_is_one_deal_seen_from_one_seat() -> None:
    requests = []
    for line, reply in conversation():
        request = decode_message(line)
        assert isinstance(request, Request)
        assert is_exactly(request, line)
        assert is_exactly(decode_reply(reply, request), reply)
        requests.append(request)
    assert [type(request) for request in requests] == [Hello, Bid, Play, Play]
    assert [request.id for request in requests] == [1, 2, 3, 4]
    _, _, first, second = conversation()
    assert json.loads(first[1])["card"] in json.loads(second[0])["tricks"][0]["cards"]


def test_the_sentence_of_a_fault_is_one_that_the_arena_says() -> None:
    example = decode_message(blocks("json", section("fault"))[0].encode())
    assert isinstance(example, Fault)
    request = decode_message(conversation()[1][0])
    assert isinstance(request, Bid)
    with pytest.raises(MalformedReply) as error:
        decode_reply(b"thinking...", request)
    assert str(error.value) == example.detail


def test_the_kinds_of_fault_are_those_that_there_are() -> None:
    assert first_column(section("Faults")) == list(get_args(FaultKind))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("match_end", get_args(EndReason)),
        ("fault", get_args(Ruling)),
        ("Faults", get_args(Ruling)),
    ],
    ids=["reasons", "rulings", "what a ruling is"],
)
def test_every_value_is_described(name: str, values: tuple[str, ...]) -> None:
    assert set(values) <= named_in(section(name))


def test_every_option_of_the_rules_is_described_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(.+?)` \|", section("The rules of the match"), re.M)
    assert {name: json.loads(value) for name, value in rows} == msgspec.to_builtins(Rules())


@pytest.mark.parametrize("deck", DECKS.values(), ids=repr)
def test_the_order_of_each_decks_spades_is_shown(deck: Any) -> None:
    spades = " ".join(deck.names(deck.spades))
    assert re.search(rf"^\| `{deck.name}`.* \| `{spades}` \|$", README, re.MULTILINE)


def test_the_limits_are_those_that_are_enforced() -> None:
    assert f"first {NOTE_LIMIT:,} characters" in section("Bot to arena")
    assert f"a line {LINE_LIMIT // 1024} KiB" in section("Bot to arena")


def test_each_link_leads_to_a_heading() -> None:
    headings = re.findall(r"^##+ (.+)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", README)) <= anchors


PYTHON_BOTS = blocks("python")


def assert_plays(command: list[str]) -> None:
    """The bot answers requests one at a time, and nothing that wants no reply."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    ) as process:
        assert process.stdin and process.stdout
        unasked = [message for message in MESSAGES if not isinstance(message, Request)]
        for message in (HELLO, BLIND_NIL, BID, EXCHANGE, *unasked, PLAY):
            process.stdin.write(encode(message))
            if isinstance(message, Request):
                reply = decode_reply(process.stdout.readline().rstrip(b"\n"), message)
                assert getattr(reply, "bid", 3) == 3
                assert getattr(reply, "card", "2C") == "2C"
                assert not getattr(reply, "blind_nil", False)
                assert getattr(reply, "cards", msgspec.UNSET) in (msgspec.UNSET, ["2C", "3C"])
        process.stdin.write(b'{"type":"weather"}\n{"type":"claim","id":12}\n')
        assert json.loads(process.stdout.readline()) == {"id": 12}
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(60) == 0


@pytest.mark.parametrize("number", range(len(PYTHON_BOTS)))
def test_a_bot_in_python_plays(number: int, tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(PYTHON_BOTS[number])
    assert_plays([sys.executable, str(program)])


@pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")
def test_the_bot_in_shell_plays(tmp_path: Path) -> None:
    (script,) = blocks("sh")
    program = tmp_path / "bot.sh"
    program.write_text(script)
    assert_plays(["sh", str(program)])


def test_there_are_bots_to_run() -> None:
    assert len(PYTHON_BOTS) == 2
