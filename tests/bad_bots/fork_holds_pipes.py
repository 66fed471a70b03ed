"""Ends while a child of its holds all its pipes open."""

import os
import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
if os.fork() == 0:
    time.sleep(60)
sys.exit(6)
