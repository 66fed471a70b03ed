"""Proper, without standard error."""

import os
import sys

os.close(2)
for number in range(1, 100):
    if not sys.stdin.readline():
        break
    print('{"id":', number, ', "bid": 3}', flush=True)
