"""The page of a run as text: what it holds, what it may do, and what it is made of."""

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.tournaments import reported
from tests.tournaments.league import change
from tests.tournaments.replayed import HOSTILE_NAME, RECORDS, fair
from tests.tournaments.reported import SECRET, store_records
from tournaments import pages
from tournaments.pages import report_page as made
from tournaments.pages.report_page import BYTES, CHARTS, LIBRARIES, chart, library, report_page
from tournaments.reports.charted import charted
from tournaments.reports.report import gather
from tournaments.standings.standings import of_store
from tournaments.storage.store import Store

VEGA = Path(pages.__file__).parent / "vega"


def page_of(run: Path) -> str:
    with Store.read(run) as store:
        return report_page(store, of_store(store))


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return reported.league(tmp_path_factory.mktemp("text") / "league")


def data(page: str, name: str) -> Any:
    (found,) = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', page)
    return json.loads(found)


def test_a_page_asks_for_nothing_and_lets_nothing_run_but_its_own(league: Path) -> None:
    page = page_of(league)
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    assert "default-src &#39;none&#39;" in policy
    assert "unsafe" not in policy
    assert policy.count("sha256-") == 1 + len(LIBRARIES) + 1
    assert set(re.findall(r"""(?:src=|@import|url\()[^\s"']*""", page)) == {"src=x"}  # text
    assert all(link.startswith("#") for link in re.findall(r'href="([^"]*)"', page))
    assert " style=" not in page
    assert len(re.findall(r"<script[ >]", page)) == page.count("</script>")


@pytest.mark.parametrize(
    ("name", "lead"),
    [("fair", "lowest"), ("level", "counting, lowest")],
)
def test_who_stands_first_is_named_and_so_are_all_with_an_equal_rating(
    name: str, lead: str, tmp_path: Path
) -> None:
    page = page_of(store_records(tmp_path / name, [RECORDS[name]()]))
    assert f"<dt>Winner</dt><dd><bdi>{lead}</bdi></dd>" in page


def test_a_page_says_how_many_faults_of_a_kind_it_has(league: Path) -> None:
    assert "of which the first 5 of each bot and kind are here" in page_of(league)


def test_each_fault_of_a_page_has_the_line_that_reproduces_it(league: Path) -> None:
    page = page_of(league)
    lines = re.findall(r"<dt>to reproduce</dt><dd><code>(.*)</code></dd>", page)
    assert len(lines) == page.count('<span class="kind">')
    debug = rf"spades-arena debug {re.escape(str(league))} \w+ --seat [NESW] --until \d+:\d+"
    assert all(re.fullmatch(debug, line) for line in lines)


def test_the_same_run_makes_the_same_page(league: Path) -> None:
    assert page_of(league) == page_of(league)


@pytest.mark.parametrize("name", RECORDS)
def test_every_kind_of_match_has_its_page(name: str, tmp_path: Path) -> None:
    page = page_of(store_records(tmp_path / "run", [RECORDS[name]()] * 2))
    assert "2 are in this page" in page
    assert len(data(page, "match-list")["rows"]) == 2


def test_hostile_texts_can_end_no_element(tmp_path: Path) -> None:
    page = page_of(reported.hostile(tmp_path / "run"))
    assert len(re.findall(r"<script[ >]", page)) == page.count("</script>")
    assert "<img" not in page
    for name in ("charts", "data", "match-list"):
        data(page, name)
    assert data(page, "match-list")["names"][0].startswith(HOSTILE_NAME[:9])
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", page)
    assert len(page) < 700_000  # long texts are cut


def test_a_page_keeps_to_its_size(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = page_of(league)
    assert "24 are in this page" in whole
    assert "For any other" not in whole
    bound = len(whole.encode()) - 4_000
    monkeypatch.setattr(made, "BYTES", bound)
    page = page_of(league)
    assert bound - 4_000 < len(page.encode()) <= bound < BYTES
    (held,) = re.findall(r"(\d+) are in this page", page)
    assert 0 < int(held) < 24
    ids = " ".join(re.findall(r'class="bundle" data-matches="(.*?)"', page)).split()
    told = list(dict.fromkeys(re.findall(r'data-match="(\w+)"', page)))
    assert len(ids) == int(held)
    assert ids[: len(told)] == told[: len(ids)]  # a fault that is shown leads to its match
    assert "spades-arena replay" in page
    assert "ID --html match.html" in page


@pytest.mark.parametrize(
    ("root", "final", "told", "not_told"),
    [
        ("seed 2026", None, "the seed <code>2026</code>", "secret"),
        (f"secret {SECRET}", None, "The secret is revealed when", SECRET),
        (f"secret {SECRET}", "2026-03-02T10:00:00+00:00", f"printf %s {SECRET}", "is revealed"),
    ],
)
def test_how_the_deals_were_fixed(
    root: str, final: str | None, told: str, not_told: str, tmp_path: Path
) -> None:
    run = store_records(tmp_path / "run", [fair(), fair()], root=root)
    if final:
        change(run, "UPDATE tournament SET final = ?", final)
    page = page_of(run)
    about = page[page.index('id="about"') : page.index("<h3>The settings</h3>")]
    assert told in about
    assert not_told not in page[: page.index("Licences of")]
    if root != "seed 2026":
        assert hashlib.sha256(SECRET.encode()).hexdigest() in about


def test_settings_bots_and_dates_are_told(league: Path) -> None:
    page = page_of(league)
    about = page[page.index('id="about"') :]
    for key in ("target", "move_ms", "beta", "backend", "cores", "format"):
        assert f"<dt>{key}</dt>" in about
    assert f"<code>{1:064x}</code>" in about
    assert re.search(r"Begun \d{4}-\d\d-\d\d \d\d:\d\d UTC, latest match \d{4}", about)
    assert "Made by spades-arena 0.1.0" in about


def test_of_many_bots_the_best_are_shown_and_the_others_named_by_a_command(league: Path) -> None:
    with Store.read(league) as store:
        report = gather(store, of_store(store))
    one, standings = report.standings.bots[0], report.standings
    many = replace(
        standings,
        bots=[replace(one, name=f"bot-{i}", rank=i + 1) for i in range(1000)],
        superiority=[],
    )
    page = made._page(replace(report, standings=many), [])
    assert page.count('<th scope="row" class="name"><bdi>bot-') == 3 * 200
    assert "800 bots more are left out here" in page
    assert "1,000 bots are too many for this table" in page
    assert len(page) < 1_200_000


# What it is made of


def test_the_libraries_are_those_of_the_table_to_the_byte() -> None:
    rows = re.findall(
        r"^\| `(\S+)` \| \S+ \| `(\w{64})` \|$", (VEGA / "README.md").read_text(), re.M
    )
    assert [name for name, _ in rows] == [f"{name}.min.js" for name in LIBRARIES]
    for name, digest in rows:
        unpacked = gzip.decompress((VEGA / f"{name}.gz").read_bytes())
        assert hashlib.sha256(unpacked).hexdigest() == digest
        assert library(name.removesuffix(".min.js"))[0].encode() == unpacked
    assert {path.name for path in VEGA.iterdir()} == {
        "README.md", "LICENSES.txt", *(f"{name}.gz" for name, _ in rows),
    }  # fmt: skip


def test_the_licences_of_the_libraries_stand_in_the_page(league: Path) -> None:
    licences = (VEGA / "LICENSES.txt").read_text()
    for name in (
        "vega 6.4.0",
        "vega-lite 6.5.0",
        "vega-embed 7.3.0",
        "vega-interpreter",
        "d3-array",
    ):
        assert name in licences
    page = page_of(league)
    assert "University of Washington Interactive Data Lab" in page
    assert "Redistributions in binary form must reproduce the above copyright" in page


def test_every_chart_has_data_of_its_name_with_the_fields_that_it_asks_for(league: Path) -> None:
    with Store.read(league) as store:
        rows = charted(gather(store, of_store(store)))
    for name in CHARTS:
        spec = chart(name)
        assert spec["data"] == {"name": name}
        assert spec["description"]
        fields = set(re.findall(r'"field": "(\w+)"', json.dumps(spec)))
        there = {key for row in rows[name] for key in row}
        if name == "times":
            there |= rows["clock"][0].keys()
        if name == "bids":  # the page makes a row of each of `hands`
            there = {"bid", "taken", "hands", "share"}
        assert fields <= there, name
    files = {path.stem for path in (Path(pages.__file__).parent / "charts").iterdir()}
    assert files == set(CHARTS)
