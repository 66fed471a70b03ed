"""How bots bid, thought and were rated: sums and samples, beside what a full look comes to."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.events import FaultPolicy
from protocol.cards import SEATS
from protocol.rules import Rules
from tests.arena.tables import every
from tests.tournaments.replayed import ILLEGAL, record
from tests.tournaments.reported import store_records
from tournaments.exports.export import deals, decisions
from tournaments.reports.conduct import Conduct, conduct
from tournaments.reports.history import Point, Thinned, histories
from tournaments.reports.times import Times
from tournaments.standings.rating_history import rating_history
from tournaments.storage.store import Store


def of_records(folder: Path, *records: bytes) -> dict[str, Conduct]:
    with Store.read(store_records(folder / "run", records)) as store:
        return conduct(store)


def test_hands_are_counted_by_bid_and_tricks_as_the_export_of_deals_has_them(
    league_store: Store,
) -> None:
    expected: dict[str, Counter[tuple[int, int]]] = {}
    for row in deals(league_store):
        for seat in SEATS:
            hand = row[f"bid_{seat}"], row[f"taken_{seat}"]
            expected.setdefault(row[seat], Counter())[hand] += 1
    found = conduct(league_store)
    assert found.keys() == expected.keys()
    for name, bot in found.items():
        hands: Counter[tuple[int, int]] = Counter()
        for bid, taken, times in bot.tricks():
            hands[bid, taken] += times
        assert hands == expected[name]
        assert bot.hands == hands.total() == 2 * bot.sides
        assert 0 < bot.made < bot.sides


def test_times_are_those_of_all_decisions_of_the_bots_own(league_store: Store) -> None:
    own = Counter(row["bot"] for row in decisions(league_store) if row["ms"] is not None)
    found = conduct(league_store)
    assert {name: bot.times.decisions for name, bot in found.items()} == own
    for bot in found.values():
        assert bot.times.longest == 12.3
        assert bot.times.total == pytest.approx(12.3 * bot.times.decisions)
        assert bot.longest_match >= 12.3 * 13


@pytest.mark.parametrize(
    ("rules", "seed"),
    [
        (Rules(max_deals=3, bag_penalty=0), 1),
        (Rules(max_deals=3, bag_penalty=0, failed_nil_tricks="contract"), 2),
        (Rules(max_deals=3, bag_penalty=0, set_nil_bags="none"), 3),
        (Rules(max_deals=3, bag_penalty=0, blind_nil=200, blind_nil_exchange=2), 4),
        (Rules(max_deals=3, bag_penalty=0, players="solo", min_bid=1, nil=0), 5),
    ],
)
def test_bags_are_those_that_the_record_counts_whatever_the_rules(
    rules: Rules, seed: int, tmp_path: Path
) -> None:
    folder = store_records(tmp_path / "run", [record(rules, seed=seed)])
    with Store.read(folder) as store:
        (*_, last) = deals(store)
        found = conduct(store)
    sides = {"N": "counting", "E": "lowest", "S": "counting", "W": "lowest"}
    if rules.players != "solo":
        sides = {"NS": "counting", "EW": "lowest"}
    bags: Counter[str] = Counter()
    for side, bot in sides.items():
        bags[bot] += last[f"bags_{side}"]
    assert {bot: each.bags for bot, each in found.items()} == bags


def test_blind_nils_are_told_from_others(tmp_path: Path) -> None:
    rules = Rules(max_deals=3, blind_nil=200, blind_nil_exchange=2)
    folder = store_records(tmp_path / "run", [record(rules, seed=3)])
    with Store.read(folder) as store:
        blind = sum(len(row["blind"].split()) for row in deals(store))
        found = conduct(store)
    assert blind
    assert sum(sum(bot.blind_nils.values()) for bot in found.values()) == blind


@pytest.mark.parametrize("policy", [every("set"), FaultPolicy()], ids=["set", "forfeit"])
def test_a_deal_that_a_fault_has_cut_short_says_nothing_of_bids(
    policy: FaultPolicy, tmp_path: Path
) -> None:
    faulty = record(faults={"E": {4: ILLEGAL}}, policy=policy)
    found = of_records(tmp_path, faulty)
    with Store.read(tmp_path / "run") as store:
        whole = [row for row in deals(store) if row["stopped"] is None]
    assert {bot.hands for bot in found.values()} == {2 * len(whole)}
    assert all(bot.times.decisions > 26 * len(whole) for bot in found.values())


@given(st.lists(st.floats(0, 1e7), min_size=1), st.floats(0.01, 1))
def test_a_quantile_is_too_long_by_a_tenth_at_most(values: list[float], part: float) -> None:
    times = Times()
    for ms in values:
        times.add(ms)
    exact = next(ms for i, ms in enumerate(sorted(values), 1) if i >= part * len(values))
    found = times.quantile(part)
    assert found is not None
    assert exact - 1e-9 <= max(found, 0.01)
    assert found <= max(exact * 1.1 + 1e-9, 0.01)
    assert times.longest == max(values)
    assert len(times.classes) < 300


@given(st.integers(0, 500), st.integers(2, 40))
def test_points_are_thinned_evenly_and_the_first_and_last_are_kept(count: int, most: int) -> None:
    thinned = Thinned(most)
    for played in range(1, count + 1):
        thinned.add(Point(played, 25.0, 8.0))
    found = [point.played for point in thinned.points()]
    assert len(found) <= most
    assert found[:1] == [1][:count]
    assert found[-1:] == [count][: count > 0]
    gaps = [b - a for a, b in pairwise(found)]
    assert len(set(gaps[:-1])) <= 1


def test_a_history_ends_with_the_rating_that_the_bot_has(league_store: Store) -> None:
    last = {row["bot"]: (row["mu"], row["sigma"]) for row in rating_history(league_store)}
    found = histories(league_store, ["counting", "careless"])
    assert list(found) == ["counting", "careless"]
    for bot, points in found.items():
        assert points[-1][1:] == last[bot]
        assert points[-1].played == 16
