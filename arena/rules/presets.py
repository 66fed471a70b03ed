"""Named rule sets, and rules as they are written in a tournament file."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from protocol.rules import Rules

PRESETS: Final[dict[str, Rules]] = {
    "standard": Rules(),
    "classic": Rules(bag_overflow="reset", set_nil_bags="over_contract"),
    "four_player": Rules(spades_broken_by="cut", failed_nil_tricks="contract"),
    "app": Rules(floor=-200),
    "quick": Rules(floor=-200, target=250),
    "playingcards": Rules(blind_nil=200, spades_broken_by="cut"),
    "blind": Rules(blind_nil=200, blind_nil_deficit=100, blind_nil_exchange=2),
    "min4": Rules(min_team_bid=4),
    "no_bags": Rules(bag_penalty=0),
    "barmore": Rules(deck="jokers", lead_spades="any_time"),
    "nyc": Rules(deck="jokers_nyc", lead_spades="any_time"),
    # R8.2: the bag penalty and the short game are options of solo play.
    "solo": Rules(players="solo", min_bid=1, nil=0, bag_penalty=0),
    "solo_short": Rules(players="solo", min_bid=1, nil=0, bag_penalty=0, target=300),
    "solo_bags": Rules(players="solo", min_bid=1, nil=0, bag_penalty=100),
}
"""Every preset; what it does not name is as in `standard`."""


class RulesError(ValueError):
    """Options that do not make a game; the text is a sentence for whoever wrote them."""


def resolve(written: str | Mapping[str, Any]) -> Rules:
    """The rules that stand under `rules:` in a tournament file, the preset resolved.

    `written` is a preset's name, or options with an optional `preset`. Raises RulesError for an
    unknown preset or option, a value out of range, and options that do not go together.
    """
    rules = compose(written)
    if wrong := contradictions(rules):
        raise RulesError("; ".join(wrong.values()))
    return rules


def compose(written: str | Mapping[str, Any]) -> Rules:
    """The same, but for whether the options go together."""
    options = {"preset": written} if isinstance(written, str) else dict(written)
    name = options.pop("preset", "standard")
    if not isinstance(name, str) or name not in PRESETS:
        raise RulesError(f"unknown preset {name!r}: there are {', '.join(PRESETS)}")
    try:
        return msgspec.convert({**msgspec.structs.asdict(PRESETS[name]), **options}, Rules)
    except msgspec.ValidationError as error:
        raise RulesError(str(error)) from None


def contradictions(rules: Rules) -> dict[str, str]:
    """For each option that another excludes, a sentence."""
    found = {}
    if rules.players == "solo" and rules.min_team_bid:
        found["min_team_bid"] = "min_team_bid needs partners: in solo play a side has one bid"
    if rules.players == "solo" and rules.blind_nil_exchange:
        found["blind_nil_exchange"] = (
            "blind_nil_exchange needs partners: in solo play nobody can exchange"
        )
    return found
