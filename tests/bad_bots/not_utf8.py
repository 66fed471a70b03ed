"""Writes Latin-1."""

import os
import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
os.write(1, b'{"id": 2, "bid": 3, "note": "caf\xe9"}\n')
