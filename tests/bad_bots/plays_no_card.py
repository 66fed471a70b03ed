"""Plays what is no card of any deck."""

import json
import sys

number = json.loads(sys.stdin.readline())["id"]
print(f'{{"id": {number}}}', flush=True)
number = json.loads(sys.stdin.readline())["id"]
print(f'{{"id": {number}, "bid": 3}}', flush=True)
number = json.loads(sys.stdin.readline())["id"]
print(f'{{"id": {number}, "card": "1C"}}', flush=True)
