"""The rules in words: all of them, by their numbers, for any options, and the page made of them."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

import protocol.rules
from arena.rules import PRESETS
from arena.rules.words import (
    DOCUMENTS,
    MEANINGS,
    PRESET_WORDS,
    Rule,
    differences,
    in_words,
    instead,
    options,
    page,
)
from protocol.rules import Rules
from tests.arena import tables

ROOT = Path(__file__).parent.parent.parent
NUMBERS = (
    *("R1.1", "R1.2", "R1.3", "R1.4"),
    *("R2.1", "R2.2", "R2.3", "R2.4"),
    *("R3.1", "R3.2", "R3.3", "R3.4"),
    *("R4.1", "R4.2", "R4.3", "R4.4", "R4.5", "R4.6"),
    *("R5.1", "R5.2", "R5.3", "R5.4", "R5.5", "R5.6", "R5.7", "R5.8"),
    *("R6.1", "R6.2", "R6.3"),
    *("R7.1", "R7.2", "R7.3"),
    *("R8.1", "R8.2"),
    "R9",
)
"""Every rule there is."""
PLAYS_THEM = [
    *(path for path in (ROOT / "arena/rules").glob("*.py")),
    *(ROOT / name for name in ("arena/phases.py", "arena/fold.py", "arena/deals.py")),
    ROOT / "protocol/cards.py",
]
"""The code that does what the words say. (They themselves are in a folder of their own.)"""
CITED = {n for path in PLAYS_THEM for n in re.findall(r"\bR\d(?:\.\d)?\b", path.read_text())}
any_rules = st.builds(
    lambda rules, blind: replace(rules, blind_nil=blind[0], blind_nil_deficit=blind[1]),
    tables.rules,
    st.tuples(st.sampled_from([0, 150, 200]), st.sampled_from([0, 50, 100])),
)


def by_number(rules: Rules) -> dict[str, Rule]:
    return {rule.number: rule for section in in_words(rules) for rule in section.rules}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_rule_is_in_words_and_cited_where_it_is_played(number: str) -> None:
    assert by_number(Rules())[number].text
    assert number in CITED


@given(rules=any_rules)
def test_any_options_have_every_rule_once_in_its_section_and_in_whole_sentences(
    rules: Rules,
) -> None:
    sections = in_words(rules)
    assert [rule.number for section in sections for rule in section.rules] == list(NUMBERS)
    for section in sections:
        for rule in section.rules:
            assert rule.number.partition(".")[0] == section.number
            assert set(rule.documents) <= set(DOCUMENTS)
            for text in (rule.text, rule.note or "None."):
                assert text == " ".join(text.split())
                assert text.endswith("."), text
                assert text[0].isupper() or text[0] in "(0", text


@given(rules=any_rules)
def test_what_another_choice_gives_is_another_sentence_of_the_same_rule(rules: Rules) -> None:
    for rule in by_number(rules).values():
        for choice in rule.alternatives:
            assert getattr(rules, choice.option) != choice.value
            other = instead(rules, rule.number, choice)
            assert other.number == rule.number
            assert other.text != rule.text


@pytest.mark.parametrize("option", asdict(Rules()))
def test_an_option_is_described_with_the_rules_that_its_type_names(option: str) -> None:
    tree = ast.parse(Path(protocol.rules.__file__).read_text())
    body = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Rules").body
    docstrings = {
        field.target.id: below.value.value
        for field, below in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
    }
    of_type = re.findall(r"R\d(?:\.\d)?", str(docstrings[option]))
    assert of_type
    assert set(of_type) <= set(re.findall(r"R\d(?:\.\d)?", MEANINGS[option]))


CHANGED = [
    (Rules(target=333), "R6.1", "333"),
    (Rules(floor=-77), "R6.2", "-77"),
    (Rules(floor=-77), "R6.2", "the higher score wins; level, another deal is played."),
    (Rules(max_deals=7), "R6.3", "After 7 deals"),
    (Rules(min_bid=2), "R2.3", "The lowest bid is 2"),
    (Rules(nil=0), "R2.3", "There is no nil"),
    (Rules(nil=0), "R5.3", "no nils"),
    (Rules(nil=55), "R5.3", "55 points"),
    (Rules(min_team_bid=5), "R2.4", "at least 5"),
    (Rules(blind_nil=250), "R3.1", "250 points"),
    (Rules(blind_nil=250), "R5.3", "wins or loses 250"),
    (Rules(blind_nil_deficit=60), "R3.2", "at least 60 points behind"),
    (Rules(blind_nil_exchange=3), "R3.3", "passes 3 cards"),
    (Rules(blind_nil_exchange=1), "R3.3", "passes a card"),
    (Rules(blind_nil_exchange=3), "R3.4", "exchange only once"),
    (Rules(lead_spades="any_time"), "R4.3", "Not in force"),
    (Rules(lead_spades="any_time"), "R4.5", "at any time"),
    (Rules(spades_broken_by="cut"), "R4.4", "only by a spade"),
    (Rules(failed_nil_tricks="contract"), "R5.4", "like any other"),
    (Rules(failed_nil_tricks="contract"), "R5.5", "nothing to decide"),
    (Rules(set_nil_bags="over_contract"), "R5.5", "-150"),
    (Rules(set_nil_bags="none"), "R5.5", "gets no bags"),
    (Rules(bag_points=2), "R5.7", "scores 2 points"),
    (Rules(bag_limit=7), "R5.7", "A count of 7"),
    (Rules(bag_penalty=70), "R5.7", "costs 70 points"),
    (Rules(bag_penalty=0), "R5.7", "costs nothing"),
    (Rules(bag_overflow="reset"), "R5.7", "back to 0"),
    (Rules(deck="jokers"), "R1.1", "Jokers take"),
    (Rules(deck="jokers"), "R7.1", "BJ LJ 2S AS"),
    (Rules(deck="jokers_nyc"), "R7.2", "between LJ and 2S"),
    (Rules(players="solo"), "R1.2", "a side of its own"),
    (Rules(players="solo"), "R8.1", "plays for itself"),
    (Rules(players="solo", target=300), "R8.2", "goes to 300"),
    (PRESETS["solo"], "R8.2", "An overtrick is worth 1 point, with no penalty for many. "),
    (PRESETS["solo_bags"], "R8.2", "An overtrick is worth 1 point, and every 10 cost 100. "),
    (PRESETS["solo"], "R5.4", "no nils"),
    (Rules(nil=0), "R5.6", "Every side has a contract"),
    (Rules(players="solo"), "R5.4", "are bags, as no partner has a contract"),
]


@pytest.mark.parametrize(("rules", "number", "phrase"), CHANGED)
def test_a_sentence_says_what_the_options_are(rules: Rules, number: str, phrase: str) -> None:
    assert phrase in by_number(rules)[number].text
    assert phrase not in by_number(Rules())[number].text


def test_every_option_changes_some_sentence() -> None:
    told = {key for rules, _, _ in CHANGED for key in differences(rules)}
    assert told == set(asdict(Rules())) == set(MEANINGS) == {each.key for each in options()}


def test_the_options_that_choose_between_the_documents_are_offered_by_the_rule_they_decide() -> (
    None
):
    words = by_number(Rules())
    offered = {(n, c.option, c.value) for n in NUMBERS for c in words[n].alternatives}
    assert {
        ("R4.4", "spades_broken_by", "cut"),
        ("R5.4", "failed_nil_tricks", "contract"),
        ("R5.5", "set_nil_bags", "over_contract"),
        ("R5.5", "set_nil_bags", "none"),
        ("R5.7", "bag_overflow", "reset"),
        ("R3.2", "blind_nil_deficit", 100),
        ("R3.3", "blind_nil_exchange", 2),
        ("R6.2", "floor", -200),
    } <= offered
    for number in ("R2.3", "R3.2", "R3.3", "R4.4", "R5.4", "R5.5", "R5.7", "R6.2"):
        assert words[number].note.startswith("The documents differ")
        assert "The default is" in words[number].note


@given(rules=any_rules)
def test_nothing_is_offered_that_does_nothing(rules: Rules) -> None:
    """Partners and nils are what these options are about."""
    words = by_number(rules)
    of_nils = [*words["R5.4"].alternatives, *words["R5.5"].alternatives]
    solo = rules.players == "solo"
    assert bool(of_nils) == (not solo and bool(rules.nil or rules.blind_nil))
    lowest = {choice.option for choice in words["R2.3"].alternatives}
    assert ("min_bid" in lowest) == bool(rules.nil or rules.min_bid > 1)
    assert bool(words["R2.4"].alternatives) == (not solo)
    assert bool(words["R3.3"].alternatives) == (not solo)


@pytest.mark.parametrize("name", [name for name in PRESETS if PRESETS[name].players == "solo"])
def test_what_solo_play_says_of_partners_and_nils_rests_on_its_own_document(name: str) -> None:
    words = by_number(PRESETS[name])
    for number in ("R2.4", "R5.3", "R5.4", "R5.5", "R5.6"):
        assert words[number].documents == ("002",)
        assert not words[number].note


@given(rules=any_rules)
def test_what_a_fault_costs_is_said_alike_whatever_is_played(rules: Rules) -> None:
    assert by_number(rules)["R9"] == by_number(Rules())["R9"]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_names_the_document_that_it_plays(name: str) -> None:
    words = PRESET_WORDS[name]
    assert DOCUMENTS[words.document].title in words.source
    assert words.source.endswith(f" ({words.document})")
    assert list(PRESET_WORDS) == list(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_told_in_a_sentence_with_the_numbers_that_it_changes(name: str) -> None:
    sentence = PRESET_WORDS[name].sentence
    assert sentence.endswith(".")
    assert ". " not in sentence
    like = re.match(r"Like (\w+), but ", sentence)
    assert (like is None) == (name == "standard")
    usual = asdict(PRESETS[like[1] if like else "standard"])
    changed = {v for k, v in asdict(PRESETS[name]).items() if v != usual[k]}
    numbers = {number for number in changed if isinstance(number, int) and abs(number) > 1}
    assert set(map(int, re.findall(r"(?<!\w)-?\d+(?!\w)", sentence))) >= numbers
    assert changed or not like


@pytest.mark.parametrize("name", PRESETS)
def test_what_differs_in_a_preset_is_offered_by_the_standard_rules(name: str) -> None:
    offered = {choice for rule in by_number(Rules()).values() for choice in rule.alternatives}
    assert set(differences(PRESETS[name]).items()) <= offered


def test_the_page_in_the_docs_is_the_one_that_these_words_make() -> None:
    written = (ROOT / "docs/rules.md").read_text()
    assert written == page(), "python -m arena.rules.words > docs/rules.md"


def test_the_page_has_every_preset_option_document_and_rule() -> None:
    text = page()
    for name in (*PRESETS, *MEANINGS):
        assert f"| `{name}` |" in text
    for label, document in DOCUMENTS.items():
        assert f"| {label} | {document.title} |" in text
    for number in NUMBERS:
        assert f"\n**{number}** " in text
    assert max(map(len, text.split("## The documents")[0].splitlines())) <= 100
