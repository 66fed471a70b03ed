"""Writes a NUL byte before its reply."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('\0{"id": 2, "bid": 3}', flush=True)
