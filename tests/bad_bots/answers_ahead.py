"""Gives what it takes for the reply to the next request along with its own."""

import json
import sys

for line in sys.stdin:
    number = json.loads(line)["id"]
    for each in (number, number + 1):
        print(json.dumps({"id": each, "bid": 3}), flush=True)
