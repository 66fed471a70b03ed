"""Writes to standard error every 10 ms, and no reply."""

import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
while True:
    print("thinking...", file=sys.stderr, flush=True)
    time.sleep(0.01)
