"""Writes a blank line every 10 ms, and nothing else."""

import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
while True:
    print(flush=True)
    time.sleep(0.01)
