"""The page of the messages between the arena and a bot."""

import re
from pathlib import Path
from typing import Final, get_args

from msgspec import Struct

import protocol
from protocol.messages import AnyMessage, AnyReply
from tournaments.reference.fields import title, with_inner
from tournaments.reference.markdown import MADE, page
from tournaments.reference.sections import sections

_INTRODUCTION: Final = """\
# Messages

Every message between the arena and a bot, one JSON object a line.
[The protocol](../../protocol/README.md) is their specification, with all that must be kept besides;
`spades-arena schema protocol` prints the same as a JSON Schema.
"""
_TO_BOT: Final = """\
## Arena to bot

The arena leaves no field out: what has no value is null.
"""
_TO_ARENA: Final = """\
## Bot to arena

A reply goes to one request, whose `id` it echoes. Fields that are not here are ignored.
"""


def messages_page() -> str:
    """The page: a table and a line for each message and each reply."""
    to_bot = sections(
        with_inner(get_args(AnyMessage)),
        "field",
        defaults=lambda _: False,
        example=lambda kind: _example(title(kind), 0),
    )
    to_arena = sections(
        get_args(AnyReply),
        "field",
        defaults=lambda _: True,
        example=lambda kind: _example(_asked(kind), 1),
    )
    return page(_INTRODUCTION, MADE, _TO_BOT, *to_bot, _TO_ARENA, *to_arena)


def _asked(reply: type[Struct]) -> str:
    """What a reply goes to."""
    return title(reply).removesuffix(" reply").replace(" ", "_")


def _example(name: str, place: int) -> str:
    """A line from the specification, where a message stands first and the reply to it second."""
    specification = Path(protocol.__file__).with_name("README.md").read_text()
    (text,) = re.findall(rf"^### {name}\n(.*?)(?=^##)", specification, re.M | re.S) or [""]
    blocks = re.findall(r"^```json\n.*?^```", text, re.M | re.S)
    return blocks[place] if blocks else ""
