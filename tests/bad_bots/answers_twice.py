"""Gives two replies to one request."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid": 3}\n{"id": 2, "bid": 4}', flush=True)
