"""Echoes the id of the request before."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 1, "bid": 3}', flush=True)
