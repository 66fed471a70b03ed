"""Closes standard input before it answers hello, and lives on."""

import os
import sys
import time

sys.stdin.readline()
os.close(0)
print('{"id": 1}', flush=True)
time.sleep(60)
