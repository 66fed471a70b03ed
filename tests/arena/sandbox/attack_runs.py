"""Runs one attack at a table of its own, and looks at what came of it from outside.

As a program it runs the attacks that standard input names, for tests that need another user.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.bot import BotFault
from arena.process import UNBOXED, BotProcess, close_all
from arena.program import Program
from arena.sandbox import Sandbox
from arena.sandbox.processes import halted
from protocol.codec import encode
from tests.arena.programs import HASTY, PATIENT, bid, hello, processes_with
from tests.arena.sandbox.attack_stage import BITS, Stage, stage
from tests.arena.sandbox.attack_table import ATTACKS, Attack, Shows

SETTLE_S = 0.3
"""So long a bot that is not on turn is watched."""
THOUGHT_S = 0.05
"""So much of the processor's time is more than what a bot needs to fall asleep."""

BOX: Final = Sandbox("bubblewrap", memory=128_000_000, disk=4_000_000, threads=8)


class Outcome(msgspec.Struct):
    """What came of an attack."""

    shown: list[Shows]
    """How it showed that it succeeded; empty if it did not."""
    got: Any = None
    """What the bot got, by its own word."""
    why: str | None = None
    """Why it got nothing."""
    tried: bool = False
    """It told what came of its attempt, or was at fault for it."""
    fault: str | None = None
    """What it was found to have done wrong."""
    remains: list[str] = []
    """What was left of it when all was over."""


def program(stage: Stage, *attacks: Attack, boxed: bool, **more: Any) -> Program:
    """Attacks of one group as a bot, an attempt a bid."""
    attack, functions = attacks[0], ",".join(attack.function for attack in attacks)
    words = json.dumps({**stage.given(boxed), **more})
    file = stage.bot / f"{attack.group}.py"
    command = (sys.executable, "-S", "-E", "-B", str(file), functions, words)
    return Program(attack.name, "", command, str(stage.bot), {"OWN": stage.token})


def bystander(stage: Stage) -> Program:
    file = stage.bot / "bystander.py"
    command = (sys.executable, "-S", "-E", "-B", str(file), stage.opponent)
    return Program("bystander", "", command, str(stage.bot), {"SECRET": stage.opponent})


@contextmanager
def seated(
    stage: Stage, attack: Attack, backend: str, *programs: Program
) -> Iterator[list[BotProcess]]:
    clock = HASTY if attack.fault == "timeout" else PATIENT
    box = msgspec.structs.replace(BOX, processes=attack.processes)
    sandbox = UNBOXED if backend == "none" else box
    bots = [
        BotProcess(each, clock, stage.scratch, sandbox, seat) for seat, each in enumerate(programs)
    ]
    try:
        yield bots
    finally:
        close_all(bots, clock.exit_ms)


def run(attack: Attack, backend: str) -> Outcome:
    """Runs an attack: backend `bubblewrap` or `none`, or `bare`, which is without the arena.

    Raises ValueError for one that would harm this machine without a box.
    """
    if backend != "bubblewrap" and attack.dangerous:
        raise ValueError(f"{attack.name} must not be run without a box: {attack.dangerous}")
    if backend == "bubblewrap" and attack.shares_a_box:
        return _in_one_box(attack.group)[attack.name]
    return _run([attack], backend)[attack.name]


@cache
def _in_one_box(group: str) -> dict[str, Outcome]:
    """Runs all that can share a box; of two users in one order and in the other.

    So none is blocked for what the one before it has done.
    """
    attacks = [each for each in ATTACKS.values() if each.group == group and each.shares_a_box]
    if os.geteuid() != 0:
        attacks.reverse()
    outcomes = _run(attacks, "bubblewrap")
    if any(outcome.fault for outcome in outcomes.values()):  # not all had their turn
        for attack in attacks:
            outcomes |= _run([attack], "bubblewrap")
    return outcomes


def _run(attacks: list[Attack], backend: str) -> dict[str, Outcome]:
    with stage(attacks[0].group) as place:
        if backend == "bare":
            return {attack.name: _bare(place, attack) for attack in attacks}
        by_one = _pair if attacks[0].shows == "crossed" else _single
        try:
            outcomes = by_one(place, attacks, backend)
        finally:
            remains = _remains(place)
        seen = {"arrived": place.arrived(), "written": place.written(), "felt": place.felt()}
    for attack, outcome in zip(attacks, outcomes, strict=True):
        outcome.remains = remains
        facts: dict[Shows, Callable[[Outcome], bool]] = {
            "told": lambda outcome: place.token in str(outcome.got),
            "done": lambda outcome: outcome.got is not None,
            "crossed": lambda outcome: _tells_bits_apart(outcome.got),
            "thought": lambda outcome: bool(outcome.shown),
            "fooled": lambda outcome: not (outcome.fault or "").startswith(f"{attacks[0].fault}:"),
            "remained": lambda outcome: bool(remains),
        }
        succeeded = seen[attack.shows] if attack.shows in seen else facts[attack.shows](outcome)
        outcome.shown = [attack.shows] if succeeded else []
    return {attack.name: outcome for attack, outcome in zip(attacks, outcomes, strict=True)}


def _single(stage: Stage, attacks: list[Attack], backend: str) -> list[Outcome]:
    boxed = backend != "none"
    programs = [program(stage, *attacks, boxed=boxed)]
    if attacks[0].group == "spying":
        programs.append(bystander(stage))
    with (
        _secrets_of_the_arena(stage),
        seated(stage, attacks[0], backend, *programs) as [bot, *others],
    ):
        for each in (*others, bot):
            each.ask(hello())
        outcomes = []
        for attack in attacks:
            try:
                note = json.loads(bot.ask(bid()).reply.note or "{}")
            except BotFault as fault:
                return [Outcome([], fault=str(fault), tried=True) for _ in attacks]
            outcome = Outcome([], note.get("got"), note.get("why"), tried="got" in note)
            if attack.shows == "thought" and outcome.got and _thinks(stage, boxed):
                outcome.shown = ["thought"]
            outcomes.append(outcome)
        return outcomes


def _pair(stage: Stage, attacks: list[Attack], backend: str) -> list[Outcome]:
    [attack], boxed = attacks, backend != "none"
    roles = [program(stage, attack, boxed=boxed, role=role) for role in ("send", "hear")]
    heard: list[Any] = []
    with seated(stage, attack, backend, *roles) as bots:
        try:
            for bot in bots:
                bot.ask(hello())
            sender, listener = bots
            notes = [json.loads(bot.ask(bid()).reply.note or "{}") for bot in bots]
            for _ in BITS:
                _await_rest(listener, boxed)
                notes.append(json.loads(sender.ask(bid()).reply.note or "{}"))
                notes.append(json.loads(listener.ask(bid()).reply.note or "{}"))
                heard.append(notes[-1].get("got"))
        except BotFault as fault:
            return [Outcome([], fault=str(fault), tried=True)]
    why = next((note["why"] for note in notes if note.get("why")), None)
    return [Outcome([], heard, why, tried=all("got" in note for note in notes))]


def _await_rest(bot: BotProcess, boxed: bool) -> None:
    """Until it has stopped; the moment that this takes is one of the things that stay open."""
    deadline = time.monotonic() + 30
    pid = bot._running.box.bot if boxed and bot._running else None
    while pid and not halted(pid) and time.monotonic() < deadline:
        time.sleep(0.001)


def _tells_bits_apart(heard: list[Any] | None) -> bool:
    """Whether what was heard differs with what was sent, also where it is not the same."""
    sent = {bit: [h for b, h in zip(BITS, heard or [], strict=False) if b == bit] for bit in BITS}
    return sent[0] != sent[1]


def _bare(stage: Stage, attack: Attack) -> Outcome:
    """As a careless arena would run it: with its environment, and all that it has open."""
    ended = _run_bare(stage, attack)
    if ended.returncode >= 0 and ended.stdout.count(b"\n") < 2:
        ended = _run_bare(stage, attack)  # seen once on a busy machine: it ended before it began
    if ended.returncode < 0:
        return Outcome([], fault=f"killed by {signal.Signals(-ended.returncode).name}", tried=True)
    replies = ended.stdout.splitlines()
    if len(replies) < 2:
        said = ended.stderr.decode(errors="replace")
        return Outcome([], fault=f"ended with {ended.returncode}: {said}", tried=True)
    note = json.loads(json.loads(replies[1])["note"])
    return Outcome(["done"] if note["got"] is not None else [], note["got"], note.get("why"))


def _run_bare(stage: Stage, attack: Attack) -> "subprocess.CompletedProcess[bytes]":
    asked = bid()
    asked.id = 2
    first = hello()
    first.id = 1
    bot = program(stage, attack, boxed=False)
    with open(stage.secret) as inherited:
        os.set_inheritable(inherited.fileno(), True)
        return subprocess.run(
            bot.command,
            input=encode(first) + encode(asked),
            capture_output=True,
            close_fds=False,
            cwd=bot.folder,
            env={**os.environ, "HIDDEN": stage.hidden},
        )


@contextmanager
def _secrets_of_the_arena(stage: Stage) -> Iterator[None]:
    """Something in its environment, and a file that it has open for whoever inherits it."""
    with open(stage.secret) as inherited:
        os.set_inheritable(inherited.fileno(), True)
        os.environ["HIDDEN"] = stage.hidden
        try:
            yield
        finally:
            del os.environ["HIDDEN"]


def _thinks(stage: Stage, boxed: bool) -> bool:
    """Whether it uses the processor while nobody asks it anything."""
    before = _seconds(stage)
    deadline = time.monotonic() + (SETTLE_S if boxed else 30)
    while (thought := _seconds(stage) - before) < THOUGHT_S and time.monotonic() < deadline:
        time.sleep(0.05)
    return thought >= THOUGHT_S


def _seconds(stage: Stage) -> float:
    """Processor time of all its processes."""
    ticks = 0
    for pid in processes_with(stage.token):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _remains(stage: Stage) -> list[str]:
    """What should be gone, and is there; what should be there, and is gone."""
    processes = [f"process {pid}" for pid in processes_with(stage.token)]
    for name in processes:
        with suppress(ProcessLookupError):
            os.kill(int(name.split()[1]), signal.SIGKILL)
    files = [str(path) for path in stage.scratch.iterdir()]
    kept = stage.precious / "kept"
    harmed = [] if kept.exists() and kept.read_text() == "kept" else [f"no {kept}"]
    return processes + files + harmed


def main() -> None:
    """A line of input is a backend and the name of an attack, one of output its outcome."""
    for line in sys.stdin:
        backend, name = line.split()
        print(msgspec.json.encode(run(ATTACKS[name], backend)).decode(), flush=True)


if __name__ == "__main__":
    main()
