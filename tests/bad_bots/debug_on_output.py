"""Thinks aloud on standard output."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print("thinking...", flush=True)
