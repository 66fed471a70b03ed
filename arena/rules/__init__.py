"""The rules of Spades as pure functions: bids, cards, scores, the end of a match; and presets.

Rules are numbered (R5.4); each is written in one place, which cites its number. No function here
knows a process, a clock or a file.
"""

from arena.rules.bidding import legal_bids, why_not_bid
from arena.rules.blind_nil import exchanges, offers_blind_nil, why_not_passed
from arena.rules.ending import Outcome, outcome
from arena.rules.play import breaks_spades, legal_cards, trick_winner, why_illegal
from arena.rules.presets import PRESETS, RulesError, compose, contradictions, resolve
from arena.rules.scoring import SeatResult, SideScore, long_run_points, score_side, score_stopped
from arena.rules.sides import seats_of, side_of, sides

__all__ = [
    "PRESETS",
    "Outcome",
    "RulesError",
    "SeatResult",
    "SideScore",
    "breaks_spades",
    "compose",
    "contradictions",
    "exchanges",
    "legal_bids",
    "legal_cards",
    "long_run_points",
    "offers_blind_nil",
    "outcome",
    "resolve",
    "score_side",
    "score_stopped",
    "seats_of",
    "side_of",
    "sides",
    "trick_winner",
    "why_illegal",
    "why_not_bid",
    "why_not_passed",
]
