"""Does not echo the id."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"bid": 3}', flush=True)
