"""What a proper reply is, by the strictest reading of the standard library's JSON."""

import json
from collections.abc import Callable
from typing import Any

from protocol.messages import (
    Bid,
    BlindNil,
    Exchange,
    Hello,
    Play,
    Request,
)


def is_integer(value: Any) -> bool:
    return type(value) is int


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_truth(value: Any) -> bool:
    return isinstance(value, bool)


def is_cards(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


Fields = dict[str, Callable[[Any], bool]]

REQUIRED: dict[type[Request], Fields] = {
    Hello: {},
    BlindNil: {},
    Bid: {"bid": is_integer},
    Exchange: {},
    Play: {"card": is_text},
}
OPTIONAL: dict[type[Request], Fields] = {
    Hello: {"note": is_text, "name": is_text, "version": is_text},
    BlindNil: {"note": is_text, "blind_nil": is_truth},
    Bid: {"note": is_text},
    Exchange: {"note": is_text, "cards": is_cards},
    Play: {"note": is_text},
}


def read_strictly(line: bytes, request: Request) -> dict[str, Any] | None:
    """The line as a reply to the request, whether what it says is allowed or not; None: it is none.

    A number of more digits than Python reads is infinite here.
    """
    try:
        value = json.loads(
            line.decode(), object_pairs_hook=_unique, parse_int=_integer, parse_constant=_refuse
        )
        json.dumps(value, ensure_ascii=False).encode()  # half of a surrogate pair is no text
    except ValueError:
        return None
    if not isinstance(value, dict) or not is_integer(value.get("id")) or value["id"] != request.id:
        return None
    required, optional = REQUIRED[type(request)], OPTIONAL[type(request)]
    given = {key: fits for key, fits in optional.items() if key in value}
    proper = all(key in value and fits(value[key]) for key, fits in {**required, **given}.items())
    return value if proper else None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= 4_300 else float("inf")


def _refuse(constant: str) -> None:
    raise ValueError(constant)
