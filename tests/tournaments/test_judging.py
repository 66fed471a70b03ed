"""Questions about the rules with mistakes: told as in a tournament file, and as cheap as may be."""

import json

import pytest

from arena.answers import ERROR_LIMIT, reply
from tests.tournaments.cli.test_cli_rules import ANSWER, GOOD
from tournaments.judging import TOLD, answered

PRESETS_ARE = "expected one of standard, classic, four_player, "


def refusal(line: str | bytes) -> str:
    """Why there is no answer."""
    refused = json.loads(answered(line if isinstance(line, bytes) else line.encode()))
    assert set(refused) == {"id", "error"}
    error: str = refused["error"]
    assert len(error) <= ERROR_LIMIT
    assert error.isprintable()
    return error


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ('{"targt": 5}', "`rules`: unknown key 'targt': did you mean 'target'?"),
        (
            '{"floor": 0}',
            "`rules.floor`: expected a whole number from -1,000,000 to -1, or null, found the"
            " number 0",
        ),
        ('{"deck": "jokrs"}', "found the text 'jokrs': did you mean 'jokers'?"),
        ('{"preset": "nycc"}', f"`rules.preset`: {PRESETS_ARE}"),
        ('{"preset": "nycc"}', "found the text 'nycc': did you mean 'nyc'?"),
        ('"nycc"', "found the text 'nycc': did you mean 'nyc'?"),
        ("5", f"`rules`: {PRESETS_ARE}"),
        ("null", ", or a mapping, found nothing"),
        ('{"target": 3.0}', "`rules.target`: expected a whole number from 1 to 1,000,000"),
        ('{"target": "500"}', "found the text '500': leave out the quotes"),
        (
            '{"target": 0, "deck": 1}',
            "jokers_nyc, standard, found the number 1; `rules.target`: expected a whole number",
        ),
        ('{"target": 5, "target": 6}', "the key 'target' stands twice"),
        (
            '{"preset": "solo", "min_team_bid": 4, "blind_nil": 5, "blind_nil_exchange": 2}',
            "in solo play a side has one bid; blind_nil_exchange needs partners",
        ),
    ],
)
def test_a_mistake_in_the_rules_is_told_as_in_a_tournament_file(rules: str, told: str) -> None:
    assert told in refusal(f'{{"kind": "bidding", "rules": {rules}}}')


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{}", "`kind` is missing: it is one of scoring, match_end"),
        ('{"kind": "scorin"}', "found the text 'scorin': did you mean 'scoring'?"),
        ('{"kind": null}', "legality, trick_winner, found nothing"),
        ('{"kind": ["bidding"]}', "trick_winner, found a list of 1"),
        ('{"kind": "legality"}', "the key 'hand' is missing here"),
        ('{"kind": "legality", "hand": ["AS", 5]}', "`hand[1]`: expected text, found the number 5"),
        ('{"kind": "bidding", "partner_bid": 14}', "`partner_bid`: expected a whole number from 0"),
        ('{"kind": "bidding", "score": "x"}', "`score`: expected a mapping, or null, found the te"),
        ('{"kind": "bidding", "kin\\u0064": "bidding"}', "the key 'kind' stands twice"),
        ('{"kind": "bidding", "x": [{"y": 1, "y": 2}]}', "the key 'y' stands twice"),
        ('{"kind": "bidding", "rules": {"\\u001b[2J": 1}}', r"unknown key '\x1b[2J'"),
        ('{"kind": "bidding", "partner_bid": %s}' % ("9" * 4000), "from 0 to 13, or null, found"),
    ],
)
def test_a_mistake_in_a_question_is_told_with_the_way_to_it(line: str, told: str) -> None:
    assert told in refusal(line)


def test_of_many_mistakes_the_first_are_told() -> None:
    line = json.dumps({"kind": "legality", "hand": [1] * 20_000})
    assert refusal(line).count("expected") == TOLD


def test_a_seat_is_blind_once() -> None:
    line = """{"kind": "scoring", "rules": "blind", "bids": {"N": 0, "E": 3, "S": 2, "W": 3},
        "tricks": {"N": 0, "E": 5, "S": 4, "W": 4}, "blind": ["N", "N"]}""".replace("\n", "")
    assert refusal(line) == "a seat stands twice in `blind`"
    assert "delta" in json.loads(answered(line.replace('["N", "N"]', '["N"]').encode()))


@pytest.mark.parametrize("more", ['"why": "a: b"', '"x": {"y": 1}, "z": {"y": 2}', '"x": [{}, []]'])
def test_colons_in_text_and_equal_keys_apart_are_no_duplicates(more: str) -> None:
    line = f"{GOOD[:-1]}, {more}}}".encode()
    assert json.loads(answered(line)) == json.loads(reply(line)) == ANSWER
