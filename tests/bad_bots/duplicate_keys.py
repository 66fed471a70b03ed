"""Bids twice in one reply."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid": 3, "bid": 4}', flush=True)
