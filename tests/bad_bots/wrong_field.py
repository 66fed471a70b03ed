"""Names the bid as the card."""

import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
print('{"id": 2, "card": "3"}', flush=True)
