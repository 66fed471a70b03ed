"""The page of a run in a real browser, which has nothing but the file it opens."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.tournaments import reported
from tests.tournaments.pages.conftest import Show, position, reached, settled
from tests.tournaments.replayed import HOSTILE, fair
from tests.tournaments.reported import store_records
from tournaments.pages.report_page import CHARTS, report_page
from tournaments.standings import of_store
from tournaments.store import Store

Open = Callable[..., Page]


def write(run: Path, folder: Path) -> Path:
    with Store.read(run) as store:
        page = report_page(store, of_store(store))
    file = folder / f"{run.name}.html"
    file.write_text(page)
    return file


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages of runs, by their names."""
    folder = tmp_path_factory.mktemp("reports")
    runs = [
        reported.league(folder / "league"),
        reported.hostile(folder / "hostile"),
        store_records(folder / "fair", [fair()]),
        store_records(folder / "begun", [fair()], finished=0),
    ]
    return {run.name: write(run, folder) for run in runs}


@pytest.fixture
def open_(browser: Browser, files: dict[str, Path]) -> Iterator[Open]:
    """Opens a page at an address and waits for its charts; nothing may go wrong or be asked for."""
    wrong: list[str] = []
    asked: set[str] = set()
    contexts = []

    def opened(name: str, address: str = "", width: int = 1280, **looks: Any) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 800}, reduced_motion="reduce", **looks
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("request", lambda request: asked.add(request.url.partition("#")[0]))
        page.goto(f"file://{files[name]}#{address}")
        page.wait_for_function("() => document.documentElement.dataset.drawn")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
    assert asked <= {f"file://{file}" for file in files.values()}


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


# Replays


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
