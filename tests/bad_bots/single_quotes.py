"""Prints a dictionary of Python."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print({"id": 2, "bid": 3}, flush=True)
