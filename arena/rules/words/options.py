"""In words: what each option sets, what it can be set to, and how options are written."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec

from arena.rules.words.parts import Value
from protocol.rules import Rules


class Option(NamedTuple):
    """A key under `rules:`."""

    key: str
    values: str
    default: Value
    meaning: str


MEANINGS: Final[dict[str, str]] = {
    "players": "who plays together (R1.2, R8)",
    "deck": "without jokers, with two, or with two and a 2D that is a trump (R7)",
    "target": "the score that wins (R6.1)",
    "floor": "the score, below 0, that loses; null: none (R6.2)",
    "max_deals": "deals after which the match ends (R6.3)",
    "min_bid": "the lowest bid (R2.3)",
    "min_team_bid": "the least that the bids of a side come to; 0: off (R2.4)",
    "nil": "points for a nil; 0: there is no nil (R2.3, R5.3)",
    "blind_nil": "points for a blind nil; 0: there is none (R3, R5.3)",
    "blind_nil_deficit": "points a side must be behind to be offered it (R3.2)",
    "blind_nil_exchange": "cards that go to the partner and come back; 0: none (R3.3)",
    "lead_spades": "when a spade may be led (R4.3, R4.5)",
    "spades_broken_by": "the spade that breaks spades: any, or only one on another suit (R4.4)",
    "failed_nil_tricks": "what the tricks of a broken nil are (R5.4)",
    "set_nil_bags": "which of them are bags when the partner is set (R5.5)",
    "bag_points": "points for a bag (R5.7)",
    "bag_limit": "bags that cost a penalty (R5.7)",
    "bag_penalty": "points of the penalty; 0: none (R5.7)",
    "bag_overflow": "whether the bags above the limit stay on the count (R5.7)",
}
"""Option -> what it sets."""


def options() -> list[Option]:
    """Every option, in the order of `Rules`."""
    schema = msgspec.json.schema(Rules)["$defs"]["Rules"]["properties"]
    return [
        Option(key, _values(schema[key]), getattr(Rules(), key), meaning)
        for key, meaning in MEANINGS.items()
    ]


def differences(rules: Rules) -> dict[str, Value]:
    """The options that are not as in `standard`."""
    written: dict[str, Value] = msgspec.to_builtins(rules)
    standard: dict[str, Value] = msgspec.to_builtins(Rules())
    return {key: value for key, value in written.items() if value != standard[key]}


def as_yaml(key: str, value: Value) -> str:
    """A line under `rules:` of a tournament file."""
    return f"{key}: {'null' if value is None else value}"


def _values(schema: Mapping[str, Any]) -> str:
    """What an option can be set to, its default first where these are words."""
    if "anyOf" in schema:
        return " or ".join(map(_values, reversed(schema["anyOf"])))
    if "enum" in schema:
        default = schema["default"]
        return ", ".join([default, *(word for word in schema["enum"] if word != default)])
    if schema["type"] == "null":
        return "null"
    return f"{schema['minimum']:,} to {schema['maximum']:,}"
