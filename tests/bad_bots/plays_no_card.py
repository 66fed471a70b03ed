"""Plays what is no card of any deck."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid": 3}', flush=True)
sys.stdin.readline()
print('{"id": 3, "card": "1C"}', flush=True)
