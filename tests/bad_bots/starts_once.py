"""Ends at its first card, with a word in its log; started again, it ends before hello.

The file that is its argument tells it.
"""

import json
import sys
from pathlib import Path

if Path(sys.argv[1]).exists():
    sys.exit("I was here before")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "play":
        Path(sys.argv[1]).touch()
        sys.exit("no card for you")
    if "id" in message:
        print(json.dumps({"id": message["id"], "bid": 3}), flush=True)
