"""Proper, with 20 children, half of them in sessions of their own."""

import os
import time

from proper import replies

for child in range(20):
    if os.fork() == 0:
        if child % 2:
            os.setsid()
        time.sleep(60)
        os._exit(0)
for reply in replies():
    print(reply, flush=True)
