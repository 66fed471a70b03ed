"""Starts one program in a box and says what became of it: a child process of the tests.

It runs as whoever a test makes it, with an interpreter that this user can reach, and so imports
nothing but the standard library, what the arena needs, and the arena.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena import reaper
from arena.program import Program
from arena.sandbox import Sandbox, start

_PYTHON = "{python}"


def run(task: dict[str, Any]) -> dict[str, Any]:
    """What a program wrote and how it ended, and what it used when it had written a first line.

    It ends when its standard input does.
    """
    command = tuple(word.replace(_PYTHON, sys.executable) for word in task["command"])
    program = Program("bot", "", command, task["folder"], task["env"], task["owns_folder"])
    reaper.adopt_orphans()
    box = start(Sandbox(**task["sandbox"]), program, Path(task["folder"]), task["number"])
    try:
        sending, output, log = box.files
        first = output.readline()
        seen = box.usage()
        pids = box.processes()
        name = ""
        with suppress(FileNotFoundError, ProcessLookupError):  # it may have ended since
            name = Path(f"/proc/{box.bot}/comm").read_text().strip()
        sending.close()
        return {
            "output": (first + _rest(output.fileno())).decode(),
            "log": _rest(log.fileno()).decode(),
            "usage": {name: getattr(seen, name) for name in seen.__struct_fields__},
            "first_is_ours": pids[:1] == [box.bot],
            "name": name,
            "ended": _ended(box),
        }
    finally:
        box.kill()
        reaper.kill_bots([box.pid])
        box.close()
        for file in box.files:
            file.close()


def _rest(fd: int) -> bytes:
    text = b""
    while data := os.read(fd, 65_536):
        text += data
    return text


def _ended(box: Any) -> list[int]:
    os.waitid(os.P_PID, box.pid, os.WEXITED | os.WNOWAIT)
    status = box.ended()
    return [status.si_code, status.si_status]


if __name__ == "__main__":
    json.dump(run(json.load(sys.stdin)), sys.stdout)
