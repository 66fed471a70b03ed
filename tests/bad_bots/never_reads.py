"""Answers hello unread, and never reads anything."""

import time

print('{"id": 1}', flush=True)
time.sleep(60)
