"""Gives the reply to the next request along with its own."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid": 3}\n{"id": 3, "bid": 3}', flush=True)
