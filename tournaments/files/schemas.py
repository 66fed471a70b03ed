"""JSON Schemas of what is written for the arena and by it, from the types it is checked against."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, get_args

import msgspec

from arena.events import AnyEvent, Sealed
from protocol.messages import AnyMessage, AnyReply
from tournaments.files.vocabulary import BotFile, TournamentFile

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_OURS: Final = ("x-", "discriminator")
"""What keys begin with that are not JSON Schema's: strict validators refuse them."""

Schema = dict[str, Any]


def tournament() -> Schema:
    """Of a tournament file."""
    return _published(
        "tournament",
        "A tournament file of Spades Arena",
        "What contradicts itself, and bots that are not there, are found by `spades-arena run`.",
        msgspec.json.schema(TournamentFile),
    )


def bot() -> Schema:
    """Of a bot.yaml."""
    return _published(
        "bot",
        "The bot.yaml of a Spades bot",
        "How a bot is built and started.",
        msgspec.json.schema(BotFile),
    )


def protocol() -> Schema:
    """Of a line between arena and bot, in both directions; each kind of line is in `$defs`.

    What has a `type` is the arena's message, what has none is a reply. A reply does not tell what
    it is to: whoever knows the request takes `#/$defs/BidReply`, `#/$defs/PlayReply` and so on.
    """
    messages, replies = msgspec.json.schema(AnyMessage), _schema_of_each(get_args(AnyReply))
    for each in messages["$defs"].values():
        each["required"] = list(each["properties"])  # the arena leaves no field out
    definitions = messages.pop("$defs") | replies
    definitions["AnyMessage"] = messages
    definitions["AnyReply"] = _any_of(replies)
    return _published(
        "protocol",
        "A line between Spades Arena and a bot",
        "With a `type` it is the arena's message, without one a bot's reply. A reply that is"
        " checked here may be to any request; #/$defs/BidReply and so on are those to one. Not said"
        " here: the `id` is that of the request, no key stands twice, and 3.0 is no integer.",
        {
            "if": {"required": ["type"]},
            "then": {"$ref": "#/$defs/AnyMessage"},
            "else": {"$ref": "#/$defs/AnyReply"},
            "$defs": definitions,
        },
    )


def record() -> Schema:
    """Of a line of a record."""
    return _published(
        "record",
        "A line of the record of a match of Spades Arena",
        "Whether the lines agree with the rules and each other is said by `spades-arena verify`.",
        msgspec.json.schema(AnyEvent | Sealed),
    )


SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "tournament": tournament,
    "bot": bot,
    "protocol": protocol,
    "record": record,
}


def _published(name: str, title: str, description: str, schema: Schema) -> Schema:
    head = {
        "$schema": DIALECT,
        "$id": f"urn:spades-arena:schema:{name}",
        "title": title,
        "description": description,
    }
    found: Schema = _standard(head | schema)
    return found


def _standard(schema: Any) -> Any:
    """The schema without what JSON Schema has no word for."""
    if isinstance(schema, list):
        return [_standard(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _standard(value) for key, value in schema.items() if not key.startswith(_OURS)}


def _schema_of_each(kinds: Iterable[type]) -> Schema:
    """Name of a type -> its schema."""
    _, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return definitions


def _any_of(replies: Mapping[str, Schema]) -> Schema:
    """A reply to whatever request: a field that any of them has is as it is there."""
    fields = {name: of for each in replies.values() for name, of in each["properties"].items()}
    return {
        "title": "AnyReply",
        "description": "A reply, whatever it is to.",
        "type": "object",
        "properties": fields,
        "required": ["id"],
    }
