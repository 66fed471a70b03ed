"""How the viewer looks, and that all can use it: widths, colours, keyboard, screen readers."""

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.tournaments.pages.conftest import Show, heading, position
from tests.tournaments.replayed import HOSTILE, LONG

PLACES = [
    ("fair", "0"),
    ("fair", "1/0/0"),
    ("fair", "1/7/2"),
    ("blind", "2/0/2"),
    ("solo", "2/end"),
    ("jokers", "1/1/2"),
    ("substituted", "1/8/4"),
    ("hostile", "1/2/1"),
    ("nobody_starts", "0"),
]


@pytest.mark.parametrize(("name", "address"), PLACES)
def test_nothing_is_wider_than_the_window(name: str, address: str, show: Show) -> None:
    page = show(name, address)
    assert position(page) == address
    for width in (360, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        found = page.evaluate(
            """() => ({
              page: document.documentElement.scrollWidth - innerWidth,
              outside: [...document.querySelectorAll(".viewer :not(.aside)")]
                .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
                .map((e) => e.outerHTML.slice(0, 200)),
            })"""
        )
        assert found == {"page": 0, "outside": []}


@pytest.mark.parametrize(
    ("name", "address", "view"),
    [("fair", "1/7/2", "open"), ("hostile", "1/2/1", "open"), ("blind", "2/0/2", "only E")],
)
def test_an_automated_check_finds_nothing_that_is_not_accessible(
    name: str, address: str, view: str, show: Show
) -> None:
    page = show(name, address, 1280, color_scheme="light", reduced_motion="reduce")
    page.get_by_label("hands").select_option(view)
    schemes: dict[Literal["light", "dark"], dict[str, Any]] = {
        "light": {},
        "dark": {"runOnly": ["color-contrast"]},  # colours are all that differ
    }
    for scheme, only in schemes.items():
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page, options=only)
        assert results.violations_count == 0, results.generate_report()


def test_there_is_a_dark_and_a_light_page(show: Show) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    assert show("fair", color_scheme="dark").evaluate(ground) == "rgb(20, 24, 28)"
    assert show("fair", color_scheme="light").evaluate(ground) == "rgb(243, 244, 246)"


@pytest.mark.parametrize(
    ("motion", "animated"), [("reduce", "none"), ("no-preference", "viewer-laid")]
)
def test_nothing_moves_where_that_is_not_wanted(motion: str, animated: str, show: Show) -> None:
    page = show("fair", "1/1/1", reduced_motion=motion)
    card = page.locator(".latest .card")
    assert card.evaluate("(card) => getComputedStyle(card).animationName") == animated


@pytest.mark.parametrize("name", ["solo", "substituted"])
def test_the_score_of_each_deal_stands_whole_on_its_button(name: str, show: Show) -> None:
    page = show(name, "0", 1280)
    cut = page.locator(".deals button span:not(.aside)").evaluate_all(
        """(spans) => spans.filter((each) => each.scrollWidth > each.clientWidth
          && getComputedStyle(each).overflowX !== "visible").map((each) => each.textContent)"""
    )
    assert cut == []


def test_the_table_and_the_buttons_stay_where_they_are_from_step_to_step(show: Show) -> None:
    page = show("fair", "1/0/0", 360)
    places = page.evaluate(
        """() => { const step = document.querySelector("[aria-label=Step]");
          return Array.from({ length: 56 }, () => {
            step.click(); return Math.round(step.getBoundingClientRect().y); }); }"""
    )
    assert len(set(places)) == 1


def test_the_focus_is_seen_and_stays_on_the_button_that_was_pressed(show: Show) -> None:
    page = show("fair", "1/1/1")
    seen = []
    for _ in range(8):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                """() => { const it = document.activeElement, style = getComputedStyle(it);
                  return [it.ariaLabel, style.outlineStyle, style.outlineWidth]; }"""
            )
        )
    names = [name for name, *_ in seen]
    assert names == [
        "Moment of the deal", "Previous deal", "Previous trick", "Back", "Play", "Step",
        "Next trick", "Next deal",
    ]  # fmt: skip
    assert {(style, width) for _, style, width in seen} == {("solid", "3px")}
    page.get_by_role("button", name="Step").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    assert position(page) == "1/1/3"
    assert page.evaluate("document.activeElement.ariaLabel") == "Step"


def test_each_step_is_announced(show: Show) -> None:
    page = show("substituted", "1/0/2")
    page.keyboard.press("ArrowRight")
    live = page.locator("[aria-live=polite]")
    assert live.inner_text() == "The arena, for E, bids 1. Fault of E: illegal"
    page.keyboard.press("h")
    assert live.inner_text() == "Only the hand of N"
    page.keyboard.press("ArrowDown")
    assert " of " in live.inner_text()  # a card as it is spoken


def test_f_flips_the_table_and_the_seat_that_is_looked_from_sits_below(show: Show) -> None:
    page = show("fair", "1/0/0")
    below = page.locator(".seat.bottom .letter")
    assert below.inner_text() == "S"
    page.keyboard.press("f")
    assert below.inner_text() == "N"
    page.keyboard.press("f")
    for seat in "NESW":
        page.keyboard.press("h")
        assert below.inner_text() == seat
    page.keyboard.press("h")
    assert below.inner_text() == "S"


def test_the_keys_are_told_and_the_dialog_closes(show: Show) -> None:
    page = show("fair", "1/0/0")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    assert "Flip the table" in dialog.inner_text()
    page.keyboard.press("ArrowRight")
    assert position(page) == "1/0/0"
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    assert position(page) == "1/0/1"
    page.get_by_role("button", name="Keys").click()
    dialog.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()


def test_legal_cards_stand_out_in_the_hand_and_are_listed_with_the_time(show: Show) -> None:
    page = show("fair", "1/1/1")
    turn = page.locator(".seat", has=page.locator(".plate.turn"))
    assert turn.locator(".card.legal").count() > 0
    assert turn.locator(".card.legal, .card.illegal").count() == 13
    told = page.locator(".decision").inner_text()
    assert "12 ms of 1 s, 9.8 ms of processor time" in told
    assert page.locator(".choices .chosen").count() == 1
    page.keyboard.press("ArrowLeft")
    assert "a bid" in page.locator(".decision q").inner_text()


# Hostile bots


def test_what_a_bot_has_chosen_is_shown_as_text_and_nothing_of_it_runs(show: Show) -> None:
    page = show("hostile", "0")
    elements = page.evaluate("[document.images.length, document.scripts.length]")
    assert elements == [0, 2]
    assert page.title().startswith("</script><script>document.title='owned'")
    page.keyboard.press("x")
    fault = page.locator(".fault").text_content() or ""
    assert "</script><script>document.title='owned'</script><img src=x onerror=" in fault
    assert "\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{2028}\\u{202e}egnihtemos" not in fault
    assert "\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{2028}\\u{202e}gnihtemos\\u{0}\\u{a}\\u{d}" in fault
    assert "{{ 7 * 7 }}&lt;b&gt;" in fault
    assert LONG[:5_000] in fault
    page.keyboard.press("PageUp")
    notes = page.locator(".decision")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        text = notes.text_content() or ""
        assert not any(character in text for character in "\x1b\u202e\u2067\u200f\u2028\0")
    assert page.evaluate("[document.images.length, document.scripts.length]") == elements
    assert HOSTILE[:9] in page.locator(".seat.top .name").inner_text()


def test_a_long_text_is_folded_away_and_can_be_opened(show: Show) -> None:
    page = show("hostile", "1/2/1", 360)
    rest = page.locator(".fault details p").first
    assert not rest.is_visible()
    page.locator(".fault summary").first.click()
    assert len(rest.inner_text()) > 9_000


# In a page of others


def mounted(page: Page, script: str) -> Any:
    return page.evaluate(
        """(script) => { const replay = JSON.parse(document.getElementById("replay").textContent);
          const element = document.getElementById("viewer"); element.replaceChildren();
          return new Function("replay", "element", "viewer", script)(replay, element, viewer); }""",
        script,
    )


def test_it_can_be_mounted_for_one_match_of_many_and_taken_away_again(show: Show) -> None:
    page = show("fair", "m7/1/2/3")
    mounted(page, 'window.its = viewer.mount(element, replay, "m7/");')
    assert position(page) == "1/2/3"
    told = heading(page)
    mounted(page, 'window.its.unmount(); window.its = viewer.mount(element, replay, "m8/");')
    assert (position(page), heading(page) == told) == ("0", False)
    mounted(page, "window.its.unmount();")
    page.keyboard.press("ArrowRight")
    assert page.locator("#viewer").inner_html() == ""
