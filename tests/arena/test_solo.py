"""Solo play: four sides of one seat (R8)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import view
from arena.bot import BotFault, ScriptedBot
from arena.events import BidMade, DealEnded, MatchEnded
from arena.rules import PRESETS, Outcome, outcome
from arena.state import Bidding
from protocol.cards import SEATS, Seat
from protocol.messages import BidReply, HelloReply, MatchEnd
from protocol.rules import Rules
from tests.arena.tables import choosers, play, started, states

SOLO = PRESETS["solo_short"]
FLOOR = Rules(players="solo", min_bid=1, nil=0, floor=-200)


@pytest.mark.parametrize(
    ("rules", "points", "deals", "expected"),
    [
        (SOLO, "300 0 0 0", 1, ("N", "target")),
        (SOLO, "299 0 0 0", 1, None),
        (SOLO, "300 301 299 350", 1, ("W", "target")),
        # level at the top, also of three, another deal; level below it is nobody's business
        (SOLO, "310 0 310 0", 1, None),
        (SOLO, "310 310 310 0", 9, None),
        (SOLO, "310 300 300 300", 1, ("N", "target")),
        (SOLO, "310 0 310 0", 100, (None, "max_deals")),
        (SOLO, "0 0 0 0", 100, (None, "max_deals")),
        (SOLO, "0 1 0 0", 100, ("E", "max_deals")),
        # the floor ends it for all, and the highest wins
        (SOLO, "-900 0 1 2", 1, None),
        (FLOOR, "-199 0 1 2", 1, None),
        (FLOOR, "-200 0 1 2", 1, ("W", "floor")),
        (FLOOR, "-200 2 1 2", 1, None),
        (FLOOR, "-200 -300 1 -900", 1, ("S", "floor")),
        (FLOOR, "-200 -300 -400 -900", 1, ("N", "floor")),
        (FLOOR, "-200 -200 -400 -900", 1, None),
        (FLOOR, "-200 500 0 0", 1, ("E", "target")),
        (FLOOR, "-200 500 500 0", 1, None),
    ],
)
def test_a_match_of_four_ends_so(
    rules: Rules, points: str, deals: int, expected: tuple[Seat | None, str] | None
) -> None:
    score: dict[str, int] = dict(zip(SEATS, map(int, points.split()), strict=True))
    ended = outcome(rules, score, deals)
    assert (ended and (ended.winner, ended.reason)) == expected


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("replies", range(3))
def test_a_forfeit_has_an_offender_and_no_winner(seat: Seat, replies: int) -> None:
    fault = BotFault("timeout", "no line - hurry")
    script = [HelloReply(id=0), BidReply(id=0, bid=1)]
    bots = {**choosers(1), seat: ScriptedBot([*script[:replies], fault])}
    events, state = play(started(SOLO), bots)
    assert state.outcome == Outcome(None, "forfeit", seat, offender=seat)
    assert isinstance(events[-1], MatchEnded)
    assert (events[-1].winner, events[-1].forfeited) == (None, seat)
    told = MatchEnd(winner=None, reason="forfeit", score=state.score, faults={seat: {"timeout": 1}})
    assert all(bot.told[-1] == told for bot in bots.values())


@given(seed=st.integers(0, 2**32), name=st.sampled_from(["solo", "solo_short", "solo_bags"]))
@settings(max_examples=20)
def test_sides_are_seats_everywhere(seed: int, name: str) -> None:
    match = started(PRESETS[name])
    events, final = play(match, choosers(seed))
    assert final.ended
    assert final.outcome
    assert final.outcome.winner is None or final.outcome.winner in SEATS
    assert set(final.score) == set(final.bags) == set(final.points) == set(SEATS)
    for state, event in states(events):
        if isinstance(state.phase, Bidding):
            request = view.request(state)
            assert list(request.score) == list(request.bags) == list(SEATS)
            assert isinstance(event, BidMade)
            assert event.bid >= 1
        if isinstance(event, DealEnded):
            for seat in SEATS:
                contract, taken = view.deal_end(state, event).bids[seat], event.taken[seat]
                made = 10 * contract + taken - contract
                due = made if taken >= contract else -10 * contract
                bags = state.bags[seat] + max(0, taken - contract)
                penalty = 100 if name == "solo_bags" and bags >= 10 else 0
                assert event.delta[seat] == due - penalty
                assert event.bags[seat] == (bags - 10 if penalty else bags)
