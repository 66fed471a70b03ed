"""What a person sees: every moment in every window, and nothing that their seat can't know."""

import re
from functools import cache

import pytest
from msgspec.structs import replace

from arena.record import follow
from arena.replay import Replay, so_far
from arena.state import Bidding, Exchanging, Offering, Playing, State
from arena.view import request
from protocol.cards import PARTNER, SEATS, Seat
from tests.tournaments.league import ROOT
from tests.tournaments.replayed import RECORDS
from tournaments.person.choosing import Choosing, after_key, begin
from tournaments.person.screen import (
    KEYS,
    LEAST,
    at_table,
    keys_page,
    score_page,
    too_small,
    waiting,
)
from tournaments.replays.table import sign
from tournaments.replays.words import sees_cards

SIZES = [(80, 24), (200, 50), LEAST]


@cache
def moments(name: str) -> list[tuple[Replay, State]]:
    """The match as it stood after each of its events, once cards were dealt."""
    events = list(follow(RECORDS[name]()))
    found = [(so_far(events[: i + 1]), state) for i, (_, state) in enumerate(events)]
    return [(replay, state) for replay, state in found if replay.moments[-1].position.deal]


def asked(state: State, seat: Seat) -> Choosing | None:
    """The question to a seat, where it is on turn."""
    if not isinstance(state.phase, Offering | Bidding | Exchanging | Playing):
        return None
    if state.phase.turn != seat or not getattr(state.phase, "legal", True):
        return None
    return begin(request(state), state.rules)


def shown(
    replay: Replay,
    seat: Seat,
    choosing: Choosing | None,
    hint: str = "",
    size: tuple[int, int] = (80, 24),
) -> str:
    return "\n".join(line.plain for line in at_table(replay, seat, choosing, hint, *size))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", RECORDS)
def test_every_moment_fits_every_window_and_is_printable(name: str, size: tuple[int, int]) -> None:
    for replay, state in moments(name)[::5]:
        for seat in SEATS:
            choosing = asked(state, seat)
            if choosing is not None:
                choosing = replace(choosing, told="why " * 200, leaving=True)
            for page in (
                at_table(replay, seat, choosing, "a hint " * 200, *size),
                score_page(replay, "any key", *size),
            ):
                assert len(page) <= size[1]
                assert all(line.cell_len < size[0] for line in page)
                assert all(line.plain.isprintable() for line in page)


def test_the_page_on_play_tells_the_same_keys() -> None:
    text = (ROOT / "docs" / "play.md").read_text()
    told = re.findall(r"^\| `(.*?)` \| (.*) \|$", text, re.M)
    assert [(keys, does.replace("`", "")) for keys, does in told] == [
        (keys, does.replace("`", "")) for keys, does in KEYS
    ]


def test_what_needs_no_table_fits_any_window() -> None:
    for width, height in (*SIZES, (20, 5), (1, 1)):
        assert len(too_small(width, height)) <= height
        assert len(waiting(width, height)) <= height
    keys = keys_page(80, 24)
    assert all("…" not in line.plain for line in keys)
    assert len(keys) < 24


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("name", ["blind", "fair", "substituted", "solo", "jokers"])
def test_no_card_is_shown_that_the_seat_can_not_know(name: str, seat: Seat) -> None:
    for replay, state in moments(name):
        moment = replay.moments[-1]
        if moment.kind == "end":
            continue
        text = shown(replay, seat, asked(state, seat))
        seen = sees_cards(replay, moment, seat)
        assert len(re.findall(r"\d+ cards?, hidden", text)) == (3 if seen else 4)
        known = {card for trick in moment.tricks for card in trick.cards}
        if moment.table is not None:
            known |= set(moment.table.cards)
        if seen and moment.dealt is not None:
            own = moment.dealt.hands[seat] | moment.dealt.passed.get(seat, 0)
            known |= set(moment.after.deck.names(own | moment.dealt.passed.get(PARTNER[seat], 0)))
        assert set(re.findall(r"(?:10|[2-9JQKA])[♣♦♥♠]", text)) <= set(map(sign, known))


def questions(name: str, seat: Seat) -> dict[str, tuple[Replay, Choosing]]:
    """The last question of each kind."""
    found = {}
    for replay, state in moments(name):
        choosing = asked(state, seat)
        if choosing is not None:
            found[type(choosing.question).__name__] = replay, choosing
    return found


def test_each_question_says_what_is_asked_and_which_keys_answer() -> None:
    found = questions("blind", "S") | questions("blind", "N")
    assert sorted(found) == ["Bid", "BlindNil", "Exchange", "Play"]
    blind = shown(found["BlindNil"][0], "N", found["BlindNil"][1])
    assert "You have not seen your cards. Do you bid blind nil? y or n\ny yes  n no" in blind
    bid = after_key(found["Bid"][1], "4")
    assert isinstance(bid, Choosing)
    assert "Your bid, nil to 13? 4_" in shown(found["Bid"][0], "N", bid)
    replay, passing = found["Exchange"]
    marked = after_key(after_key(passing, "right"), "space")  # type: ignore[arg-type]
    assert isinstance(marked, Choosing)
    text = shown(replay, marked.question.seat, marked, "counting would pass 2♠ 9♥")
    assert re.search(r"Pass 2 cards to [NESW]: (10|\w)[♣♦♥♠]\n", text)
    assert "\ncounting would pass 2♠ 9♥\n" in text


def test_the_table_shows_who_led_the_last_trick_legal_cards_and_what_the_others_did() -> None:
    for replay, state in moments("fair"):
        choosing = asked(state, "S")
        phase = state.phase
        if choosing is None or not isinstance(phase, Playing) or len(phase.tricks) != 5:
            continue
        text = shown(replay, "S", choosing)
        assert re.search(r"^Spades to 500 +deal 1, trick [56]$", text, re.M)
        assert re.search(r"^trick [45]: .* took it$", text, re.M)
        assert re.search(r"[NEW] plays .*", text)
        led = f"{phase.leader} led" if phase.cards else "you lead"
        assert f"Your card ({led}" in text
        hand = next(line for line in at_table(replay, "S", choosing, "", 80, 24)[12:] if line.spans)
        styles = {str(span.style) for span in hand.spans}
        assert any("bold underline" in style for style in styles)
        legal = state.deck.names(phase.legal)
        dimmed = sum("dim" in str(span.style) for span in hand.spans)
        assert dimmed == phase.held.bit_count() - len(legal)
        pointed = after_key(choosing, "right")
        assert isinstance(pointed, Choosing)
        drawn = at_table(replay, "S", pointed, "", 80, 24)
        assert (
            sum("reverse" in str(span.style) for line in drawn[12:14] for span in line.spans) == 1
        )
        return
    raise AssertionError("S never leads or follows after five tricks")


@pytest.mark.parametrize(
    ("name", "head"), [("fair", "bid took   +/- score bags"), ("solo", "b/tk  +/-  sum  b")]
)
def test_the_score_sheet_has_a_line_a_deal_and_ends_with_the_result(name: str, head: str) -> None:
    replay, state = moments(name)[-1]
    text = "\n".join(line.plain.rstrip() for line in score_page(replay, "Enter ends", 80, 24))
    assert head in text
    assert "…" not in text.partition("\n")[2]
    for number, moment in enumerate([m for m in replay.moments if m.deal_end], 1):
        assert moment.deal_end
        (row,) = re.findall(rf"^ +{number} .*$", text, re.M)
        for side, score in moment.deal_end.score.items():
            assert re.search(
                rf" {re.escape(format(moment.deal_end.delta[side], '+'))} +{score}\b", row
            )
    assert "wins" in text
    assert text.endswith("Enter ends")
    assert sum(state.score.values()) == sum(replay.result.score.values())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("forfeit", ["EW forfeits", "fault of W: exit", "it exited with status 1"]),
        ("nobody_starts", ["NS forfeits", "fault of N: start", "it did not answer - hurry"]),
    ],
)
def test_what_a_fault_says_is_told_when_the_match_is_over(name: str, told: list[str]) -> None:
    over = so_far(list(follow(RECORDS[name]())))
    text = "\n".join(line.plain for line in score_page(over, "", 80, 24))
    assert all(each in text for each in told)
