"""Closes all its standard streams instead of a reply, and lives on."""

import os
import sys
import time

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
for stream in range(3):
    os.close(stream)
time.sleep(60)
