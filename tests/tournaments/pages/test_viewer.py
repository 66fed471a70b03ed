"""The viewer of replays in a real browser, which has nothing but the file it opens."""

import re
from collections.abc import Iterator
from itertools import cycle
from typing import Any, get_args

import pytest
from msgspec import structs, to_builtins

from arena.events import CardPlayed, CardsPassed
from arena.packing import pack
from arena.record import Writer
from arena.replay import Moment, Replay, replay
from arena.rules import PRESETS
from arena.state import Playing
from protocol.cards import PARTNER, SEATS, Seat
from protocol.messages import Ruling
from tests.arena.tables import DEALER, choosers, every, play, started
from tests.tournaments.pages.conftest import Show, heading, position, reached, settled, whole
from tests.tournaments.replayed import RECORDS
from tournaments.replays.table import sign
from tournaments.replays.words import sees_cards

# What is shown is what was played


def expected(replayed: Replay, moment: Moment, later: Moment | None) -> dict[str, Any]:
    """What the viewer has to make of a moment, which another may follow."""
    deck, deal, trick = moment.after.deck, moment.dealt, moment.table
    asked = later.before.phase if later and later.kind == "decision" else None
    legal = deck.names(asked.legal) if isinstance(asked, Playing) else None
    return {
        "at": str(moment.position),
        "hands": [[deck.number[card] for card in deck.names(moment.hands[seat])] for seat in SEATS],
        "bids": [deal.bids.get(seat) if deal else None for seat in SEATS],
        "blind": [seat in deal.blind if deal else False for seat in SEATS],
        "seen": [sees_cards(replayed, moment, seat) if deal else True for seat in SEATS],
        "taken": [moment.taken[seat] for seat in SEATS],
        "score": list(moment.after.score.values()),
        "bags": list(moment.after.bags.values()),
        "trick": [deck.number[card] for card in trick.cards] if trick else [],
        "winners": [SEATS.index(trick.winner) for trick in moment.tricks],
        "legal": None if legal is None else [deck.number[card] for card in legal],
        "faults": [fault.detail for fault in moment.faults],
        "debug": list(moment.debug),
    }


MOMENTS = """(replay) => viewer.unpack(replay).moments.map((m) => ({
  at: m.at, hands: m.hands, bids: m.bids, blind: m.blind, seen: m.seen, taken: m.taken,
  score: m.score, bags: m.bags, trick: m.trick.map(({ card }) => card),
  winners: m.tricks.map((trick) => trick.winner).filter((winner) => winner !== null),
  legal: m.next?.kind === "play" ? m.next.legal : null,
  faults: m.faults.map((fault) => fault.detail),
  debug: m.faults.map((fault) => fault.debug),
}))"""


def every_kind() -> Iterator[Replay]:
    """Of RECORDS, and of every preset with every ruling."""
    yield from map(whole, RECORDS)
    for number, (rules, ruling) in enumerate(
        zip(PRESETS.values(), cycle(get_args(Ruling)), strict=False)
    ):
        policy = every(ruling, limit=20)
        bots = choosers(number, 0.03)
        writer = Writer()
        for event in play(started(structs.replace(rules, max_deals=2), 0, DEALER, policy), bots)[0]:
            writer.add(event)
        yield replay(writer.close())


def test_the_moments_of_the_viewer_are_those_of_the_record(show: Show) -> None:
    page = show("fair")
    for replayed in every_kind():
        found = page.evaluate(MOMENTS, to_builtins(pack(replayed), str_keys=True))
        assert len(found) == len(replayed.moments)
        later = [*replayed.moments[1:], None]
        for moment, then, each in zip(replayed.moments, later, found, strict=True):
            due = expected(replayed, moment, then)
            if then is None or (then.kind == "end" and then.deal_end is None):
                del due["seen"], each["seen"]  # whom a forfeit spared being asked nobody knows
            assert each == due


NOTE_EACH_KEY = """() => {
    window.noted = [];
    addEventListener("keyup", () => window.noted.push([
      document.querySelector("input").ariaValueText,
      document.querySelector(".decision h2").textContent.replaceAll("\ufe0e", ""),
    ]));
}"""


def test_a_whole_match_is_stepped_through_by_keyboard_and_back(show: Show) -> None:
    page, moments = show("renege", "0"), whole("renege").moments
    page.evaluate(NOTE_EACH_KEY)
    for _ in moments:
        page.keyboard.press("ArrowRight")
    settled(page, f"#{moments[-1].position}")
    for _ in moments:
        page.keyboard.press("ArrowLeft")
    settled(page, "#0")
    noted = page.evaluate("noted")
    there, back = noted[: len(moments)], noted[len(moments) :]
    assert [at for at, _ in there[:-1]] == [str(moment.position) for moment in moments[1:]]
    assert back[:-1] == [*there[-3::-1], ["0", "The match begins"]]
    for moment, (_, told) in zip(moments[1:], there, strict=False):
        if isinstance(moment.decision, CardPlayed):
            card = sign(moment.decision.card)
            assert told.startswith(f"{moment.decision.seat} plays {card}")
        if moment.deal_end is not None:
            deltas = [f"{side} {n:+}" for side, n in moment.deal_end.delta.items()]
            assert told.replace("\N{MINUS SIGN}", "-").startswith(
                f"Deal {moment.position.deal}: {', '.join(deltas)}"
            )


@pytest.mark.parametrize(
    ("keys", "address"),
    [
        ("", "0"),
        ("End", "2/end"),
        ("End Home", "0"),
        ("PageDown", "1/0/0"),
        ("PageDown PageDown PageUp", "1/0/0"),
        ("PageDown ArrowDown", "1/1/4"),
        ("PageDown ArrowDown ArrowDown ArrowUp", "1/1/4"),
        ("x", "1/0/3"),
        ("x x", "1/8/4"),
        ("x x X", "1/0/3"),
        ("x x x", "1/8/4"),
    ],
)
def test_a_key_leads_to_a_position_in_the_address(keys: str, address: str, show: Show) -> None:
    page = show("substituted", "0")
    for key in keys.split():
        page.keyboard.press(key)
    settled(page, f"#{address}")
    assert position(page) == address


def test_an_address_opens_there_and_the_back_button_returns(show: Show) -> None:
    page = show("fair", "1/7/2")
    assert position(page) == "1/7/2"
    assert heading(page)[1:8] == " plays "
    page.get_by_role("button", name="Next deal").click()
    settled(page, "#2/0/0")
    page.locator("[data-deal='1']").click()
    settled(page, "#1/0/0")
    page.keyboard.press("ArrowRight")
    page.go_back()
    settled(page, "#2/0/0")
    page.go_back()
    settled(page, "#1/7/2")
    assert position(page) == "1/7/2"
    page.go_forward()
    settled(page, "#2/0/0")
    for address, at in [("2", "2/0/0"), ("1/3", "1/3/1"), ("2/end", "2/end"), ("9/9", "2/end")]:
        page.evaluate("address => { location.hash = address; }", address)
        reached(page, at)


def test_it_plays_and_pauses(show: Show) -> None:
    page = show("fair")
    page.get_by_label("speed").select_option("10")
    page.locator("h1").click()
    page.keyboard.press(" ")
    reached(page, "1/0/2")
    page.get_by_role("button", name="Pause").click()
    at = position(page)
    page.wait_for_timeout(250)
    assert position(page) == at
    assert page.get_by_role("button", name="Play").count() == 1


# Hands that are hidden

CARD = re.compile(r"(?:10|[2-9JQKA])[♣♦♥♠]|\b[2-9TJQKA][CDHS]\b|\b[LB]J\b")
SPOKEN = re.compile(r"(?:10|[2-9]|jack|queen|king|ace) of (?:clubs|diamonds|hearts|spades)|joker")
ROUND = """([seat, patterns]) => {
    const view = document.querySelector(".choosers label:last-child select");
    view.value = String(seat);
    view.dispatchEvent(new Event("change"));
    const step = document.querySelector("[aria-label=Step]"), seen = [];
    for (;;) {
      const html = document.querySelector(".viewer").outerHTML.replaceAll("\ufe0e", "");
      seen.push(patterns.map((pattern) => html.match(new RegExp(pattern, "g")) ?? []));
      if (step.getAttribute("aria-disabled") === "true") return seen;
      step.click();
    }
}"""
"""All that is in the viewer, step by step to the end, as what matches the patterns."""


def known(replayed: Replay, seat: Seat) -> Iterator[set[str]]:
    """The cards that a seat may know of, moment by moment."""
    passed: set[str] = set()
    for moment in replayed.moments:
        if moment.kind == "deal":
            passed = set()
        if isinstance(moment.decision, CardsPassed) and seat in (
            moment.decision.seat,
            PARTNER[moment.decision.seat],
        ):
            passed |= set(moment.decision.cards)
        played = {card for trick in moment.tricks for card in trick.cards}
        phase = moment.phase
        if isinstance(phase, Playing):
            played |= set(phase.cards)
        told = {f.detail for f in moment.faults if f.seat == seat}
        own = moment.after.deck.names(moment.hands[seat])
        yield (
            played
            | passed
            | set(own if sees_cards(replayed, moment, seat) else ())
            | {card for detail in told for card in CARD.findall(detail)}
        )


@pytest.mark.parametrize("name", ["blind", "substituted"])
def test_in_the_view_of_a_seat_no_card_is_named_that_it_can_not_know(name: str, show: Show) -> None:
    replayed, page = whole(name), show(name, "0")
    hidden = 0
    patterns = [CARD.pattern, SPOKEN.pattern, "face down"]
    for number, seat in enumerate(SEATS):
        page.keyboard.press("Home")
        steps = page.evaluate(ROUND, [number, patterns])
        for (named, said, down), cards in zip(steps, known(replayed, seat), strict=True):
            assert set(named) <= cards | {sign(card) for card in cards}
            assert set(said) <= {spoken(card) for card in cards}
            hidden += len(down)
    assert hidden > 3 * 4 * replayed.deals * 10
    page.get_by_label("hands").select_option("open")
    assert "face down" not in page.locator(".viewer").inner_html()


def spoken(card: str) -> str:
    if card in ("BJ", "LJ"):
        return "joker"
    ranks = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
    suits = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
    return f"{ranks.get(card[0], card[0])} of {suits[card[1]]}"
