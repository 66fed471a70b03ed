"""A gate takes matches in in schedule order, whenever they come, and ends where it must."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol.cards import Seat
from tests.tournaments.finished import match
from tests.tournaments.small_run import row
from tournaments.bots.bots import BotSource
from tournaments.gates.gate import BETTER, NO_REGRESSION, Gate, GateSettings, Verdict, apart
from tournaments.gates.sequential import Hypotheses
from tournaments.storage.results import FinishedMatch
from tournaments.tournament import SandboxSettings


def source(name: str) -> BotSource:
    return BotSource(name, ("x",), Path("/"))


SETTINGS = GateSettings(source("a"), source("b"), sandbox=SandboxSettings("none"))


def legs(scores: str, first: int = 0) -> list[FinishedMatch]:
    """A match for each letter: the candidate, `a`, has won, drawn or lost, or someone failed.

    `a` sits at N and S in even legs, as `b` does in odd ones.
    """
    found = []
    for number, score in enumerate(scores, first):
        ns, ew = ("a", "b") if number % 2 == 0 else ("b", "a")
        side = "NS" if ns == "a" else "EW"
        other = {"NS": "EW", "EW": "NS"}[side]
        winner = {"w": side, "l": other, "d": None, "a": other, "b": side}[score]
        of = {"a": side, "b": other}.get(score)
        one = match(number, ns, ew, winner, leg=number % 2, forfeited=of)
        found.append(one)
    return found


def gate(matches: Iterable[FinishedMatch], settings: GateSettings = SETTINGS) -> Gate:
    found = Gate(settings, "a")
    for each in matches:
        found.add(each)
    return found


def known(gate: Gate) -> tuple[Verdict | None, int, list[int], float, str]:
    return gate.verdict, gate.matches, gate.test.pairs, gate.test.decision.llr, gate.decisive


@pytest.mark.parametrize(
    ("scores", "pairs"),
    [
        ("", [0, 0, 0, 0, 0]),
        ("w", [0, 0, 0, 0, 0]),
        ("ww", [0, 0, 0, 0, 1]),
        ("wl", [0, 0, 1, 0, 0]),
        ("lw", [0, 0, 1, 0, 0]),
        ("dd", [0, 0, 1, 0, 0]),
        ("ll", [1, 0, 0, 0, 0]),
        ("ld", [0, 1, 0, 0, 0]),
        ("dw", [0, 0, 0, 1, 0]),
        ("wwlddww", [0, 1, 0, 1, 1]),
    ],
)
def test_the_two_legs_of_a_pair_are_one_score_in_quarters(scores: str, pairs: list[int]) -> None:
    found = gate(legs(scores))
    assert (found.verdict, found.matches) == (None, len(scores))
    assert found.test.pairs == pairs


@pytest.mark.parametrize(
    ("scores", "verdict", "taken_in"),
    [
        ("ww" * 15, "passed", 20),
        ("ll" * 15, "failed", 18),
        ("wl" * 80, "failed", 140),
        ("ww" * 9 + "wa", "broken", 20),
        ("ww" * 9 + "wb", "baseline_broken", 20),
        ("ww" * 10 + "a", "passed", 20),
        ("a" + "ww" * 15, "broken", 1),
        ("wwba", "baseline_broken", 3),
    ],
)
def test_a_gate_ends_at_the_first_match_of_the_schedule_that_decides_it(
    scores: str, verdict: Verdict, taken_in: int
) -> None:
    matches = legs(scores)
    found = gate(matches)
    assert (found.verdict, found.matches) == (verdict, taken_in)
    assert found.ended
    if "broken" in verdict:
        assert found.decisive == matches[taken_in - 1].match


@given(
    st.text("wlwld", min_size=20, max_size=60),
    st.sampled_from(["", "a", "b"]),
    st.integers(0, 60),
    st.integers(0, 2**32),
)
def test_the_order_in_which_matches_end_changes_nothing(
    scores: str, fault: str, place: int, seed: int
) -> None:
    settings = replace(SETTINGS, hypotheses=Hypotheses(0, 150, 0.05, 0.05), max_pairs=25)
    matches = legs(scores[:place] + fault + scores[place:])
    shuffled = Random(seed).sample(matches, len(matches))
    assert known(gate(shuffled, settings)) == known(gate(matches, settings))


def test_nothing_is_decided_before_all_that_comes_first_is_known() -> None:
    first, *others = legs("ww" * 10 + "a")
    found = gate(others)
    assert known(found)[:2] == (None, 0)
    found.add(first)
    assert known(found)[:2] == ("passed", 20)


def test_after_the_most_pairs_it_is_undecided_and_matches_behind_them_are_nobodys() -> None:
    settings = replace(SETTINGS, max_pairs=8)
    found = gate([*legs("a", first=16), *legs("wl" * 7 + "w"), *legs("a", first=17)], settings)
    assert not found.ended
    (last,) = legs("l", first=15)
    found.add(last)
    assert known(found)[:2] == ("undecided", 16)
    assert found.test.taken_in == 8


@pytest.mark.parametrize(
    ("given_up", "scores", "verdict", "taken_in"),
    [
        (0, "", "void", 0),
        (3, "www", "void", 3),
        (3, "ww", None, 2),
        (19, "ww" * 9 + "w", "void", 19),
        (20, "ww" * 10, "passed", 20),
        (2, "wa", "broken", 2),
    ],
)
def test_a_match_that_was_given_up_ends_a_gate_that_needs_it(
    given_up: int, scores: str, verdict: Verdict | None, taken_in: int
) -> None:
    found = Gate(SETTINGS, "a")
    found.give_up(row(given_up), "no room")
    for each in legs(scores):
        found.add(each)
    assert (found.verdict, found.matches) == (verdict, taken_in)
    void = verdict == "void"
    assert (found.decisive, found.trouble) == (
        (row(given_up).match, "no room") if void else (found.decisive, "")
    )


def test_whose_fault_it_was_is_told_by_the_seat_not_by_the_winner() -> None:
    (one,) = legs("w")
    offender: Seat = "N"
    strange = replace(one, offender=offender)  # as if its opponents were at fault after it
    assert gate([strange]).verdict == "broken"


@pytest.mark.parametrize(
    ("candidate", "baseline", "name"),
    [
        ("a", "b", "b"),
        ("a", "a", "a.baseline"),
        ("a.baseline", "a.baseline", "a.baseline.baseline"),
        ("x" * 55, "x" * 55, "x" * 55 + ".baseline"),
        ("x" * 56, "x" * 56, "baseline"),
        ("x" * 55 + ".baseline", "x" * 55 + ".baseline", "baseline"),
    ],
)
def test_bots_of_one_name_are_kept_apart(candidate: str, baseline: str, name: str) -> None:
    assert apart(source(candidate), source(baseline)).name == name
    assert len(name) <= 64


HASHES = ["1" * 64, "2" * 64]


@pytest.mark.parametrize(
    ("changed", "hashes", "same"),
    [
        ({}, HASHES, True),
        ({"hypotheses": NO_REGRESSION, "non_regression": True, "max_pairs": 9}, HASHES, True),
        ({"hypotheses": Hypotheses(0, 5, 0.01, 0.01)}, HASHES, True),
        ({"rules": "quick"}, HASHES, False),
        ({"seed": 1}, HASHES, False),
        ({"sandbox": SandboxSettings("none", memory=10**9)}, HASHES, False),
        ({"baseline": source("c")}, HASHES, False),
        ({}, HASHES[::-1], False),
        ({}, ["1" * 64, "3" * 64], False),
    ],
)
def test_a_folder_is_for_two_bots_and_for_what_makes_their_matches_comparable(
    changed: dict[str, object], hashes: Sequence[str], same: bool
) -> None:
    usual = SETTINGS.folder(HASHES)
    assert usual.parts[:2] == ("runs", "gate")
    assert usual.name.startswith("a-vs-b-")
    assert len(usual.name) == len("a-vs-b-") + 12
    assert (replace(SETTINGS, **changed).folder(hashes) == usual) == same


def test_the_usual_question_is_that_of_the_documentation() -> None:
    assert SETTINGS.hypotheses is BETTER
    tournament = SETTINGS.tournament(5)
    assert (tournament.schedule.rounds, tournament.schedule.mirror) == (5, True)
    assert tournament.faults.limit
    assert {getattr(tournament.faults, kind) for kind in ("timeout", "illegal", "exit")} == {
        "forfeit"
    }
