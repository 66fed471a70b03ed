"""Proper, with a megabyte of standard error before each reply."""

import os
import sys

for number in range(1, 100):
    if not sys.stdin.readline():
        break
    os.write(2, b"x" * 1024 * 1024)
    print('{"id":', number, ', "bid": 3}', flush=True)
