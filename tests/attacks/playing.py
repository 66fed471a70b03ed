"""A proper bot that makes an attempt whenever it bids, and tells in its note what came of it."""

import json
import sys
from contextlib import suppress
from pathlib import Path


def play(attempt):
    """Plays a match. `attempt` is called with the number of the bid, from 0.

    What it returns stands in the note as `got`; None, or an OSError, is an attempt that failed.
    """
    bids = 0
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        reply = {"id": message["id"]}
        if message["type"] == "bid":
            reply["bid"] = next((bid for bid in message["legal"] if bid), 0)
            reply["note"] = json.dumps(outcome(attempt, bids))[:1000]
            bids += 1
        elif message["type"] == "play":
            reply["card"] = message["legal"][0]
        print(json.dumps(reply), flush=True)


def outcome(attempt, *arguments):
    """What came of an attempt: what it got, or why nothing."""
    try:
        return {"got": attempt(*arguments)}
    except (OSError, MemoryError, RuntimeError) as error:
        return {"got": None, "why": f"{type(error).__name__}: {error}"[:200]}


def play_one_of(attacks):
    """Plays with the attempts that the command names, in turn, each given what the command says.

    `hold` are the seconds that what it got is kept, that whoever watches may see it.
    """
    named, given = sys.argv[1].split(","), json.loads(sys.argv[2])

    def attempt(number):
        chosen = attacks[named[number % len(named)]]
        return chosen(**{name: given[name] for name in parameters(chosen)})

    play(attempt)


def parameters(attempt):
    code = attempt.__code__
    return code.co_varnames[: code.co_argcount]


def names_of_processes():
    """The names of all processes that can be seen, as long as they are there."""
    names = set()
    for file in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            names.add(file.read_text().strip())
    return names


def only_in_a_box():
    """Ends a bot that would harm this machine if it were not in a box."""
    if Path.cwd() != Path("/bot"):
        sys.exit("this is no box")


def first(attempts):
    """What the first of the attempts that succeeds got, and otherwise the last failure."""
    failure = None
    for attempt in attempts:
        try:
            if (got := attempt()) is not None:
                return got
        except OSError as error:
            failure = error
    if failure is not None:
        raise failure
    return None
