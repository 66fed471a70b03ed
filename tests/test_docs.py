"""What the documentation shows is run or parsed, and its tables are held against the types."""

import inspect
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena import checks
from arena.events import Clocks
from arena.sandbox.limits import DESCRIPTORS, FILES, WIDE
from protocol.client import Bot
from tests.docs.pages import PAGES, ROOT
from tests.protocol.examples import EXCHANGE
from tests.tournaments.finished import league, stand
from tournaments.bots.bots import bot_from_argument
from tournaments.bots.fingerprint import BUILT, CACHES
from tournaments.bots.preparation import prepare_all
from tournaments.cli import COMMANDS, cli
from tournaments.cli.gate import gate
from tournaments.config import load_tournament
from tournaments.exports import check_report, export, layout
from tournaments.files import source
from tournaments.files.shape import check_shape
from tournaments.files.vocabulary import BotFile
from tournaments.gates.gate import EXIT_STATUS
from tournaments.gates.report import Contestant, Fault, PairCounts, Report
from tournaments.ratings.crosstable import Opponents, Partners
from tournaments.schedules.scheduler import comparable
from tournaments.standings import rating_history
from tournaments.standings.standings import BotStanding, MatchCounts, Standings
from tournaments.tournament import Tournament

README, TOURNAMENT, BOTS = PAGES["README.md"], PAGES["docs/tournament.md"], PAGES["docs/bots.md"]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def section(text: str, title: str) -> str:
    """What stands under a heading, up to the next one."""
    found = re.search(rf"^##+ {re.escape(title)}\n(.*?)(?=^##|\Z)", text, re.M | re.S)
    assert found, f"no section {title!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of the tables, their heads left out."""
    lines = re.findall(r"^\|(.*)\|$", re.sub(r"^\|.*\n\|---.*\n", "", text, flags=re.M), re.M)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


(SMALLEST_BOT,) = blocks(README, "python")
(FRIDAY,) = blocks(README, "yaml")
TOURNAMENTS = {
    f"{page}, number {i}": block
    for page in ("README.md", "docs/tournament.md")
    for i, block in enumerate(blocks(PAGES[page], "yaml"))
}
BOT_FILES = blocks(BOTS, "yaml")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the bots that the pages name."""
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    for name in ("lowest.py", "quick.sh"):
        (tmp_path / name).write_text(SMALLEST_BOT)
    return tmp_path


def load(place: Path, text: str) -> Tournament:
    (place / "friday.yaml").write_text(text)
    return load_tournament(place / "friday.yaml")


TWO_BOTS = "\nbots: [sample_bots/counting, lowest.py]\n"


@pytest.mark.parametrize("text", TOURNAMENTS.values(), ids=TOURNAMENTS)
def test_a_tournament_file_loads_and_its_bots_are_there(text: str, place: Path) -> None:
    whole = text if "bots:" in text else text + TWO_BOTS
    assert prepare_all(load(place, whole).playing)


def test_the_names_of_the_bots_shown_are_those_that_are_told(place: Path) -> None:
    text = next(block for block in TOURNAMENTS.values() if "folder:" in block)
    names = [bot.name for bot in load(place, text).bots]
    told = re.search(r"Here they are (.*)\.", section(TOURNAMENT, "Bots"))
    assert told
    assert codes(told[1]) == names


def test_the_smallest_bot_plays_a_match(place: Path) -> None:
    line = "match lowest.py sample_bots/counting --seed 7 -o match.jsonl"
    command = [sys.executable, "-m", "tournaments.cli", *line.split()]
    ended = subprocess.run(
        command, cwd=place, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    assert "fault" not in ended.stdout
    assert ended.stdout.startswith("N lowest  E counting")
    assert (place / "match.jsonl").stat().st_size > 1000


def test_the_bot_of_the_readme_is_made_checked_played_and_debugged(place: Path) -> None:
    lines = re.findall(
        r"^    (spades-arena .*)$", section(README, "Your own bot in a minute"), re.M
    )
    assert [line.split()[1] for line in lines] == ["new", "check", "match", "debug"]
    for line in lines:
        command = [sys.executable, "-m", "tournaments.cli", *shlex.split(line, comments=True)[1:]]
        ended = subprocess.run(
            command, cwd=place, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
        )
        assert ended.returncode == 0, f"{line}\n{ended.stdout}{ended.stderr}"


def test_the_tournament_of_the_readme_plays(place: Path) -> None:
    assert "rounds: 4" in FRIDAY
    (place / "friday.yaml").write_text(FRIDAY.replace("rounds: 4", "rounds: 1"))
    command = [sys.executable, "-m", "tournaments.cli", "run", "friday.yaml"]
    ended = subprocess.run(
        command, cwd=place, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("friday-league: 2 of 2 matches")
    table = rows(section(TOURNAMENT, "The run folder"))
    told = [codes(row[0])[0].partition("/")[0] for row in table]
    assert sorted(path.name for path in (place / "runs/friday-league").iterdir()) == sorted(told)


def test_the_readme_stays_short() -> None:
    assert len(README.splitlines()) < 140


KEYS = PAGES["docs/reference/files.md"]


def test_the_defaults_in_the_reference_are_those_that_a_file_without_them_has(place: Path) -> None:
    written: dict[str, dict[str, str]] = {}
    for name in ("tournament file", "schedule", "clock", "faults", "sandbox", "rating"):
        written[name] = {row[0]: row[2] for row in rows(section(KEYS, name)) if codes(row[2])}
    assert sum(map(len, written.values())) >= 18
    lines = [
        f"{codes(key)[0]}: {codes(default)[0]}\n"
        for key, default in written.pop("tournament file").items()
    ]
    for name, keys in written.items():
        inner = ", ".join(f"{codes(key)[0]}: {codes(value)[0]}" for key, value in keys.items())
        lines.append(f"{name}: {{{inner}}}\n")
    explicit, without = load(place, "".join(lines) + TWO_BOTS), load(place, TWO_BOTS)
    assert all(
        getattr(explicit, field) == getattr(without, field)
        for field in without.__struct_fields__
        if field != "bots"
    )
    assert without.clock == Clocks()


def test_the_settings_that_may_not_change_are_named(place: Path) -> None:
    (row,) = (row for row in rows(section(TOURNAMENT, "Going on")) if "refused" in row[1])
    found = {code.partition(".")[0] for code in codes(row[0])}
    assert found == {"seed", *comparable(load(place, FRIDAY))}


@pytest.mark.parametrize("text", BOT_FILES)
def test_a_bot_yaml_has_the_shape_of_one(text: str) -> None:
    read = source.parse(Path("bot.yaml"), text)
    check_shape(read, BotFile)
    read.raise_problems()


def test_every_key_of_a_bot_yaml_is_in_the_table_and_in_an_example() -> None:
    table = rows(section(BOTS, "bot.yaml"))
    told = [key for row in table for key in codes(row[0])]
    assert sorted(told) == sorted(field.name for field in msgspec.structs.fields(BotFile))
    must = [key for row in table for key in codes(row[0]) if row[1] == "yes"]
    assert must == [f.name for f in msgspec.structs.fields(BotFile) if f.required]
    shown = {key for text in BOT_FILES for key in source.parse(Path("bot.yaml"), text).data}
    assert shown == set(told)


@pytest.mark.skipif(not (shutil.which("cc") and shutil.which("make")), reason="no C compiler")
@pytest.mark.parametrize("text", [text for text in BOT_FILES if "build:" in text])
def test_a_build_that_is_shown_builds(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.yaml").write_text(text)
    (folder / "bot.c").write_text("int main(void) { return 0; }\n")
    (folder / "Makefile").write_text(*blocks(BOTS, "make"))
    (program,) = prepare_all([bot_from_argument("bot", tmp_path)], tmp_path / "copies")
    assert Path(program.command[0]).is_relative_to(tmp_path / "copies")
    assert subprocess.run(program.command).returncode == 0


def test_the_folders_that_are_no_part_of_a_bot_are_named() -> None:
    left_out = re.search(r"Left out are (.*?); ", BOTS, re.S)
    assert left_out
    assert {*codes(left_out[1])} - {"build"} == CACHES | {BUILT}


def test_every_method_and_attribute_of_the_loop_in_python_is_in_the_table() -> None:
    table = rows(section(PAGES["protocol/README.md"], "The loop in Python"))
    told = {name: row[3] for row in table for name in codes(row[0])}
    methods = {
        f"{name}({', '.join(list(inspect.signature(each).parameters)[1:])})": name
        for name, each in inspect.getmembers(Bot, inspect.isfunction)
    }
    attributes = {name for name in vars(Bot) if not name.startswith("_")} - set(methods.values())
    assert set(told) == set(methods) | attributes
    for method, name in methods.items():
        if told[method] == "must be written":
            with pytest.raises(NotImplementedError):
                getattr(Bot(), name)(EXCHANGE)
        else:
            getattr(Bot(), name)(EXCHANGE)


@pytest.mark.parametrize("what", export.WHAT)
def test_every_column_of_an_export_is_described(what: str) -> None:
    told = {name for row in rows(section(PAGES["docs/export.md"], what)) for name in codes(row[0])}
    fixed: dict[str, tuple[str, ...]] = {
        "decisions": export.DECISION_COLUMNS,
        "faults": export.FAULT_COLUMNS,
        "ratings": rating_history.COLUMNS,
        "deals": (
            *("match", "deal", "dealer", "N", "E", "S", "W", "hand_*", "bid_*", "gave_*"),
            *("taken_*", "blind", "stopped", "delta_*", "score_*", "bags_*"),
        ),
    }
    columns = fixed.get(what) or (
        *("number", "match", "cycle", "leg", "N", "E", "S", "W", "winner", "reason"),
        *("forfeited", "offender", "deals", "score_*", "points_*", "faults"),
    )
    assert told == set(columns)


def names_of(kind: type[msgspec.Struct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(kind)]


def test_every_column_of_the_standings_is_described() -> None:
    text = section(PAGES["docs/export.md"], "Standings")
    assert [name for row in rows(text) for name in codes(row[0])] == names_of(BotStanding)
    lists = (Standings, MatchCounts, Opponents, Partners)
    assert {name for each in lists for name in names_of(each)} <= set(codes(text))
    columns = layout.to_csv(stand(league(10))).splitlines()[0].split(",")
    ends = {"ci95_low", "ci95_high", "elo_low", "elo_high"}
    assert set(columns) == {*names_of(BotStanding), *ends} - {"points_per_deal_ci95", "elo_ci95"}
    assert set(columns) <= set(codes(text))


GATE = PAGES["docs/gate.md"]


def test_every_key_of_a_gate_is_described() -> None:
    table = rows(section(GATE, "`gate.json`"))
    assert [key for row in table for key in codes(row[0])] == names_of(Report)
    described = {codes(row[0])[0]: set(re.findall(r'"(\w+)"', row[1])) for row in table}
    assert described["candidate"] == set(names_of(Contestant))
    assert described["pairs"] == set(names_of(PairCounts))
    assert described["fault"] == set(names_of(Fault))


def test_every_option_and_every_verdict_of_a_gate_is_described() -> None:
    table = rows(section(GATE, "Options"))
    told = {option.split()[0] for row in table for option in codes(row[0])}
    options = {option for each in gate.params for option in each.opts if option[0] == "-"}
    assert told == options - {"--output"}
    table = rows(section(GATE, "What a verdict means"))
    verdicts = {codes(row[0])[0]: int(row[1]) for row in table}
    assert verdicts == EXIT_STATUS


def test_every_check_is_described_as_the_command_has_it() -> None:
    told = rows(section(PAGES["docs/check.md"], "The checks"))
    assert told == [
        [f"`{each.name}`", each.title, each.proves, each.mend] for each in checks.CHECKS
    ]
    assert f": {len(checks.CHECKS)} named checks" in PAGES["docs/check.md"]


def test_every_key_of_a_check_in_json_is_described() -> None:
    table = rows(section(PAGES["docs/check.md"], "JSON"))
    keys = [key for row in table for key in codes(row[0])]
    assert keys == [*names_of(check_report.Report), *names_of(checks.Finding)]


def test_the_limits_that_no_key_changes_are_those_that_are_enforced() -> None:
    for page in (BOTS, KEYS):
        assert f"{FILES:,} files and folders" in page
    for page in (BOTS, TOURNAMENT):
        assert f"{DESCRIPTORS} open files" in page
    assert f"{WIDE // 2**30} GiB of addresses" in BOTS


def commands() -> Iterator[Any]:
    for page, text in PAGES.items():
        for line in re.findall(r"^    spades-arena (.*)$", text, re.M):
            yield pytest.param(line, id=f"{page}: {line}")
    for words in re.findall(r"^\| `(.*?)` \|", section(README, "A tournament"), re.M):
        yield pytest.param(words.replace("\\|", "|"), id=f"README.md, the table: {words}")


@pytest.mark.parametrize("line", list(commands()))
def test_a_command_that_is_shown_exists_with_its_options(line: str) -> None:
    typed = shlex.split(re.sub(r"[\[\]]|[<>].*", " ", line))
    words = list(takewhile(lambda word: word != "--", typed))  # what follows is a bot's
    command = cli.get_command(cli.make_context("spades-arena", ["rules"]), words[0])
    assert command, words[0]
    known = {name: each for each in command.params for name in each.opts if name[0] == "-"}
    for option, value in zip(words, [*words[1:], ""], strict=True):
        if option.startswith("-"):
            assert option in known
            choices = getattr(known[option].type, "choices", None)
            assert not choices or value.isupper() or set(value.split("|")) <= set(choices)


def test_every_command_is_in_the_table_of_the_readme() -> None:
    told = re.findall(r"^\| `(\w+)", section(README, "A tournament"), re.M)
    assert sorted(told) == sorted(COMMANDS)


def anchors(text: str) -> set[str]:
    titles = re.findall(r"^##+ (.+)$", text, re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_each_link_leads_to_a_file_and_a_heading(page: str) -> None:
    for target in re.findall(r"\]\(([^):]+)\)", PAGES[page]):
        path, _, anchor = target.partition("#")
        file = ((ROOT / page).parent / path).resolve() if path else ROOT / page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text()), target
