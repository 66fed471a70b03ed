"""Writes a byte every 10 ms, and never a line end."""

import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
while True:
    print("x", end="", flush=True)
    time.sleep(0.01)
