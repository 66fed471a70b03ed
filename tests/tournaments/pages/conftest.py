"""A headless Chromium of the machine's that opens pages, and holds what goes wrong in them."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from arena.packing import pack
from arena.replay import Replay, replay
from tests.tournaments import reported
from tests.tournaments.replayed import RECORDS, fair
from tests.tournaments.reported import store_records
from tournaments.pages import replay_page
from tournaments.pages.report_page import report_page
from tournaments.standings.standings import of_store
from tournaments.storage.store import Store

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

Show = Callable[..., Page]
Open = Callable[..., Page]


@cache
def whole(name: str) -> Replay:
    """A replay of RECORDS."""
    return replay(RECORDS[name]())


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


# For one test after the other: a new tab takes longer than what most do in it.
@pytest.fixture(scope="session")
def replay_tab(browser: Browser) -> Page:
    return browser.new_page()


@pytest.fixture(scope="session")
def report_tab(browser: Browser) -> Page:
    return browser.new_page()


@contextmanager
def watched(browser: Browser, tab: Page) -> Iterator[Open]:
    """Opens a file at an address; in the end nothing has gone wrong or been asked for."""
    wrong: list[str] = []
    asked: set[str] = set()
    opened: set[str] = set()
    pages: list[Page] = []
    noted: dict[Any, Callable[[Any], None]] = {
        "console": lambda message: wrong.append(message.text),
        "pageerror": lambda error: wrong.append(str(error)),
        "dialog": lambda dialog: wrong.append(dialog.message),
        "request": lambda request: asked.add(request.url.partition("#")[0]),
    }

    def open_file(file: Path, address: str = "", width: int = 1280, **looks: Any) -> Page:
        page = browser.new_page() if pages else tab
        pages.append(page)
        page.goto("about:blank")
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(**{"color_scheme": "light", "reduced_motion": "no-preference"} | looks)
        page.set_default_timeout(30_000)
        for event, note in noted.items():
            page.on(event, note)
        opened.add(f"file://{file}")
        page.goto(f"file://{file}#{address}")
        return page

    yield open_file
    for page in pages:
        for event, note in noted.items():
            page.remove_listener(event, note)
        if page is not tab:
            page.close()
    assert wrong == []
    assert asked <= opened


@pytest.fixture
def show(browser: Browser, replay_tab: Page, tmp_path: Path) -> Iterator[Show]:
    """Opens the page of a replay, at an address."""
    with watched(browser, replay_tab) as open_file:

        def shown(name: str, address: str = "", width: int = 1280, **looks: Any) -> Page:
            file = tmp_path / f"{name}.html"
            file.write_text(replay_page(pack(whole(name))))
            return open_file(file, address, width, **looks)

        yield shown


def write(run: Path, folder: Path) -> Path:
    with Store.read(run) as store:
        page = report_page(store, of_store(store))
    file = folder / f"{run.name}.html"
    file.write_text(page)
    return file


@pytest.fixture(scope="session")
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
def open_(browser: Browser, report_tab: Page, files: dict[str, Path]) -> Iterator[Open]:
    """Opens the page of a run at an address and waits for its charts."""
    with watched(browser, report_tab) as open_file:

        def opened(name: str, address: str = "", width: int = 1280, **looks: Any) -> Page:
            page = open_file(files[name], address, width, reduced_motion="reduce", **looks)
            page.wait_for_function("() => document.documentElement.dataset.drawn")
            return page

        yield opened


def heading(page: Page) -> str:
    return page.locator(".decision h2").inner_text()


def position(page: Page) -> str:
    """Where the viewer is, whether or not the address has it yet."""
    return str(page.locator("input[type=range]").get_attribute("aria-valuetext"))


def settled(page: Page, address: str) -> None:
    """Waits until the address is that."""
    page.wait_for_function("(address) => location.hash === address", arg=address)


def reached(page: Page, at: str) -> None:
    """Waits until the viewer is there."""
    page.wait_for_function(
        "(at) => document.querySelector('input[type=range]').ariaValueText === at", arg=at
    )
