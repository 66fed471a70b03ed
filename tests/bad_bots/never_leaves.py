"""Proper, but deaf to SIGTERM, SIGINT, SIGHUP and the end of its input."""

import signal
import sys
import time

for ignored in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(ignored, signal.SIG_IGN)
for number in range(1, 100):
    if not sys.stdin.readline():
        break
    print('{"id":', number, ', "bid": 3}', flush=True)
time.sleep(60)
