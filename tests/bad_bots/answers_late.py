"""Answers the second request only when the file that is its argument is there; then twice."""

import sys
import time
from pathlib import Path

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
signal = Path(sys.argv[1])
while not signal.exists():
    time.sleep(0.01)
print('{"id": 2, "bid": 12}', flush=True)
signal.unlink()
sys.stdin.readline()
print('{"id": 3, "bid": 3}', flush=True)
sys.stdin.readline()
print('{"id": 2, "bid": 12}', flush=True)
