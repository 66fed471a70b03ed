"""Proper, with 20 children, half of them in sessions of their own."""

import os
import sys
import time

for child in range(20):
    if os.fork() == 0:
        if child % 2:
            os.setsid()
        time.sleep(60)
        os._exit(0)
for number in range(1, 100):
    if not sys.stdin.readline():
        break
    print('{"id":', number, ', "bid": 3}', flush=True)
