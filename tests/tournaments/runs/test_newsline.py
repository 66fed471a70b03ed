"""The line from tables to who watches: nothing on it is waited for, and nothing is believed."""

import os
from collections.abc import Iterator

import pytest

from arena.news import News
from tournaments.runs import newsline
from tournaments.runs.newsline import LONGEST, Newsline

NEWS = News("0123456789abcdef", 3, {"NS": 120, "EW": -84}, {"N": 3, "E": 0, "S": 4, "W": 13})


def later(deal: int) -> News:
    return News(NEWS.match, deal, NEWS.score, NEWS.bids)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[Newsline]:
    """One that this process, as if it were a worker, is heard on."""
    line = Newsline()
    monkeypatch.setattr(newsline, "_line", None)
    newsline.join(line.writer)
    yield line
    line.close()


def test_what_is_told_is_heard_once_and_in_order(line: Newsline) -> None:
    assert line.heard() == []
    for deal in (1, 2):
        newsline.tell(later(deal))
    assert line.heard() == [later(1), later(2)]
    assert line.heard() == []
    newsline.tell(NEWS)
    assert line.heard() == [NEWS]


def test_a_full_line_drops_what_comes_and_makes_nobody_wait(line: Newsline) -> None:
    for deal in range(5000):
        newsline.tell(later(deal))
    heard = []
    while news := line.heard():
        heard += news
    assert 100 < len(heard) < 5000
    assert heard == [later(deal) for deal in range(len(heard))]
    newsline.tell(NEWS)
    assert line.heard() == [NEWS]


@pytest.mark.parametrize(
    "noise",
    [
        b"\n\n",
        b"{}\n",
        b'{"match": 7}\n',
        b"\xff\n",
        b"[" * (1 << 15) + b"\n",
        b'{"match":"m","deal":' + b"9" * 9000 + b',"score":{},"bids":{}}\n',
        b"x" * (LONGEST + 1) + b"\n",
    ],
)
def test_what_is_no_news_is_passed_over(noise: bytes, line: Newsline) -> None:
    newsline.tell(later(1))
    os.write(line.writer.fileno(), noise)
    newsline.tell(later(2))
    assert line.heard() == [later(1), later(2)]


def test_a_line_that_is_cut_by_a_read_is_put_together(
    line: Newsline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newsline, "READ_AT_ONCE", 50)
    newsline.tell(NEWS)
    parts = [line.heard() for _ in range(4)]
    assert [each for part in parts for each in part] == [NEWS]
    assert parts[0] == []


def test_nobody_hears_a_process_that_is_no_worker_or_is_left_alone(line: Newsline) -> None:
    line.close()
    newsline.tell(NEWS)
    line.close()


def test_news_of_the_longest_match_fit_in_a_line(line: Newsline) -> None:
    most = -(2**63)
    newsline.tell(
        News("f" * 16, 10**9, dict.fromkeys("NESW", most), dict.fromkeys(("N", "E", "S", "W"), 13))
    )
    (news,) = line.heard()
    assert news.score["W"] == most
