"""In words: solo play (R8)."""

from arena.rules.words.documents import PARTNERSHIP, SOLO
from arena.rules.words.parts import Rule, alternatives
from protocol.rules import Rules


def solo_play(rules: Rules) -> tuple[Rule, ...]:
    """R8."""
    solo = rules.players == "solo"
    worth = f"{rules.bag_points} {'point' if rules.bag_points == 1 else 'points'}"
    penalty = (
        f"and every {rules.bag_limit} cost {rules.bag_penalty}"
        if rules.bag_penalty
        else "with no penalty for many"
    )
    instead = alternatives(rules, "players", "solo")
    return (
        Rule(
            "R8.1",
            "Each of the four seats plays for itself: it has a bid, a contract, bags and a score of"
            " its own."
            if solo
            else "A side has two seats: this is not solo play.",
            (SOLO,) if solo else PARTNERSHIP,
            note="The presets for solo play begin at a bid of 1 and have no nil, as 002 does.",
            alternatives=instead,
        ),
        Rule(
            "R8.2",
            f"An overtrick is worth {worth}, {penalty}. The match goes to"
            f" {rules.target}; level at the top, another deal is played."
            if solo
            else "This is not solo play: R5.7 says what bags are worth, R6 when the match ends.",
            (SOLO,) if solo else (),
            note="By 002 only some games have the bag penalty (`bag_penalty`), and a target of 300"
            " suits a short game (`target`).",
            alternatives=instead,
        ),
    )
