"""Writes on and on without a line end."""

import os
import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
while True:
    os.write(1, b"x" * 65536)
