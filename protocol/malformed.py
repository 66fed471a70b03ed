"""What to say to a bot's author of a line that is no proper reply.

A sentence tells what was sent, what was expected, and the usual cause. It stands in the record, so
it is of the line and the request alone: either may have come first.
"""

import json
from typing import Any, Final

import msgspec

from protocol.messages import (
    BidReply,
    BlindNilReply,
    ExchangeReply,
    HelloReply,
    PlayReply,
    Reply,
)

QUOTE_LIMIT: Final = 200
"""Characters of a bot's line that a sentence quotes."""

_EXACT: Final = 2**53
"""Numbers are shown up to this size."""

_EXAMPLE: Final[dict[type[Reply], str]] = {
    Reply: '{"id": %d}',
    HelloReply: '{"id": %d}',
    BlindNilReply: '{"id": %d, "blind_nil": true}',
    BidReply: '{"id": %d, "bid": 3}',
    ExchangeReply: '{"id": %d, "cards": ["2S", "9H"]}',
    PlayReply: '{"id": %d, "card": "AS"}',
}
_MUST_BE: Final = {
    "bid": "a whole number",
    "blind_nil": "true or false",
    "card": "a string",
    "cards": "a list of strings",
    "name": "a string",
    "note": "a string",
    "version": "a string",
}
_WHY_NOT_JSON: Final = (
    ("invalid character", ""),
    ("truncated", " (its end is missing)"),
    ("trailing characters", " (text follows its end)"),
    ("trailing comma", " (a comma before the closing bracket)"),
    ("keys must be strings", " (keys must be in double quotes)"),
    ("out of range", " (a number is out of range)"),
)
"""Part of the reader's words, and what to say instead."""


class MalformedReply(ValueError):
    """A line that is no proper reply; its text quotes it and says what was expected."""


def printable(text: str, but: str = "") -> str:
    """The text with every control, escape and other unprintable character written as `\\x1b`.

    Those of `but` stay: "\\n\\t" where the text may have more lines than one.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in but else repr(c)[1:-1] for c in text)


def quote(raw: bytes) -> str:
    """A bot's bytes as printable text in quotes, cut to QUOTE_LIMIT characters."""
    # Four bytes a character at most, and one more that tells whether anything is cut.
    text = raw[: 4 * QUOTE_LIMIT + 4].decode(errors="backslashreplace")
    shown = printable(text[: QUOTE_LIMIT + 1])
    return f"'{shown[:QUOTE_LIMIT]}...'" if len(shown) > QUOTE_LIMIT else f"'{shown}'"


def refuse_duplicates(line: bytes) -> None:
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


def diagnose(line: bytes, kind: type[Reply], wanted: int) -> MalformedReply:
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
            f"not JSON{_why_not_json(error)}: {shown} - expected one line such as {example};"
            " print debug output to standard error"
        )
    if not isinstance(value, dict):
        return MalformedReply(f"not a JSON object: {shown} - expected one such as {example}")
    found = value.get("id")
    if found != wanted or type(found) is not int:
        return _wrong_id(value, wanted, shown, example)
    refuse_duplicates(line)
    reason = _wrong_field(value, kind) or "not a reply to this request"
    return MalformedReply(f"{reason}: {shown} - expected {example}")


def _why_not_json(error: ValueError) -> str:
    """The reader's reason in brackets, or nothing where it tells nobody anything."""
    said = str(error)
    for part, words in _WHY_NOT_JSON:
        if part in said:
            return words
    return f" ({said.removeprefix('JSON is malformed: ').partition(' (byte ')[0]})"


def _wrong_id(value: dict[str, Any], wanted: int, shown: str, example: str) -> MalformedReply:
    """The sentence for an object without the id that was wanted, with the usual cause."""
    found = value.get("id")
    if found is None:
        null = f'"id" must be the integer {wanted}, and is null'
        what = null if "id" in value else 'the field "id" is missing'
        return MalformedReply(
            f"{what}: {shown} - echo the id of the request, as in {example} (did it answer a"
            " message that has no id, such as deal_end?)"
        )
    if type(found) is not int or abs(found) > _EXACT:
        return MalformedReply(f'"id" must be the integer {wanted}: {shown} - as in {example}')
    again = " (is it a second line for one request?)" if 0 < found < wanted else ""
    return MalformedReply(
        f'"id" is {found}, and that of the request is {wanted}: {shown} - write one line for each'
        f' message that has an "id", and echo that id{again}'
    )


def _wrong_field(value: dict[str, Any], kind: type[Reply]) -> str | None:
    """What is wrong with the first field that is; None where they are all proper."""
    for field in msgspec.structs.fields(kind):
        name = field.name
        if name not in value:
            if field.required:
                return f'the field "{name}" is missing'
            continue
        found = value[name]
        try:
            msgspec.convert(found, field.type)
        except msgspec.ValidationError:
            if name == "cards" and type(found) is list:
                stranger = next(item for item in found if type(item) is not str)
                return f'"cards" must be {_MUST_BE[name]}, and has {_described(stranger)} in it'
            return f'"{name}" must be {_MUST_BE[name]}, and is {_described(found)}'
    return None


def _described(value: object) -> str:
    """A value of JSON in a few words."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value) if abs(value) < _EXACT else "a huge number"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "an object"
