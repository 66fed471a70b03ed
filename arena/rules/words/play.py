"""In words: the play of the cards, decks with jokers, illegal bids and cards (R4, R7, R9)."""

from typing import Final

from arena.rules.words.documents import APP, CLASSIC, EVERY, FOUR, IO, PAGAT, SOLO
from arena.rules.words.parts import Readings, Rule, alternatives
from protocol.rules import Rules

_BREAKING: Final[Readings] = {
    "any_spade": (
        "Spades are broken as soon as any spade has been played, even one that a hand of nothing"
        " but spades had to lead.",
        (PAGAT, CLASSIC, APP, SOLO),
    ),
    "cut": (
        "Spades are broken only by a spade that is played when another suit was led. One that a"
        " hand of nothing but spades had to lead does not break them.",
        (PAGAT, APP, FOUR, IO),
    ),
}
_LEADING: Final[Readings] = {
    "broken": ("A spade may be led only as R4.3 says.", EVERY),
    "any_time": (
        "A spade may be led at any time, to the first trick too: R4.3 does not hold.",
        (APP,),
    ),
}


def play(rules: Rules) -> tuple[Rule, ...]:
    """R4."""
    lifted = "" if rules.lead_spades == "broken" else "(Not in force, see R4.5.) "
    return (
        Rule(
            "R4.1",
            "The dealer's left leads to the first trick, and whoever takes a trick leads to the"
            " next.",
            EVERY,
        ),
        Rule(
            "R4.2",
            "A seat follows the suit led if it can. If it can't it plays any card; that may be a"
            " spade, in the first trick too.",
            EVERY,
        ),
        Rule(
            "R4.3",
            f"{lifted}No spade is led before spades are broken, except by a hand that holds"
            " nothing but spades. So it is in the first trick too.",
            EVERY,
            note="000, 001 and 003 forbid a spade as the first lead of all, by the letter even to"
            " a hand of 13 spades; 003 and the second text of 000 name no exception later either."
            " The others, and 001 for the first trick too, except a hand of nothing but spades. So"
            " it is here, since such a hand has nothing else to play.",
        ),
        Rule(
            "R4.4",
            *_BREAKING[rules.spades_broken_by],
            note="The documents differ, two of them with themselves: 000 (first text) and 001 say"
            " that the first spade played breaks spades, and in another place that it must have"
            " been played on the lead of another suit; 000 (second text) and 002 say the former,"
            " 003 and 004 the latter. The default is any spade.",
            alternatives=alternatives(rules, "spades_broken_by", *_BREAKING),
        ),
        Rule(
            "R4.5",
            *_LEADING[rules.lead_spades],
            note="001 knows leads of spades at any time as a house rule, from Dennis J. Barmore"
            " and from others, that its own tables don't have. The default is not to allow them.",
            alternatives=alternatives(rules, "lead_spades", *_LEADING),
        ),
        Rule(
            "R4.6",
            "The highest spade takes the trick. If there is none in it the highest card of the"
            " suit led does.",
            EVERY,
        ),
    )


def decks(rules: Rules) -> tuple[Rule, ...]:
    """R7."""
    jokers, nyc = rules.deck != "standard", rules.deck == "jokers_nyc"
    return (
        Rule(
            "R7.1",
            "The 2C and the 2H leave; the big joker BJ and the little joker LJ come in. The trumps"
            " are, from the highest: BJ LJ 2S AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S."
            if jokers
            else "There are no jokers.",
            (APP,) if jokers else EVERY,
            note="001 reports the decks with jokers after pagat.com, from the rules that Dennis J."
            " Barmore describes; its own tables and all other documents play without. The default"
            " is to play without.",
            alternatives=alternatives(rules, "deck", "standard" if jokers else "jokers"),
        ),
        Rule(
            "R7.2",
            "The 2D is a trump too, between LJ and 2S, as in New York City."
            if nyc
            else "The 2D is a diamond like any other.",
            (APP,) if nyc else EVERY,
            alternatives=alternatives(rules, "deck", "jokers" if nyc else "jokers_nyc"),
        ),
        Rule(
            "R7.3",
            "Every trump, the jokers included, counts as a spade for following, leading and"
            " breaking. So does a 2D that is a trump."
            if jokers
            else "The trumps are the 13 spades.",
            (APP,) if jokers else EVERY,
            note="001 says so of the jokers; that it holds of the 2D is the arena's own."
            if jokers
            else "",
            alternatives=alternatives(rules, "deck", "standard" if jokers else "jokers"),
        ),
    )


def renege() -> tuple[Rule, ...]:
    """R9."""
    return (
        Rule(
            "R9",
            "A bid, a card or an exchange that is illegal never counts. What the reply costs is in"
            " the tournament's fault policy. By its policy `forfeit` it costs the match. By"
            " `substitute` the arena plays the lowest legal card instead, or makes the lowest legal"
            " bid over nil, declines a blind nil, passes the lowest cards; until the offender has"
            " been at fault too often, and forfeits. By `set` the deal ends there: the offender's"
            " side loses 10 points for each trick of its contract, and its nils fail; each"
            " other side scores its contract as made exactly and its nils as kept; there are no"
            " bags. Before all have bid there is nothing to set, and the offender forfeits the"
            " match.",
            (APP,),
            note="By 001 the usual remedy for an illegal card at a table is that the offending team"
            " is set, and its own app lets nobody play one. The details are the arena's own.",
        ),
    )
