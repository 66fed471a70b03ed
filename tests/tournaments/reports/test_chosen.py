"""What a report has room for: matches, faults and replays, the most wanted first."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.packing import pack
from arena.replay import replay
from tests.tournaments import reported
from tournaments.reports import embedded
from tournaments.reports import matches as chosen
from tournaments.reports.embedded import Bundle, bundles
from tournaments.reports.matches import faults, matches
from tournaments.sources import in_run
from tournaments.storage.store import Store


def replays(found: list[Bundle]) -> list[tuple[str, Any]]:
    """Ids with replays, as a page unpacks them."""
    return [
        each
        for bundle in found
        for each in zip(
            bundle.matches,
            json.loads(gzip.decompress(base64.b64decode(bundle.packed))),
            strict=True,
        )
    ]


def test_matches_with_faults_come_before_others_the_latest_first(league_store: Store) -> None:
    listed = matches(league_store)
    finished = list(league_store.finished())
    faulty = [match.match for match in reversed(finished) if match.faults]
    assert 0 < len(faulty) < len(finished)
    order = list(listed.by_interest())
    assert order[: len(faulty)] == faulty
    assert order[len(faulty) :] == [m.match for m in reversed(finished) if not m.faults]
    assert listed.more == 0


@pytest.mark.parametrize("most", [1, 5, 24, 100])
def test_so_many_of_the_latest_and_of_those_with_faults_are_listed(
    most: int, league_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen, "LISTED", most)
    listed = matches(league_store)
    finished = list(league_store.finished())
    wanted = {m.number for m in finished[-most:]}
    wanted |= {m.number for m in [m for m in finished if m.faults][-most:]}
    assert [m.number for m in listed.listed] == sorted(wanted)
    assert listed.more == 24 - len(wanted)


def test_a_few_faults_of_each_bot_and_kind_are_shown(
    league_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(faults(league_store)) == chosen.OF_A_KIND
    monkeypatch.setattr(chosen, "OF_A_KIND", 2)
    found = faults(league_store)
    assert [fault["bot"] for fault in found] == ["careless"] * 2
    monkeypatch.setattr(chosen, "FAULTS", 1)
    assert faults(league_store) == found[:1]


def test_all_replays_are_there_where_there_is_room(league_store: Store) -> None:
    order = list(matches(league_store).by_interest())
    found = replays(list(bundles(league_store, order, 1_000_000)))
    assert [match for match, _ in found] == order
    for match, packed in found:
        source = in_run(league_store.folder, match)
        expected = msgspec.json.encode(pack(replay(league_store.record(match), source)))
        assert packed == json.loads(expected)


@pytest.mark.parametrize("room", [0, 300, 1_500, 4_000, 10_000])
def test_the_first_replays_are_there_as_far_as_there_is_room(
    room: int, league_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "TOGETHER", 8)
    order = list(matches(league_store).by_interest())
    found = list(bundles(league_store, order, room))
    held = [match for bundle in found for match in bundle.matches]
    assert held == order[: len(held)]
    assert sum(bundle.size for bundle in found) <= room
    assert (len(held) > 0) == (room >= 1_500)
    assert (len(held) == 24) == (room >= 10_000)


def test_a_replay_that_is_too_long_goes_without_notes_or_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.read(reported.hostile(tmp_path / "run")) as store:
        order = list(matches(store).by_interest())
        whole = replays([*bundles(store, order, 10**6)])
        assert all("notes" in each["deals"][0] for _, each in whole)
        first = replay(store.record(order[0]), in_run(store.folder, order[0]))
        bare = len(msgspec.json.encode(pack(first, notes=False)))
        monkeypatch.setattr(embedded, "LONGEST", bare)
        found = replays([*bundles(store, order, 10**6)])
        assert [match for match, _ in found] == order
        assert not any("notes" in each["deals"][0] for _, each in found)
        monkeypatch.setattr(embedded, "LONGEST", bare - 1)
        assert list(bundles(store, order, 10**6)) == []
