"""In words: the cards, the bids, and blind nil (R1 to R3)."""

from typing import Final

from arena.rules.words.documents import APP, CLASSIC, EVERY, FOUR, IO, PAGAT, PARTNERSHIP, SOLO
from arena.rules.words.parts import Readings, Rule, alternatives
from protocol.rules import Rules

_PLAYERS: Final[Readings] = {
    "partners": (
        "Seats opposite each other are partners: the sides are NS and EW.",
        PARTNERSHIP,
    ),
    "solo": ("Each seat plays for itself and is a side of its own.", (SOLO,)),
}


def cards_and_seats(rules: Rules) -> tuple[Rule, ...]:
    """R1."""
    jokers = "" if rules.deck == "standard" else " Jokers take the place of two of them (R7.1)."
    sides, documents = _PLAYERS[rules.players]
    return (
        Rule(
            "R1.1",
            "There are 52 cards: spades, hearts, diamonds and clubs (S H D C), each from the ace"
            " down to the two: A K Q J T 9 8 7 6 5 4 3 2. A card is written rank first: AS, TD,"
            f" 2C.{jokers}",
            (PAGAT, APP, FOUR, IO),
            note="How a card is written is the arena's own.",
        ),
        Rule(
            "R1.2",
            f"The seats are N, E, S and W, clockwise. {sides}",
            documents,
            alternatives=alternatives(rules, "players", *_PLAYERS),
        ),
        Rule(
            "R1.3",
            "The first dealer comes from the match's seed or from the schedule. After each deal"
            " the deal passes to the next seat clockwise.",
            (PAGAT, APP, SOLO, FOUR),
            note="At a table chance (000, 003) or a high card (002, 003) chooses the first dealer;"
            " the seed stands for that.",
        ),
        Rule(
            "R1.4",
            "The cards are dealt singly and clockwise, beginning at the dealer's left, until each"
            " seat has 13.",
            (PAGAT, APP, SOLO, FOUR, IO),
        ),
    )


def bidding(rules: Rules) -> tuple[Rule, ...]:
    """R2."""
    nil = rules.nil > 0 and rules.min_bid == 0
    zero = " A bid of 0 is nil, the promise to take no trick." if nil else ""
    who = "a side or the table" if rules.players == "partners" else "the table"
    return (
        Rule(
            "R2.1",
            "The dealer's left bids first, then the others clockwise, each once. Nobody passes,"
            " and a bid once made stands.",
            EVERY,
        ),
        Rule(
            "R2.2",
            f"A bid is a number of tricks up to 13.{zero} Nothing limits what {who} bids in sum.",
            PARTNERSHIP if nil else (SOLO,),
        ),
        Rule(
            "R2.3",
            _lowest_bid(rules),
            PARTNERSHIP if nil else (SOLO,),
            note="The documents differ: all on the partnership game have nil; 002, on solo play,"
            " begins at 1 and has none. The default is a game with nil.",
            alternatives=(
                # Without nil the lowest bid is 1 by either.
                *(alternatives(rules, "min_bid", 0, 1) if rules.nil or rules.min_bid > 1 else ()),
                *(() if rules.min_bid else alternatives(rules, "nil", 0 if rules.nil else 100)),
            ),
        ),
        _team_bid(rules),
    )


def _lowest_bid(rules: Rules) -> str:
    if rules.min_bid:
        return f"The lowest bid is {rules.min_bid}, so nobody bids 0 after seeing the cards."
    if rules.nil:
        return "Nil may be bid, and there is no other lowest bid."
    return "There is no nil: a bid of 0 is refused, and the lowest is 1."


def _team_bid(rules: Rules) -> Rule:
    if rules.players == "solo":
        text = "A side is one seat here: there is no least bid of partners."
        return Rule("R2.4", text, (SOLO,))
    least = rules.min_team_bid
    text = "The bids of a side need not come to anything."
    if least:
        text = (
            f"The two bids of a side must come to at least {least}; its second bidder has to see to"
            f" that. Beside a nil the other bid alone must reach {least}, and nil is refused to a"
            " seat whose partner has bid less."
        )
    return Rule(
        "R2.4",
        text,
        (APP,) if least else (PAGAT, CLASSIC, FOUR),
        note="001 names a minimum team bid of 4 as a house rule and says no more; how it works"
        " here is the arena's own. The default is none, as no other document has one.",
        alternatives=alternatives(rules, "min_team_bid", 0, 4),
    )


def blind_nil(rules: Rules) -> tuple[Rule, ...]:
    """R3."""
    points = rules.blind_nil
    return (
        Rule(
            "R3.1",
            f"Before it sees its cards a seat is asked whether it bids blind nil, for {points}"
            " points. If it declines it sees its cards and bids like anybody."
            if points
            else "There is no blind nil: every seat bids after seeing its cards.",
            (APP, IO) if points else (PAGAT, CLASSIC, APP, SOLO, FOUR),
            note="004 plays blind nil; 001 knows it as a house rule that its own tables don't"
            " have; the others don't name it. The default is to play without.",
            alternatives=alternatives(rules, "blind_nil", 0, 200),
        ),
        _deficit(rules),
        _exchange(rules),
        _both_blind(rules),
    )


def _deficit(rules: Rules) -> Rule:
    behind = rules.blind_nil_deficit
    text = f"only to a side at least {behind} points behind the best" if behind else "at any score"
    return Rule(
        "R3.2",
        f"Blind nil, if there is any, is offered {text}.",
        (APP,) if behind else (IO,),
        note="The documents differ: 001 has from pagat.com that a side must usually be 100 points"
        " behind; 004 sets no condition. The default is none.",
        alternatives=alternatives(rules, "blind_nil_deficit", 0, 100),
    )


def _exchange(rules: Rules) -> Rule:
    count = rules.blind_nil_exchange
    cards = "a card" if count == 1 else f"{count} cards"
    text = (
        f"After all bids a blind-nil bidder passes {cards} to its partner. The partner sees what it"
        " got and passes as many back, if it likes the same ones."
        if count
        else "Nobody passes cards to a partner, not even beside a blind nil."
    )
    return Rule(
        "R3.3",
        text,
        (APP,) if count else (IO,),
        note="The documents differ: by 001 a blind-nil bidder may swap two cards with its partner;"
        " 004 has no swap. The default is none. That the bidder passes first is the arena's own.",
        alternatives=alternatives(rules, "blind_nil_exchange", 0, 2)
        if rules.players == "partners"
        else (),
    )


def _both_blind(rules: Rules) -> Rule:
    who = "Several seats" if rules.players == "solo" else "Both partners"
    once = (
        " They still exchange only once, and the one who bid first passes first."
        if rules.blind_nil_exchange
        else ""
    )
    return Rule("R3.4", f"{who} may bid blind nil, if there is any.{once}", ())
