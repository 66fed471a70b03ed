"""Tables for the tests: matches begun, bots that choose at random, every position of a match."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle, repeat
from random import Random
from typing import get_args

from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from arena import fold
from arena.bot import Answer, Bot, BotFault, ScriptedBot
from arena.deals import deal_hands, deal_key, first_dealer
from arena.events import AnyEvent, Clocks, FaultPolicy, MatchStarted, Origin, Player
from arena.referee import Table
from arena.state import State, begin
from protocol.cards import SEATS, Deck, Seat
from protocol.messages import (
    Arena,
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    Exchange,
    ExchangeReply,
    FaultKind,
    Hello,
    HelloReply,
    Play,
    PlayReply,
    Reply,
    Request,
    Ruling,
)
from protocol.rules import Rules

NAMES = ["a", "b"]
SEED = 2026
KEY = deal_key(f"seed {SEED}", NAMES, 0)
DEALER = first_dealer(KEY)
STANDARD = Rules()


def _together(rules: Rules) -> Rules:
    """In solo play a side has one bid, and nobody to exchange cards with."""
    if rules.players == "solo":
        return replace(rules, min_team_bid=0, blind_nil_exchange=0)
    return rules


rules = st.builds(
    Rules,
    players=st.sampled_from(["partners", "solo"]),
    deck=st.sampled_from(["standard", "jokers", "jokers_nyc"]),
    target=st.integers(1, 200),
    floor=st.none() | st.integers(-200, -1),
    max_deals=st.integers(1, 4),
    min_bid=st.integers(0, 13),
    min_team_bid=st.integers(0, 13),
    nil=st.sampled_from([0, 50, 100]),
    blind_nil=st.sampled_from([0, 100, 200]),
    blind_nil_deficit=st.sampled_from([0, 0, 1, 50]),
    blind_nil_exchange=st.sampled_from([0, 1, 2, 2, 13]),
    lead_spades=st.sampled_from(["broken", "any_time"]),
    spades_broken_by=st.sampled_from(["any_spade", "cut"]),
    failed_nil_tricks=st.sampled_from(["bags", "contract"]),
    set_nil_bags=st.sampled_from(["count", "over_contract", "none"]),
    bag_points=st.integers(-1, 2),
    bag_limit=st.integers(1, 12),
    bag_penalty=st.sampled_from([0, 50, 100]),
    bag_overflow=st.sampled_from(["carry", "reset"]),
).map(_together)
"""Any rules whose options go together, of matches that end soon."""

FORFEIT = FaultPolicy()
KINDS: tuple[FaultKind, ...] = get_args(FaultKind)


def every(ruling: Ruling, limit: int = 3) -> FaultPolicy:
    """The policy of one ruling for every kind of fault."""
    return FaultPolicy(limit=limit, **dict.fromkeys(KINDS, ruling))


SET = every("set")

policies = st.builds(
    FaultPolicy,
    limit=st.integers(1, 4) | st.integers(1, 200),
    **{kind: st.sampled_from(get_args(Ruling)) for kind in KINDS},
)
"""Any fault policy."""


def started(
    rules: Rules = STANDARD, leg: int = 0, dealer: Seat = DEALER, faults: FaultPolicy = FORFEIT
) -> MatchStarted:
    """A match that begins."""
    return MatchStarted(
        match="a-b-1",
        arena=Arena("spades-arena", "0.1.0"),
        rules=rules,
        players={
            seat: Player(NAMES[(i + leg) % 2], f"{i + 1}" * 64, seed=7_000_000_000_000_001 + i)
            for i, seat in enumerate(SEATS)
        },
        origin=Origin(seed=SEED, commitment=None, bots=NAMES, cycle=0, leg=leg),
        dealer=dealer,
        clock=Clocks(),
        faults=faults,
        sandbox={"backend": "none"},
        started="2026-03-01T12:00:00.000+00:00",
        host={"system": "Linux"},
    )


def hands(number: int, dealer: Seat, deck: Deck) -> dict[Seat, list[str]]:
    """The deals of `started`."""
    return deal_hands(KEY, number, dealer, deck)


def choose(random: Random) -> Callable[[Request], Reply]:
    """Replies with something legal."""

    def reply(request: Request) -> Reply:
        match request:
            case Hello():
                return HelloReply(id=0, name="chooser")
            case Bid():
                return BidReply(id=0, bid=random.choice(request.legal[:5]), note="a bid")
            case Play():
                return PlayReply(id=0, card=random.choice(request.legal))
            case BlindNil():
                return BlindNilReply(id=0, blind_nil=random.random() < 0.4)
            case Exchange():
                cards = random.sample(request.hand, request.count)
                some: list[list[str] | UnsetType] = [cards, cards, UNSET]
                return ExchangeReply(id=0, cards=random.choice(some))
        raise AssertionError(request)

    return reply


class SlowBot(ScriptedBot):
    """One whose replies take some time or other, and some of which are faults."""

    def __init__(
        self, random: Random, faults: float = 0.0, kinds: Sequence[FaultKind] = ("illegal",)
    ) -> None:
        super().__init__(repeat(choose(random)))
        self._random, self._faults, self._kinds = random, faults, cycle(kinds)
        self._clock = Random()

    def ask(self, request: Request) -> Answer:
        answer = super().ask(request)
        if self._faults and self._random.random() < self._faults:
            raise BotFault(next(self._kinds), "the card 'XX' is not legal - choose another", "'XX'")
        return Answer(answer.reply, ms=self._clock.random() * 100)


def choosers(
    seed: int, faults: float = 0.0, kinds: Sequence[FaultKind] = ("illegal",)
) -> dict[Seat, ScriptedBot]:
    """Four bots that choose at random, how likely each reply is a fault, and of which kinds."""
    return {seat: SlowBot(Random(f"{seed} {seat}"), faults, kinds) for seat in SEATS}


def play(match: MatchStarted, bots: Mapping[Seat, Bot]) -> tuple[list[AnyEvent], State]:
    """The events of a match, and its last state."""
    events: list[AnyEvent] = []
    return events, Table(match, bots, hands, events.append).play()


def states(events: Sequence[AnyEvent]) -> Iterator[tuple[State, AnyEvent]]:
    """Each event after the first, with the state before it."""
    first, *rest = events
    assert isinstance(first, MatchStarted)
    state = begin(first)
    for event in rest:
        yield state, event
        state = fold.apply(state, event)
