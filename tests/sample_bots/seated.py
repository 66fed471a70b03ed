"""The sample bots, loaded from their folders and seated without a process of their own."""

import importlib.util
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from types import CodeType, ModuleType
from unittest.mock import patch

from msgspec.structs import replace

from arena.bot import Answer
from arena.deals import deal_hands, deal_key, first_dealer
from arena.events import AnyEvent
from arena.referee import Table
from arena.state import State
from protocol.cards import SEATS
from protocol.client import Bot, answer
from protocol.codec import decode_reply, encode
from protocol.messages import Message, Request
from protocol.rules import Rules
from tests.arena.tables import NAMES, started

FOLDER = Path(__file__).parents[2] / "sample_bots"
BOTS = ["random_legal", "high_card", "counting", "python"]
FIVE_LINES = "five_lines"
"""The name here of the smallest bot of the specification."""
CLIENTS = {"high_card": "HighCard", "counting": "Counting"}
"""Those that use the client, and the class of each."""


@cache
def load(name: str) -> ModuleType:
    """The module of a bot that its command names, its neighbours found as when it runs."""
    file = FOLDER / name / ("main.py" if name == "python" else "bot.py")
    spec = importlib.util.spec_from_file_location(f"{name}_bot", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(FOLDER / name))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER / name))
    return module


@cache
def smallest() -> CodeType:
    """The first program of the specification."""
    text = (FOLDER.parent / "protocol" / "README.md").read_text()
    program = re.search(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert program
    return compile(program[1], FIVE_LINES, "exec")


def five_lines(line: bytes) -> bytes | None:
    """The smallest bot's reply. It remembers nothing, so each line may be its first and last."""
    with patch("sys.stdin", StringIO(line.decode())), redirect_stdout(StringIO()) as written:
        exec(smallest(), {})
    return written.getvalue().encode() or None


def new(name: str) -> Callable[[bytes], bytes | None]:
    """A bot that has just started: from each line that it is sent to the line that it replies."""
    if name == FIVE_LINES:
        return five_lines
    module = load(name)
    if name == "random_legal":
        rng = Random()

        def plain(line: bytes) -> bytes | None:
            reply = module.answer(line.decode(), rng)
            return None if reply is None else reply.encode() + b"\n"

        return plain
    if name == "python":
        decide, answer_of = module.Bot().decide, sys.modules["wire"].answer

        def self_contained(line: bytes) -> bytes | None:
            reply = answer_of(line.decode(), decide)
            return None if reply is None else reply.encode() + b"\n"

        return self_contained
    bot: Bot = getattr(module, CLIENTS[name])()

    def typed(line: bytes) -> bytes | None:
        reply = answer(bot, line)
        return None if reply is None else encode(reply)

    return typed


class SeatedBot:
    """A bot at a table. `lines` has what it was sent, each with what it replied."""

    def __init__(self, name: str) -> None:
        self._reply = new(name)
        self.lines: list[tuple[bytes, bytes | None]] = []

    def ask(self, request: Request) -> Answer:
        request.id = len(self.lines) + 1
        reply = self._send(request)
        assert reply is not None
        return Answer(decode_reply(reply.rstrip(b"\n"), request))

    def tell(self, message: Message) -> None:
        assert self._send(message) is None

    def _send(self, message: Message) -> bytes | None:
        line = encode(message)
        reply = self._reply(line)
        self.lines.append((line, reply))
        return reply


def play(
    first: str, second: str, seed: int = 0, leg: int = 0, rules: Rules | None = None
) -> tuple[State, list[SeatedBot]]:
    """A match with `first` at N and S, and in leg 1 at E and W: its last state, and the bots."""
    key = deal_key(f"seed {seed}", NAMES, 0)
    match = started(rules or Rules(), leg, first_dealer(key))
    match = replace(match, origin=replace(match.origin, seed=seed))
    seated = [SeatedBot((first, second)[(i + leg) % 2]) for i in range(4)]
    events: list[AnyEvent] = []
    state = Table(
        match,
        dict(zip(SEATS, seated, strict=True)),
        lambda *deal: deal_hands(key, *deal),
        events.append,
    ).play()
    return state, seated
