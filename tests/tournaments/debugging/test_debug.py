"""`debug` as it is typed: a bot is sent a recorded match again, and handed over on a terminal."""

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tournaments.cli.test_terminal import Running
from tests.tournaments.league import League, Outcome, finish, records, until
from tests.tournaments.replayed import RECORDS

Command = Callable[..., Outcome]

BOT = """
import json, os, sys, time

do, where = (sys.argv[1:] + ["", ""])[:2]  # what to do in the turn `deal:number`
deal = number = 0

def choose(m):
    return m["legal"][0]

for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    number = number + 1 if m.get("deal", 0) == deal else 1
    deal = m.get("deal", 0)
    print("log of", number, file=sys.stderr)
    reply = {"id": m["id"], "bid": 3}
    if m["type"] == "play":
        reply["card"] = choose(m)
    if f"{deal}:{number}" == where:
        if do == "exit":
            sys.exit("no idea")
        if do == "hang":
            open("hangs", "w").close()
            time.sleep(1000)
        if do == "sleep":
            time.sleep(0.3)
        if do == "highest":
            reply["card"] = m["legal"][-1]
        if do == "illegal":
            reply["card"] = "2X"
        if do == "breakpoint":
            breakpoint()
        if do == "malformed":
            print("thinking", flush=True)
            continue
    print(json.dumps(reply), flush=True)
"""
BARE = "\x1b\\[[0-9;?]*[a-zA-Z]"


_played: dict[tuple[str, ...], tuple[Outcome, bytes]] = {}
"""What `recorded` has played, with its record."""


@pytest.fixture
def table(league: League, monkeypatch: pytest.MonkeyPatch) -> League:
    """A folder with a bot, to play in."""
    (league.folder / "bot.py").write_text(BOT)
    monkeypatch.chdir(league.folder)
    monkeypatch.setattr("sys.stdin", None)
    return league


def bot(*words: str) -> str:
    return shlex.join(["{python}", "-S", "bot.py", *words])


def recorded(command: Command, *words: str) -> Outcome:
    """A match, in m.jsonl, whose N and S do what the words say. It is played once."""
    if words not in _played:
        outcome = command("match", bot(*words), bot(), "--seed", 1, "-o", "m.jsonl")
        _played[words] = outcome, Path("m.jsonl").read_bytes()
    Path("m.jsonl").write_bytes(_played[words][1])
    return _played[words][0]


# What comes now beside what came then


def test_the_same_bot_differs_nowhere(table: League, command: Command) -> None:
    recorded(command)
    outcome = command("debug", "m.jsonl", "--seat", "E", "--", *shlex.split(bot()))
    assert (outcome.status, outcome.err) == (0, "")
    head, told, box, hello, log, bid, *_, summary = outcome.out.splitlines()
    assert head == f"m.jsonl: E bot-2, sent again to {table.folder}"
    assert told.endswith("-S bot.py  (its files are those of the match)")
    assert box == "  sandbox none: only for bots you trust"
    assert hello == "  0:1  hello     to 500, match match  -> ready"
    assert log == "  | log of 1"
    assert re.fullmatch(r"  1:1  bid       [NESW].* (\S\S ){1,2}.* -> 3", bid)
    assert re.search(r"^ 1:14  play      .* \[(\S\S)\]  -> \1$", outcome.out, re.M)
    assert re.fullmatch(r"\d+ requests, none differs", summary)


def test_another_answer_is_told_with_the_line_and_is_not_gone_on_from(
    table: League, command: Command
) -> None:
    recorded(command)
    outcome = command("debug", "m.jsonl", "--seat", "E", "--diff", "--", bot("highest", "2:2"))
    assert outcome.status == 1
    _, _, _, request, line, log, then, now, summary, where = outcome.out.splitlines()
    assert request.startswith("  2:2  play ")
    assert line.startswith('    {"type":"play","id":')
    assert log == "  | log of 2"
    cards = [
        re.fullmatch(r"    (recorded|now) +(\S\S)   \S+ ms( .*)?", each) for each in (then, now)
    ]
    assert cards[0] is not None
    assert cards[1] is not None
    assert cards[0][2] != cards[1][2]
    assert cards[1][3] == "   it differs"
    assert re.fullmatch(r"\d+ requests, 1 differs", summary)
    assert where == "at 2:2: --until DEAL:DECISION stops there"
    stopped = command(
        "debug", "m.jsonl", "--seat", "E", "--until", "2:2", "--", bot("highest", "2:2")
    )
    assert stopped.status == 1
    assert re.fullmatch(r"\d+ requests, 1 differs", stopped.out.splitlines()[-1])


def test_lines_are_shown_where_they_are_wanted(table: League, command: Command) -> None:
    recorded(command)
    out = command("debug", "m.jsonl", "--seat", "E", "--lines", "--", bot()).out
    assert out.count("as recorded") == out.count('    {"type":"') == out.count("\n    recorded")


@pytest.mark.parametrize("do", ["exit", "illegal", "malformed"])
def test_a_fault_is_shown_beside_what_comes_now(do: str, table: League, command: Command) -> None:
    played = recorded(command, do, "1:2")
    assert played.status == 1
    (line,) = re.findall(r"^  to reproduce: (.*)$", played.out, re.M)
    typed = f"spades-arena debug m.jsonl --seat N --until 1:2 -- {shlex.quote(bot(do, '1:2'))}"
    assert line.replace("--seat S", "--seat N") == typed
    seat = line.partition("--seat ")[2][0]
    again = command(*shlex.split(line)[1:])
    assert (again.status, again.err) == (0, "")
    assert (
        f"\n    recorded  fault: {'exit' if do == 'exit' else do}, ruling: forfeit\n" in again.out
    )
    assert f"\n    now       still at fault: {do}\n" in again.out
    assert "log of 2" in again.out
    assert "log of 1\n" not in again.out
    detail = re.search(r"^  asked for play; (.*)$", played.out, re.M)
    assert detail
    assert again.out.count(detail[1]) == 2
    mended = command("debug", "m.jsonl", "--seat", seat, "--", bot())
    assert mended.status == 1
    assert re.search(
        r"    now       \S\S   \S+ ms   answered now\n\d+ requests, 1 diff", mended.out
    )


def test_a_program_that_has_ended_is_sent_nothing_more(table: League, command: Command) -> None:
    recorded(command)
    outcome = command("debug", "m.jsonl", "--seat", "E", "--", bot("exit", "2:1"))
    assert outcome.status == 1
    assert "\n  | no idea\n" in outcome.out
    assert "\n    now       at fault: exit\n" in outcome.out
    assert re.search(r"^\d+ requests, 1 differs, \d+ not sent as", outcome.out, re.M)
    assert "2:2" not in outcome.out


def test_who_was_late_may_take_his_time_and_is_told(table: League, command: Command) -> None:
    (table.folder / "m.jsonl").write_bytes(RECORDS["fair"]())
    outcome = command(
        "debug", "m.jsonl", "--seat", "E", "--until", "1:2", "--", bot("sleep", "1:2")
    )
    assert re.search(r"    now       \S\S   \d{3,}\S* ms ", outcome.out)


# What is typed


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["FILE", "--seat", "E"], "does not say where 'lowest' is: name it, as in `-- BOT`"),
        (["FILE", "--seat", "X", "--", "b"], "--seat: there is no 'X': there are N, E, S, W"),
        (["FILE", "--", "b"], "--seat is missing: one of N, E, S, W"),
        (["FILE", "x", "--seat", "e", "--", "b"], "is a file, which has one match: leave out 'x'"),
        (["RUN", "--seat", "E"], "is a run folder: name a match of it"),
        (["EMPTY", "--seat", "E"], "there is no run in "),
        (
            ["FILE", "--seat", "E", "--until", "2", "--", "b"],
            "expected DEAL:DECISION, such as 2:14",
        ),
        (["FILE", "--seat", "E", "--until", "2:x", "--", "b"], "expected DEAL:DECISION"),
        (["FILE", "--seat", "E", "--until", "1:20", "--", "b"], "the nearest is 1:14"),
        (["FILE", "--seat", "E", "--until", "9:3", "--", "b"], "the nearest is 2:3"),
        (["FILE", "--seat", "E", "--until", "0:0", "--", "b"], "the nearest is 0:1"),
        (["FILE", "--seat", "E", "--until", f"{'9' * 5000}:1", "--", "b"], "the nearest is 2:1"),
        (["FILE", "--seat", "E", "--", "nothing"], "'nothing' is no folder, no file, and no"),
        (["EARLY", "--seat", "W", "--", "b"], "W was sent nothing, as the match had ended before"),
        (["/dev/null", "--seat", "W", "--", "b"], "a record begins with the event 'match'"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(
    typed: list[str], told: str, played: League, tmp_path: Path, command: Command
) -> None:
    names = {"FILE": tmp_path / "fair", "EARLY": tmp_path / "early", "RUN": played.run_folder}
    names["EMPTY"] = tmp_path
    (tmp_path / "fair").write_bytes(RECORDS["fair"]())
    (tmp_path / "early").write_bytes(RECORDS["nobody_starts"]())
    outcome = command("debug", *(names.get(word, word) for word in typed))
    assert outcome.status == 2
    assert told in outcome.err
    assert (outcome.out, "Traceback" in outcome.err) == ("", False)


# Bots of a run


def test_a_bot_of_a_run_is_found_where_it_played(league: League, command: Command) -> None:
    folder = league.folder / "copied"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(
        'command: ["{python}", "-S", "bot.py", "illegal", "1:3"]\nenv: {MODE: x}\n'
    )
    league.write([str(folder), league.bot("low")])
    run = league.play("--jobs", "1")
    (folder / "bot.py").unlink()  # the copy has it
    lines = re.findall(r"^  to reproduce: spades-arena (.*)$", run.stderr, re.M)
    assert len(lines) == 1  # the first of its kind
    outcome = command(
        *[word.replace("runs/", f"{league.folder}/runs/") for word in shlex.split(lines[0])]
    )
    assert outcome.status == 0, outcome
    assert "/runs/league/bots/copied-" in outcome.out
    assert "still at fault: illegal" in outcome.out
    rows = command("export", league.run_folder, "--what", "faults", "--format", "csv").out
    assert rows.count(f"spades-arena debug {league.run_folder} ") == 2
    shutil.rmtree(league.run_folder / "bots")
    match = next(iter(records(league.run_folder)))
    gone = command("debug", league.run_folder, match, "--seat", "N")
    of_file = command("debug", league.run_folder, match, "--seat", "E")
    statuses = {gone.status, of_file.status}
    assert statuses == {0, 2}
    assert "has no copy of copied any more: name the program" in gone.err + of_file.err
    assert "(its files are those of the match)" in gone.out + of_file.out


# On a terminal


def test_ctrl_c_says_where_a_bot_hangs(table: League, command: Command) -> None:
    recorded(command)
    words = ["debug", "m.jsonl", "--seat", "E", "--", bot("hang", "1:4")]
    process = table.start(*words)
    until((table.folder / "hangs").exists)
    os.kill(process.pid, signal.SIGINT)
    out = finish(process, 130).stdout
    assert re.search(
        r"^interrupted at 1:4, where it had not answered\n    \{\"type\":\"play\"", out, re.M
    )


@pytest.fixture
def terminal(table: League, command: Command) -> Iterator[Callable[..., Running]]:
    """Starts `debug` of E on a terminal, and ends it whatever comes."""
    recorded(command)
    started: list[Running] = []

    def start(turn: str | None, *words: str) -> Running:
        wanted = [] if turn is None else ["--until", turn]
        started.append(Running(table, "debug", "m.jsonl", "--seat", "E", *wanted, "--", *words))
        return started[-1]

    yield start
    for running in started:
        running.process.kill()
        running.process.wait()


def shown(running: Running, text: str) -> str:
    """All that is shown, once this text stands in it as often as it was waited for."""
    return re.sub(
        BARE, "", running.read_until(lambda seen: re.search(text, re.sub(BARE, "", seen)))
    )


@pytest.mark.parametrize("turn", ["0:1", "1:3"])
def test_a_bot_in_python_stops_in_pdb_with_the_line_it_has_read(
    turn: str, terminal: Callable[..., Running]
) -> None:
    running = terminal(turn, "bot.py")
    before = shown(running, r"\(Pdb\) $")
    assert f"\n{turn}: process " in before
    assert "it stops in pdb when it has read it: c goes on, q ends it" in before
    assert re.search(r"> .*/bot\.py\(\d+\)<module>\(\)\r\n-> m = json\.loads\(line\)", before)
    running.type("n\n")
    shown(running, r"-> if \"id\" not in m:\r\n\(Pdb\) $")
    running.type('p "type", m["type"]\n')
    shown(running, r"'type', '(hello|play)'\)\r\n\(Pdb\) $")
    running.process.send_signal(signal.SIGINT)  # Ctrl-C is the debugger's
    shown(running, r"--KeyboardInterrupt--\r\n\(Pdb\) $")
    running.type("c\n")
    after = re.sub(BARE, "", running.end())
    assert re.search(r"    now +\S+   \S+ ms   as recorded\r\n\d requests?, none differs", after)
    assert running.process.returncode == 0


def test_to_quit_the_debugger_ends_the_bot(terminal: Callable[..., Running]) -> None:
    running = terminal("1:2", "bot.py")
    shown(running, r"\(Pdb\) $")
    running.type("q\n")
    assert "now       at fault: exit" in re.sub(BARE, "", running.end())
    assert running.process.returncode == 1


def test_a_breakpoint_of_the_bots_own_comes_to_the_terminal(
    terminal: Callable[..., Running],
) -> None:
    running = terminal(None, "{python} bot.py breakpoint 1:2")
    shown(running, r"-> if do == \"malformed\":\r\n\(Pdb\) $")
    running.type("c\n")
    assert re.search(r"\d+ requests, none differs", re.sub(BARE, "", running.end()))


def test_any_other_program_waits_for_a_debugger_or_for_enter(
    terminal: Callable[..., Running],
) -> None:
    running = terminal("1:2", "{python} -S -E bot.py")  # it reads no start-up module
    before = shown(running, "or press Enter")
    assert re.search(r"attach a debugger, such as `gdb -p \d+` elsewhere, or press Enter", before)
    running.type("\n")
    assert re.search(r"as recorded\r\n3 requests, none differs", re.sub(BARE, "", running.end()))


@pytest.mark.skipif(not shutil.which("gdb"), reason="needs `gdb`, which is not on PATH")
def test_a_bot_in_python_that_blocks_the_signal_is_not_said_to_stop(
    terminal: Callable[..., Running], table: League
) -> None:
    block = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n"
    (table.folder / "deaf.py").write_text(block + BOT)
    running = terminal("1:2", "deaf.py")
    assert "it stops in pdb" not in shown(running, "or press Enter")
    running.type("\n")
    assert "3 requests, none differs" in re.sub(BARE, "", running.end())


def test_a_program_goes_on_when_gdb_is_attached(terminal: Callable[..., Running]) -> None:
    running = terminal("1:2", "{python} -S -E bot.py")
    found = re.search(r"gdb -p (\d+)", shown(running, "or press Enter"))
    assert found
    gdb = subprocess.run(
        ["gdb", "-nx", "-batch", "-p", found[1], "-ex", "shell sleep 0.3", "-ex", "detach"],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert gdb.returncode == 0, gdb.stderr
    assert re.search(r"as recorded\r\n3 requests, none differs", re.sub(BARE, "", running.end()))
