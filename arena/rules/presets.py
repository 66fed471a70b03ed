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
    options = {"preset": written} if isinstance(written, str) else dict(written)
    name = options.pop("preset", "standard")
    if not isinstance(name, str) or name not in PRESETS:
        raise RulesError(f"unknown preset {name!r}: there are {', '.join(PRESETS)}")
    try:
        rules = msgspec.convert({**msgspec.structs.asdict(PRESETS[name]), **options}, Rules)
    except msgspec.ValidationError as error:
        raise RulesError(str(error)) from None
    refuse_contradictions(rules)
    return rules


def refuse_contradictions(rules: Rules) -> None:
    """Raises RulesError where options exclude each other."""
    if rules.players == "solo" and rules.min_team_bid:
        raise RulesError("min_team_bid needs partners: in solo play a side has one bid")
    if rules.players == "solo" and rules.blind_nil_exchange:
        raise RulesError("blind_nil_exchange needs partners: in solo play nobody can exchange")
