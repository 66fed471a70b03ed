"""The wire: a JSON object a line, requests on standard input, replies on standard output.

A message with an `id` is a request and gets exactly one reply, which echoes the id. A message
without one (`fault`, `deal_end`, `match_end`) gets none, but must be read as well.
"""

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

Decide = Callable[[dict[str, Any]], dict[str, Any]]
"""From a message to what the reply says besides its id: `{"bid": 3}`, `{"card": "AS"}`, `{}`."""


def answer(line: str, decide: Decide) -> str | None:
    """The reply to a line, or None where none is wanted."""
    message = json.loads(line)
    decision = decide(message)
    if "id" not in message:
        return None
    return json.dumps({"id": message["id"], **decision}, separators=(",", ":"))


def run(decide: Decide) -> None:
    """Answers until standard input ends, which is the end of the match."""
    replies = sys.stdout
    with redirect_stdout(sys.stderr):  # so print() writes to the bot's log
        for line in sys.stdin:
            reply = answer(line, decide)
            if reply is not None:
                # A reply that stays in a buffer never arrives, and the clock runs out.
                print(reply, file=replies, flush=True)
