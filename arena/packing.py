"""Packs a replay into its compact form (`arena.packed`)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from arena.events import BidMade, BlindNilAnswered, CardPlayed, CardsPassed, Decision
from arena.packed import FORMAT, PackedDeal, PackedFault, PackedGreeting, PackedReplay
from arena.replay import Moment, Replay
from arena.rules import sides
from arena.state import Bidding, Deal, Playing
from protocol.cards import DECKS, SEATS, Deck, Seat

_SEAT: Final[dict[Seat, int]] = {seat: i for i, seat in enumerate(SEATS)}
_DIGITS: Final = "0123456789abcdef"
_ALL_SUITS: Final = 0b1111
_WHOLE_FROM: Final = 10.0
"""Milliseconds from which nobody looks at tenths."""


def pack(replay: Replay, *, times: bool = True, notes: bool = True) -> PackedReplay:
    """The replay, with times and with the bots' notes if they are wanted."""
    started, result = replay.started, replay.result
    rules, deck = started.rules, DECKS[started.rules.deck]
    places = {side: i for i, side in enumerate(sides(rules.players))}
    start, *deals = replay.by_deal()
    packed = PackedReplay(
        format=FORMAT,
        match=started.match,
        names=[started.players[seat].name for seat in SEATS],
        solo=rules.players == "solo",
        cards="".join(deck.cards),
        suits=[suit.bit_count() for suit in deck.suits],
        target=rules.target,
        blind=rules.blind_nil > 0,
        move_ms=started.clock.move_ms,
        faults=list(_faults(start)),
        greetings=list(_greetings(start)),
        deals=[_deal(moments, deck) for moments in deals],
        winner=places.get(result.winner or ""),
        reason=result.reason,
        forfeited=places.get(result.forfeited or ""),
        score=[result.score[side] for side in places],
    )
    if not times:
        packed = _without(packed, {"ms": [], "cpu_ms": []}, {"ms": None})
    return packed if notes else _without(packed, {"notes": {}}, {"note": None})


def _without(
    packed: PackedReplay, of_deals: dict[str, Any], of_greetings: dict[str, Any]
) -> PackedReplay:
    """With other values of some fields wherever they stand."""

    def greetings(found: list[PackedGreeting]) -> list[PackedGreeting]:
        return [replace(greeting, **of_greetings) for greeting in found]

    deals = [replace(d, **of_deals, greetings=greetings(d.greetings)) for d in packed.deals]
    return replace(packed, deals=deals, greetings=greetings(packed.greetings))


def _deal(moments: Sequence[Moment], deck: Deck) -> PackedDeal:
    begun, end = moments[0].dealt, moments[-1].deal_end
    assert begun is not None
    decided = [(m.before.phase, m.decision) for m in moments if m.decision is not None]
    decisions = [decision for _, decision in decided]
    bids = [phase for phase, _ in decided if isinstance(phase, Bidding)]
    played = [
        (p, d.card) for p, d in decided if isinstance(p, Playing) and isinstance(d, CardPlayed)
    ]
    return PackedDeal(
        dealer=_SEAT[begun.dealer],
        dealt="".join(_owner(begun, deck.bit[card]) for card in deck.cards),
        lowest="".join(_DIGITS[phase.legal[0]] for phase in bids),
        calls=[_call(d, deck) for d in decisions if not isinstance(d, CardPlayed)],
        legal="".join(_legal(phase, deck.suits) for phase, _ in played),
        picks="".join(_DIGITS[deck.names(p.legal).index(card)] for p, card in played),
        winners="".join(str(_SEAT[trick.winner]) for trick in moments[-1].tricks),
        delta=list(end.delta.values()) if end else None,
        bags=list(end.bags.values()) if end else None,
        ms=_times([decision.ms for decision in decisions]),
        cpu_ms=_times([decision.cpu_ms for decision in decisions]),
        notes={i: d.note for i, d in enumerate(decisions) if d.note is not None},
        substituted=[i for i, decision in enumerate(decisions) if decision.substituted],
        faults=list(_faults(moments)),
        greetings=list(_greetings(moments)),
    )


def _owner(deal: Deal, card: int) -> str:
    """The seat, as a digit, that a card was dealt to, a card set of one."""
    return next(str(_SEAT[seat]) for seat in SEATS if deal.dealt[seat] & card)


def _call(decision: Decision, deck: Deck) -> int | bool | list[Any]:
    """A decision before the play."""
    match decision:
        case BidMade(bid=bid):
            return bid
        case BlindNilAnswered(blind_nil=blind_nil):
            return blind_nil
        case CardsPassed(seat=seat, cards=cards):
            return [_SEAT[seat], [deck.number[card] for card in cards]]
    raise AssertionError(decision)


def _legal(phase: Playing, suits: Sequence[int]) -> str:
    """The suits of the legal cards: one alone, or else all but those that may not be played.

    So those that are not held make no difference, and there are few different digits.
    """
    allowed = refused = 0
    for i, suit in enumerate(suits):
        if phase.legal & suit:
            assert phase.legal & suit == phase.held & suit  # no rule allows a part of a suit
            allowed |= 1 << i
        elif phase.held & suit:
            refused |= 1 << i
    return _DIGITS[allowed if allowed.bit_count() == 1 else _ALL_SUITS & ~refused]


def _times(times: Sequence[float | None]) -> list[float | None]:
    """Rounded to what anybody looks at; empty where there are none."""
    if all(ms is None for ms in times):
        return []
    return [None if ms is None else _rounded(ms) for ms in times]


def _rounded(ms: float) -> float:
    return round(ms, 1) if ms < _WHOLE_FROM else round(ms)


def _numbered(moments: Sequence[Moment]) -> Iterator[tuple[int, Moment]]:
    """Each moment with the number of decisions before it."""
    at = 0
    for moment in moments:
        yield at, moment
        at += moment.decision is not None


def _faults(moments: Sequence[Moment]) -> Iterator[PackedFault]:
    for at, moment in _numbered(moments):
        for fault, debug in zip(moment.faults, moment.debug, strict=True):
            yield PackedFault(
                at=at,
                seat=_SEAT[fault.seat],
                kind=fault.kind,
                request=fault.request,
                detail=fault.detail,
                raw=fault.raw,
                ruling=fault.ruling,
                debug=debug,
            )


def _greetings(moments: Sequence[Moment]) -> Iterator[PackedGreeting]:
    for at, moment in _numbered(moments):
        for greeting in moment.greetings:
            yield PackedGreeting(
                at=at,
                seat=_SEAT[greeting.seat],
                name=greeting.name,
                version=greeting.version,
                note=greeting.note,
                ms=None if greeting.ms is None else _rounded(greeting.ms),
            )
