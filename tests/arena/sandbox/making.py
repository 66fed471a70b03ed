"""Runs one command in a workshop and says what became of it: a child process of the tests.

Like `boxed`, it runs as whoever a test makes it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from msgspec import structs

from arena.bot import BotFault
from arena.sandbox import workshop


def run(task: dict[str, Any]) -> dict[str, Any]:
    """How a command ended."""
    command = [word.replace("{python}", sys.executable) for word in task["command"]]
    try:
        made = workshop.make(
            command,
            Path(task["folder"]),
            task["time_limit"],
            toolchain=task["toolchain"],
            limits=structs.replace(workshop.LIMITS, **task["limits"]),
        )
    except BotFault as fault:
        return {"refused": fault.detail}
    return {"status": made.status, "stopped": made.stopped, "output": made.output.decode()}


if __name__ == "__main__":
    json.dump(run(json.load(sys.stdin)), sys.stdout)
