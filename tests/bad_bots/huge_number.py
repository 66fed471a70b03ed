"""Bids a number of 5,000 digits."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid": ' + "9" * 5_000 + "}", flush=True)
