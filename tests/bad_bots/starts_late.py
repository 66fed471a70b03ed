"""Does not answer its first hello; started again, it plays properly.

The file that is its argument tells it.
"""

import json
import sys
from pathlib import Path

again = Path(sys.argv[1]).exists()
Path(sys.argv[1]).touch()
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and again:
        card = message.get("legal", [None])[0]
        print(json.dumps({"id": message["id"], "bid": 3, "card": card}), flush=True)
