"""Answers also the messages that have no id."""

import sys

from proper import reply_to

for line in sys.stdin:
    print(reply_to(line) or '{"id": null}', flush=True)
