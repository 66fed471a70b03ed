"""Groups of neighbours: none meet again who need not, and a thousand bots are quickly drawn."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.schedules import grouping
from tournaments.schedules.grouping import Group, Met, grouped


def met_of(pairs: Counter[frozenset[str]]) -> Met:
    return lambda one, other: pairs[frozenset((one, other))]


def again(groups: Sequence[Group], met: Met) -> int:
    return sum(met(*pair) ** 2 for group in groups for pair in combinations(group, 2))


def every_way(bots: Sequence[str], size: int) -> Iterator[list[Group]]:
    """All ways to make groups, naively."""
    if not bots:
        yield []
    for others in combinations(bots[1:], size - 1) if bots else ():
        left = [bot for bot in bots[1:] if bot not in others]
        for rest in every_way(left, size):
            yield [(bots[0], *others), *rest]


@pytest.mark.parametrize(
    ("bots", "size", "met", "expected"),
    [
        ("abcd", 2, "", "ab cd"),
        ("abcd", 2, "ab", "ac bd"),
        ("abcd", 2, "ab cd", "ac bd"),
        ("abcd", 2, "ab ac", "ad bc"),
        ("abcd", 2, "ab ac ad", "ab cd"),
        ("abcdef", 2, "ab ef", "ac be df"),
        ("abcdef", 2, "de ef df", "ad be cf"),
        ("abcdefgh", 4, "", "abcd efgh"),
        ("abcdefgh", 4, "ab cd", "acef bdgh"),
        ("", 2, "", ""),
    ],
)
def test_neighbours_play_but_those_who_have_met(
    bots: str, size: int, met: str, expected: str
) -> None:
    before = met_of(Counter(frozenset(pair) for pair in met.split()))
    assert [*map("".join, grouped(bots, size, before))] == expected.split()


@given(st.sampled_from([(4, 2), (6, 2), (8, 2), (8, 4)]), st.data())
def test_few_bots_meet_again_as_little_as_can_be(of: tuple[int, int], data: st.DataObject) -> None:
    number, size = of
    bots = "abcdefgh"[:number]
    pairs = st.lists(st.sampled_from([*combinations(bots, 2)]), max_size=40)
    met = met_of(Counter(map(frozenset, data.draw(pairs))))
    found = grouped(bots, size, met)
    assert sorted("".join(map("".join, found))) == list(bots)
    assert again(found, met) == min(again(way, met) for way in every_way(bots, size))


@pytest.mark.parametrize(("number", "size", "rounds"), [(40, 2, 20), (100, 4, 8), (1000, 4, 20)])
def test_many_bots_do_not_meet_again_while_they_need_not(
    number: int, size: int, rounds: int
) -> None:
    """The better bot always wins: then the same bots would meet in every round."""
    random = Random(number)
    bots = [f"{i:03}" for i in range(number)]
    pairs: Counter[frozenset[str]] = Counter()
    score: Counter[str] = Counter()
    for _ in range(rounds):
        ranked = sorted(bots, key=lambda bot: (-score[bot], bot))
        groups = grouped(ranked, size, met_of(pairs))
        assert sorted(bot for group in groups for bot in group) == bots
        assert again(groups, met_of(pairs)) == 0
        for group in groups:
            pairs.update(frozenset(pair) for pair in combinations(group, 2))
            for place, bot in enumerate(sorted(group)):
                score[bot] += size - place + (random.random() < 0.2)


def test_a_draw_gives_up_after_so_many_exchanges(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    def met(one: str, other: str) -> int:
        nonlocal looks
        looks += 1
        return 1

    found = []
    for exchanges in (10, 20_000):
        monkeypatch.setattr(grouping, "EXCHANGES", exchanges)
        looks = 0
        groups = grouped([f"{i}" for i in range(80)], 4, met)
        assert len({bot for group in groups for bot in group}) == 80
        found.append(looks)
    assert 4 * found[0] < found[1]
