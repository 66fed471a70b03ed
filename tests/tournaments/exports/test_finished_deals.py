"""Finished deals, as rows and in PBN, against what the bots of the same matches were told."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.events import FaultPolicy, MatchStarted
from arena.record import Writer
from arena.record import read as events_of
from arena.rules import PRESETS
from protocol.messages import DealEnd, Exchanged
from protocol.rules import Rules
from tests.arena.tables import choosers, every, play, policies, rules, started
from tests.tournaments import pbn_reader
from tests.tournaments.league import SOUND, League, Outcome
from tournaments.exports import export
from tournaments.exports.finished_deals import FinishedDeal, finished_deals
from tournaments.exports.pbn import game, write_pbn
from tournaments.storage.results import Comparable

Command = Callable[..., Outcome]


def played(
    match: MatchStarted, seed: int, faults: float
) -> tuple[list[FinishedDeal], list[DealEnd]]:
    """The finished deals of a match, and what a bot was told at the end of each."""
    bots = choosers(seed, faults)
    events, _ = play(match, bots)
    writer = Writer()
    for event in events:
        writer.add(event)
    told = [message for message in bots["N"].told if isinstance(message, DealEnd)]
    return list(finished_deals(events_of(writer.close()))), told


matches = st.builds(
    played,
    st.builds(lambda rules, faults: started(rules, faults=faults), rules, policies),
    st.integers(0, 1000),
    st.sampled_from([0.0, 0.02]),
)


@settings(max_examples=30)
@given(matches)
def test_a_finished_deal_is_what_the_bots_were_told_of_it(
    match: tuple[list[FinishedDeal], list[DealEnd]],
) -> None:
    deals, told = match
    assert len(deals) == len(told)
    for deal, end in zip(deals, told, strict=True):
        assert (deal.end.deal, deal.dealt.dealer) == (end.deal, end.dealer)
        assert deal.dealt.hands == {seat: list(hand) for seat, hand in end.hands.items()}
        assert (list(deal.bids.items()), deal.blind) == (list(end.bids.items()), end.blind)
        exchanged: dict[Any, Exchanged] = end.exchanged or {}
        assert deal.gave == {seat: list(each.gave) for seat, each in exchanged.items()}
        assert len(deal.cards) // 4 == len(end.tricks) == sum(deal.end.taken.values())
        assert (len(deal.cards) < 52) == (deal.stopped is not None)
        assert deal.end.taken == end.taken
        assert (deal.end.delta, deal.end.score, deal.end.bags) == (end.delta, end.score, end.bags)
        held = sorted(card for hand in deal.hands.values() for card in hand)
        assert held == sorted(card for hand in deal.dealt.hands.values() for card in hand)
        assert all(len(hand) == 13 for hand in deal.hands.values())


@settings(max_examples=30)
@given(matches)
def test_a_game_of_pbn_can_be_played_by_its_own_text_and_comes_to_the_same_tricks(
    match: tuple[list[FinishedDeal], list[DealEnd]],
) -> None:
    for deal in match[0]:
        if deal.match.rules.deck != "standard":
            continue
        (read,) = pbn_reader.read("\n".join(["% PBN 2.1", "", *game("league", deal)]))
        assert read.taken() == deal.end.taken
        assert read.ended == (deal.stopped is None)
        tags, dealer = read.tags, deal.dealt.dealer
        assert tags["Dealer"] == tags["Declarer"] == tags["Deal"][0] == dealer
        assert read.leader == pbn_reader.clockwise(dealer)[1]
        assert tags["Contract"] == "1S"
        assert tags["SpadesBids"] == " ".join(f"{seat}:{bid}" for seat, bid in deal.bids.items())
        assert tags.get("SpadesBlind", "").split() == list(deal.blind)
        assert ("SpadesGave" in tags) == bool(deal.gave)


def some(rules: Rules, faults: FaultPolicy, likely: float) -> Iterator[FinishedDeal]:
    for seed in range(20):
        yield from played(started(rules, faults=faults), seed, likely)[0]


def test_the_result_is_the_tricks_of_the_dealer_and_the_seat_opposite() -> None:
    deals = list(some(Rules(max_deals=1), every("set"), 0.01))
    assert {deal.stopped is None for deal in deals} == {True, False}
    for deal in deals:
        (read,) = pbn_reader.read("\n".join(["% PBN 2.1", "", *game("league", deal)]))
        side = "NS" if deal.dealt.dealer in "NS" else "EW"
        taken = str(sum(deal.end.taken[seat] for seat in deal.end.taken if seat in side))
        assert read.tags["Result"] == (taken if deal.stopped is None else "?")
        assert read.tags.get("SpadesStopped") == deal.stopped


class Held:
    """What an export reads, with one match in it."""

    def __init__(self, rules: Rules, record: bytes) -> None:
        self._rules, self._record = rules, record

    def records(self) -> Iterator[tuple[str, bytes]]:
        yield "m", self._record

    def judging(self, match: str) -> AbstractContextManager[None]:
        return nullcontext()

    def tournament(self) -> Any:
        class Stored:
            name = "league"
            players = self._rules.players
            compared = Comparable("solo" if players == "solo" else "pairs", self._rules)

        return Stored()


def record_of(rules: Rules) -> bytes:
    events, _ = play(started(rules), choosers(3))
    writer = Writer()
    for event in events:
        writer.add(event)
    return writer.close()


@pytest.mark.parametrize("preset", ["standard", "blind", "nyc", "solo"])
def test_a_row_has_the_columns_that_the_rules_make(preset: str) -> None:
    rules = replace(PRESETS[preset], max_deals=2, blind_nil_deficit=0)
    record = record_of(rules)
    store: Any = Held(rules, record)
    columns = list(export.deal_columns(store))
    rows = list(export.deals(store))
    assert len(rows) == 2
    sides = "NESW" if preset == "solo" else ("NS", "EW")
    assert columns[-6 if preset != "solo" else -12 :] == [
        f"{what}_{side}" for what in ("delta", "score", "bags") for side in sides
    ]
    for row, deal in zip(rows, finished_deals(events_of(record)), strict=True):
        assert list(row) == columns
        assert row["hand_E"].split() == deal.dealt.hands["E"]
        assert (row["blind"] != "") == bool(deal.blind)
        assert [row[f"gave_{seat}"] for seat in "NESW"] == [
            " ".join(deal.gave[seat]) if seat in deal.gave else None for seat in "NESW"
        ]
        assert [row[f"taken_{seat}"] for seat in "NESW"] == list(deal.end.taken.values())
        assert [row[f"score_{side}"] for side in sides] == list(deal.end.score.values())
    assert preset != "blind" or any(row["gave_N"] or row["gave_E"] for row in rows)


@pytest.mark.parametrize("deck", ["jokers", "jokers_nyc"])
def test_pbn_has_no_jokers_and_says_so_before_anything_is_written(deck: Any) -> None:
    store: Any = Held(Rules(deck=deck), b"")
    out = io.StringIO()
    with pytest.raises(Exception, match=f"'{deck}', and PBN has no jokers: take --format json"):
        write_pbn(store, out)
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    "name",
    ['a "b" \\', "#", "##x", "x\ny", "% x", "\x1b[2J\u202e", "\N{BLACK SPADE SUIT}", '"\\' * 5000],
)
def test_no_name_ends_its_tag_or_means_anything(name: str) -> None:
    (deal,) = finished_deals(events_of(record_of(Rules(max_deals=1))))
    text = "\n".join(["% PBN 2.1", "", *game(name, deal)])
    (read,) = pbn_reader.read(text)
    assert read.tags["Event"].strip()[:3] == ascii(name)[1:-1].replace("\\\\", "\\")[:3]
    assert not read.tags["Event"].startswith("#")
    assert read.taken() == deal.end.taken


def test_deals_come_as_rows_and_as_games_of_a_real_run(league: League, command: Command) -> None:
    leaves = SOUND.replace("stdin:", "stdin:\n    if '\"deal\":2,' in line: sys.exit()")
    league.write([league.bot("a"), league.bot("leaves", leaves)], rules={"max_deals": 3})
    league.play()
    arguments = ("export", league.run_folder, "--what", "deals", "--format")
    rows = json.loads(command(*arguments, "json").out)
    assert [(row["deal"], row["stopped"]) for row in rows] == [(1, None)] * 2  # forfeited in 2
    text = command(*arguments, "csv").out
    read = list(csv.DictReader(io.StringIO(text, newline="")))
    assert read == [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]
    games = pbn_reader.read(command(*arguments, "pbn").out)
    assert [(g.tags["SpadesMatch"], g.tags["Board"]) for g in games] == [
        (row["match"], str(row["deal"])) for row in rows
    ]
    assert [(g.tags["Event"], g.tags["Table"]) for g in games] == [("league", "1"), ("league", "2")]
    for row, each in zip(rows, games, strict=True):
        assert [each.tags[seat] for seat in ("North", "East", "South", "West")] == [
            row[seat] for seat in "NESW"
        ]
        assert each.hands["N"] == {card[1] + card[0] for card in row["hand_N"].split()}
        assert each.taken() == {seat: row[f"taken_{seat}"] for seat in "NESW"}
    refused = command(*arguments[:3], "decisions", "--format", "pbn")
    assert refused.status == 2
    assert "PBN is a notation of deals, and has no place for decisions" in refused.err
