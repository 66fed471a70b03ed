"""Dies of an exception instead of a reply."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
raise ValueError("no idea")
