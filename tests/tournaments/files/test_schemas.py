"""The schemas that are published: valid, and what they say of files, records and conversations."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from arena.bot import Answer, Bot
from arena.record import Writer
from arena.rules import PRESETS
from protocol.codec import encode
from protocol.messages import Message, Request
from tests.arena.tables import choosers, every, play, started
from tests.protocol.examples import MESSAGES
from tests.tournaments.league import ROOT, Outcome
from tournaments.files import source
from tournaments.files.schemas import SCHEMAS

VALID = {name: Draft202012Validator(schema()) for name, schema in SCHEMAS.items()}
EXAMPLES = sorted((ROOT / "tournaments" / "examples").glob("*.yaml"))
BOT_FILES = sorted((ROOT / "sample_bots").glob("*/bot.yaml"))


def tell(line: bytes, what: str) -> list[str]:
    """What a schema has against a line."""
    return [error.message for error in VALID[what].iter_errors(json.loads(line))]


@pytest.mark.parametrize("what", SCHEMAS)
def test_a_schema_is_printed_and_is_one_by_the_metaschema(
    what: str, command: Callable[..., Outcome]
) -> None:
    printed = json.loads(command("schema", what).out)
    Draft202012Validator.check_schema(printed)
    assert printed == SCHEMAS[what]()
    assert printed["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert printed["$id"] == f"urn:spades-arena:schema:{what}"
    assert printed["title"]
    assert printed["description"]


def keywords(schema: Any) -> set[str]:
    """The keys of a schema and those below it, those of its properties and definitions left out."""
    if isinstance(schema, list):
        return set().union(*map(keywords, schema))
    if not isinstance(schema, dict):
        return set()
    found = set(schema)
    for key, value in schema.items():
        below = value.values() if key in ("properties", "$defs") else [value]
        found |= set().union(*map(keywords, below)) if key not in ("default", "enum") else set()
    return found


@pytest.mark.parametrize("what", SCHEMAS)
def test_a_schema_has_no_word_that_strict_validators_refuse(what: str) -> None:
    known = Draft202012Validator.VALIDATORS.keys() | {
        *(
            "$schema",
            "$id",
            "$defs",
            "title",
            "description",
            "default",
            "examples",
            "if",
            "then",
            "else",
        )
    }
    assert keywords(SCHEMAS[what]()) <= known


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_tournament_is_one_by_the_schema(path: Path) -> None:
    VALID["tournament"].validate(source.read(path).data)


@pytest.mark.parametrize("path", BOT_FILES, ids=lambda path: path.parent.name)
def test_a_sample_bot_is_one_by_the_schema(path: Path) -> None:
    VALID["bot"].validate(source.read(path).data)


@pytest.mark.parametrize(
    ("what", "broken"),
    [
        ("tournament", {}),
        ("tournament", {"bots": ["one"]}),
        ("tournament", {"bots": ["one", "two"], "seeed": 1}),
        ("tournament", {"bots": ["one", "two"], "clock": {"move": 5}}),
        ("tournament", {"bots": ["one", "two"], "rules": {"taget": 5}}),
        ("bot", {"name": "x"}),
        ("bot", {"command": "make"}),
        ("bot", {"command": ["x"], "version": 1.0}),
        ("bot", {"command": ["x"], "env": {"HOME": "/"}}),
    ],
)
def test_a_broken_file_is_none_by_the_schema(what: str, broken: dict[str, Any]) -> None:
    assert not VALID[what].is_valid(broken)


class Listener:
    """A bot that writes down what it is sent and what it replies."""

    def __init__(self, bot: Bot, lines: list[bytes]) -> None:
        self._bot, self._lines = bot, lines

    def ask(self, request: Request) -> Answer:
        self._lines.append(encode(request))
        answer = self._bot.ask(request)
        self._lines.append(encode(answer.reply))
        return answer

    def tell(self, message: Message) -> None:
        self._lines.append(encode(message))
        self._bot.tell(message)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bot, name)


@pytest.mark.parametrize("preset", ["standard", "blind", "nyc", "solo"])
@pytest.mark.parametrize("ruling", ["forfeit", "substitute", "set"])
def test_every_line_of_a_record_and_of_a_conversation_is_one_by_the_schemas(
    preset: str, ruling: Any
) -> None:
    lines: list[bytes] = []
    bots = choosers(7, faults=0.03, kinds=("illegal", "exit", "timeout"))
    rules = replace(PRESETS[preset], max_deals=1, blind_nil_deficit=0)
    match = started(rules, faults=every(ruling, limit=9))
    events, state = play(match, {seat: Listener(bot, lines) for seat, bot in bots.items()})
    assert state.faults
    writer = Writer()
    for event in events:
        writer.add(event)
    record = writer.close().splitlines()
    assert len(record) == len(events) + 1
    assert [wrong for line in record for wrong in tell(line, "record")] == []
    assert [wrong for line in lines for wrong in tell(line, "protocol")] == []
    types = {json.loads(line).get("type") for line in lines}
    assert {"hello", "fault", "match_end", None} <= types
    assert types & {"bid", "blind_nil"}
    assert ruling == "forfeit" or "play" in types
    assert preset != "blind" or "blind_nil" in types


def test_every_line_that_the_specification_shows_is_one_by_the_schema() -> None:
    text = (ROOT / "protocol" / "README.md").read_text()
    lines = re.findall(r"^(?:[<>] )?(\{.*\})$", text, re.M)
    assert len(lines) > 20
    assert [wrong for line in lines for wrong in tell(line.encode(), "protocol")] == []


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_without_one_of_its_fields_is_none_by_the_schema(message: Message) -> None:
    value = json.loads(encode(message))
    for field in value.keys() - {"type"}:
        rest = {key: each for key, each in value.items() if key != field}
        assert not VALID["protocol"].is_valid(rest), field


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[]",
        '{"id": "3"}',
        '{"bid": 3}',
        '{"id": 3, "bid": "3"}',
        '{"id": 3, "card": ["AS"]}',
        '{"id": 3, "note": 3}',
        '{"id": 3, "type": "claim"}',
    ],
)
def test_a_line_of_another_shape_is_none_by_the_schema(line: str) -> None:
    assert tell(line.encode(), "protocol")


@pytest.mark.parametrize(
    ("kind", "reply", "sound"),
    [
        ("BidReply", '{"id": 3, "bid": 3, "more": 1}', True),
        ("BidReply", '{"id": 3}', False),
        ("PlayReply", '{"id": 3, "card": "AS"}', True),
        ("PlayReply", '{"id": 3, "bid": 3}', False),
        ("ExchangeReply", '{"id": 3}', True),
        ("ExchangeReply", '{"id": 3, "cards": null}', False),
        ("PlayReply", '{"id": 3, "card": "AS", "note": null}', False),
        ("HelloReply", '{"id": 3, "name": null}', False),
        ("HelloReply", '{"id": 3, "name": 5}', False),
    ],
)
def test_a_reply_to_a_request_that_is_known_has_a_schema_of_its_own(
    kind: str, reply: str, sound: bool
) -> None:
    one = {"$ref": f"#/$defs/{kind}", "$defs": SCHEMAS["protocol"]()["$defs"]}
    assert Draft202012Validator(one).is_valid(json.loads(reply)) is sound


@pytest.mark.parametrize(
    "line",
    [
        '{"type": "claim"}',
        '{"type": "bid", "seat": "X", "bid": 3}',
        '{"type": "bid", "seat": "N"}',
        '{"type": "bid", "seat": "N", "bid": 3, "colour": "red"}',
        '{"type": "seal", "digest": "abc"}',
    ],
)
def test_a_line_that_no_record_has_is_none_by_the_schema(line: str) -> None:
    assert tell(line.encode(), "record")
