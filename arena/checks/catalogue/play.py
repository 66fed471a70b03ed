"""Checks of what a bot decides, by all rules and in every corner."""

from typing import Final

from arena.checks.catalogue.check import Check

DECISIONS: Final = (
    Check(
        "answers_bid",
        "makes a legal bid",
        "no fault `illegal` at a bid",
        "choose one of the numbers in legal",
    ),
    Check(
        "answers_play",
        "plays a card that it holds",
        "no fault `illegal` for a card of nobody's",
        "choose one of the cards in legal, written as there",
    ),
    Check(
        "follows_suit",
        "follows suit",
        "no fault `illegal` for a revoke",
        "choose from legal, not from hand: a card of the suit led must be played if there is one",
    ),
    Check(
        "unbroken_spades",
        "leads no spade before spades are broken",
        "no fault `illegal` at a lead",
        "choose from legal, not from hand",
    ),
    Check(
        "answers_blind_nil",
        "answers an offer of blind nil",
        "no fault at a request that has no hand",
        'reply {"id": n} to decline, or with "blind_nil": true; there is no hand in this request',
    ),
    Check(
        "answers_exchange",
        "passes cards to its partner",
        "no fault at the request that comes after a blind nil",
        'reply "cards" with count different cards of hand, or {"id": n} for the lowest ones',
    ),
    Check(
        "next_deal",
        "goes on with the next deal after deal_end",
        "no fault at the second deal",
        "start anew at each bid: every request has all that is known of the deal",
    ),
    Check(
        "ended_deal",
        "goes on after a deal that a fault has ended",
        "no fault at a deal_end with fewer than 13 tricks",
        "take deal_end as it comes: tricks may be few, and the next request is a bid",
    ),
)

CORNERS: Final = (
    Check(
        "forced_spade_lead",
        "leads a spade from a hand of nothing else, unbroken",
        "no fault where the usual rule has its exception",
        "choose from legal: it has spades where the hand has nothing but spades",
    ),
    Check(
        "broken_spades",
        "leads from a hand with spades once they are broken",
        "no fault at a lead late in a deal",
        "choose from legal, which has spades now",
    ),
    Check(
        "single_card",
        "plays the only legal card",
        "no fault where there is nothing to choose",
        "choose from legal, also if it has one card",
    ),
    Check(
        "void",
        "discards or ruffs when it can't follow",
        "no fault where the whole hand is legal",
        "choose from legal, which is the whole hand now",
    ),
    Check(
        "last_trick",
        "plays its last card",
        "no fault at the end of a deal",
        "choose from legal, which has the only card of hand",
    ),
    Check(
        "nil_bids",
        "plays on beside and against a nil",
        "no fault where a bid is 0",
        "a bid may be 0, the partner's too",
    ),
    Check(
        "longest_request",
        "reads the longest request there is",
        "no fault where a buffer is too small",
        "read whole lines of any length up to 64 KiB",
    ),
    Check(
        "large_numbers",
        "takes ids, scores and seeds as large as they get",
        "no fault late in a long match",
        "ids need 32 bits and seeds 64; scores may be negative and have six digits",
    ),
)

RULES: Final = (
    Check(
        "every_preset",
        "plays by every preset for partners",
        "no fault in a tournament by other rules",
        "rules in hello may have any value: choose from legal, and all are kept",
    ),
    Check(
        "joker_decks",
        "plays with both joker decks",
        "no fault for LJ, BJ, or a 2D that is a spade",
        "LJ and BJ are spades, and in jokers_nyc so is 2D: choose from legal, by the order there",
    ),
    Check(
        "solo_play",
        "plays for itself alone",
        "no fault where partner is null and there are four sides",
        "partner may be null; score and bags have a key for each seat then",
    ),
    Check(
        "bank",
        "plays with a bank of time",
        "no fault where bank_ms is a number",
        "bank_ms is null or a number with a fraction: the clock is the smaller of it and move_ms",
    ),
)

TOLERANCE: Final = (
    Check(
        "unknown_fields",
        "ignores fields that it does not know",
        "a later version of the arena does not break it",
        "take the fields that you need, in objects inside too, and ignore all others",
    ),
    Check(
        "unknown_values",
        "takes a ruling and a reason that it does not know",
        "a later version of the arena does not break it",
        "read ruling and reason as any text, and end with status 0 after match_end",
    ),
    Check(
        "unknown_messages",
        "ignores messages without an id that it does not know",
        "a later version of the arena does not break it",
        "ignore a message without an id whose type you don't know",
    ),
    Check(
        "unknown_requests",
        "answers requests that it does not know",
        "a later version of the arena does not break it",
        'reply {"id": n} and nothing else to a message with an id whose type you don\'t know',
    ),
    Check(
        "fault_messages",
        "plays on after a message that tells it of a fault",
        "one fault that is forgiven does not bring the next",
        "log a message of type fault, and go on",
    ),
)
