"""Not bad at all; others take its replies and go wrong in one thing."""

import sys
from collections.abc import Iterator


def listed(line: str, key: str) -> list[str]:
    """The list that a message has under this key, each value as it is written."""
    values = line.partition(f'"{key}":[')[2].partition("]")[0]
    return values.split(",") if values else []


def reply_to(line: str) -> str | None:
    """A proper reply, without its line end; None to a message that wants none."""
    number = line.partition('"id":')[2].partition(",")[0]
    if not number:
        return None
    reply = f'{{"id": {number}'
    if '"type":"bid"' in line:
        reply += ', "bid": 3'
    if '"type":"play"' in line:
        reply += f', "card": {listed(line, "legal")[0]}'
    return reply + "}"


def replies() -> Iterator[str]:
    """The replies to all that comes."""
    return filter(None, map(reply_to, sys.stdin))


if __name__ == "__main__":
    for reply in replies():
        print(reply, flush=True)
