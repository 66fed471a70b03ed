"""The page of a replay as text: one file that holds all it needs, whatever the bots are called."""

import json
import re
from importlib.metadata import distribution
from pathlib import Path

import pytest

from arena.packing import pack
from tests.tournaments.pages.conftest import whole
from tests.tournaments.replayed import HOSTILE_NAME, RECORDS
from tournaments import pages
from tournaments.pages import in_page, policy, replay_page


@pytest.mark.parametrize("name", RECORDS)
def test_a_page_asks_for_nothing_from_elsewhere(name: str) -> None:
    page = replay_page(pack(whole(name)))
    links = set(re.findall(r"""(?:https?:|src=|href=|url\(|@import)[^\s"']*""", page))
    links -= {"http://www.w3.org/2000/svg", "src=x"}  # a name, and text of a hostile bot's
    assert links == set()
    assert page.count("<script") == page.count("</script>") == 2
    assert "default-src &#39;none&#39;" in page
    assert len(page) < 150_000


def test_the_data_of_a_page_is_the_replay_and_can_end_no_element() -> None:
    page = replay_page(pack(whole("hostile")))
    (data,) = re.findall(r'<script type="application/json" id="replay">(.*?)</script>', page)
    assert not set("<>&\u2028\u2029") & set(data)
    read = json.loads(data)
    assert read["names"][0] == HOSTILE_NAME
    assert read["format"] == 1


def test_json_in_a_page_reads_as_before() -> None:
    text = json.dumps({"a": "</script><!-- & \u2028 \u2029 ]]>"}, ensure_ascii=False)
    assert json.loads(in_page(text)) == json.loads(text)


def test_a_policy_lets_only_these_texts_run() -> None:
    assert policy(["a"], ["b", "c"]) == (
        "default-src 'none'; script-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=';"
        " style-src 'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='"
        " 'sha256-Ln0sA6lQeuJl7PW1NWiFpTOTogKdJBOUmXJloaJa78Y=';"
        " base-uri 'none'; form-action 'none'"
    )


def test_the_same_record_makes_the_same_page() -> None:
    assert replay_page(pack(whole("fair"))) == replay_page(pack(whole("fair")))


def test_what_a_page_is_made_of_is_installed_with_the_package() -> None:
    folder = Path(pages.__file__).parent
    parts = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert {path for path in parts if "/" not in path} == {
        "viewer.js", "viewer.css", "page.css", "replay.html",
        "report.js", "report.css", "report.html",
    }  # fmt: skip
    assert {path.partition("/")[0] for path in parts if "/" in path} == {"charts", "vega"}
    files = [str(file) for file in distribution("spades-arena").files or ()]
    if not any(file.startswith("tournaments/") for file in files):
        pytest.skip("the package is installed as a link to its sources")
    assert {f"tournaments/pages/{part}" for part in parts} <= set(files)
