"""Tries each property in turn, round after round, until the time is over.

    python -m tests.fuzz --seconds 600

Every round has a seed of its own, which is printed; the first example that fails ends it.
"""

import argparse
import time
from itertools import count

from tests.fuzz import processes, wire


def main() -> None:
    """Rounds until the time is over."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    for number in count(options.seed):
        for each in (*wire.PROPERTIES, *processes.PROPERTIES):
            if time.monotonic() > end:
                return
            print(f"--seed {number}: {each.check.__name__}", flush=True)
            each.hold_long(number)


if __name__ == "__main__":
    main()
