"""Tries each property in turn, as often as it takes to fill the time.

    python -m tests.fuzz --seconds 600

Every round has a new seed, which is printed. Ends with an example that fails, if there is one.
"""

import argparse
import time
from itertools import count

from hypothesis import given, seed, settings

from tests import conftest  # the settings of all tests
from tests.fuzz.properties import PROPERTIES


def main() -> None:
    """Rounds until the time is over."""
    assert conftest
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    for number in count(options.seed):
        for check, (examples, tried_on) in PROPERTIES.items():
            if time.monotonic() > end:
                return
            print(f"{number} {check.__name__}", flush=True)
            long = settings(max_examples=5 * examples, database=None, print_blob=True)
            seed(number)(long(given(**tried_on)(check)))()


if __name__ == "__main__":
    main()
