"""Closes standard output instead of a reply, and lives on."""

import os
import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
os.close(1)
time.sleep(60)
