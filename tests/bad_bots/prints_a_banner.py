"""Greets people on standard output before it answers."""

import sys

print("My Bot 1.0", flush=True)
sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
