"""In words: every rule as any options have it."""

from msgspec.structs import replace

from arena.rules.words.before_play import bidding, blind_nil, cards_and_seats
from arena.rules.words.parts import Choice, Rule, Section
from arena.rules.words.play import decks, play, renege
from arena.rules.words.scoring import scoring, winning
from arena.rules.words.solo import solo_play
from protocol.rules import Rules


def in_words(rules: Rules) -> tuple[Section, ...]:
    """Every rule as `rules` have it."""
    return (
        Section("R1", "Cards and seats", cards_and_seats(rules)),
        Section("R2", "Bidding", bidding(rules)),
        Section("R3", "Blind nil", blind_nil(rules)),
        Section("R4", "Play", play(rules)),
        Section("R5", "Scoring a deal", scoring(rules)),
        Section("R6", "Winning", winning(rules)),
        Section("R7", "Decks with jokers", decks(rules)),
        Section("R8", "Solo play", solo_play(rules)),
        Section("R9", "Illegal bids and cards", renege()),
    )


def instead(rules: Rules, number: str, choice: Choice) -> Rule:
    """The rule of that number with one option of `rules` at another value."""
    changed = in_words(replace(rules, **{choice.option: choice.value}))
    return next(rule for section in changed for rule in section.rules if rule.number == number)
