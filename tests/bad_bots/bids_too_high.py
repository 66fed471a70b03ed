"""Bids 14."""

import json
import sys

number = json.loads(sys.stdin.readline())["id"]
print(f'{{"id": {number}}}', flush=True)
number = json.loads(sys.stdin.readline())["id"]
print(f'{{"id": {number}, "bid": 14}}', flush=True)
