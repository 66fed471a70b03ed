"""Bytes to messages and back: no input, no output, no clock.

A line that is no proper reply raises `MalformedReply`, whose text is a sentence for the bot's
author. Whether a proper reply is also *allowed* is the referee's question, not this module's.
"""

from typing import Final, get_args, overload

import msgspec
from msgspec.structs import replace

from protocol.malformed import (
    QUOTE_LIMIT,
    MalformedReply,
    UnaskedReply,
    diagnose,
    printable,
    quote,
    refuse_duplicates,
    unasked,
)
from protocol.messages import (
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    DealEnd,
    Exchange,
    ExchangeReply,
    Fault,
    FinishedTrick,
    Hello,
    HelloReply,
    MatchEnd,
    Message,
    Play,
    PlayReply,
    Reply,
    Request,
)

__all__ = [
    "QUOTE_LIMIT",
    "MalformedReply",
    "UnaskedReply",
    "decode_message",
    "decode_reply",
    "encode",
    "printable",
    "quote",
    "reply_id",
    "unasked",
]

_encode = msgspec.json.Encoder().encode
_tricks: tuple[tuple[FinishedTrick, ...], msgspec.Raw] = ((), msgspec.Raw(b"[]"))
"""Those of the last request to play, and as JSON."""

_REPLY_TYPE: Final[dict[type[Request], type[Reply]]] = {
    Hello: HelloReply,
    BlindNil: BlindNilReply,
    Bid: BidReply,
    Exchange: ExchangeReply,
    Play: PlayReply,
}
_DECODE: Final = {kind: msgspec.json.Decoder(kind).decode for kind in _REPLY_TYPE.values()}
# With both of these and no third colon in the line, no key can stand in it twice.
_BOTH_REQUIRED: Final = frozenset({BidReply, PlayReply})

_AnyMessage = Hello | BlindNil | Bid | Exchange | Play | Fault | DealEnd | MatchEnd
_decode_message: Final = msgspec.json.Decoder(_AnyMessage).decode
_KNOWN: Final = frozenset(kind.__struct_config__.tag for kind in get_args(_AnyMessage))


def encode(message: Message | Reply) -> bytes:
    """The message as one line, its end included."""
    if type(message) is not Play:
        return _encode(message) + b"\n"
    # Finished tricks are most of a request, and the same in the four requests of a trick.
    global _tricks
    tricks, encoded = _tricks
    if message.tricks is not tricks:
        _tricks = tricks, encoded = message.tricks, msgspec.Raw(_encode(message.tricks))
    return _encode(replace(message, tricks=encoded)) + b"\n"


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

    Raises UnaskedReply for a line with another id, MalformedReply for any other that is not
    UTF-8, not one JSON object, has a key twice, or lacks a field or has it of the wrong type.
    """
    kind = _REPLY_TYPE[type(request)]
    try:
        line.decode()
        reply = _DECODE[kind](line)
    except (ValueError, RecursionError):
        pass
    else:
        if line.count(b":") != 2 or kind not in _BOTH_REQUIRED:
            refuse_duplicates(line)
        if reply.id == request.id:
            return reply
    raise diagnose(line, kind, request.id)


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
