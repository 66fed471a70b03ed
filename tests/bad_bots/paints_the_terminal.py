"""Proper, with sequences that rule a terminal in its name, its notes and its log."""

import sys

from proper import replies

PAINT = r"\u001b[2J\u001b]0;mine\u0007\u202e\r"

for reply in replies():
    print("\x1b[2J\x1b]0;mine\x07\x9b31m\r", file=sys.stderr, flush=True)
    print(f'{reply[:-1]}, "name": "{PAINT}", "note": "{PAINT}"}}', flush=True)
