"""The fault policy `set`: a fault in the play ends the deal, and costs the contract (R9)."""

from collections.abc import Callable, Mapping
from itertools import accumulate, repeat
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from arena import fold
from arena.bot import BotFault, ScriptedBot
from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    DealEnded,
    Dealt,
    Faulted,
    FaultPolicy,
    Greeted,
    MatchEnded,
    RequestType,
)
from arena.faults import ENDING
from arena.fold import IllegalEvent, apply
from arena.record import Writer, judge
from arena.rules import Outcome
from arena.state import Exchanging, Offering, Playing, State, Stopped, begin
from protocol.cards import SEATS, Seat
from protocol.messages import (
    DealEnd,
    Fault,
    FaultKind,
    Hello,
    MatchEnd,
    Play,
    PlayReply,
    Reply,
    Request,
    Ruling,
)
from protocol.rules import Rules
from tests.arena.tables import (
    DEALER,
    FORFEIT,
    SET,
    choose,
    choosers,
    hands,
    play,
    started,
    states,
)

KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
ORDER: list[Seat] = ["W", "N", "E", "S"]  # S deals
BLIND = Rules(blind_nil=200, blind_nil_exchange=2)
SOLO = Rules(players="solo", min_bid=1, nil=0, bag_penalty=0)
SOLO_NIL = Rules(players="solo")
TRICK: list[AnyEvent] = [
    CardPlayed(seat="W", card="2C"),
    CardPlayed(seat="N", card="JC"),
    CardPlayed(seat="E", card="5C"),
    CardPlayed(seat="S", card="7C"),
]


def faulted(
    seat: Seat,
    request: RequestType = "play",
    kind: FaultKind = "illegal",
    ruling: Ruling = "set",
) -> Faulted:
    return Faulted(seat=seat, kind=kind, request=request, detail="-", raw=None, ruling=ruling)


def bid(
    bids: str,
    rules: Rules = Rules(),  # noqa: B008 - frozen
    *,
    blind: str = "",
    score: Mapping[str, int] | None = None,
    bags: Mapping[str, int] | None = None,
    policy: FaultPolicy = SET,
) -> State:
    """The first deal after these bids of N, E, S and W."""
    state = begin(started(rules, faults=policy))
    state = replace(
        state, score={**state.score, **(score or {})}, bags={**state.bags, **(bags or {})}
    )
    state = apply(state, Dealt(deal=1, dealer=DEALER, hands=hands(1, DEALER, state.deck)))
    numbers = dict(zip(SEATS, map(int, bids.split()), strict=True))
    for seat in ORDER:
        if isinstance(state.phase, Offering):
            state = apply(state, BlindNilAnswered(seat=seat, blind_nil=seat in blind))
        if seat not in blind:
            state = apply(state, BidMade(seat=seat, bid=numbers[seat]))
    return state


def stopped_by(state: State, offender: Seat) -> DealEnded:
    """The end of the deal, where the first fault is one of this seat in the first trick."""
    while isinstance(state.phase, Exchanging):
        lowest = state.deck.names(state.phase.deal.hands[state.phase.turn])
        count = state.rules.blind_nil_exchange
        state = apply(state, CardsPassed(seat=state.phase.turn, cards=lowest[:count]))
    *_, state = accumulate(TRICK[: ORDER.index(offender)], apply, initial=state)
    return fold.deal_end(apply(state, faulted(offender)))


SCORES: list[tuple[Rules, str, str, Seat, dict[str, int]]] = [
    # contracts: the offender's side loses its own, the other scores its own exactly
    (Rules(), "3 4 2 1", "", "W", {"NS": 50, "EW": -50}),
    (Rules(), "3 4 2 1", "", "E", {"NS": 50, "EW": -50}),
    (Rules(), "3 4 2 1", "", "N", {"NS": -50, "EW": 50}),
    (Rules(), "3 4 2 1", "", "S", {"NS": -50, "EW": 50}),
    (Rules(), "13 13 13 13", "", "S", {"NS": -260, "EW": 260}),
    # nils: those of the offender's side fail, the other's are kept, whoever offends
    (Rules(), "0 4 5 0", "", "N", {"NS": -150, "EW": 140}),
    (Rules(), "0 4 5 0", "", "S", {"NS": -150, "EW": 140}),
    (Rules(), "0 4 5 0", "", "E", {"NS": 150, "EW": -140}),
    (Rules(), "0 0 0 0", "", "W", {"NS": 200, "EW": -200}),
    (Rules(nil=50), "0 4 5 0", "", "W", {"NS": 100, "EW": -90}),
    # blind ones
    (BLIND, "0 4 5 0", "N", "N", {"NS": -250, "EW": 140}),
    (BLIND, "0 4 5 0", "NW", "S", {"NS": -250, "EW": 240}),
    (BLIND, "0 4 5 0", "NW", "W", {"NS": 250, "EW": -240}),
    (BLIND, "0 0 0 0", "NESW", "W", {"NS": 400, "EW": -400}),
    (Rules(nil=0, blind_nil=200), "0 4 5 3", "N", "W", {"NS": 250, "EW": -70}),
    # other readings of bags and failed nils have no say here
    (Rules(failed_nil_tricks="contract", set_nil_bags="none"), "0 4 5 0", "", "N", {"NS": -150}),
    (Rules(bag_points=5, bag_penalty=50, bag_limit=1), "3 4 2 1", "", "N", {"NS": -50, "EW": 50}),
    # in solo play all others score
    (SOLO, "3 4 2 1", "", "N", {"N": -30, "E": 40, "S": 20, "W": 10}),
    (SOLO, "3 4 2 1", "", "W", {"N": 30, "E": 40, "S": 20, "W": -10}),
    (SOLO_NIL, "3 4 0 0", "", "S", {"N": 30, "E": 40, "S": -100, "W": 100}),
]


@pytest.mark.parametrize(("rules", "bids", "blind", "offender", "delta"), SCORES)
def test_a_deal_that_is_set_scores_contracts_and_nils_and_no_bags(
    rules: Rules, bids: str, blind: str, offender: Seat, delta: dict[str, int]
) -> None:
    before = begin(started(rules)).score
    bags = {side: 3 + i for i, side in enumerate(before)}
    score = {side: 100 * i for i, side in enumerate(before)}
    ended = stopped_by(bid(bids, rules, blind=blind, score=score, bags=bags), offender)
    assert {side: ended.delta[side] for side in delta} == delta
    assert ended.score == {side: score[side] + ended.delta[side] for side in score}
    assert ended.bags == bags
    assert ended.taken == dict.fromkeys(SEATS, 0)


def test_tricks_that_were_taken_count_for_nothing() -> None:
    state = bid("0 3 3 3")
    *_, state = accumulate(TRICK, apply, initial=state)
    assert isinstance(state.phase, Playing)
    assert state.phase.taken["N"] == 1  # its nil is broken
    ended = fold.deal_end(apply(state, faulted("N")))
    assert (ended.delta, ended.taken["N"]) == ({"NS": -130, "EW": 60}, 1)
    state = apply(state, CardPlayed(seat="N", card="3D"))
    ended = fold.deal_end(apply(state, faulted("E")))
    assert (ended.delta, ended.taken["N"]) == ({"NS": 130, "EW": -60}, 1)


def last_trick() -> State:
    """One card is still to be played."""
    events, _ = play(started(Rules(max_deals=1), faults=SET), choosers(1))
    state = next(s for s, e in states(events) if isinstance(e, DealEnded))
    assert isinstance(state.phase, Playing)
    return next(
        s
        for s, e in states(events)
        if isinstance(e, CardPlayed) and e.card == state.phase.tricks[-1].cards[-1]
    )


MOMENTS: dict[str, tuple[State, RequestType]] = {
    "first card": (bid("3 3 3 3"), "play"),
    "last card": (last_trick(), "play"),
    "exchange": (bid("0 3 3 3", BLIND, blind="N"), "exchange"),
    "exchange back": (
        apply(bid("0 3 3 3", BLIND, blind="N"), CardsPassed(seat="N", cards=("JC", "3D"))),
        "exchange",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("state", "request_"), MOMENTS.values(), ids=MOMENTS)
def test_every_kind_of_fault_ends_the_deal_from_the_last_bid_to_the_last_card(
    state: State, request_: RequestType, kind: FaultKind
) -> None:
    phase = state.phase
    assert isinstance(phase, Playing | Exchanging)
    assert fold.ruling(state, phase.turn, kind) == "set"
    stopped = apply(state, faulted(phase.turn, request_, kind))
    assert isinstance(stopped.phase, Stopped)
    assert stopped.outcome is None
    assert stopped.faults == {phase.turn: {kind: 1}}
    ended = fold.deal_end(stopped)
    assert ended.delta[stopped.phase.offender] < 0
    after = apply(stopped, ended)
    assert (after.phase, after.deals, after.score) == (None, 1, ended.score)
    assert after.points == ended.delta
    assert after.dealer == "W"


@pytest.mark.parametrize("kind", KINDS)
def test_before_all_have_bid_there_is_nothing_to_set(kind: FaultKind) -> None:
    begun = begin(started(BLIND, faults=SET))
    offered = apply(begun, Dealt(deal=1, dealer=DEALER, hands=hands(1, DEALER, begun.deck)))
    asked = apply(offered, BlindNilAnswered(seat="W", blind_nil=False))
    for state, request in ((begun, "hello"), (offered, "blind_nil"), (asked, "bid")):
        fault = faulted("W", request, kind, "forfeit")  # type: ignore[arg-type]
        with pytest.raises(IllegalEvent, match="the ruling is forfeit by the fault policy"):
            apply(state, replace(fault, ruling="set"))
        after = apply(state, fault)
        assert after.outcome == Outcome("NS", "forfeit", "EW", offender="W")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_its_own_ruling(kind: FaultKind) -> None:
    one = replace(FORFEIT, **{kind: "set"})
    others = replace(SET, **{kind: "forfeit"})
    for policy, found in ((one, "set"), (others, "forfeit")):
        state = bid("3 3 3 3", policy=policy)
        assert {k: fold.ruling(state, "W", k) for k in KINDS} == {
            k: found if k == kind else ("forfeit" if found == "set" else "set") for k in KINDS
        }


@pytest.mark.parametrize(
    ("policy", "ruling", "wrong"), [(SET, "set", "forfeit"), (FORFEIT, "forfeit", "set")]
)
def test_another_ruling_than_the_policy_s_is_refused(
    policy: FaultPolicy, ruling: Ruling, wrong: Ruling
) -> None:
    state = bid("3 3 3 3", policy=policy)
    apply(state, faulted("W", ruling=ruling))
    with pytest.raises(IllegalEvent, match=f"the ruling is {ruling} by the fault policy"):
        apply(state, faulted("W", ruling=wrong))


def test_nothing_but_the_end_of_the_deal_follows() -> None:
    state = apply(bid("3 3 3 3"), faulted("W"))
    due = fold.deal_end(state)
    dealt = Dealt(deal=2, dealer="W", hands={})
    for event in (*TRICK, dealt, faulted("W"), faulted("N"), BidMade(seat="W", bid=3)):
        with pytest.raises(IllegalEvent):
            apply(state, event)
    with pytest.raises(IllegalEvent, match=r"score is .*, recomputed"):
        apply(state, replace(due, score={**due.score, "NS": 0}))
    assert apply(state, due).phase is None


@pytest.mark.parametrize(
    ("score", "winner", "reason"),
    [
        ({"NS": 440, "EW": 499}, "NS", "target"),
        ({"NS": 430, "EW": 499}, None, None),
        ({"NS": 440, "EW": 700}, "EW", "target"),
        ({"NS": 0, "EW": -140}, "NS", "floor"),
        ({"NS": 0, "EW": -139}, None, None),
    ],
)
def test_a_match_may_end_by_a_deal_that_was_set(
    score: dict[str, int], winner: str | None, reason: str | None
) -> None:
    state = apply(bid("3 3 3 3", Rules(floor=-200), score=score), faulted("W"))
    after = apply(state, fold.deal_end(state))
    assert (after.outcome and (after.outcome.winner, after.outcome.reason)) == (
        (winner, reason) if reason else None
    )


def renege(request: Request) -> Reply:
    return PlayReply(id=0, card="XX")


def test_the_next_deal_goes_on_and_everybody_is_told() -> None:
    sound = repeat(choose(Random(1)), 3)
    bots = {
        **choosers(1),
        "W": ScriptedBot([*sound, renege, *repeat(choose(Random(1)), 14)]),
    }
    match = started(Rules(max_deals=2), faults=SET)
    events, state = play(match, bots)
    assert state.deals == 2
    assert state.outcome
    assert state.outcome.reason == "max_deals"
    assert state.faults == {"W": {"illegal": 1}}
    assert [type(message) for message in bots["W"].told] == [Fault, DealEnd, DealEnd, MatchEnd]
    fault, first, second, _ = bots["W"].told
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.ruling) == ("illegal", "set")
    assert isinstance(first, DealEnd)
    assert isinstance(second, DealEnd)
    assert (len(first.tricks), len(second.tricks)) == (1, 13)
    assert sum(first.taken.values()) == 1
    assert first.bags == {"NS": 0, "EW": 0}
    assert [len(hand) for hand in first.hands.values()] == [13] * 4
    assert [type(message) for message in bots["N"].told] == [DealEnd, DealEnd, MatchEnd]

    writer = Writer()
    for event in events:
        writer.add(event)
    assert judge(writer.close()) == (match, state)


def plays(kind: FaultKind) -> Callable[[Request], Reply]:
    """Bids, and is at fault whenever it is to play."""

    def step(request: Request) -> Reply:
        if isinstance(request, Play):
            raise BotFault(kind, "it did this - do that")
        return choose(Random(1))(request)

    return step


@pytest.mark.parametrize("kind", KINDS)
def test_who_is_set_in_every_deal_loses_a_match_that_ends(kind: FaultKind) -> None:
    bots = {**choosers(1), "W": ScriptedBot(repeat(plays(kind)))}
    events, state = play(started(Rules(nil=0), faults=SET), bots)
    assert state.outcome == Outcome("NS", "target", forfeited=None)
    assert state.faults == {"W": {kind: state.deals}}
    hellos = [request for request in bots["W"].asked if isinstance(request, Hello)]
    assert len(hellos) == (state.deals if kind in ENDING else 1)
    assert sum(isinstance(e, Greeted) and e.seat == "W" for e in events) == len(hellos)


def test_all_four_may_be_gone_in_every_deal() -> None:
    bots = {seat: ScriptedBot(repeat(plays("exit"))) for seat in SEATS}
    _, state = play(started(Rules(nil=0, max_deals=8), faults=SET), bots)
    assert state.outcome
    assert state.outcome.reason == "max_deals"
    # Who leads the first trick is at fault first, and the others of the deal are never asked.
    assert state.faults == {seat: {"exit": 2} for seat in SEATS}


@pytest.mark.parametrize(
    ("then", "request_"),
    [
        ([BotFault("start", "it can't be started - do that")], "hello"),
        ([choose(Random(1)), BotFault("exit", "it ended - see its log")], "bid"),
    ],
    ids=["it can't be started", "it ends before it has bid"],
)
def test_who_is_gone_and_does_not_come_to_bid_again_forfeits(
    then: list[BotFault | Callable[[Request], Reply]], request_: RequestType
) -> None:
    gone = BotFault("exit", "it ended - see its log")
    bots = {
        **choosers(1),
        "W": ScriptedBot([*repeat(choose(Random(1)), 3), gone, *then]),
    }
    events, state = play(started(Rules(max_deals=9), faults=SET), bots)
    faults = [event for event in events if isinstance(event, Faulted)]
    assert [(fault.request, fault.ruling) for fault in faults] == [
        ("play", "set"),
        (request_, "forfeit"),
    ]
    assert state.deals == 1
    assert state.score["NS"] > 0 > state.score["EW"]
    assert isinstance(events[-1], MatchEnded)
    ended = events[-1]
    assert (ended.winner, ended.reason, ended.forfeited) == ("NS", "forfeit", "EW")
