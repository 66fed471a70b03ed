"""`beta: auto`: the beta that has predicted best is in use, as if it had been written."""

import json
from collections.abc import Iterator
from itertools import permutations
from math import log, sqrt
from random import Random
from statistics import NormalDist, fmean
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.tournaments.finished import TOURNAMENT, match, solo_match
from tests.tournaments.league import League
from tests.tournaments.schedules.test_rotating import rotating_match
from tournaments.config import load_tournament
from tournaments.exports.layout import caption, to_json
from tournaments.files.vocabulary import Format
from tournaments.ratings.beta import GRID, USUAL, BetaRatings, Rated
from tournaments.ratings.rating import BETA, Ratings
from tournaments.ratings.tally import Tally, TallyState
from tournaments.standings.standings import Standings, standings
from tournaments.storage.results import Counts, FinishedMatch, sides
from tournaments.tournament import RatingSettings

AUTO = RatingSettings(auto=True)
FORMATS: list[Format] = ["pairs", "rotating", "solo"]
BOTS = "abcdefghij"


def simulated(form: Format, beta: float, matches: int, seed: int = 1) -> Iterator[FinishedMatch]:
    """Matches between bots of fixed skill, each as good on the day as TrueSkill supposes."""
    random, spread = Random(seed), NormalDist(25, 25 / 3)
    skills = {bot: spread.inv_cdf((i + 0.5) / len(BOTS)) for i, bot in enumerate(BOTS)}
    for number in range(matches):
        bots = "".join(random.sample(BOTS, 2 if form == "pairs" else 4))
        day = {bot: random.gauss(skills[bot], beta * BETA[form]) for bot in bots}
        if form == "solo":
            yield solo_match(number, bots, [round(1000 * day[bot]) for bot in bots])
            continue
        half = len(bots) // 2
        better = sum(day[bot] for bot in bots[:half]) > sum(day[bot] for bot in bots[half:])
        winner = "NS" if better else "EW"
        if form == "pairs":
            yield match(number, bots[0], bots[1], winner)
        else:
            yield rotating_match(number, bots[0] + bots[2] + bots[1] + bots[3], winner)


def eventful(form: Format) -> list[FinishedMatch]:
    """Matches with draws, forfeits and, in solo play, shared places among them."""
    found = list(simulated(form, 50 / 3, 24))
    for number in (5, 11):
        level = dict.fromkeys(found[number].score, 100)
        found[number] = replace(found[number], winner=None, reason="max_deals", score=level)
    if form == "solo":
        score = found[9].score
        third = sorted(score.values())[1]
        shared = {side: max(points, third) for side, points in score.items()}
        found[9] = replace(found[9], score=shared)
    for number in (6, 17):
        forfeited, *_ = found[number].score
        found[number] = replace(
            found[number],
            winner="EW" if form == "pairs" else None,
            reason="forfeit",
            forfeited=forfeited,
            offender="N",
        )
    return found


def tally(settings: RatingSettings, form: Format, matches: list[FinishedMatch]) -> Tally:
    found = Tally(settings, form)
    for each in matches:
        found.add(each)
    return found


def shown(found: Tally) -> Standings:
    counts = Counts(found.matches, found.matches, 0)
    tournament = replace(TOURNAMENT, comparable={"format": "pairs"})
    return standings(tournament, dict.fromkeys(BOTS, "playing"), found, [], {}, counts)


def test_the_grid_is_what_is_documented_and_begins_with_the_default() -> None:
    assert GRID == (25 / 6, 25 / 3, 12.5, 50 / 3, 25.0, 100 / 3, 50.0)
    assert RatingSettings().beta == USUAL
    assert USUAL in GRID
    assert BetaRatings(AUTO).settings == replace(AUTO, beta=50 / 3)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("beta", [25 / 6, 25 / 3, 12.5])
def test_the_beta_that_results_were_made_with_is_found_or_the_one_beside_it(
    form: Format, beta: float
) -> None:
    found = tally(AUTO, form, list(simulated(form, beta, 200)))
    assert abs(GRID.index(found.settings.beta) - GRID.index(beta)) <= 1
    losses = [each.loss for each in found.state().ratings]
    assert min(losses) == losses[GRID.index(found.settings.beta)]


@pytest.mark.parametrize("form", FORMATS)
def test_standings_are_those_of_the_same_beta_when_it_is_written(form: Format) -> None:
    matches = eventful(form)
    chosen = shown(tally(AUTO, form, matches))
    written = shown(tally(RatingSettings(beta=chosen.rating.beta), form, matches))
    assert chosen.rating == replace(written.rating, auto=True)
    assert chosen == replace(written, rating=chosen.rating)


def places(played: FinishedMatch) -> dict[tuple[str, ...], int]:
    order = sorted(set(played.score.values()), reverse=True)
    return {
        bots: -1 if side == played.winner else order.index(played.score[side])
        for side, bots in sides(played).items()
    }


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("tau", [0.0, 2.0])
def test_the_loss_is_that_of_a_plain_computation(form: Format, tau: float) -> None:
    settings, matches = replace(AUTO, tau=tau), eventful(form)
    found = tally(settings, form, matches).state().ratings
    for beta, rated in zip(GRID, found, strict=True):
        plain, expected = Ratings(replace(settings, beta=beta), form), 0.0
        for each in matches:
            placed = places(each)
            if each.offender is None:
                surprises = []
                for better, worse in permutations(placed, 2):
                    if placed[better] < placed[worse]:
                        us, them = ([plain.of(bot) for bot in side] for side in (better, worse))
                        lead = sum(mu for mu, _ in us) - sum(mu for mu, _ in them)
                        noise = (beta * BETA[form]) ** 2 + tau**2
                        spread = sqrt(sum(sigma**2 + noise for _, sigma in us + them))
                        surprises.append(-log(NormalDist().cdf(lead / spread)))
                expected += fmean(surprises) if surprises else 0
            if each.offender is None or form == "pairs":
                plain.finish(placed)
            else:
                opponents = [bot for side in placed if each.seats["N"] not in side for bot in side]
                plain.forfeit(each.seats["N"], opponents)
        assert rated.loss == pytest.approx(expected, rel=1e-9)
        assert rated.ratings == plain.precise()


def test_where_beta_is_a_number_nothing_is_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ratings, "loss", None)
    (rated,) = tally(RatingSettings(), "pairs", eventful("pairs")).state().ratings
    assert rated.loss == 0


@pytest.mark.parametrize("form", FORMATS)
def test_what_no_beta_has_predicted_leaves_the_usual_one(form: Format) -> None:
    untold = [each for each in eventful(form) if each.offender or each.winner is None]
    assert len(untold) == 4
    assert tally(AUTO, form, untold).settings.beta == USUAL


def test_of_betas_that_predicted_equally_well_the_one_nearest_to_the_usual_is_in_use() -> None:
    losses = {25 / 6: 1.0, 12.5: 1.0, 25.0: 1.0, 50.0: 1.0}
    state = [Rated(loss=losses.get(beta, 2.0)) for beta in GRID]
    assert BetaRatings(AUTO, after=state).settings.beta == 12.5
    state[GRID.index(50.0)].loss = 0.5
    assert BetaRatings(AUTO, after=state).settings.beta == 50.0


@pytest.mark.parametrize("distance", [-1e6, 1e6])
def test_no_result_is_too_surprising_to_be_predicted(distance: float) -> None:
    ratings = Ratings(RatingSettings(mu=0, sigma=0.001, beta=0.001))
    ratings.resume({"a": (1e6, distance * 1e6)})
    loss = ratings.loss({("a",): 0, ("b",): 1})
    assert loss == pytest.approx(0 if distance > 0 else 454, abs=1)


@pytest.mark.parametrize("form", FORMATS)
def test_a_tally_goes_on_from_any_state_to_the_same_to_the_last_bit(form: Format) -> None:
    matches = eventful(form)
    straight = Tally(AUTO, form)
    states = [straight.state()]
    for each in matches:
        straight.add(each)
        states.append(straight.state())
    for cut in range(0, len(states), 5):
        text = msgspec.json.encode(states[cut])
        after = msgspec.json.decode(text, type=TallyState)
        on = Tally(AUTO, form, after=after)
        assert on.settings == tally(AUTO, form, matches[:cut]).settings
        for each in matches[cut:]:
            on.add(each)
        assert on.state() == states[-1]


def test_standings_say_which_beta_is_in_use() -> None:
    auto = shown(tally(AUTO, "pairs", list(simulated("pairs", 25 / 6, 100))))
    found: dict[str, Any] = json.loads(to_json(auto))
    assert found["rating"] == {
        "mu": 25.0,
        "sigma": 25 / 3,
        "beta": 25 / 6,
        "tau": 0.0,
        "auto": True,
    }
    assert caption(auto) == "league: 100 of 100 matches, beta 4.17 (auto)"
    written = shown(tally(RatingSettings(beta=9), "pairs", []))
    assert caption(written) == "league: 0 of 0 matches"
    assert json.loads(to_json(written))["rating"]["beta"] == 9


def test_a_run_may_turn_to_auto_and_back_and_nothing_is_played_again(league: League) -> None:
    bots = league.three()
    league.write(bots, schedule={"rounds": 4})
    league.play("--jobs", "1")
    first = league.standings()
    assert not first["rating"]["auto"]
    league.write(bots, schedule={"rounds": 4}, rating={"beta": "auto"})
    assert load_tournament(league.folder / "league.yaml").rating == AUTO
    assert "(auto)" in league.play().stdout
    auto = league.standings()
    assert auto["rating"]["auto"]
    league.write(bots, schedule={"rounds": 4}, rating={"beta": auto["rating"]["beta"]})
    league.play()
    written = league.standings()
    assert written["bots"] == auto["bots"]
    assert written["matches"] == first["matches"]
