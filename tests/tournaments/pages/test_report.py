"""The page of a run in a real browser, which has nothing but the file it opens."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.tournaments.pages.conftest import Open
from tournaments.pages.report_page import CHARTS


def column(page: Page, table: str, number: int) -> list[str]:
    """What stands in a column, from the top."""
    cells: list[str] = page.locator(f"#table-{table} tbody tr").evaluate_all(
        "(rows, n) => rows.map((row) => row.cells[n].firstChild.textContent)", number
    )
    return cells


# What is there


def test_every_chart_is_drawn_and_every_table_filled(open_: Open) -> None:
    page = open_("league")
    assert page.evaluate("document.documentElement.dataset.drawn") == str(len(CHARTS))
    for name in CHARTS:
        box = page.locator(f"#chart-{name} svg").bounding_box()
        assert box
        assert box["width"] > 200
        assert box["height"] > 60
        assert page.locator(f"#chart-{name} svg path").count() > 0
    assert sorted(column(page, "standings", 1)) == ["careless", "counting", "lowest"]
    assert column(page, "crosstable", 0) == ["1", "2", "3"]
    assert len(column(page, "bidding", 0)) == len(column(page, "times", 0)) == 3
    names = page.locator("#chart-strength svg").text_content() or ""
    assert all(name in names for name in ("careless", "counting", "lowest"))


def test_before_the_first_match_the_page_says_so(open_: Open) -> None:
    page = open_("begun")
    assert page.evaluate("document.documentElement.dataset.drawn") == "0"
    assert page.locator(".chart.empty").count() == len(CHARTS)
    assert "No bot was at fault." in page.locator("#faults").inner_text()
    assert page.locator(".tiles .lead").count() == 0
    assert set(page.locator("#table-times tbody td").all_inner_texts()) == {"0", ""}


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


OUTSIDE = """() => ({
  page: document.documentElement.scrollWidth - innerWidth,
  outside: [...document.querySelectorAll("#report *")]
    .filter((each) => !each.closest(".scroll, nav, svg, pre"))
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => each.outerHTML.slice(0, 200)),
})"""
FITS = """() => [...document.querySelectorAll(".chart:not(.empty)")].every((chart) =>
  Math.abs(chart.querySelector("svg").clientWidth - chart.clientWidth) <= 2)"""


@pytest.mark.parametrize("name", ["league", "hostile"])
def test_the_page_and_its_charts_are_as_wide_as_the_window(name: str, open_: Open) -> None:
    page = open_(name, width=360)
    unfold(page)
    for width in (360, 1600, 360):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(FITS)
        assert page.evaluate(OUTSIDE) == {"page": 0, "outside": []}


@pytest.mark.parametrize(("name", "scheme"), [("league", "dark"), ("hostile", "light")])
def test_an_automated_check_finds_nothing_that_is_not_accessible(
    name: str, scheme: str, open_: Open
) -> None:
    page = open_(name, color_scheme=scheme)
    unfold(page)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_there_is_a_dark_and_a_light_page_and_its_charts_follow(open_: Open) -> None:
    page = open_("league", color_scheme="light")
    label = "#chart-strength svg .role-axis-label text"
    light = page.locator(label).first.get_attribute("fill")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "([label, fill]) => document.querySelector(label)?.getAttribute('fill') !== fill",
        arg=[label, light],
    )
    page.wait_for_selector(label)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 28)"


# What can be done


SORTS = [
    ("lost", 8, "click", "descending"),
    ("lost", 8, "Enter", "ascending"),
    ("bot", 1, "Space", "ascending"),
    ("bot", 1, "Enter", "descending"),
    ("elo", 4, "click", "descending"),
    ("#", 0, "click", "ascending"),
]
"""One after the other: a column, its number, how it is pressed, and the order that comes of it."""


def test_a_column_is_sorted_by_click_and_by_keyboard_and_the_focus_stays(open_: Open) -> None:
    page = open_("league")
    for name, number, pressed, order in SORTS:
        button = page.locator("#table-standings th button").nth(number)
        assert button.inner_text() == name
        button.focus()
        if pressed == "click":
            button.click()
        else:
            page.keyboard.press(pressed)
        cells = column(page, "standings", number)
        found: list[Any] = cells if name == "bot" else [*map(number_of, cells)]
        assert len(set(found)) > 1
        assert found == sorted(found, reverse=order == "descending")
        assert page.evaluate("document.activeElement.closest('th').ariaSort") == order
        assert page.locator("#table-standings [aria-sort]").count() == 1


def number_of(cell: str) -> float:
    return float(cell.split(" ")[0].replace("\N{MINUS SIGN}", "-"))


FAINT = """() => [...document.querySelectorAll("#chart-ratings .mark-line path")]
  .filter((line) => Number(line.getAttribute("opacity") ?? 1) < 1).length"""


def test_a_bot_is_brought_out_and_the_hands_of_each_can_be_looked_at(open_: Open) -> None:
    page = open_("league")
    button = page.locator("#legend button").first
    button.focus()
    assert page.evaluate(FAINT) == 0
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    page.wait_for_function(f"() => ({FAINT})() === 2")
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({FAINT})() === 0")
    before = page.locator("#table-bids").inner_text()
    cells = page.locator("#chart-bids .mark-rect path")
    drawn = cells.evaluate_all("(cells) => cells.map((cell) => cell.getAttribute('d')).join()")
    page.locator("#bids-chooser select").select_option(index=1)
    assert page.locator("#table-bids").inner_text() != before
    page.wait_for_function(
        """(drawn) => [...document.querySelectorAll("#chart-bids .mark-rect path")]
          .map((cell) => cell.getAttribute("d")).join() !== drawn""",
        arg=drawn,
    )


def test_matches_are_filtered_and_shown_bit_by_bit(open_: Open) -> None:
    page = open_("league")
    rows = page.locator("#table-matches tbody tr")
    assert rows.count() == 24
    page.get_by_label("with faults").check()
    assert 0 < rows.count() < 24
    assert "0" not in column(page, "matches", 5)
    page.get_by_label("with faults").uncheck()
    page.locator("#match-choosers select").select_option(label="careless")
    assert rows.count() == 16
    assert all("careless" in row for row in rows.all_inner_texts())
