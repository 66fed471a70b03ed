"""What a match tells while it is played: twice a deal how it stands, and nothing depends on it."""

import zlib
from collections.abc import Sequence
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import seed_root
from arena.events import AnyEvent, FaultPolicy
from arena.match import play, specify
from arena.news import News, Reporter
from arena.process import UNBOXED
from arena.record import strip_times
from arena.state import Playing
from protocol.cards import SEATS
from protocol.rules import Rules
from tests.arena import tables
from tests.arena.programs import PATIENT, bad_bot


def told(events: Sequence[AnyEvent]) -> list[News]:
    news: list[News] = []
    reporter = Reporter(news.append)
    for event in events:
        reporter.add(event)
    return news


@given(rules=tables.rules, policy=tables.policies, seed=st.integers(0, 1000))
def test_what_is_told_is_what_the_fold_of_all_events_knows(
    rules: Rules, policy: FaultPolicy, seed: int
) -> None:
    match = tables.started(rules, faults=policy)
    events, _ = tables.play(match, tables.choosers(seed, faults=0.01))
    known = {
        (state.phase.deal.number, tuple(state.score.items()), tuple(state.phase.deal.bids.items()))
        for state, _ in tables.states(events)
        if isinstance(state.phase, Playing)
    }
    news = told(events)
    assert all(each.match == match.match for each in news)
    after_bids = [each for each in news if each.bids]
    assert known <= {
        (each.deal, tuple(each.score.items()), tuple(each.bids.items())) for each in after_bids
    }
    for _, of_deal in groupby(news, lambda each: each.deal):
        first, *second = of_deal
        assert first.bids == {}
        assert len(second) <= 1
        assert all(each.bids.keys() == set(SEATS) for each in second)


def test_a_bot_that_is_not_asked_any_more_ends_what_is_told() -> None:
    match = tables.started()
    events, _ = tables.play(match, tables.choosers(1, faults=1.0))
    assert told(events) == []


@pytest.mark.parametrize("rules", [Rules(max_deals=2), Rules(max_deals=1, players="solo")])
def test_a_match_that_tells_has_the_same_record_as_one_that_does_not(rules: Rules) -> None:
    spec = specify(
        "m",
        seed_root(1),
        dict.fromkeys(SEATS, bad_bot("proper")),
        rules=rules,
        clock=PATIENT,
        faults=FaultPolicy(),
        sandbox=UNBOXED,
    )
    news: list[News] = []
    loud, silent = play(spec, news.append), play(spec)
    record, other = (strip_times(zlib.decompress(each.record)) for each in (loud, silent))
    assert record == other
    assert [each.deal for each in news] == [1 + i // 2 for i in range(2 * loud.deals)]
