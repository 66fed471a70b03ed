"""Plays any legal card: the wire with nothing but the standard library."""

import json
import random
import sys

BLIND_NIL_CHANCE = 0.1


def answer(line: str, rng: random.Random) -> str | None:
    """The reply to a line of the arena; None where it wants none."""
    message = json.loads(line)
    if "id" not in message:
        return None
    reply = {"id": message["id"]}
    if message["type"] == "hello":
        rng.seed(message["seed"])
    elif message["type"] == "bid":
        low = [bid for bid in message["legal"] if 1 <= bid <= 4]
        reply["bid"] = rng.choice(low or message["legal"])
    elif message["type"] == "blind_nil":
        reply["blind_nil"] = rng.random() < BLIND_NIL_CHANCE
    elif message["type"] == "exchange":
        reply["cards"] = rng.sample(message["hand"], message["count"])
    elif message["type"] == "play":
        reply["card"] = rng.choice(message["legal"])
    return json.dumps(reply)


def main() -> None:
    rng = random.Random()
    for line in sys.stdin:
        reply = answer(line, rng)
        if reply is not None:
            print(reply, flush=True)


if __name__ == "__main__":
    main()
