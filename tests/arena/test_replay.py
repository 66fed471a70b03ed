"""Replays: the moments of a match, where each stands, and the compact form they are packed in."""

import zlib
from collections.abc import Iterator
from itertools import repeat
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bot import BotFault, ScriptedBot
from arena.events import CardPlayed, DealEnded, Decision, Faulted, FaultPolicy, Greeted, MatchEnded
from arena.packed import PackedDeal, PackedReplay
from arena.packing import pack
from arena.record import BadRecord, Writer, follow, judge, read
from arena.replay import Moment, Replay, replay, so_far
from arena.rules import PRESETS
from arena.state import Asking, Bidding, Playing
from protocol.cards import DECKS, SEATS
from protocol.rules import Rules
from tests.arena.tables import KINDS, SET, choose, choosers, every, play, policies, rules, started


def recorded(
    rules: Rules = Rules(max_deals=2),  # noqa: B008 - frozen
    policy: FaultPolicy = SET,
    faults: float = 0.0,
    seed: int = 1,
) -> bytes:
    writer = Writer()
    for event in play(started(rules, faults=policy), choosers(seed, faults, KINDS))[0]:
        writer.add(event)
    return writer.close()


def forfeited(replies: int) -> bytes:
    """W is at fault after so many replies."""
    bots = choosers(1)
    fault = BotFault("exit", "it exited - see its log", "'2'")
    bots["W"] = ScriptedBot([*repeat(choose(Random(1)), replies), fault])
    writer = Writer()
    for event in play(started(), bots)[0]:
        writer.add(event)
    return writer.close()


PLAIN = recorded()
BLIND = Rules(max_deals=3, blind_nil=200, blind_nil_exchange=2)


any_record = st.builds(
    recorded, rules, policies, st.sampled_from([0.0, 0.02, 0.2]), st.integers(0, 2**32)
)


@given(record=any_record)
@settings(max_examples=40)
def test_the_moments_hold_every_event_once_and_in_order(record: bytes) -> None:
    whole = replay(record)
    found: list[Any] = []
    for moment in whole.moments:
        found += sorted([*moment.greetings, *moment.faults], key=lambda e: order(record, e))
        found += [e for e in (moment.decision, moment.deal_end, moment.match_end) if e is not None]
    events = [event for _, event in read(record)][1:-1]
    assert found == [
        e for e in events if isinstance(e, Greeted | Faulted | Decision | DealEnded | MatchEnded)
    ]
    _, final = judge(record)
    assert whole.moments[-1].after == final
    assert whole.result == found[-1]


def order(record: bytes, event: object) -> int:
    """The line of an event, the very one or one that is equal."""
    return next(number for number, each in read(record) if each == event)


@given(record=any_record)
@settings(max_examples=40)
def test_each_moment_goes_on_from_the_one_before_at_a_later_position(record: bytes) -> None:
    whole = replay(record)
    positions = [moment.position for moment in whole.moments]
    assert len({str(position) for position in positions}) == len(positions)
    key = [(p.deal, p.end, p.trick, p.card) for p in positions]
    assert key == sorted(key)
    for before, moment in zip(whole.moments, whole.moments[1:], strict=False):
        assert moment.kind == "deal" or moment.before == before.after
        if moment.decision is not None:
            assert isinstance(moment.before.phase, Asking)
            assert moment.before.phase.turn == moment.decision.seat
        assert (moment.kind == "end") == moment.position.end


@given(record=any_record)
@settings(max_examples=10)
def test_a_match_that_goes_on_has_the_moments_that_it_has_in_the_end(record: bytes) -> None:
    events, whole = list(follow(record)), replay(record)
    shown = 0
    for length in range(1, len(events) + 1):
        found = so_far(events[:length])
        assert found.moments[:-1] == whole.moments[: len(found.moments) - 1]
        last = found.moments[-1]
        assert last.position == whole.moments[len(found.moments) - 1].position
        assert last.decision == whole.moments[len(found.moments) - 1].decision
        assert len(found.moments) - shown in (0, 1)
        shown = len(found.moments)
    assert found == whole


@pytest.mark.parametrize(
    ("position", "kind"),
    [
        ("0", "start"),
        ("1/0/0", "deal"),
        ("1/0/4", "decision"),
        ("1/1/1", "decision"),
        ("1/13/4", "decision"),
        ("1/end", "end"),
        ("2/0/0", "deal"),
        ("2/end", "end"),
    ],
)
def test_a_position_names_a_moment(position: str, kind: str) -> None:
    (moment,) = (m for m in replay(PLAIN).moments if str(m.position) == position)
    assert moment.kind == kind
    if kind == "decision" and moment.position.trick:
        assert isinstance(moment.decision, CardPlayed)
        phase = moment.after.phase
        assert isinstance(phase, Playing)
        table = phase.cards or phase.tricks[-1].cards
        assert table[moment.position.card - 1] == moment.decision.card


@pytest.mark.parametrize(
    ("replies", "last", "kind"),
    [(0, "0", "start"), (1, "1/end", "end"), (2, "1/end", "end"), (5, "1/end", "end")],
)
def test_a_forfeit_ends_the_replay_where_it_happened(replies: int, last: str, kind: str) -> None:
    whole = replay(forfeited(replies))
    moment = whole.moments[-1]
    assert (str(moment.position), moment.kind) == (last, kind)
    assert moment.deal_end is None
    assert [fault.detail for fault in moment.faults] == ["it exited - see its log"]
    assert whole.result.reason == "forfeit"
    assert [m.kind for m in whole.moments if m.match_end] == [kind]


def test_a_deal_that_was_set_ends_with_the_fault_and_its_tricks() -> None:
    ends = [
        m
        for seed in range(9)
        for m in replay(recorded(faults=0.02, seed=seed)).moments
        if m.kind == "end" and m.deal_end and m.faults
    ]
    assert ends
    for end in ends:
        assert [fault.ruling for fault in end.faults] == ["set"]
        assert end.deal_end is not None
        assert len(end.tricks) == sum(end.deal_end.taken.values())


def test_what_the_arena_decided_stands_with_the_fault_before_it() -> None:
    record = recorded(policy=every("substitute", limit=200), faults=0.1)
    decided = [m for m in replay(record).moments if m.decision and m.decision.substituted]
    assert decided
    for moment in decided:
        assert moment.decision is not None
        assert [f.seat for f in moment.faults] == [moment.decision.seat] * len(moment.faults)
        assert moment.faults


@pytest.mark.parametrize("end", [0, 1, -1, -2, 30])
def test_a_record_that_is_cut_off_is_refused_with_the_sentence_of_its_judge(end: int) -> None:
    cut = b"".join(PLAIN.splitlines(keepends=True)[:end])
    with pytest.raises(BadRecord) as judged:
        judge(cut)
    with pytest.raises(BadRecord, match=r"^line \d+: ") as refused:
        replay(cut)
    assert str(refused.value) == str(judged.value)


# The compact form, read by what is written of it and nothing else


def unpacked(packed: PackedReplay, deal: PackedDeal) -> Iterator[tuple[int, Any, list[Any]]]:
    """Each decision of a deal: seat, what it chose, what was legal (for bids and cards)."""
    hands = [{i for i, seat in enumerate(deal.dealt) if int(seat) == each} for each in range(4)]
    turn, lowest = (deal.dealer + 1) % 4, iter(deal.lowest)
    for call in deal.calls:
        if isinstance(call, list):
            seat, cards = call
            hands[seat] -= set(cards)
            hands[(seat + 2) % 4] |= set(cards)
            yield seat, cards, []
        else:
            legal = [] if isinstance(call, bool) else list(range(int(next(lowest), 16), 14))
            yield turn, call, legal
            turn = turn if call is False else (turn + 1) % 4
    suits = [i for i, count in enumerate(packed.suits) for _ in range(count)]
    turn = (deal.dealer + 1) % 4
    for number, (mask, pick) in enumerate(zip(deal.legal, deal.picks, strict=True)):
        if number and number % 4 == 0:
            turn = int(deal.winners[number // 4 - 1])
        allowed = sorted(card for card in hands[turn] if int(mask, 16) >> suits[card] & 1)
        card = allowed[int(pick, 16)]
        hands[turn].remove(card)
        yield turn, card, allowed
        turn = (turn + 1) % 4


def written(moment: Moment, whole: Replay) -> tuple[int, Any, list[Any]]:
    """The same from the record."""
    deck, decision = DECKS[whole.started.rules.deck], moment.decision
    assert decision is not None
    phase, choice = moment.before.phase, msgspec.to_builtins(decision)
    seat = SEATS.index(decision.seat)
    if isinstance(phase, Playing):
        legal = [deck.number[card] for card in deck.names(phase.legal)]
        return seat, deck.number[choice["card"]], legal
    if isinstance(phase, Bidding):
        return seat, choice["bid"], list(phase.legal)
    if "cards" in choice:
        return seat, [deck.number[card] for card in choice["cards"]], []
    return seat, choice["blind_nil"], []


@given(record=any_record)
@settings(max_examples=60)
def test_a_packed_replay_says_what_the_record_says(record: bytes) -> None:
    whole, side_names = replay(record), list(judge(record)[1].score)
    packed = msgspec.json.decode(msgspec.json.encode(pack(whole)), type=PackedReplay)
    assert [packed.cards[i : i + 2] for i in range(0, 104, 2)] == list(
        DECKS[whole.started.rules.deck].cards
    )
    score = [0] * len(side_names)
    _, *by_deal = whole.by_deal()
    for moments, deal in zip(by_deal, packed.deals, strict=True):
        decided = [moment for moment in moments if moment.decision]
        assert list(unpacked(packed, deal)) == [written(m, whole) for m in decided]
        end = moments[-1].deal_end
        assert (end is None) == (deal.delta is None)
        assert deal.winners == "".join(str(SEATS.index(t.winner)) for t in moments[-1].tricks)
        if end and deal.delta and deal.bags:
            score = [a + b for a, b in zip(score, deal.delta, strict=True)]
            assert score == list(end.score.values())
            assert deal.bags == list(end.bags.values())
        assert len(deal.ms) == len(decided) or not any(
            m.decision and m.decision.ms for m in decided
        )
        faults = [(f.at, f.seat, f.detail, f.raw, f.ruling) for f in deal.faults]
        assert faults == [
            (at, SEATS.index(f.seat), f.detail, f.raw, f.ruling)
            for at, m in enumerate(moments[1:])
            for f in m.faults
        ]
        assert deal.substituted == [
            at for at, m in enumerate(decided) if m.decision and m.decision.substituted
        ]
    assert packed.score == score
    result = whole.result
    assert packed.winner == (side_names.index(result.winner) if result.winner else None)
    assert packed.forfeited == (side_names.index(result.forfeited) if result.forfeited else None)


def test_times_and_notes_can_be_left_out() -> None:
    whole = replay(PLAIN)
    full, bare = pack(whole), msgspec.json.encode(pack(whole, times=False, notes=False))
    assert full.deals[0].notes[0] == "a bid"
    assert len(full.deals[0].ms) == 56
    assert not any(word in bare for word in (b"note", b'"ms"', b"cpu_ms"))
    again = msgspec.json.decode(bare, type=PackedReplay)
    assert [deal.picks for deal in again.deals] == [deal.picks for deal in full.deals]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_takes_hardly_more_than_a_hundred_bytes(preset: str) -> None:
    whole = replay(recorded(msgspec.structs.replace(PRESETS[preset], max_deals=9)))
    packed = zlib.compress(msgspec.json.encode(pack(whole, times=False, notes=False)), 9)
    assert len(packed) < 400 + 130 * whole.deals
