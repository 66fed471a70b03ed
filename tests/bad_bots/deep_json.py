"""Nests 30,000 lists."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid": 3, "note": ' + "[" * 30_000 + "]" * 30_000 + "}", flush=True)
