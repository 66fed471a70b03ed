"""What bots are boxed in: one interface, a backend a module.

`find` says once, before any match, which backend this machine has; `start` runs a bot in it.
"""

from pathlib import Path
from typing import Any

from msgspec import to_builtins

from arena.program import Program
from arena.sandbox import bubblewrap, none, probe
from arena.sandbox.box import Backend, Box, BoxFailed, NoSandbox, Sandbox, Usage
from arena.sandbox.places import places
from arena.sandbox.probe import Wanted, find

__all__ = [
    "Backend",
    "Box",
    "BoxFailed",
    "NoSandbox",
    "Sandbox",
    "Usage",
    "Wanted",
    "describe",
    "find",
    "start",
]


def start(sandbox: Sandbox, program: Program, scratch: Path, number: int) -> Box:
    """Starts a bot. Where a backend needs a folder for it, that is made in `scratch`.

    `number`, 0 to 3, is unlike that of any other bot that this process has running. Raises OSError
    or ValueError where the program can't be started, as Popen does, BotFault where the bot is to
    blame in another way, and BoxFailed for the rest.
    """
    if sandbox.backend == "none":
        return none.start(sandbox, program, scratch)
    return probe.start(sandbox, places(program), number)


def describe(sandbox: Sandbox) -> dict[str, Any]:
    """What a record says: the settings, and what the backend guarantees. The same everywhere."""
    guarantees = none.GUARANTEES if sandbox.backend == "none" else bubblewrap.GUARANTEES
    return {**to_builtins(sandbox), "guarantees": list(guarantees)}
