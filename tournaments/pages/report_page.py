"""The page of a run: one file with its tables, charts and as many replays as there is room for."""

import base64
import gzip
import shlex
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from arena import ARENA
from arena.rules import sides
from protocol.cards import SEATS
from protocol.codec import printable
from protocol.messages import Side
from tournaments.exports.export import Row
from tournaments.exports.layout import caption
from tournaments.pages import asset, environment, in_page, policy
from tournaments.reports import tables
from tournaments.reports.charted import charted
from tournaments.reports.embedded import Bundle, bundles
from tournaments.reports.matches import OF_A_KIND
from tournaments.reports.report import Report, gather
from tournaments.standings.standings import Standings
from tournaments.storage.reader import Reader
from tournaments.storage.results import FinishedMatch

BYTES: Final = 1_980_000
"""Of a page, at most, but where tables alone are longer."""
SENTENCE: Final = 1_500
"""Characters of a fault's sentence and of its raw reply, each, at most."""
LOG: Final = 1_500
"""Characters of a bot's standard error, at most: the last ones."""
MOST_FIRST: Final = 3
"""Bots of one rating that are named as the first; of more, how many they are."""
FAULTS: Final = 300_000
"""Characters of all faults together, at most."""
LIBRARIES: Final = ("vega", "vega-lite", "vega-embed")
"""In the order in which they need each other."""
CHARTS: Final = ("strength", "ratings", "points", "bids", "nils", "bags", "times")


def report_page(store: Reader, standings: Standings) -> str:
    """One HTML file that needs nothing else. The standings are those of the store.

    Raises Damaged for a record that is not what was played.
    """
    report = gather(store, standings)
    bare = _page(report, [])
    room = BYTES - len(bare.encode())
    told = (str(fault["match"]) for fault in report.faults)
    wanted = dict.fromkeys([*told, *report.matches.by_interest()])
    return _page(report, list(bundles(store, wanted, room)))


def _page(report: Report, replays: list[Bundle]) -> str:
    script = asset("viewer.js") + asset("report.js")
    style = asset("viewer.css") + asset("report.css")
    libraries = [library(name) for name in LIBRARIES]
    return (
        environment()
        .get_template("report.html")
        .render(
            title=printable(report.standings.tournament),
            policy=policy([script, *(text for text, _ in libraries)], [style]),
            style=style,
            script=script,
            libraries=[packed for _, packed in libraries],
            licences=licences(),
            charts=_json({name: chart(name) for name in CHARTS}),
            data=_json(charted(report)),
            matches=_json(_matches(report)),
            bundles=replays,
            held=sum(len(bundle.matches) for bundle in replays),
            status=_status(report.standings),
            first=_first(report.standings),
            report=report,
            standings=tables.standings_table(report.standings),
            crosstables=list(tables.crosstables(report.standings)),
            ratings=tables.ratings_table(report),
            bidding=tables.bidding_table(report),
            times=tables.times_table(report),
            faults=list(_faults(report)),
            of_a_kind=OF_A_KIND,
            settings=list(_settings(report)),
            arena=ARENA,
            command=lambda *words: _command(report, *words),
            shown=tables.shown,
            date=_date,
        )
    )


def _status(standings: Standings) -> str:
    """How far it is, without the name."""
    return printable(caption(standings).removeprefix(f"{standings.tournament}: "))


def _first(standings: Standings) -> str:
    """Who stands first, all of them where ratings are equal; nobody before the first match."""
    if not standings.matches.finished:
        return ""
    names = [tables.shown(bot.name) for bot in standings.bots if bot.rank == 1]
    return ", ".join(names) if len(names) <= MOST_FIRST else f"{len(names)} bots"


def chart(name: str) -> dict[str, Any]:
    """A chart in Vega-Lite, without the address of its schema, which is for editors."""
    read: dict[str, Any] = msgspec.json.decode(asset(f"charts/{name}.json"))
    del read["$schema"]
    return read


@cache
def library(name: str) -> tuple[str, str]:
    """A library as text, and as base64 of its gzip."""
    packed = files("tournaments.pages").joinpath(f"vega/{name}.min.js.gz").read_bytes()
    return gzip.decompress(packed).decode(), base64.b64encode(packed).decode()


def licences() -> str:
    """Those of the libraries."""
    return asset("vega/LICENSES.txt")


def _json(value: object) -> str:
    return in_page(msgspec.json.encode(value).decode())


def _matches(report: Report) -> dict[str, Any]:
    """Those that are listed, the latest first: a list each, as short as can be."""
    listed = report.matches.listed
    names = list(dict.fromkeys(m.seats[seat] for m in listed for seat in SEATS))
    places = {name: place for place, name in enumerate(names)}
    return {
        "names": [tables.shown(name) for name in names],
        "sides": list(_sides(report)),
        "rows": [_match(match, places, _sides(report)) for match in reversed(listed)],
    }


def _sides(report: Report) -> list[Side]:
    """In the order of the wire."""
    return list(sides(report.comparable["rules"]["players"]))


def _match(match: FinishedMatch, places: dict[str, int], sides: list[Side]) -> list[Any]:
    """Its id, bots by seat, scores by side, winner (a side, or -1), deals, faults, and whether it
    was forfeited."""
    return [
        match.match,
        [places[match.seats[seat]] for seat in SEATS],
        [match.score[side] for side in sides],
        -1 if match.winner is None else sides.index(match.winner),
        match.deals,
        sum(sum(kinds.values()) for kinds in match.faults.values()),
        int(match.forfeited is not None),
    ]


def _faults(report: Report) -> Iterator[Row]:
    """Those that are shown, their texts cut, as many as there is room for."""
    room = FAULTS
    for fault in report.faults:
        texts = {
            "bot": tables.shown(str(fault["bot"])),
            "detail": tables.shown(str(fault["detail"]), SENTENCE),
            "raw": None if fault["raw"] is None else tables.shown(str(fault["raw"]), SENTENCE),
            "log": printable(str(fault["log"])[-LOG:], but="\n\t"),
        }
        room -= sum(len(text) for text in texts.values() if text) + 500
        if room < 0:
            return
        yield fault | texts


def _settings(report: Report) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A group of settings, and each in it with its value as in JSON."""
    single = []
    for name, value in {**report.comparable, **report.settings}.items():
        if isinstance(value, dict):
            yield name, [(key, _plain(each)) for key, each in value.items()]
        else:
            single.append((name, _plain(value)))
    yield "others", single


def _plain(value: object) -> str:
    return printable(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _command(report: Report, name: str, *words: str) -> str:
    """A command as it is typed; what is to be filled in is in capitals."""
    return printable(shlex.join([ARENA.name, name, str(report.folder), *words]))


def _date(text: str | None) -> str:
    """Of an ISO 8601 text in UTC: the day and the minute."""
    return "" if text is None else f"{printable(text[:16]).replace('T', ' ')} UTC"
