"""Moments as screenfuls of lines, in windows of any size, and as plain text."""

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.events import CardPlayed
from arena.replay import Replay, replay
from protocol.cards import SEATS
from tests.tournaments.replayed import HOSTILE, RECORDS, record
from tournaments.replays.screen import KEYS, help_screen, screen
from tournaments.replays.text import lines
from tournaments.replays.words import View, sees_cards

SIZES = [(80, 24), (200, 50), (60, 20), (20, 5), (1, 1)]


@cache
def whole(name: str) -> Replay:
    return replay(RECORDS[name]())


def shown(name: str, position: str, view: View = None, width: int = 80, height: int = 24) -> str:
    at = [str(moment.position) for moment in whole(name).moments].index(position)
    return "\n".join(line.plain for line in screen(whole(name), at, view, width, height))


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", RECORDS)
def test_every_moment_fits_every_window_and_is_printable(
    name: str, width: int, height: int
) -> None:
    for at in range(0, len(whole(name).moments), 7):
        for view in (None, "E"):
            found = screen(whole(name), at, view, width, height)
            assert len(found) == height
            assert all(line.cell_len <= width for line in found)
            assert all(line.plain.isprintable() for line in found)


@given(text=st.text(max_size=40), wide=st.integers(10, 100))
@settings(max_examples=25)
def test_any_name_and_note_fits_and_is_printable(text: str, wide: int) -> None:
    text = text.encode(errors="replace").decode()  # what JSON can hold
    odd = replay(record(names=(text, text * 9), notes={"W": text * 9}))
    for at in (0, 2, 9, 60):
        for line in screen(odd, at, None, wide, 24):
            assert line.cell_len <= wide
            assert line.plain.isprintable()
    assert all(line.isprintable() for line in lines(odd, 1))


def test_the_table_stays_where_it_is_from_step_to_step() -> None:
    boxes = set()
    for at in range(len(whole("fair").moments)):
        found = [line.plain for line in screen(whole("fair"), at, None, 80, 24)]
        boxes.add((found.index(next(x for x in found if "┌" in x)), found[-1]))
    assert boxes == {(5, KEYS)}


def test_a_moment_shows_hands_bids_tricks_scores_time_note_and_what_was_legal() -> None:
    bid = shown("fair", "1/0/1")
    assert "W bids 2" in bid
    assert "12.3 ms of 1000 ms, 9.8 ms of processor time  legal: 0 to 13" in bid
    assert "note: a bid" in bid
    card = shown("fair", "1/2/1")
    assert "deal 1 of 2, trick 2" in card
    assert re.search(r"NS 0, 0 bags, bid \d, took \d", card)
    assert re.search(r"trick 1: W .*  N .*  E .*  S .*  [NESW] took it", card)
    assert re.search(r"legal: .*[♣♦♥♠]", card)
    assert "▶" in card
    assert re.search(r"\n(nobody|NS|EW) wins|NS [-+]\d+, EW [-+]\d+", shown("fair", "2/end"))
    assert "fault of E: illegal, asked for play; ruling: set" in shown("renege", "1/end")
    assert "choose from AS KS" in shown("renege", "1/end")
    assert "E -" in shown("solo", "2/end")


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("name", ["blind", "substituted"])
def test_in_the_view_of_a_seat_only_its_own_hand_is_shown(name: str, seat: View) -> None:
    assert seat is not None
    for at, moment in enumerate(whole(name).moments):
        text = "\n".join(line.plain for line in screen(whole(name), at, seat, 80, 40))
        if moment.dealt is None:
            continue
        seen = sees_cards(whole(name), moment, seat)
        assert len(re.findall(r"\d+ cards?, hidden", text)) == (3 if seen else 4)
        table = {card for trick in moment.tricks for card in trick.cards}
        if moment.table is not None:
            table |= set(moment.table.cards)
        own = moment.after.deck.names(moment.hands[seat]) if seen else ()
        before = moment.before.deck.names(getattr(moment.before.phase, "held", 0))
        mine = moment.decision is not None and moment.decision.seat == seat
        allowed = {*table, *own, *(before if mine else ())}
        if "passes" not in text and not any(fault.seat == seat for fault in moment.faults):
            assert set(re.findall(r"(?:10|[2-9JQKA])[♣♦♥♠]", text)) <= set(map(written, allowed))
            assert not re.search(r"\b[2-9TJQKA][CDHS]\b", text)


def written(card: str) -> str:
    return card.replace("T", "10")[:-1] + dict(zip("CDHS", "♣♦♥♠", strict=True))[card[-1]]


def test_other_seats_see_that_there_was_a_fault_but_not_the_cards_it_names() -> None:
    for seat in SEATS:
        text = shown("renege", "1/end", seat)
        assert "fault of E: illegal" in text
        assert ("choose from AS KS" in text) == (seat == "E")


def test_help_tells_every_key() -> None:
    text = "\n".join(line.plain for line in help_screen(80, 24))
    for key in ("→ or space", "PgDn PgUp", "x X", "Home End", "h", "?", "q"):
        assert f"\n{key}" in text


# As plain text


@pytest.mark.parametrize("name", RECORDS)
def test_the_text_of_a_match_has_every_deal_decision_and_fault(name: str) -> None:
    replayed = whole(name)
    found = list(lines(replayed))
    text = "\n".join(found)
    assert all(line.isprintable() for line in found)
    for moment in replayed.moments:
        if isinstance(moment.decision, CardPlayed):
            assert f"{moment.decision.seat} {moment.decision.card}" in text
    assert text.count("\ndeal ") == replayed.deals + sum(
        1 for moment in replayed.moments if moment.deal_end
    )
    assert text.count("fault of ") == sum(len(moment.faults) for moment in replayed.moments)
    assert text.count(" takes it") == sum(
        len(moment.tricks) for moment in replayed.moments if moment.kind == "end"
    )
    if name != "hostile":
        assert max(map(len, found)) <= 100


def test_a_deal_that_a_forfeit_ends_reads_so() -> None:
    *_, cards, fault, detail, debug, end = lines(whole("forfeit"))
    assert re.fullmatch(r"  trick 5   E \S+ 12.3 ms  S \S+ 12.3 ms", cards)
    assert fault == "    fault of W: exit, asked for play; ruling: forfeit"
    assert detail == "      it exited with status 1 - see its standard error"
    assert debug == "      to reproduce: spades-arena debug FILE --seat W --until 1:6 -- BOT"
    assert end == "NS wins 0 : 0, as EW forfeits"


def test_one_deal_is_printed_alone() -> None:
    text = "\n".join(lines(whole("fair"), 2))
    assert "deal 2, dealt by" in text
    assert "deal 1" not in text
    assert "nobody wins" in text or " wins " in text


def test_a_hostile_text_is_text() -> None:
    text = "\n".join(lines(whole("hostile")))
    assert HOSTILE[:70] in text
    assert r"\x1b[2J\x1b]0;owned\x07\u2028\u202egnihtemos\x00\n\r" in text
