"""Writes a line of debug output before its reply to the second request, and is proper then."""

import sys

for number in range(1, 100):
    line = sys.stdin.readline()
    if not line:
        break
    if number == 2:
        print("thinking...", flush=True)
    if '"id"' in line:
        print('{"id":', number, ', "bid": 3}', flush=True)
