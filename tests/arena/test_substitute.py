"""The fault policy `substitute`: the arena decides, starts a bot again, and counts (R9)."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat

import pytest
from msgspec.structs import replace

from arena import faults, fold
from arena.bot import BotFault, ScriptedBot
from arena.events import (
    AnyEvent,
    BidMade,
    BlindNilAnswered,
    CardPlayed,
    CardsPassed,
    DealEnded,
    Dealt,
    Decision,
    Faulted,
    FaultPolicy,
    Greeted,
    MatchEnded,
    RequestType,
)
from arena.fold import IllegalEvent, apply
from arena.record import BadRecord, Writer, judge, seal
from arena.rules import Outcome
from arena.state import State, Substituting, begin
from protocol.cards import SEATS, Seat
from protocol.messages import (
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    Exchange,
    ExchangeReply,
    Fault,
    FaultKind,
    Hello,
    HelloReply,
    Play,
    PlayReply,
    Reply,
    Request,
)
from protocol.rules import Rules
from tests.arena.tables import DEALER, KINDS, every, hands, play, started

SUBSTITUTE = every("substitute")
ONE_DEAL = Rules(max_deals=1)
TWO_DEALS = Rules(max_deals=2)
BLIND = Rules(max_deals=1, blind_nil=200, blind_nil_exchange=2)
# S deals first, so W is the first to bid and to lead, then N; their hands:
# W 2C 3C 4C 6C 8C 9C TC QC TD AD 2H 6S 8S
# N JC 3D 5D 6D 9D 3H 6H QH KH AH 4S 9S KS

Script = list[FaultKind | None]
"""What becomes of each request to a seat, None for a reply; later ones are answered."""
ALWAYS: dict[FaultKind, Script] = {kind: [kind] * 40 for kind in KINDS}


def sound(request: Request) -> Reply:
    """A reply that is none of the lowest."""
    match request:
        case Bid():
            return BidReply(id=0, bid=3 if 3 in request.legal else request.legal[-1])
        case Play():
            return PlayReply(id=0, card=request.legal[-1])
        case BlindNil():
            return BlindNilReply(id=0, blind_nil=request.seat == "W")
        case Exchange():
            return ExchangeReply(id=0, cards=list(request.hand[-request.count :]))
    return HelloReply(id=0)


def scripted(script: Script) -> ScriptedBot:
    steps = [BotFault(kind, "it did this - do that") if kind else sound for kind in script]
    return ScriptedBot([*steps, *repeat(sound, 500)])


def match(
    policy: FaultPolicy = SUBSTITUTE,
    rules: Rules = ONE_DEAL,
    scripts: Mapping[Seat, Script] = {},
) -> tuple[dict[Seat, ScriptedBot], list[AnyEvent], State]:
    """A match of sound bots, but for those that have a script."""
    bots = {seat: scripted(scripts.get(seat, [])) for seat in SEATS}
    events, state = play(started(rules, faults=policy), bots)
    writer = Writer()
    for event in events:
        writer.add(event)
    assert judge(writer.close()) == (events[0], state)
    return bots, events, state


def told(events: list[AnyEvent], seat: Seat) -> str:
    """What happened at a seat in words; a * marks what the arena decided."""
    words = []
    for event in events:
        match event:
            case Dealt():
                words.append(f"deal {event.deal}:")
            case Greeted() if event.seat == seat:
                words.append("hello")
            case Faulted() if event.seat == seat:
                words.append(f"({event.request} {event.kind} {event.ruling})")
            case BidMade() if event.seat == seat:
                words.append(f"bid {event.bid}{'*' * event.substituted}")
            case CardPlayed() if event.seat == seat:
                words.append(f"{event.card}{'*' * event.substituted}")
    return " ".join(words)


# What the arena decides

DECISIONS: dict[str, tuple[Rules, Script, Decision]] = {
    "the lowest bid": (ONE_DEAL, [None, "timeout"], BidMade(seat="W", bid=1)),
    "the lowest that is allowed": (
        Rules(max_deals=1, min_bid=4),
        [None, "timeout"],
        BidMade(seat="W", bid=4),
    ),
    "a bid where there is no nil": (
        Rules(max_deals=1, nil=0),
        [None, "timeout"],
        BidMade(seat="W", bid=1),
    ),
    "no blind nil": (BLIND, [None, "timeout"], BlindNilAnswered(seat="W", blind_nil=False)),
    "the lowest cards": (
        BLIND,
        [None, None, "timeout"],
        CardsPassed(seat="W", cards=("2C", "3C")),
    ),
    "the lowest card": (ONE_DEAL, [None, None, "timeout"], CardPlayed(seat="W", card="2C")),
}


@pytest.mark.parametrize("case", DECISIONS)
def test_the_arena_decides_the_lowest_that_is_legal_and_no_nil(case: str) -> None:
    rules, script, decision = DECISIONS[case]
    bots, events, state = match(rules=rules, scripts={"W": script})
    at = next(i for i, event in enumerate(events) if isinstance(event, Faulted))
    assert events[at + 1] == replace(decision, substituted=True)
    assert state.faults == {"W": {"timeout": 1}}
    assert state.outcome
    assert state.outcome.forfeited is None
    assert bots["W"].told[0] == Fault(
        kind="timeout", detail="it did this - do that", ruling="substitute"
    )
    assert sum(isinstance(message, Fault) for bot in bots.values() for message in bot.told) == 1


def test_nil_is_bid_where_nothing_else_may_be() -> None:
    state = begin(started(faults=SUBSTITUTE))
    state = apply(state, Dealt(deal=1, dealer=DEALER, hands=hands(1, DEALER, state.deck)))
    assert state.phase
    state = replace(state, phase=replace(state.phase, legal=(0,)))
    state = apply(state, faulted("W", "bid"))
    assert isinstance(state.phase, Substituting)
    assert state.phase.due == BidMade(seat="W", bid=0, substituted=True)


def test_a_blind_nil_that_was_declined_for_a_bot_is_followed_by_its_bid() -> None:
    bots, events, _ = match(rules=BLIND, scripts={"W": [None, "timeout"]})
    assert [type(request).__name__ for request in bots["W"].asked[:4]] == [
        *("Hello", "BlindNil", "Bid", "Play"),
    ]
    assert told(events, "W").startswith("hello deal 1: (blind_nil timeout substitute) bid 3 ")


def test_the_others_are_sent_the_same_whoever_has_decided() -> None:
    def plays_low(request: Request) -> Reply:
        if isinstance(request, Bid):
            return BidReply(id=0, bid=1)
        return (
            PlayReply(id=0, card=request.legal[0]) if isinstance(request, Play) else sound(request)
        )

    by_arena, _, _ = match(every("substitute", 1000), scripts={"W": [None, *ALWAYS["timeout"]]})
    by_itself = {**{seat: scripted([]) for seat in SEATS}, "W": ScriptedBot(repeat(plays_low, 15))}
    play(started(ONE_DEAL), by_itself)
    for seat in ("N", "E", "S"):
        assert by_arena[seat].asked == by_itself[seat].asked
        assert by_arena[seat].told[:-1] == by_itself[seat].told[:-1]
        assert by_arena[seat].told[-1] == replace(
            by_itself[seat].told[-1], faults={"W": {"timeout": 14}}
        )


# When a bot is started again

EXIT = "(bid exit substitute)"
SET_AND_STARTED: dict[str, tuple[FaultPolicy, Script, str, str]] = {
    "gone": (
        every("set"),
        [None, None, "exit"],
        "hello deal 1: bid 3 (play exit set)",
        "hello bid 3 AH ",
    ),
    "gone by too much output": (
        every("set"),
        [None, None, "output"],
        "hello deal 1: bid 3 (play output set)",
        "hello bid 3 AH ",
    ),
    "gone by what it used": (
        every("set"),
        [None, None, "resource"],
        "hello deal 1: bid 3 (play resource set)",
        "hello bid 3 AH ",
    ),
    "alive": (
        every("set"),
        [None, None, "timeout"],
        "hello deal 1: bid 3 (play timeout set)",
        "bid 3 AH ",
    ),
    "gone for the second time in the deal": (
        FaultPolicy(exit="substitute", output="set", limit=9),
        [None, "exit", None, "output"],
        "hello deal 1: (bid exit substitute) bid 1* hello (play output set)",
        "hello bid 3 AH ",
    ),
    "gone, and then with a banner": (
        FaultPolicy(exit="set", malformed="substitute", limit=9),
        [None, None, "exit", "malformed"],
        "hello deal 1: bid 3 (play exit set)",
        "(hello malformed substitute) bid 1* AH ",
    ),
}


@pytest.mark.parametrize("case", SET_AND_STARTED)
def test_a_bot_that_is_gone_by_a_fault_that_was_set_is_started_for_the_next_deal(case: str) -> None:
    policy, script, first, second = SET_AND_STARTED[case]
    _, events, state = match(policy, TWO_DEALS, scripts={"W": script})
    words = told(events, "W").split(" deal 2: ")
    assert words[0] == first
    assert words[1].startswith(second)
    assert state.outcome
    assert state.outcome.reason == "max_deals"


STARTS: dict[str, tuple[Script, int, str]] = {
    "alive, it is asked again": (
        [None, "timeout", "malformed", "illegal"],
        9,
        "hello deal 1: (bid timeout substitute) bid 1* (play malformed substitute) 2C*"
        " (play illegal substitute) 2H* 8S ",
    ),
    "gone, it is started when it is next asked": (
        [None, "exit"],
        9,
        "hello deal 1: (bid exit substitute) bid 1* hello 2H ",
    ),
    "gone in the play": (
        [None, None, "exit"],
        9,
        "hello deal 1: bid 3 (play exit substitute) 2C* hello 2H ",
    ),
    "gone by too much output": (
        [None, None, "output"],
        9,
        "hello deal 1: bid 3 (play output substitute) 2C* hello 2H ",
    ),
    "gone twice in a deal": (
        [None, "exit", None, "output", None],
        9,
        "hello deal 1: (bid exit substitute) bid 1* hello (play output substitute) 2C*"
        " (play output substitute) 2H* (play output substitute) ",
    ),
    "it can't be started again": (
        [None, "exit", "start"],
        9,
        "hello deal 1: (bid exit substitute) bid 1* (hello start substitute) 2C*"
        " (play start substitute) 2H* (play start substitute) ",
    ),
    "started again it prints a banner": (
        [None, "exit", "malformed"],
        9,
        "hello deal 1: (bid exit substitute) bid 1* (hello malformed substitute) 2C* 2H ",
    ),
    "it is never greeted": (
        ["start"],
        9,
        "(hello start substitute) deal 1: hello bid 3 2H ",
    ),
    "its first line is a banner": (
        ["malformed"],
        9,
        "(hello malformed substitute) deal 1: bid 3 2H ",
    ),
    "it can never be started": (
        ["start", "start"],
        9,
        "(hello start substitute) deal 1: (hello start substitute) bid 1*"
        " (play start substitute) 2C* (play start substitute) ",
    ),
}


@pytest.mark.parametrize("case", STARTS)
def test_a_bot_that_is_gone_is_started_when_it_is_next_asked_once_a_deal(case: str) -> None:
    script, limit, words = STARTS[case]
    _, events, _ = match(every("substitute", limit), scripts={"W": script})
    assert f"{told(events, 'W')} ".startswith(words)


def test_it_is_started_again_in_the_next_deal_as_well() -> None:
    script: Script = [None, "exit", None, "exit"]
    bots, events, state = match(every("substitute", 100), TWO_DEALS, scripts={"W": script})
    first, second = told(events, "W").split("deal 2: ")
    assert first.count("hello") == 2
    assert second.startswith("hello bid 3 ")
    assert "*" not in second
    assert state.faults == {"W": {"exit": 14}}  # asked 14 times, of which once it was started
    hellos = [request for request in bots["W"].asked if isinstance(request, Hello)]
    assert len(hellos) == 3
    assert len({(hello.seed, hello.match, hello.seat) for hello in hellos}) == 1


def test_a_seat_that_is_not_asked_is_told_why() -> None:
    bots, events, _ = match(every("substitute", 100), scripts={"W": [None, "exit", None, "exit"]})
    refused = [event for event in events if isinstance(event, Faulted)][2:]
    assert len(refused) == 12
    assert len(bots["W"].asked) == 4
    assert {(event.kind, event.raw) for event in refused} == {("exit", None)}
    assert {event.detail for event in refused} == {
        "it was not asked, as its process has ended and is started again only once in a deal - see"
        " the faults before for what ended it"
    }


# How many it takes

MIXED = FaultPolicy(timeout="substitute", illegal="set")
LIMITS: dict[str, tuple[FaultPolicy, Script, list[str], str | None]] = {
    "two of three": (SUBSTITUTE, [None, "timeout", "illegal"], ["substitute"] * 2, None),
    "the third": (
        SUBSTITUTE,
        [None, "timeout", None, "illegal", "malformed"],
        ["substitute", "substitute", "forfeit"],
        "EW",
    ),
    "a limit of one": (every("substitute", 1), [None, "timeout"], ["forfeit"], "EW"),
    "a crash at each request": (
        SUBSTITUTE,
        [None, "exit", None, "exit"],
        ["substitute", "substitute", "forfeit"],
        "EW",
    ),
    "it can't be started at all": (
        SUBSTITUTE,
        ["start", "start"],
        ["substitute", "substitute", "forfeit"],
        "EW",
    ),
    "another kind forfeits at once": (
        MIXED,
        [None, "timeout", "exit"],
        ["substitute", "forfeit"],
        "EW",
    ),
    "another kind is set": (MIXED, [None, "timeout", "illegal"], ["substitute", "set"], None),
    "one that was set counts": (
        replace(MIXED, limit=2),
        [None, None, "illegal", "timeout"],
        ["set", "forfeit"],
        "EW",
    ),
    "and is itself never one too many": (
        replace(MIXED, limit=2),
        [None, None, "illegal", None, "illegal"],
        ["set", "set"],
        None,
    ),
    "set when it was to be started again": (
        FaultPolicy(exit="substitute", start="set"),
        [None, None, "exit", "start"],
        ["substitute", "set"],
        None,
    ),
    "and in the next deal there is nothing to set": (
        FaultPolicy(exit="substitute", start="set"),
        [None, None, "exit", "start", "start"],
        ["substitute", "set", "forfeit"],
        "EW",
    ),
    "set, and its bid is made by the arena as it starts no more": (
        FaultPolicy(exit="set", start="substitute", limit=4),
        [None, None, "exit", "start"],
        ["set", "substitute", "substitute", "forfeit"],
        "EW",
    ),
}


@pytest.mark.parametrize("case", LIMITS)
def test_the_faults_of_a_seat_are_counted_and_the_last_one_forfeits(case: str) -> None:
    policy, script, rulings, forfeited = LIMITS[case]
    _, events, state = match(policy, TWO_DEALS, scripts={"W": script})
    assert [event.ruling for event in events if isinstance(event, Faulted)] == rulings
    assert state.outcome
    assert state.outcome.forfeited == forfeited
    assert state.deals == 2 or forfeited


def test_each_seat_has_a_count_of_its_own() -> None:
    two: Script = [None, "timeout", "timeout"]
    _, _, state = match(scripts=dict.fromkeys(SEATS, two))
    assert state.outcome
    assert state.outcome.reason == "max_deals"
    assert state.faults == {seat: {"timeout": 2} for seat in SEATS}


# When two fail, or one at an odd moment

FORFEIT, SET = FaultPolicy(), every("set")
LOST, PLAYED = Outcome("NS", "forfeit", "EW", offender="W"), Outcome("NS", "max_deals")
LOST_BY_E = Outcome("NS", "forfeit", "EW", offender="E")
CRASHING: Script = [None, *ALWAYS["exit"]]
LATE: Script = [None, "timeout"]
LAST_CARD: Script = [*[None] * 14, "timeout"]
AFTERWARDS: Script = [*[None] * 15, "exit"]

Moment = tuple[FaultPolicy, dict[Seat, Script], Outcome, dict[Seat, dict[FaultKind, int]]]
MOMENTS: dict[str, Moment] = {
    # in hello, where N, E, S and W are asked in turn, and nobody after a forfeit
    "hello, forfeit": (FORFEIT, {"E": ["start"], "S": ["start"]}, LOST_BY_E, {"E": {"start": 1}}),
    "hello, set": (SET, {"E": ["start"], "S": ["start"]}, LOST_BY_E, {"E": {"start": 1}}),
    "hello, substitute": (
        SUBSTITUTE,
        {"E": ["start"], "S": ["start"]},
        PLAYED,
        {"E": {"start": 1}, "S": {"start": 1}},
    ),
    # before all bids, all four at once: W is the first to be asked
    "both sides, forfeit": (FORFEIT, dict.fromkeys(SEATS, CRASHING), LOST, {"W": {"exit": 1}}),
    "both sides, set": (SET, dict.fromkeys(SEATS, CRASHING), LOST, {"W": {"exit": 1}}),
    "both sides, substitute": (  # N has taken the first trick, and is the first to be asked again
        SUBSTITUTE,
        dict.fromkeys(SEATS, CRASHING),
        Outcome("EW", "forfeit", "NS", offender="N"),
        {"W": {"exit": 2}, "N": {"exit": 3}, "E": {"exit": 2}, "S": {"exit": 2}},
    ),
    "partners, forfeit": (FORFEIT, {"E": LATE, "W": LATE}, LOST, {"W": {"timeout": 1}}),
    "partners, substitute": (
        SUBSTITUTE,
        {"E": LATE, "W": LATE},
        PLAYED,
        {"W": {"timeout": 1}, "E": {"timeout": 1}},
    ),
    "last trick, forfeit": (FORFEIT, {"W": LAST_CARD}, LOST, {"W": {"timeout": 1}}),
    "last trick, set": (SET, {"W": LAST_CARD}, PLAYED, {"W": {"timeout": 1}}),
    "last trick, substitute": (SUBSTITUTE, {"W": LAST_CARD}, PLAYED, {"W": {"timeout": 1}}),
    # once the match is decided nobody is asked, so nobody is at fault
    "decided, forfeit": (FORFEIT, dict.fromkeys(SEATS, AFTERWARDS), PLAYED, {}),
    "decided, set": (SET, dict.fromkeys(SEATS, AFTERWARDS), PLAYED, {}),
    "decided, substitute": (SUBSTITUTE, dict.fromkeys(SEATS, AFTERWARDS), PLAYED, {}),
}


@pytest.mark.parametrize("case", MOMENTS)
def test_a_fault_is_charged_to_whoever_is_asked_first(case: str) -> None:
    policy, scripts, outcome, counted = MOMENTS[case]
    _, events, state = match(policy, scripts=scripts)
    assert state.outcome == outcome
    assert state.faults == counted
    assert isinstance(events[-1], MatchEnded)


def test_in_solo_play_nobody_wins_by_the_limit_and_the_others_play_on_until_then() -> None:
    solo = Rules(players="solo", max_deals=1, min_bid=1, nil=0, bag_penalty=0)
    _, events, state = match(rules=solo, scripts={"W": [None, "timeout", "timeout"]})
    assert state.outcome
    assert state.outcome.reason == "max_deals"
    assert "bid 1* " in told(events, "W")
    _, _, state = match(rules=solo, scripts={"W": [None, "timeout", "timeout", "timeout"]})
    assert state.outcome == Outcome(None, "forfeit", "W", offender="W")


def test_a_partner_plays_on_and_its_own_count_is_untouched() -> None:
    bots, events, state = match(every("substitute", 100), scripts={"E": [None, *ALWAYS["timeout"]]})
    assert state.faults == {"E": {"timeout": 14}}
    assert len(bots["W"].asked) == 15
    assert "*" not in told(events, "W")
    assert told(events, "E").count("*") == 14
    assert sum(isinstance(event, DealEnded) for event in events) == 1


# What the fold refuses


def faulted(seat: Seat, request: RequestType, kind: FaultKind = "exit", **changes: str) -> Faulted:
    event = Faulted(
        seat=seat, kind=kind, request=request, detail="-", raw=None, ruling="substitute"
    )
    return replace(event, **changes)


def after(*happened: AnyEvent, limit: int = 9) -> State:
    state = begin(started(faults=every("substitute", limit)))
    for event in happened:
        state = apply(state, event)
    return state


GREETED = Greeted(seat="W")
DEAL = Dealt(deal=1, dealer=DEALER, hands=hands(1, DEALER, begin(started()).deck))
BID = BidMade(seat="W", bid=1)
OWN_BID = replace(BID, substituted=True)
REST = [BidMade(seat=seat, bid=3) for seat in ("N", "E", "S")]
GONE_AT_BID: list[AnyEvent] = [DEAL, faulted("W", "bid"), OWN_BID, *REST]
NOT_STARTED: list[AnyEvent] = [*GONE_AT_BID, faulted("W", "hello", "start")]
OWN_CARD = CardPlayed(seat="W", card="2C", substituted=True)

REFUSED: dict[str, tuple[Sequence[AnyEvent], AnyEvent, str]] = {
    "another ruling": ([DEAL], faulted("W", "bid", ruling="forfeit"), "the ruling is substitute"),
    "nothing to decide": ([DEAL], OWN_BID, "nothing to be decided for W (R9)"),
    "nothing to decide at hello": ([faulted("W", "hello")], OWN_BID, "nothing to be decided"),
    "another bid": ([DEAL, faulted("W", "bid")], replace(OWN_BID, bid=2), "bid=1"),
    "nil": ([DEAL, faulted("W", "bid")], replace(OWN_BID, bid=0), "bid=1"),
    "another seat": ([DEAL, faulted("W", "bid")], replace(OWN_BID, seat="N"), "seat='W'"),
    "with a note": ([DEAL, faulted("W", "bid")], replace(OWN_BID, note="x"), "note=None"),
    "with a time": ([DEAL, faulted("W", "bid")], replace(OWN_BID, ms=1.0), "ms=None"),
    "of the bot's own": ([DEAL, faulted("W", "bid", "timeout")], BID, "whose turn it is not"),
    "a card for a bid": ([DEAL, faulted("W", "bid")], OWN_CARD, "BidMade"),
    "another card": (NOT_STARTED, replace(OWN_CARD, card="3C"), "card='2C'"),
    "a second fault": ([DEAL, faulted("W", "bid")], faulted("W", "bid"), "could not be asked"),
    "the end of the deal": (
        [DEAL, faulted("W", "bid")],
        DealEnded(deal=1, taken={}, delta={}, score={}, bags={}),
        "the deal is not over",
    ),
    "a deal": ([DEAL, faulted("W", "bid")], DEAL, "a deal where none is due"),
    "a second greeting": ([GREETED], GREETED, "W, which was not to be started here"),
    "a second fault of hello": (
        [faulted("W", "hello", "malformed")],
        faulted("W", "hello"),
        "could not be asked for 'hello'",
    ),
    "a start after a fault of hello": ([faulted("W", "hello")], GREETED, "not to be started"),
    "a start of one who lives": (
        [GREETED, DEAL, faulted("W", "bid", "timeout"), OWN_BID, *REST],
        GREETED,
        "not to be started",
    ),
    "a start between": ([DEAL, faulted("W", "bid")], GREETED, "not to be started"),
    "a start out of turn": ([DEAL, faulted("W", "bid"), OWN_BID], GREETED, "not to be started"),
    "a second start": (NOT_STARTED, GREETED, "not to be started"),
    "a second start in a deal": ([*NOT_STARTED, OWN_CARD], GREETED, "not to be started"),
    "a request before the start": (GONE_AT_BID, faulted("W", "play"), "not be asked for 'play'"),
    "a card of one who is gone": (
        GONE_AT_BID,
        CardPlayed(seat="W", card="2C"),
        "W has decided, whose process has ended",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_nothing_but_what_is_due_can_follow(case: str) -> None:
    happened, event, reason = REFUSED[case]
    state = after(*happened)
    with pytest.raises(IllegalEvent, match=re.escape(reason)):
        apply(state, event)


def test_one_who_is_gone_is_charged_with_what_ended_it() -> None:
    trick = [
        OWN_CARD,
        CardPlayed(seat="N", card="JC"),
        CardPlayed(seat="E", card="5C"),
        CardPlayed(seat="S", card="7C"),
        CardPlayed(seat="N", card="AH"),
        CardPlayed(seat="E", card="4H"),
        CardPlayed(seat="S", card="7H"),
    ]
    state = after(*NOT_STARTED, *trick)
    assert (fold.asked(state, "W"), faults.not_asked(state, "W").kind) == ("play", "start")
    apply(state, faulted("W", "play", "start"))
    with pytest.raises(IllegalEvent, match="W was not asked: the fault is 'start' once more"):
        apply(state, faulted("W", "play", "exit"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_fault_has_its_substitute(kind: FaultKind) -> None:
    for policy in (SUBSTITUTE, replace(FORFEIT, **{kind: "substitute"})):
        _, events, state = match(policy, scripts={"W": [None, kind]})
        assert "bid 1*" in told(events, "W")
        assert state.faults == {"W": {kind: 1}}
        assert ("hello" in told(events, "W")[6:]) == (kind in faults.ENDING)


FORGERIES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "the mark is taken off": (lambda line: line.replace(b',"substituted":true', b""), "play"),
    "a bot's own is marked": (lambda line: line[:-1] + b',"substituted":true}', "bid"),
    "another fault": (lambda line: line.replace(b'"exit"', b'"timeout"'), "fault"),
    "another ruling": (lambda line: line.replace(b'"substitute"', b'"forfeit"'), "fault"),
}


@pytest.mark.parametrize("case", FORGERIES)
def test_a_forger_who_seals_the_record_anew_is_found(case: str) -> None:
    forge, kind = FORGERIES[case]
    _, events, _ = match(scripts={"W": [None, None, "exit"]})
    writer = Writer()
    for event in events:
        writer.add(event)
    *lines, _ = writer.close().splitlines()
    number = next(
        i
        for i, line in enumerate(lines)
        if f'"type":"{kind}"'.encode() in line and forge(line) != line
    )
    lines[number] = forge(lines[number])
    with pytest.raises(BadRecord, match=r"^line \d+: "):
        judge(seal(lines))
