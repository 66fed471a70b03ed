"""A small league in a folder of its own, and the real command run on it."""

import json
import os
import re
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any, NamedTuple

from arena.record import strip_times
from tests.arena.programs import processes_with
from tournaments.errors import UserError
from tournaments.storage.store import Store

ROOT = Path(__file__).parents[2]

SOUND = """
import sys, time

which, bid = (sys.argv[1:] + ["0", "3"])[:2]  # an index into the legal cards, and a bid
for line in sys.stdin:
    if '"id":' not in line:
        continue
    reply = '{"id": ' + line.split('"id":')[1].split(",")[0]
    if '"type":"bid"' in line:
        reply += ', "bid": ' + bid
    if '"type":"play"' in line:
        cards = line.split('"legal":[')[1].split("]")[0].split(",")
        reply += ', "card": ' + cards[int(which)]
    PAUSE
    print(reply + "}", flush=True)
"""
"""Plays by rote and needs no library, so that it starts fast."""

SLOW = SOUND.replace("PAUSE", "time.sleep(0.005)")
SOUND = SOUND.replace("PAUSE", "")

Entry = dict[str, Any]


class Outcome(NamedTuple):
    """What became of a command that was run in this process."""

    status: object
    out: str
    err: str


def until(condition: Callable[[], Any], seconds: float = 60.0) -> None:
    """Waits for the condition to hold."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.005)


class League:
    """A folder with a tournament file and bots; everything that runs for it can be told by it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder),
            "TMPDIR": str(self.temporary),
            "PYTHONPATH": str(ROOT),
        }

    @property
    def run_folder(self) -> Path:
        """Where the run goes by default."""
        return self.folder / "runs" / "league"

    def bot(self, name: str, source: str = SOUND, *arguments: str) -> Entry:
        """Writes a bot, and gives its entry for a tournament file."""
        (self.folder / f"{name}.py").write_text(source)
        command = ["{python}", "-S", "-E", f"{name}.py", *arguments]
        return {"name": name, "command": command}

    def three(self) -> list[Entry]:
        """Three sound bots that play differently."""
        return [
            self.bot("low"),
            self.bot("high", SOUND, "-1", "4"),
            self.bot("mid", SOUND, "0", "2"),
        ]

    def write(
        self, bots: Sequence[Entry | str], file: str = "league.yaml", **settings: Any
    ) -> None:
        """Writes a tournament file: one deal a match, and clocks that are late for nobody."""
        whole = {
            "name": "league",
            "seed": 7,
            "rules": {"max_deals": 1},
            "clock": {"start": "60s", "move": "60s", "exit": "200ms"},
            "sandbox": {"backend": "none"},
            "bots": bots,
            **settings,
        }
        whole = {key: value for key, value in whole.items() if value is not None}
        (self.folder / file).write_text(json.dumps(whole))

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Starts the command, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "tournaments.cli", *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )

    def call(self, *arguments: str, status: int = 0) -> "subprocess.CompletedProcess[str]":
        """Runs the command to its end, which must have this status and no traceback."""
        process = self.start(*arguments)
        return finish(process, status)

    def play(self, *arguments: str, status: int = 0) -> "subprocess.CompletedProcess[str]":
        """`run` on the tournament file."""
        return self.call("run", "league.yaml", *arguments, status=status)

    def finished(self) -> int:
        """How many matches are in the store."""
        try:
            with Store.read(self.run_folder) as store:
                return store.counts().finished
        except UserError:
            return 0

    def standings(self) -> Any:
        """What the last run has left in standings.json."""
        return json.loads((self.run_folder / "standings.json").read_text())

    def processes(self) -> list[int]:
        """All that runs for this league: coordinator, workers, bots and what they started."""
        return processes_with(str(self.folder))

    def check_nothing_is_left(self) -> None:
        """No process runs for the league, and no scratch folder is left."""
        until(lambda: not self.processes(), 20)
        assert list(self.temporary.iterdir()) == []


def finish(process: "subprocess.Popen[str]", status: int) -> "subprocess.CompletedProcess[str]":
    """Waits for a command's end, which must have this status and no traceback."""
    out, err = process.communicate(timeout=120)
    # A worker that is told to leave while Python throws something away can't but say so.
    bugs = re.sub(r"Exception ignored in: .*?\nSystemExit: \d+\n", "", err, flags=re.DOTALL)
    assert "Traceback" not in bugs, err
    assert process.returncode == status, (process.returncode, out, err)
    return subprocess.CompletedProcess(process.args, status, out, err)


def records(run: Path, *, times: bool = False) -> dict[str, bytes]:
    """Every record of the present schedule by its match, without times unless asked for."""
    with Store.read(run) as store:
        return {
            match: record if times else strip_times(record) for match, record in store.records()
        }


def change(run: Path, sql: str, *values: Any) -> None:
    """Changes a run's database behind everybody's back."""
    with closing(connect(run / "arena.db")) as database, database:
        database.execute(sql, values)


SET_RECORD = "UPDATE records SET record = ? WHERE key = (SELECT key FROM matches WHERE match = ?)"


def change_record(run: Path, match: str, edit: Callable[[bytes], bytes]) -> None:
    """Changes a stored record."""
    with Store.read(run) as store:
        record = store.record(match)
    edited = edit(record)
    assert edited != record
    change(
        run,
        SET_RECORD,
        zlib.compress(edited),
        match,
    )
