"""Answers hello, then nothing more."""

import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
time.sleep(60)
