"""Bytes to messages and back: no input, no output, no clock.

A line that is no proper reply raises `MalformedReply`, whose text is a sentence for the bot's
author. Whether a proper reply is also *allowed* is the referee's question, not this module's.
"""

import json
from typing import Any, Final, get_args, overload

import msgspec

from protocol.messages import (
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    DealEnd,
    Exchange,
    ExchangeReply,
    Fault,
    Hello,
    HelloReply,
    MatchEnd,
    Message,
    Play,
    PlayReply,
    Reply,
    Request,
)

QUOTE_LIMIT: Final = 200
"""Characters of a bot's line that a sentence quotes."""


class MalformedReply(ValueError):
    """A line that is no proper reply; its text quotes it and says what was expected."""


class UnaskedReply(MalformedReply):
    """A line that answers no request, or not this one."""


_encode_into = msgspec.json.Encoder().encode_into
_buffer: Final = bytearray()
"""Used again for each message, as a new one would have to grow with it."""

_REPLY_TYPE: Final[dict[type[Request], type[Reply]]] = {
    Hello: HelloReply,
    BlindNil: BlindNilReply,
    Bid: BidReply,
    Exchange: ExchangeReply,
    Play: PlayReply,
}
_DECODE: Final = {kind: msgspec.json.Decoder(kind).decode for kind in _REPLY_TYPE.values()}
_EXAMPLE: Final[dict[type[Reply], str]] = {
    HelloReply: '{"id": %d}',
    BlindNilReply: '{"id": %d, "blind_nil": true}',
    BidReply: '{"id": %d, "bid": 3}',
    ExchangeReply: '{"id": %d, "cards": ["2S", "9H"]}',
    PlayReply: '{"id": %d, "card": "AS"}',
}
# With both of these and no third colon in the line, no key can stand in it twice.
_BOTH_REQUIRED: Final = frozenset({BidReply, PlayReply})

_AnyMessage = Hello | BlindNil | Bid | Exchange | Play | Fault | DealEnd | MatchEnd
_decode_message: Final = msgspec.json.Decoder(_AnyMessage).decode
_KNOWN: Final = frozenset(kind.__struct_config__.tag for kind in get_args(_AnyMessage))


def encode(message: Message | Reply) -> bytes:
    """The message as one line, its end included."""
    _encode_into(message, _buffer)
    _buffer.append(ord("\n"))
    return bytes(_buffer)


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
            _refuse_duplicates(line)
        if reply.id == request.id:
            return reply
    raise _diagnose(line, kind, request.id)


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


def unasked(line: bytes) -> UnaskedReply:
    """What to say of a line that answers no request."""
    return UnaskedReply(
        f"no request was waiting for this line: {quote(line)} - write one line for each message"
        ' that has an "id", echo that id, and print debug output to standard error'
    )


def printable(text: str) -> str:
    """The text with every control, escape and other unprintable character written as `\\x1b`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def quote(raw: bytes) -> str:
    """A bot's bytes as printable text in quotes, cut to QUOTE_LIMIT characters."""
    # Four bytes a character at most, and one more that tells whether anything is cut.
    text = raw[: 4 * QUOTE_LIMIT + 4].decode(errors="backslashreplace")
    shown = printable(text[: QUOTE_LIMIT + 1])
    return f"'{shown[:QUOTE_LIMIT]}...'" if len(shown) > QUOTE_LIMIT else f"'{shown}'"


def _refuse_duplicates(line: bytes) -> None:
    """msgspec takes the last of two equal keys; the standard library shows them both."""

    def unique(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise MalformedReply(
                    f"the key {quote(key.encode())} stands twice in {quote(line)} - write each"
                    " key once"
                )
            seen.add(key)

    try:
        # Numbers stay text: a huge one is no reason to fail here.
        json.loads(
            line, object_pairs_hook=unique, parse_int=str, parse_float=str, parse_constant=str
        )
    except RecursionError:  # some depths that msgspec can still skip are too much for this reader
        raise MalformedReply(f"nested too deeply: {quote(line)} - write a flat object") from None


def _diagnose(line: bytes, kind: type[Reply], wanted: int) -> MalformedReply:
    """The sentence for a line that is not the reply that was wanted."""
    shown = quote(line)
    example = _EXAMPLE[kind] % wanted
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return MalformedReply(
            f"not UTF-8 (byte 0x{line[error.start]:02x} at position {error.start}): {shown} -"
            " write UTF-8 or plain ASCII"
        )
    try:
        value = msgspec.json.decode(line)
    except RecursionError:
        return MalformedReply(f"nested too deeply: {shown} - expected {example}")
    except ValueError as error:
        return MalformedReply(
            f"not JSON ({error}): {shown} - expected one line such as {example}; print debug"
            " output to standard error"
        )
    if not isinstance(value, dict):
        return MalformedReply(f"not a JSON object: {shown} - expected one such as {example}")
    if "id" not in value:
        return MalformedReply(
            f'the field "id" is missing: {shown} - echo the id of the request, as in {example}'
        )
    if type(value["id"]) is not int:
        return MalformedReply(f'"id" must be the integer {wanted}: {shown} - as in {example}')
    if value["id"] != wanted:
        return unasked(line)
    _refuse_duplicates(line)
    try:
        _DECODE[kind](line)
    except ValueError as error:
        return MalformedReply(f"{error}: {shown} - expected {example}")
    return MalformedReply(f"not a reply to this request: {shown} - expected {example}")
