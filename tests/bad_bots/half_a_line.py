"""Begins its reply, and never ends it."""

import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid"', end="", flush=True)
time.sleep(60)
