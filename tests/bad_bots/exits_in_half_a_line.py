"""Begins its reply, and exits."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid"', end="", flush=True)
sys.exit(5)
