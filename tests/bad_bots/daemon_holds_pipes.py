"""Ends while a daemon of its, in a session of its own, holds all its pipes."""

import os
import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
sys.exit(7)
