"""Bytes to messages and back: no input, no output, no clock.

A line that is no proper reply raises `MalformedReply`, whose text is a sentence for the bot's
author. Whether a proper reply is also *allowed* is the referee's question, not this module's.
"""

from collections.abc import Callable
from typing import Final, get_args, overload

import msgspec

from protocol.malformed import (
    QUOTE_LIMIT,
    MalformedReply,
    diagnose,
    printable,
    quote,
    refuse_duplicates,
)
from protocol.messages import (
    AnyMessage,
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    Exchange,
    ExchangeReply,
    FinishedTrick,
    Hello,
    HelloReply,
    Message,
    Play,
    PlayReply,
    Reply,
    Request,
)

__all__ = [
    "QUOTE_LIMIT",
    "MalformedReply",
    "decode_message",
    "decode_reply",
    "encode",
    "printable",
    "quote",
    "reply_id",
]

_encode = msgspec.json.Encoder().encode
_encode_lines = msgspec.json.Encoder().encode_lines
"""It has room for a request from the start, where `encode` has to find more several times."""
_tricks: tuple[tuple[FinishedTrick, ...], msgspec.Raw] = ((), msgspec.Raw(b"[]"))
"""Those of the last request to play, and as JSON."""
_told: tuple[Message | None, bytes] = (None, b"")
"""The last message that wants no reply, and as a line."""

_REPLY_TYPE: Final[dict[type[Request], type[Reply]]] = {
    Hello: HelloReply,
    BlindNil: BlindNilReply,
    Bid: BidReply,
    Exchange: ExchangeReply,
    Play: PlayReply,
}
# With two fields that must be there and no third colon in the line, no key can stand in it twice.
_BOTH_REQUIRED: Final = frozenset({BidReply, PlayReply})
_Reading = tuple[type[Reply], Callable[[bytes], Reply], bool]
_REPLY: Final[dict[type[Request], _Reading]] = {
    asking: (kind, msgspec.json.Decoder(kind).decode, kind in _BOTH_REQUIRED)
    for asking, kind in _REPLY_TYPE.items()
}
"""Of each type of request: the type of its reply, what decodes it, and the above."""
_ANY_REPLY: Final[_Reading] = (Reply, msgspec.json.Decoder(Reply).decode, False)
"""The same for a request that this version does not know."""

_decode_message: Final = msgspec.json.Decoder(AnyMessage).decode
_KNOWN: Final = frozenset(kind.__struct_config__.tag for kind in get_args(AnyMessage))


def encode(message: Message | Reply) -> bytes:
    """The message as one line, its end included."""
    global _tricks, _told
    if type(message) is Play:
        # Finished tricks are most of a request, and the same in the four requests of a trick.
        tricks, encoded = _tricks
        if message.tricks is not tricks:
            tricks, encoded = _tricks = message.tricks, msgspec.Raw(_encode(message.tricks))
        message.tricks = encoded  # type: ignore[assignment]
        line = _encode_lines((message,))
        message.tricks = tricks
        return line
    if isinstance(message, Request | Reply):
        return _encode_lines((message,))
    told, line = _told  # all four seats are told the same
    if message is not told:
        _told = message, line = message, _encode_lines((message,))
    return line


@overload
def decode_reply(line: bytes, request: Hello) -> HelloReply: ...
@overload
def decode_reply(line: bytes, request: BlindNil) -> BlindNilReply: ...
@overload
def decode_reply(line: bytes, request: Bid) -> BidReply: ...
@overload
def decode_reply(line: bytes, request: Exchange) -> ExchangeReply: ...
@overload
def decode_reply(line: bytes, request: Play) -> PlayReply: ...
@overload
def decode_reply(line: bytes, request: Request) -> Reply: ...
def decode_reply(line: bytes, request: Request) -> Reply:
    """The reply to `request` that stands in `line` (without its end).

    Raises MalformedReply for a line that has another id, is not UTF-8 or not one JSON object, has a
    key twice, or lacks a field or has it of the wrong type.
    """
    try:
        kind, decode, both_required = _REPLY[type(request)]
    except KeyError:
        kind, decode, both_required = _of_a_later_version(type(request))
    try:
        if not line.isascii():
            line.decode()
        reply = decode(line)
    except (ValueError, RecursionError):
        pass
    else:
        if not both_required or line.count(b":") != 2:
            refuse_duplicates(line)
        if reply.id == request.id:
            return reply
    raise diagnose(line, kind, request.id)


def _of_a_later_version(asking: type[Request]) -> _Reading:
    """What is in `_REPLY` of a request that has more fields than it has now, or is unknown."""
    return next((_REPLY[base] for base in asking.__mro__ if base in _REPLY), _ANY_REPLY)


def decode_message(line: bytes) -> Message | None:
    """The arena's message in `line`; None where its `type` is one that this version lacks.

    Raises ValueError for a line that no arena sends.
    """
    try:
        message: Message = _decode_message(line)
        return message
    except msgspec.ValidationError:
        value = msgspec.json.decode(line)
        named = value.get("type") if isinstance(value, dict) else None
        if not isinstance(named, str) or named in _KNOWN:
            raise
        return None


def reply_id(line: bytes) -> int | None:
    """The `id` of a line that may be a reply, or None."""
    try:
        value = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return None
    found = value.get("id") if isinstance(value, dict) else None
    return found if type(found) is int else None
