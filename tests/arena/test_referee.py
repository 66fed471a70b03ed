"""The referee in conversations with scripted bots: who is asked, what is judged, who is told."""

from collections.abc import Callable
from itertools import repeat
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from arena import fold
from arena.bot import Answer, BotFault, ScriptedBot
from arena.events import (
    AnyEvent,
    BidMade,
    CardPlayed,
    DealEnded,
    Dealt,
    Faulted,
    Greeted,
    MatchEnded,
    RequestType,
)
from arena.referee import Table
from arena.rules import Outcome
from arena.state import State, begin
from protocol.cards import SEATS, Seat
from protocol.messages import (
    BidReply,
    BlindNilReply,
    DealEnd,
    ExchangeReply,
    Fault,
    FaultKind,
    Hello,
    HelloReply,
    MatchEnd,
    Message,
    Play,
    PlayReply,
    Reply,
    Request,
)
from protocol.rules import Rules
from tests.arena.tables import choose, choosers, hands, play, started

ONE_DEAL = Rules(max_deals=1)
# S deals first, so W is the first to bid and to lead; its hand:
# 2C 3C 4C 6C 8C 9C TC QC TD AD 2H 6S 8S

Step = Reply | BotFault | Callable[[Request], Reply]


def hello() -> HelloReply:
    return HelloReply(id=0)


def bid(number: int) -> BidReply:
    return BidReply(id=0, bid=number)


def card(name: str) -> PlayReply:
    return PlayReply(id=0, card=name)


def against(
    seat: Seat, *script: Step, rules: Rules = ONE_DEAL
) -> tuple[dict[Seat, ScriptedBot], list[AnyEvent], State]:
    """A match of three sound bots and a script."""
    bots = {**choosers(1), seat: ScriptedBot(script)}
    events, state = play(started(rules), bots)
    return bots, events, state


def the_fault(events: list[AnyEvent]) -> Faulted:
    (fault,) = (event for event in events if isinstance(event, Faulted))
    return fault


ILLEGAL: list[tuple[Rules, list[Step], RequestType, str]] = [
    (
        ONE_DEAL,
        [hello(), bid(14)],
        "bid",
        "the bid 14 is not legal: a bid is a number from 0 to 13 (R2.2) - choose from 0 1 2 3 4 5 6"
        " 7 8 9 10 11 12 13",
    ),
    (ONE_DEAL, [hello(), bid(-1)], "bid", "the bid -1 is not legal: a bid is a number from 0"),
    (ONE_DEAL, [hello(), bid(2**53)], "bid", "the bid 9007199254740992 is not legal"),
    (ONE_DEAL, [hello(), bid(10**4000)], "bid", f"the bid 1{'0' * 19}... is not legal"),
    (
        Rules(min_bid=12),
        [hello(), bid(3)],
        "bid",
        "the bid 3 is not legal: the lowest bid in these rules is 12 (R2.3) - choose from 12 13",
    ),
    (
        Rules(nil=0),
        [hello(), bid(0)],
        "bid",
        "there is no nil in these rules (R2.3) - choose from 1 2 3",
    ),
    (Rules(nil=0, min_bid=2), [hello(), bid(0)], "bid", "there is no nil in these rules (R2.3)"),
    (
        ONE_DEAL,
        [hello(), bid(3), card("6S")],
        "play",
        "the card '6S' is not legal: spades are not broken and may not be led yet (R4.3) - choose"
        " from 2C 3C 4C 6C 8C 9C TC QC TD AD 2H",
    ),
    (ONE_DEAL, [hello(), bid(3), card("AS")], "play", "'AS' is not legal: it is not in the hand"),
    (ONE_DEAL, [hello(), bid(3), card("BJ")], "play", "'BJ' is not legal: this deck has no such"),
    (ONE_DEAL, [hello(), bid(3), card("2c")], "play", "a card is rank then suit, as in 'TD'"),
    (ONE_DEAL, [hello(), bid(3), card("")], "play", "the card '' is not legal"),
    (ONE_DEAL, [hello(), bid(3), card("\0\n")], "play", r"the card '\x00\n' is not legal"),
    (ONE_DEAL, [hello(), bid(3), card("x" * 60_000)], "play", "x" * 200 + "...' is not legal"),
]


@pytest.mark.parametrize(("rules", "script", "request_", "sentence"), ILLEGAL)
def test_an_illegal_choice_forfeits_with_a_sentence(
    rules: Rules, script: list[Step], request_: RequestType, sentence: str
) -> None:
    bots, events, state = against("W", *script, rules=rules)
    fault = the_fault(events)
    assert (fault.seat, fault.kind, fault.request) == ("W", "illegal", request_)
    assert sentence in fault.detail
    assert fault.detail.isprintable()
    assert len(fault.detail) < 700
    assert fault.raw is not None
    assert len(fault.raw) < 210
    assert state.outcome == Outcome("NS", "forfeit", "EW", offender="W")
    assert [type(message) for message in bots["W"].told] == [Fault, MatchEnd]


def test_a_revoke_names_the_cards_that_would_follow() -> None:
    def revoke(request: Request) -> Reply:
        assert isinstance(request, Play)
        assert request.trick.cards
        others = [card for card in request.hand if card not in request.legal]
        return card(others[0] if others else request.legal[0])

    bots = choosers(1)
    bots["N"] = ScriptedBot([hello(), bid(3), *repeat(revoke, 13)])
    _, state = play(started(ONE_DEAL), bots)
    message = bots["N"].told[0]
    request = bots["N"].asked[-1]
    assert isinstance(message, Fault)
    assert isinstance(request, Play)
    suit = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}[request.legal[0][1]]
    assert (
        f"{suit} were led, and the hand has {' '.join(request.legal)} to follow (R4.2) - choose"
        in message.detail
    )
    assert state.faults == {"N": {"illegal": 1}}


KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
MOMENTS: list[tuple[RequestType, list[Step]]] = [
    ("hello", []),
    ("bid", [hello()]),
    ("play", [hello(), bid(3)]),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("request_", "before"), MOMENTS, ids=[name for name, _ in MOMENTS])
@pytest.mark.parametrize("seat", SEATS)
def test_a_fault_forfeits_the_match_and_everybody_is_told(
    seat: Seat, request_: RequestType, before: list[Step], kind: FaultKind
) -> None:
    fault = BotFault(kind, "it did this - do that instead", raw="'what it sent'")
    bots, events, state = against(seat, *before, fault)

    assert the_fault(events) == Faulted(
        seat=seat,
        kind=kind,
        request=request_,
        detail="it did this - do that instead",
        raw="'what it sent'",
        ruling="forfeit",
    )
    winner, loser = ("EW", "NS") if seat in "NS" else ("NS", "EW")
    end = MatchEnded(
        winner=winner,
        reason="forfeit",
        forfeited=loser,
        score={"NS": 0, "EW": 0},
        faults={seat: {kind: 1}},
        deals=0,
    )
    assert events[-2:] == [the_fault(events), end]
    assert state.ended
    told = MatchEnd(winner=winner, reason="forfeit", score=end.score, faults=end.faults)
    said = Fault(kind=kind, detail="it did this - do that instead", ruling="forfeit")
    for other, bot in bots.items():
        assert bot.told == ([said, told] if other == seat else [told])
    greeted = [event.seat for event in events if isinstance(event, Greeted)]
    asked = [other for other in SEATS if bots[other].asked]
    if request_ == "hello":
        assert asked == list(SEATS[: SEATS.index(seat) + 1])  # nobody is asked after the fault
        assert greeted == asked[:-1]
    else:
        assert greeted == asked == list(SEATS)


def test_a_fault_in_a_later_deal_keeps_the_score_but_not_the_lead() -> None:
    steps: list[Step] = [*repeat(choose(Random(1)), 15), BotFault("timeout", "too late - hurry")]
    bots, events, state = against("N", *steps, rules=Rules(max_deals=9))
    assert state.deals == 1
    (checkpoint,) = (event for event in events if isinstance(event, DealEnded))
    assert state.score == checkpoint.score
    assert state.outcome == Outcome("EW", "forfeit", "NS", offender="N")
    assert [type(m) for m in bots["N"].told] == [DealEnd, Fault, MatchEnd]
    assert [type(m) for m in bots["E"].told] == [DealEnd, MatchEnd]


class Bug(Exception):
    pass


@pytest.mark.parametrize("moment", range(3))
def test_an_exception_that_is_no_fault_passes_through_and_costs_nobody_anything(
    moment: int,
) -> None:
    def broken(request: Request) -> Reply:
        raise Bug

    bots = {**choosers(1), "W": ScriptedBot([*[hello(), bid(3)][:moment], broken])}
    events: list[AnyEvent] = []
    with pytest.raises(Bug):
        Table(started(), bots, hands, events.append).play()
    assert not any(isinstance(event, Faulted | MatchEnded) for event in events)
    assert not any(bot.told for bot in bots.values())


@pytest.mark.parametrize(
    "script",
    [
        [bid(3)],
        [hello(), hello()],
        [hello(), BlindNilReply(id=0)],
        [hello(), bid(3), bid(3)],
        [hello(), bid(3), ExchangeReply(id=0)],
    ],
    ids=["hello", "bid", "not offered", "play", "no exchange"],
)
def test_a_reply_of_the_wrong_type_is_a_bug_of_the_bot_s_class(script: list[Step]) -> None:
    with pytest.raises(AssertionError):
        against("W", *script)


def test_a_bot_that_changes_what_it_was_sent_changes_nothing_for_the_others() -> None:
    def meddling(honest: Callable[[Request], Reply]) -> Callable[[Request], Reply]:
        def reply(request: Request) -> Reply:
            chosen = honest(request)
            for name in request.__struct_fields__:
                setattr(request, name, None)
            return chosen

        return reply

    def match(bot: Callable[[Random], Callable[[Request], Reply]]) -> list[AnyEvent]:
        rules = Rules(max_deals=2, blind_nil=200, blind_nil_exchange=2)
        return play(started(rules), {s: ScriptedBot(repeat(bot(Random(s)))) for s in SEATS})[0]

    assert match(lambda random: meddling(choose(random))) == match(choose)


class Listener(ScriptedBot):
    """Notes in one log, shared by four, whatever reaches a seat."""

    def __init__(self, seat: Seat, log: list[tuple[str, Seat]]) -> None:
        super().__init__(repeat(choose(Random(seat))))
        self._seat, self._log = seat, log

    def ask(self, request: Request) -> Answer:
        self._log.append((type(request).__name__, self._seat))
        return super().ask(request)

    def tell(self, message: Message) -> None:
        self._log.append((type(message).__name__, self._seat))
        super().tell(message)


def test_the_conversation_goes_round_the_table_in_order() -> None:
    log: list[tuple[str, Seat]] = []
    events, _ = play(started(Rules(max_deals=2)), {s: Listener(s, log) for s in SEATS})

    def plays(deal: int) -> list[tuple[str, Seat]]:
        starts = [i for i, event in enumerate(events) if isinstance(event, Dealt | MatchEnded)]
        part = events[starts[deal] : starts[deal + 1]]
        return [("Play", event.seat) for event in part if isinstance(event, CardPlayed)]

    assert len(plays(0)) == len(plays(1)) == 52
    assert log == [
        *[("Hello", seat) for seat in "NESW"],
        *[("Bid", seat) for seat in "WNES"],  # S deals
        *plays(0),
        *[("DealEnd", seat) for seat in "NESW"],
        *[("Bid", seat) for seat in "NESW"],  # W deals
        *plays(1),
        *[("DealEnd", seat) for seat in "NESW"],
        *[("MatchEnd", seat) for seat in "NESW"],
    ]


def test_the_events_are_those_that_make_the_state_and_nothing_is_said_before_it_happened() -> None:
    match = started(Rules(max_deals=2))
    events, final = play(match, choosers(1))
    assert events[0] == match
    assert [type(event) for event in events[1:6]] == [*[Greeted] * 4, Dealt]
    state = begin(match)
    for event in events[1:]:
        state = fold.apply(state, event)
    assert state == final
    assert isinstance(events[-1], MatchEnded)


def test_every_bot_is_asked_a_fresh_hello_first_and_ids_that_grow() -> None:
    bots = choosers(1)
    play(started(ONE_DEAL), bots)
    for seat, bot in bots.items():
        first, *rest = bot.asked
        assert isinstance(first, Hello)
        assert first.seat == seat
        assert not any(isinstance(request, Hello) for request in rest)
        assert [request.id for request in bot.asked] == list(range(1, 16))


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("", None),
        ("a", "a"),
        ("♠" * 1_000, "♠" * 1_000),
        ("♠" * 1_001, "♠" * 1_000),
        ("x" * 60_000, "x" * 1_000),
        ("\0\n\x1b", "\0\n\x1b"),
    ],
)
def test_a_note_is_kept_up_to_1000_characters(sent: str, kept: str | None) -> None:
    def noted(request: Request) -> Reply:
        return replace(choose(Random(1))(request), note=sent)

    _, events, _ = against("W", *repeat(noted, 15))
    notes = {
        type(event).__name__: event.note
        for event in events
        if isinstance(event, Greeted | BidMade | CardPlayed) and event.seat == "W"
    }
    assert notes == {"Greeted": kept, "BidMade": kept, "CardPlayed": kept}


def test_a_note_reaches_no_other_bot() -> None:
    def noted(request: Request) -> Reply:
        return replace(choose(Random(1))(request), note="psst partner")

    bots, events, _ = against("W", *repeat(noted, 15))
    assert "psst partner" in repr(events)
    for bot in bots.values():
        assert "psst" not in repr(bot.asked)
        assert "psst" not in repr(bot.told)


def test_the_name_and_version_that_a_bot_gives_itself_are_cut_and_kept_in_the_record() -> None:
    greeting = HelloReply(id=0, name="n" * 101, version="v" * 60_000)
    _, events, _ = against("N", greeting, *repeat(choose(Random(1)), 14))
    (greeted,) = (e for e in events if isinstance(e, Greeted) and e.seat == "N")
    assert (greeted.name, greeted.version) == ("n" * 100, "v" * 100)


def test_what_a_bot_took_is_kept_in_the_events() -> None:
    class Timed(ScriptedBot):
        def ask(self, request: Request) -> Answer:
            return Answer(super().ask(request).reply, ms=request.id + 0.5)

    bots = {**choosers(1), "W": Timed(repeat(choose(Random(1))))}
    events, _ = play(started(ONE_DEAL), bots)
    taken = [
        event.ms
        for event in events
        if isinstance(event, Greeted | BidMade | CardPlayed) and event.seat == "W"
    ]
    assert taken == [n + 0.5 for n in range(1, 16)]


def test_a_script_that_ends_too_soon_is_a_bug_of_the_test_s() -> None:
    with pytest.raises(AssertionError, match="no reply left"):
        against("W", hello())
