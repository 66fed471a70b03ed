"""Writes UTF-16."""

import os
import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
os.write(1, '{"id": 2, "bid": 3}\n'.encode("utf-16"))
