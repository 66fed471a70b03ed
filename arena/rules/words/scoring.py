"""In words: what a deal is worth, and when a match is over (R5, R6)."""

from typing import Final

from arena.rules.words.documents import APP, CLASSIC, EVERY, FOUR, IO, PAGAT, PARTNERSHIP, SOLO
from arena.rules.words.parts import Documents, Readings, Rule, alternatives
from protocol.rules import Rules

_BROKEN_NIL: Final[Readings] = {
    "bags": (
        "The tricks of a broken nil never count towards the partner's contract; each is a bag.",
        (PAGAT, CLASSIC, APP),
    ),
    "contract": (
        "The tricks of a broken nil count towards the partner's contract like any other.",
        (FOUR,),
    ),
}
_SET_NIL: Final[Readings] = {
    "count": (
        "The tricks of a broken nil are bags even if the partner is set. A bid of 5 that took 3,"
        " beside a nil that took 2: with the usual points that is -50 - 100 + 2 = -148, and 2"
        " bags.",
        (PAGAT, APP),
    ),
    "over_contract": (
        "If the partner is set, only what the side took above its contract are bags. A bid of 5"
        " that took 3, beside a nil that took 2: with the usual points that is -50 - 100 = -150,"
        " and no bag.",
        (CLASSIC,),
    ),
    "none": ("A side that is set gets no bags, whatever its broken nil took.", (APP,)),
}
_OVERFLOW: Final[Readings] = {
    "carry": (
        "Bags above the limit stay on the count, and a step over two limits costs twice.",
        (PAGAT, APP, FOUR),
    ),
    "reset": (
        "The count then goes back to 0, and one step costs one penalty at most.",
        (CLASSIC,),
    ),
}
_TARGETS: Final[dict[int, Documents]] = {500: EVERY, 300: (SOLO,), 250: (APP,)}


def scoring(rules: Rules) -> tuple[Rule, ...]:
    """R5."""
    return (
        Rule(
            "R5.1",
            "The contract of a side is what it bid above 0. Tricks taken by a seat that did not"
            " bid nil count towards it.",
            EVERY,
        ),
        Rule(
            "R5.2",
            "A contract that is made scores 10 points for each trick of it; tricks beyond it are"
            " bags. A contract that is missed (the side is set) loses 10 points for each trick of"
            " it, and the tricks taken towards it are no bags.",
            EVERY,
        ),
        _nils(rules),
        *_broken_nils(rules),
        _bags(rules),
        Rule(
            "R5.8",
            "Score and bag count are two separate whole numbers; a score below 0 changes nothing"
            " about bags.",
            (),
        ),
    )


def _nils(rules: Rules) -> Rule:
    lines = []
    if rules.nil:
        lines.append(
            f"A nil that is made scores {rules.nil} points for its side; if its bidder takes a"
            " trick or more the side loses as many."
        )
    if rules.blind_nil:
        lines.append(f"A blind nil likewise wins or loses {rules.blind_nil} points.")
    if not lines:
        return Rule("R5.3", "There are no nils to score.", (SOLO,))
    lines.append("A nil is judged by the tricks of its own seat alone.")
    note = "Blind nil is worth 200 by 001 and 004." if rules.blind_nil else ""
    return Rule("R5.3", " ".join(lines), PARTNERSHIP, note=note)


def _broken_nils(rules: Rules) -> tuple[Rule, Rule, Rule]:
    """R5.4 to R5.6; nothing is to be chosen where there are no nils, or no partners."""
    if not rules.nil and not rules.blind_nil:
        return (
            Rule("R5.4", "There are no nils that could be broken.", (SOLO,)),
            Rule("R5.5", "So no side is set beside a nil.", (SOLO,)),
            Rule("R5.6", "Every side has a contract.", (SOLO,)),
        )
    if rules.players == "solo":
        return (
            Rule("R5.4", "The tricks of a broken nil are bags, as no partner has a contract.", ()),
            Rule("R5.5", "No side is set beside a nil, as a side is one seat.", ()),
            Rule("R5.6", "A side that bid nil has no contract: each trick it takes is a bag.", ()),
        )
    set_nil, documents = _SET_NIL[rules.set_nil_bags]
    moot = rules.failed_nil_tricks == "contract"
    return (
        Rule(
            "R5.4",
            *_BROKEN_NIL[rules.failed_nil_tricks],
            note="The documents differ: 000 and 001 keep these tricks apart; 003 only has the side"
            " make the partner's bid and sets no trick aside; 004 is silent. The default is"
            " bags.",
            alternatives=alternatives(rules, "failed_nil_tricks", *_BROKEN_NIL),
        ),
        Rule(
            "R5.5",
            "(R5.4 leaves nothing to decide here.) " + set_nil if moot else set_nil,
            documents,
            note="The documents differ: the first text of 000 makes them bags without condition,"
            " its second text only above the partner's bid. 001 says that a set side gets no"
            " bags, and that the tricks of a nil are bags. The default is to count them.",
            alternatives=() if moot else alternatives(rules, "set_nil_bags", *_SET_NIL),
        ),
        Rule(
            "R5.6",
            "If both partners bid nil, each nil is judged by itself; the contract is 0, and every"
            " trick is a bag.",
            (),
        ),
    )


def _bags(rules: Rules) -> Rule:
    points, limit, penalty = rules.bag_points, rules.bag_limit, rules.bag_penalty
    worth = f"A bag scores {points} {'point' if points == 1 else 'points'} and is counted."
    overflow, documents = _OVERFLOW[rules.bag_overflow]
    if not penalty:
        worth, overflow, documents = f"{worth} The count costs nothing.", "", (APP, SOLO)
    return Rule(
        "R5.7",
        f"{worth} A count of {limit} costs {penalty} points. {overflow}" if penalty else worth,
        documents,
        note="The documents differ: after a penalty the bags above ten stay by the first text of"
        " 000, by 001 and by 003, and the count begins at 0 again by the second text of 000; 004"
        " does not say. The default is that they stay. By 002 only some games have the penalty,"
        " and by 001 some tables skip it.",
        alternatives=(
            *(alternatives(rules, "bag_overflow", *_OVERFLOW) if penalty else ()),
            *alternatives(rules, "bag_penalty", 100, 0),
        ),
    )


def winning(rules: Rules) -> tuple[Rule, ...]:
    """R6."""
    return (
        Rule(
            "R6.1",
            "Scores change at the end of a deal. A side that then has"
            f" {rules.target} points or more wins; of several the one with the highest score. If"
            " these are level another deal is played, until one side is there and ahead of all"
            " others.",
            _TARGETS.get(rules.target, ()),
            note="The higher score wins by 000 and 001; another deal if level by 001 and 002; 003"
            " and 004 say neither. 003 leaves the target to the players.",
            alternatives=alternatives(rules, "target", *_TARGETS),
        ),
        Rule(
            "R6.2",
            "No score is so low that it ends the match."
            if rules.floor is None
            else f"A side at {rules.floor} points or less loses at once, and the highest other"
            " side wins; if the highest are level another deal is played. If all sides are that"
            " low the higher score wins; level, another deal is played.",
            (PAGAT, CLASSIC, SOLO, FOUR, IO) if rules.floor is None else (APP,),
            note="The documents differ: only 001 has a floor. The default is none. What happens if"
            " several sides are that low is the arena's own.",
            alternatives=alternatives(rules, "floor", None, -200),
        ),
        Rule(
            "R6.3",
            f"After {rules.max_deals} deals the higher score wins, and level is a draw.",
            (),
            note="This bounds a match between bots that never get anywhere; `max_deals` sets it.",
        ),
    )
