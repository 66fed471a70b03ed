"""The standings that move: exact where matches end in schedule order, and nearly so where not."""

from msgspec.structs import replace

from tests.tournaments.finished import RATING, league, match, stand
from tests.tournaments.pictures import as_result
from tests.tournaments.small_run import row
from tournaments.ratings.tally import Tally
from tournaments.standings.provisional import Provisional


def test_what_is_taken_in_in_schedule_order_comes_to_the_standings() -> None:
    field = Provisional(Tally(RATING), dict.fromkeys("abc", "playing"))
    matches = list(league(20))
    for each in matches:
        field.add(replace(row(each.number), seats=each.seats, leg=each.leg), as_result(each))
    unknown = {"elo": None, "elo_ci95": None, "points_per_deal_ci95": None}
    exact = [replace(bot, **unknown) for bot in stand(matches, labels="abc").bots]
    assert field.leaders(3) == exact
    assert field.leaders(2) == exact[:2]


def test_in_any_other_order_all_but_ratings_are_the_same() -> None:
    field = Provisional(Tally(RATING), dict.fromkeys("abc", "playing"))
    matches = [match(0, "a", "b"), match(1, "b", "c"), match(2, "c", "a"), match(3, "a", "c")]
    for each in reversed(matches):
        field.add(replace(row(each.number), seats=each.seats, leg=0), as_result(each))
    counted = {bot.name: (bot.won, bot.lost, bot.played) for bot in field.leaders(3)}
    assert counted == {"a": (2, 1, 3), "b": (1, 1, 2), "c": (1, 2, 3)}
