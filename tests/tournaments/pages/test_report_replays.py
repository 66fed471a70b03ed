"""Replays within the page of a run, and what hostile bots can do to it: nothing."""

import re

from tests.tournaments.pages.conftest import Open, Show, position, reached, settled
from tests.tournaments.replayed import HOSTILE


def test_a_replay_is_opened_from_the_page_stepped_through_and_left(open_: Open) -> None:
    page = open_("league")
    link = page.locator("#table-matches a").nth(3)
    match = link.inner_text()
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".viewer")
    assert not page.locator("#report").is_visible()
    assert position(page) == "0"
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    reached(page, "1/0/2")
    settled(page, f"#match/{match}/1/0/2")
    page.get_by_role("link", name="Back to the report").click()
    page.wait_for_selector("#report")
    assert page.locator(".viewer").count() == 0
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == "#matches"


def test_the_back_button_leads_from_a_replay_to_where_the_reader_was(open_: Open) -> None:
    page = open_("league")
    link = page.locator("#table-matches a").nth(20)
    link.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 500
    link.click()
    page.wait_for_selector(".viewer")
    page.go_back()
    page.wait_for_selector("#report")
    page.wait_for_function("(before) => Math.abs(scrollY - before) < 5", arg=before)
    assert link.evaluate("(link) => link === document.activeElement")


def test_an_address_leads_into_a_match_and_from_one_to_another(open_: Open) -> None:
    matches = open_("league").locator("#table-matches a").all_inner_texts()
    page = open_("league", f"match/{matches[0]}/1/2/3")
    page.wait_for_selector(".viewer")
    assert position(page) == "1/2/3"
    page.evaluate("(match) => { location.hash = `match/${match}/2/end`; }", matches[1])
    reached(page, "2/end")
    assert page.locator("#replay-title").inner_text() == f"Match {matches[1]}"
    assert page.locator(".viewer").count() == 1
    page.evaluate("() => { location.hash = 'match/unknown'; }")
    page.wait_for_selector("#report")
    assert "unknown is not in this page" in page.locator("#problem").inner_text()


def test_a_fault_leads_to_its_match(open_: Open) -> None:
    page = open_("league")
    page.locator(".faults summary").first.click()
    link = page.locator(".faults a").first
    match = link.inner_text()
    link.click()
    page.wait_for_selector(".viewer")
    assert page.locator("#replay-title").inner_text() == f"Match {match}"
    page.keyboard.press("x")
    page.wait_for_selector(".fault")


LOOKS = """() => [...document.querySelectorAll(".viewer, .viewer *")].map((each) => {
  const style = getComputedStyle(each);
  const names = ["display", "padding", "margin", "borderWidth", "backgroundColor", "color",
    "fontSize", "minHeight", "textAlign", "position"];
  return [each.tagName, each.className, ...names.map((name) => style[name])];
})"""


def test_a_replay_looks_in_the_page_as_in_one_of_its_own(open_: Open, show: Show) -> None:
    alone = show("fair", "1/7/2", reduced_motion="reduce").evaluate(LOOKS)
    match = open_("fair").locator("#table-matches a").inner_text()
    page = open_("fair", f"match/{match}/1/7/2")
    page.wait_for_selector(".viewer")
    assert page.evaluate(LOOKS) == alone


# Hostile bots


def test_what_bots_have_chosen_is_shown_as_text_and_nothing_of_it_runs(open_: Open) -> None:
    page = open_("hostile")
    assert page.evaluate("document.images.length") == 0
    assert page.title().startswith("</script><script>document.title='owned'")
    page.locator(".faults summary").first.click()
    for text in (
        page.locator(".faults li").first.text_content() or "",
        page.locator("#table-standings").text_content() or "",
        page.locator("#table-matches").text_content() or "",
        page.locator("#chart-strength").text_content() or "",
    ):
        assert HOSTILE[:9] in text
        assert not re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text
        )
    log = page.locator(".faults pre").nth(1)
    assert "the end </script><script>document.title='owned'</script>" in log.inner_text()
    page.locator("#chart-strength svg .mark-symbol path").first.hover()
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert page.evaluate("[document.images.length, document.title === 'owned']") == [0, False]
    page.locator("#table-matches a").first.click()
    page.wait_for_selector(".viewer")
    assert page.evaluate("[document.images.length, document.title === 'owned']") == [0, False]
