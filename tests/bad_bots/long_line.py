"""A line of 64 KiB and one byte."""

import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
start = '{"id": 2, "bid": 3, "note": "'
print(start + "x" * (64 * 1024 - len(start) - 2) + '"}', flush=True)
time.sleep(60)
