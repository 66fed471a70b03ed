"""What the report of a run takes: bytes, time and memory to make it, time to open it in a browser.

    python -m benchmarks.report [--matches 1000] [--more 10000] [--rounds 3] [--json FILE]

The run of the quickstart is played as a user would, and so is a round robin of four C bots that is
long enough. That of `--more` matches has its schedule and, again and again, its records: bots that
differ in nothing but their names play as well. Needs a C compiler, and Chromium to open pages.
Takes about ten minutes.
"""

import argparse
import shutil
import tempfile
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Final

from arena.match import MatchResult
from benchmarks.big_store import cost
from benchmarks.compiled import COUNTING, ROOT
from benchmarks.figures import Figure, table, write_json
from protocol.cards import SEATS
from tournaments.bots.preparation import prepare_all
from tournaments.config import load_tournament
from tournaments.runs.runner import Run
from tournaments.schedules.schedule import total
from tournaments.storage.database import Database
from tournaments.storage.records import DATABASE
from tournaments.storage.results import FinishedMatch
from tournaments.storage.store import Store
from tournaments.tournament import ScheduleSettings

BOTS: Final = 4
MOST_MB: Final = 2.0
"""Of a page."""
MOST_MEMORY_MB: Final = 300
QUICKSTART: Final = ROOT / "tournaments" / "examples" / "quickstart.yaml"
BUNDLED: Final = 'class="bundle" data-matches="'

TOURNAMENT: Final = """\
name: report
seed: 1
schedule: {{rounds: {rounds}}}
sandbox: {{backend: none, pause: false}}
bots:
"""
ENTRY: Final = """\
  - {{name: bot-{number}, folder: {folder}, build: [cc, -O2, -o, bot, bot.c], command: [./bot]}}
"""


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--more", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played = play(folder / "played", options.matches)
        for what, place in (
            ("quickstart", play_quickstart(folder / "quickstart")),
            (f"{options.matches:,} matches", played),
            (f"{options.more:,} matches", fill(folder / "more", options.more, played)),
        ):
            figures += figures_of(what, place, options.rounds)
    print(table(figures))
    if options.json is not None:
        write_json(options.json, figures)


def play_quickstart(folder: Path) -> Path:
    """Plays it into `run`, in a folder that it gives back."""
    folder.mkdir()
    cost(folder, ["run", str(QUICKSTART), "-o", "run", "--quiet"])
    return folder


def play(folder: Path, matches: int) -> Path:
    """Plays so many matches, or some more, to the end of a cycle."""
    write(folder, matches)
    cost(folder, ["run", "report.yaml", "-o", "run", "--quiet"])
    return folder


def write(folder: Path, matches: int) -> None:
    """Writes a tournament file of so many matches, or some more."""
    folder.mkdir()
    rounds = -(-matches // total(ScheduleSettings(), BOTS))
    entries = [ENTRY.format(number=number, folder=COUNTING) for number in range(1, BOTS + 1)]
    (folder / "report.yaml").write_text(TOURNAMENT.format(rounds=rounds) + "".join(entries))


def fill(folder: Path, matches: int, played: Path) -> Path:
    """The run of a longer schedule, its results and records those of a run that was played."""
    write(folder, matches)
    tournament = load_tournament(folder / "report.yaml")
    run = folder / "run"
    with Store.hold(run) as store:
        begun = Run(tournament, store)
        begun.begin()
        begun.enter(prepare_all(tournament.bots, run / "bots"))
    database = Database.to_write(run / DATABASE)
    with Store.read(played / "run") as read, closing(Store(run, database)) as store:
        results = of_seats(read)
        with database.transaction():
            for row in store.missing():
                store.add(row, next(results[tuple(row.seats[seat] for seat in SEATS)]))
    return folder


def of_seats(store: Store) -> dict[tuple[str, ...], Iterator[MatchResult]]:
    """The results of a run by who sat where, each without end."""
    found = defaultdict(list)
    for match in store.finished():
        found[tuple(match.seats[seat] for seat in SEATS)].append(result(store, match))
    return {seats: cycle(results) for seats, results in found.items()}


def result(store: Store, match: FinishedMatch) -> MatchResult:
    """A finished match as it was when it was played."""
    return MatchResult(
        match=match.match,
        winner=match.winner,
        reason=match.reason,
        forfeited=match.forfeited,
        offender=match.offender,
        score=match.score,
        points=match.points,
        deals=match.deals,
        faults=match.faults,
        logs=store.logs(match.match),
        record=zlib.compress(store.record(match.match)),
    )


def figures_of(what: str, folder: Path, rounds: int) -> list[Figure]:
    """Of the report of the run in a folder."""
    made = [cost(folder, ["report", "run"])[0] for _ in range(rounds)]
    page = folder / "run" / "report" / "index.html"
    text = page.read_text()
    held = sum(part.partition('"')[0].count(" ") + 1 for part in text.split(BUNDLED)[1:])
    found = [
        Figure(f"{what}: page", "MB", [page.stat().st_size / 1e6], most=MOST_MB),
        Figure(f"{what}: replays in it", "", [held]),
        Figure(f"{what}: to make", "s", [each.seconds for each in made]),
        Figure(f"{what}: to make, processor time", "s", [each.cpu_seconds for each in made]),
        Figure(f"{what}: to make, memory", "MB", [m.peak_mb for m in made], most=MOST_MEMORY_MB),
    ]
    opened = open_in_browser(page, rounds)
    if opened:
        loaded, drawn = zip(*opened, strict=True)
        found.append(Figure(f"{what}: to open, tables there", "s", list(loaded)))
        found.append(Figure(f"{what}: to open, charts drawn", "s", list(drawn)))
    return found


def open_in_browser(page: Path, rounds: int) -> list[tuple[float, float]]:
    """Seconds until the page stands, and until its last chart does; none without Chromium."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        return []
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(rounds + 1):
            tab = browser.new_page(viewport={"width": 1280, "height": 800})
            began = time.perf_counter()
            tab.goto(f"file://{page}", wait_until="domcontentloaded")
            loaded = time.perf_counter() - began
            tab.wait_for_function("() => document.documentElement.dataset.drawn")
            found.append((loaded, time.perf_counter() - began))
            tab.close()
        browser.close()
    return found[1:]  # the first has started the browser's own processes


if __name__ == "__main__":
    main()
