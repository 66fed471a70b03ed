"""Ratings match by match: after each they are those of a full computation."""

import json
import zlib
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from arena.match import MatchResult
from tests.tournaments.league import League, Outcome
from tests.tournaments.ratings.test_beta import AUTO, BOTS, FORMATS, eventful
from tests.tournaments.small_run import RECORD, key
from tournaments.exports.layout import to_json
from tournaments.files.vocabulary import Format
from tournaments.ratings import checkpoints
from tournaments.ratings.tally import Tally
from tournaments.schedules.encounters import Encounters
from tournaments.standings.rating_history import COLUMNS, rating_history
from tournaments.standings.standings import Standings, of_store, standings
from tournaments.storage.results import FinishedMatch, ScheduledRow
from tournaments.storage.store import Store
from tournaments.tournament import RatingSettings


def row(match: FinishedMatch) -> ScheduledRow:
    return ScheduledRow(
        match.number, key(match.number), match.match, match.cycle, match.leg, match.seats
    )


def begin(
    store: Store, form: Format, rating: RatingSettings, matches: Sequence[FinishedMatch]
) -> None:
    """A run that has these matches in its schedule, none of them played."""
    settings = {"rating": to_builtins(rating), "schedule": {"mirror": False}}
    players = "solo" if form == "solo" else "partners"
    store.begin("league", "seed 7", {"rules": {"players": players}, "format": form}, settings)
    store.register([(bot, f"hash {bot}", {}) for bot in BOTS])
    store.set_schedule(map(row, matches), "", legs=1, rounds=1)


def add(store: Store, match: FinishedMatch) -> None:
    result = MatchResult(
        match=match.match,
        winner=match.winner,
        reason=match.reason,
        forfeited=match.forfeited,
        offender=match.offender,
        score=match.score,
        points=match.points,
        deals=match.deals,
        faults=match.faults,
        logs={},
        record=zlib.compress(RECORD),
    )
    store.add(row(match), result)


def recomputed(store: Store, form: Format, rating: RatingSettings) -> Standings:
    """From the first match on."""
    tally, encounters = Tally(rating, form), Encounters(store)
    for row in store.finished_rows():
        tally.add(store.finished_match(row))
        encounters.add(row)
    statuses = {bot.label: bot.status for bot in store.bots()}
    meetings, margins = encounters.meetings(), encounters.margins()
    return standings(store.tournament(), statuses, tally, meetings, margins, store.counts())


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rating", [RatingSettings(), replace(AUTO, tau=0.5)])
def test_ratings_updated_match_by_match_equal_a_full_recomputation(
    store: Store, form: Format, rating: RatingSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "STRIDE", 2)
    matches = eventful(form)
    begin(store, form, rating, matches)
    for match in matches:
        add(store, match)
        updated = of_store(store)
        if rating.auto and match.number % 5:
            continue  # seven times as much to compute
        assert to_json(updated) == to_json(recomputed(store, form, rating))
    assert (store.folder / checkpoints.FILE).exists()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rating", [RatingSettings(), AUTO])
def test_the_last_row_of_each_bot_is_what_the_standings_say_of_it_then(
    store: Store, form: Format, rating: RatingSettings
) -> None:
    matches = eventful(form)
    begin(store, form, rating, matches)
    for match in matches:
        add(store, match)
        if match.number % 6 != 5:
            continue
        last = {each["bot"]: each for each in rating_history(store)}
        assert last
        for bot in of_store(store).bots:
            if bot.name not in last:
                assert (bot.mu, bot.sigma) == (25, round(25 / 3, 9))
                continue
            told = last[bot.name]
            assert (bot.mu, bot.sigma, bot.rating) == (told["mu"], told["sigma"], told["rating"])


@pytest.mark.parametrize("form", FORMATS)
def test_each_match_has_a_row_for_each_bot_that_it_was_rated_for(
    store: Store, form: Format
) -> None:
    matches = eventful(form)
    begin(store, form, RatingSettings(), matches)
    for match in matches:
        add(store, match)
    rows = list(rating_history(store))
    assert all(tuple(each) == COLUMNS for each in rows)
    found = {
        number: [each["bot"] for each in of_match]
        for number, of_match in groupby(rows, lambda each: each["number"])
    }
    assert list(found) == sorted(found)
    for match in matches:
        seated = list(dict.fromkeys(match.seats.values()))
        if match.offender and form != "pairs":
            seated = [match.seats[match.offender]]
        elif match.winner is None and form != "solo":
            assert match.number not in found
            continue
        assert found[match.number] == seated
    first = {each["bot"]: each for each in reversed(rows)}
    one = first[found[0][0]]
    assert (one["match"], one["cycle"], one["leg"]) == (matches[0].match, 0, 0)
    assert one["rating"] == one["mu"] - 3 * one["sigma"]
    assert one["sigma"] < 25 / 3


def test_rows_come_one_after_the_other(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = eventful("pairs")
    begin(store, "pairs", RatingSettings(), matches)
    for match in matches:
        add(store, match)
    taken_in: list[int] = []
    whole = Tally.add

    def counted(self: Tally, match: FinishedMatch) -> tuple[str, ...]:
        taken_in.append(match.number)
        return whole(self, match)

    monkeypatch.setattr(Tally, "add", counted)
    rows = rating_history(store)
    assert next(rows)["number"] == 0
    assert taken_in == [0]


def test_the_command_comes_to_its_own_standings(
    played: League, command: Callable[..., Outcome]
) -> None:
    rows = json.loads(command("export", played.run_folder, "--what", "ratings").out)
    assert len(rows) == 2 * 12
    last: dict[str, Any] = {each["bot"]: each for each in rows}
    shown = json.loads(command("standings", played.run_folder, "--format", "json").out)
    for bot in shown["bots"]:
        numbers = ("mu", "sigma", "rating")
        assert [bot[name] for name in numbers] == [last[bot["name"]][name] for name in numbers]
