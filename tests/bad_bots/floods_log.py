"""Writes to standard error on and on."""

import os
import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
while True:
    os.write(2, b"x" * 65536)
