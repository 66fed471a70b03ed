"""A run in short: what JUnit's file and the comment say of it, however it went."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol.cards import Seat
from protocol.messages import FaultKind
from tests.tournaments.finished import league as finished_league
from tests.tournaments.finished import match, stand
from tests.tournaments.junit_reader import read, result
from tests.tournaments.league import SOUND, League, Outcome, change, change_record
from tournaments.exports import summary
from tournaments.pages.report_page import report_page
from tournaments.standings.standings import Standings, of_store
from tournaments.storage.store import Store

Command = Callable[..., Outcome]

LATE = SOUND.replace(
    'if \'"type":"play"\'',
    "if '\"deal\":2,' in line: sys.exit('no more')\n    if '\"type\":\"play\"'",
)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> League:
    """A league in which one bot leaves in its second deal, and is started again for a while."""
    league = League(tmp_path_factory.mktemp("faulty"))
    league.write(
        [league.bot("a"), league.bot("late", LATE)],
        rules={"max_deals": 3},
        faults={"policy": "substitute", "limit": 2},
    )
    league.play()
    return league


def test_report_writes_its_files_and_says_where(faulty: League, command: Command) -> None:
    run = faulty.run_folder
    outcome = command("report", run)
    names = ("junit.xml", "summary.md", "report/index.html")
    assert outcome.out.splitlines() == [f"{run}/{name}" for name in names]
    with Store.read(run) as store:
        assert (run / "junit.xml").read_text() == summary.junit(store, of_store(store))
        assert (run / "summary.md").read_text() == summary.markdown(store, of_store(store))
        assert (run / "report/index.html").read_text() == report_page(store, of_store(store))
    assert command("report", faulty.folder).status == 2


def test_a_damaged_record_is_told_and_the_other_files_are_there(
    run_copy: Path, command: Command
) -> None:
    with Store.read(run_copy) as store:
        match = next(store.finished()).match
    change_record(run_copy, match, lambda record: record.replace(b'"seat":"N"', b'"seat":"E"', 1))
    outcome = command("report", run_copy)
    assert outcome.status == 3
    assert f"arena.db is damaged: the record of match {match}: line 3: a greeting" in outcome.err
    assert (run_copy / "summary.md").exists()
    assert not (run_copy / "report/index.html").exists()


def test_where_no_folder_can_be_made_the_message_names_it(run_copy: Path, command: Command) -> None:
    (run_copy / "report").write_text("")
    outcome = command("report", run_copy)
    assert outcome.status == 2
    assert f"{run_copy}/report can't be made: File exists" in outcome.err


def test_junit_has_a_case_a_bot_and_a_case_a_fault(faulty: League) -> None:
    with Store.read(faulty.run_folder) as store:
        suite = read(summary.junit(store, of_store(store)))
        match = next(store.finished()).match
    assert suite.get("name") == "league"
    found = {case.get("name"): result(case) for case in suite}
    assert found["every match was played"] == "passed"
    assert found["a has no fault"] == "passed"
    assert found["late has no fault"] == "failure"
    (told,) = (case for case in suite if case.get("name") == "late has no fault")
    assert re.fullmatch(r"at fault: \d+ exit", told[0].attrib["message"])
    faults = [case for case in suite if " in match " in case.attrib["name"]]
    assert len(faults) == len(suite) - 3 == int(told[0].attrib["message"].split()[2])
    assert re.fullmatch(rf"exit in match {match}, deal 2, [NESW]", faults[0].attrib["name"])
    failure, output = faults[0]
    assert failure.attrib["message"].startswith("it exited with status 1 ")
    assert f"spades-arena debug {faulty.run_folder} {match} --seat " in (failure.text or "")
    assert "ruling: substitute" in (failure.text or "")
    assert "no more\n" in (output.text or "")


def test_the_comment_has_the_standings_the_first_fault_of_each_kind_and_what_to_do(
    faulty: League,
) -> None:
    with Store.read(faulty.run_folder) as store:
        text = summary.markdown(store, of_store(store))
    assert text.startswith("**league: 2 of 2 matches**\n\n| # | bot |")
    assert re.search(r"^#### Faults\n\n\d+ in all\. The first of each bot and kind:$", text, re.M)
    assert len(re.findall(r"^\*\*late\*\*: \d+ exit$", text, re.M)) == 1
    assert re.search(r"^    match [0-9a-f]{16}, deal 2, [NESW]: substitute$", text, re.M)
    assert "\n    no more\n" in text
    run = faulty.run_folder
    assert f"- Every fault: `spades-arena export {run} --what faults`\n" in text
    assert text.endswith(f"- Every record against the rules: `spades-arena verify {run}`\n")


def test_a_run_without_faults_and_one_that_is_not_over_say_so(
    played: League, run_copy: Path
) -> None:
    with Store.read(played.run_folder) as store:
        standings = of_store(store)
        text = summary.markdown(store, standings)
        assert {result(case) for case in read(summary.junit(store, standings))} == {"passed"}
    assert "\nNo bot was at fault.\n" in text
    change(run_copy, "DELETE FROM matches WHERE rowid > 5")
    with Store.read(run_copy) as store:
        standings = of_store(store)
        text = summary.markdown(store, standings)
        assert "- 7 matches are to be played: `run` goes on" in text
        (whole, *_) = read(summary.junit(store, standings))
        assert result(whole) == "skipped"
        assert whole[0].get("message") == "5 of 12 matches are finished"
        void = replace(standings, matches=replace(standings.matches, void=2))
        assert "2 matches could not be played, which is the arena's" in summary.markdown(
            store, void
        )
        (whole, *_) = read(summary.junit(store, void))
        assert result(whole) == "error"


def test_the_secret_is_to_be_revealed_when_all_is_played(played: League) -> None:
    with Store.read(played.run_folder) as store:
        standings = replace(of_store(store), seed=None, commitment="0" * 64)
        assert "`run --final` reveals" in summary.markdown(store, standings)
        assert "`run --final`" not in summary.markdown(store, replace(standings, final="2026"))


KINDS: tuple[FaultKind, ...] = ("start", "timeout", "exit", "malformed", "illegal", "output")


def crowd(bots: int) -> Standings:
    """So many bots with the longest names, all at fault in many ways."""
    names = [f"{number:_>64}" for number in range(bots)]
    faults: dict[Seat, dict[FaultKind, int]] = {"N": dict.fromkeys(KINDS, 1000)}
    played = [match(i, name, names[0], faults=faults) for i, name in enumerate(names[1:])]
    return stand([*finished_league(0), *played], labels=names)


def test_the_comment_of_many_bots_and_faults_is_short_enough_for_one(
    faulty: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    standings = crowd(500)
    rows = [
        {
            **{"match": "m", "deal": 1, "bot": bot.name, "seat": "N", "kind": kind},
            **{"request": "play", "ruling": "set", "detail": "\N{FIRE}" * 900},
            **{"raw": "\N{FIRE}" * 900, "log": ("\N{FIRE}" * 900 + "\n") * 90},
            "debug": "spades-arena debug run m --seat N --until 1:2",
        }
        for bot in standings.bots
        for kind in bot.faults
    ]
    monkeypatch.setattr(summary, "faults", lambda store: iter(rows))
    with Store.read(faulty.run_folder) as store:
        text = summary.markdown(store, standings)
        suite = read(summary.junit(store, standings))
    assert 30_000 < len(text.encode()) <= summary.BYTES
    assert "\n400 bots more: `standings` shows them.\n" in text
    assert "\nAnd others.\n" in text
    assert "\n#### Next\n" in text
    assert len(suite) == 1 + 500 + summary.FAULT_CASES + 1
    assert "faults more: spades-arena export" in suite[-1][0].attrib["message"]
