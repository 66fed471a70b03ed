"""Proper, while a child of its forks into new sessions and exits, on and on for 20 s."""

import os
import sys
import time

end = time.monotonic() + 20
if os.fork() == 0:
    while time.monotonic() < end:
        if os.fork():
            os._exit(0)
        os.setsid()
    os._exit(0)
for number in range(1, 100):
    if not sys.stdin.readline():
        break
    print('{"id":', number, ', "bid": 3}', flush=True)
